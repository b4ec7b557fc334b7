import CPlatform

// PERFORMANCE: J2: most commits are one replaced component of which nothing is notified but
// journals. Such a commit is noted where it is delivered: not in the account of the outermost
// change, from which it would have to be taken.
extension Core {
  /// Begins a commit that is going to be one replaced component.
  ///
  /// Returns where the caller puts copies of the value that goes and of the one that comes; nil,
  /// having done nothing, if something else is to be notified, or if there may be more changes, or
  /// another cause.
  ///
  /// No code of the user's runs until `endSingleCommit()`.
  @usableFromInline
  @inline(never)
  func beginSingleCommit(
    _ handle: Handle, _ edge: UnsafeMutablePointer<Edge>
  ) -> ValueAddresses? {
    guard pointer.pointee.section.mode == .journaling, pointer.pointee.section.pending.isEmpty,
      pointer.pointee.taken.count == 0, pointer.pointee.observed.count == 0,
      unsafe edge.pointee.isReplaceListed, unsafe edge.pointee.replace == nil,
      let cid = unsafe edge.pointee.cid, CurrentCause.address == 0,
      let recording = unsafe pointer.pointee.journaling.recording,
      unsafe recording.pointee.records.isEmpty, unsafe !recording.pointee.isInterestMixed,
      unsafe recording.pointee.interest.takesIn(cid),
      let commit = unsafe recording.pointee.spareReference
    else { return nil }
    return commit.visit { unsafe $0.noteSingleReplacement(handle, cid, recording) }
  }

  /// Delivers the commit, whose values are in place.
  @usableFromInline
  @inline(never)
  func endSingleCommit() {
    guard let recording = unsafe pointer.pointee.journaling.recording,
      let commit = unsafe recording.pointee.spareReference
    else { return }
    pointer.pointee.journaling.lastCommit += 1
    pointer.pointee.section.beginTelling()
    let isOurs = commit.visit { commit in
      commit.stamp(number: pointer.pointee.journaling.lastCommit, time: c_coarse_time())
      pointer.pointee.journaling.journals?.visit { $0.deliver(commit) }
      return !commit.isSent
    }
    pointer.pointee.section.endTelling()
    // SAFETY of what follows: nothing else can come to have it, if nothing has it.
    if isOurs, unsafe isKnownUniquelyReferenced(&recording.pointee.spare) {
      commit.visit { $0.endSingle() }
    } else if let kept = unsafe recording.pointee.spare.take() {
      // It may have been kept and released by now: its values end without the lock.
      retire(kept)
    }
    if pointer.pointee.retainedSlots != nil { giveBackParkedSlots() }
  }
}
