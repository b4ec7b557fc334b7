import CPlatform

// PERFORMANCE: J2: most commits are one replaced component of which nothing is notified but
// journals. Such a commit is noted where it is delivered: not in the account of the outermost
// change, from which it would have to be taken.
extension CommitDelivery {
  /// Begins a commit that is going to be one replaced component.
  ///
  /// Returns where the caller puts copies of the value that goes and of the one that comes; nil,
  /// having done nothing, if something else is to be notified, or if there may be more changes, or
  /// another cause.
  ///
  /// No code of the user's runs until `endSingle()`.
  @usableFromInline
  @inline(never)
  func beginSingle(
    _ handle: Handle, _ edge: UnsafeMutablePointer<Edge>
  ) -> Notifications.ValueAddresses? {
    guard core.pointer.pointee.section.mode == .journaling,
      core.pointer.pointee.section.pending.isEmpty,
      core.pointer.pointee.taken.count == 0, core.pointer.pointee.observed.count == 0,
      unsafe edge.pointee.isReplaceListed, unsafe edge.pointee.replace == nil,
      let cid = unsafe edge.pointee.cid, CurrentCause.address == 0,
      let recording = unsafe core.pointer.pointee.journaling.recording,
      unsafe recording.pointee.records.isEmpty, unsafe !recording.pointee.isInterestMixed,
      unsafe recording.pointee.interest.takesIn(cid),
      let commit = unsafe recording.pointee.spareReference
    else { return nil }
    return commit.visit { unsafe $0.noteSingleReplacement(handle, cid, recording) }
  }

  /// Delivers the commit, whose values are in place.
  @usableFromInline
  @inline(never)
  func endSingle() {
    guard let recording = unsafe core.pointer.pointee.journaling.recording,
      let commit = unsafe recording.pointee.spareReference
    else { return }
    core.pointer.pointee.journaling.lastCommit += 1
    core.pointer.pointee.section.beginTelling()
    let isOurs = commit.visit { commit in
      commit.stamp(number: core.pointer.pointee.journaling.lastCommit, time: c_coarse_time())
      core.pointer.pointee.journaling.journals?.visit { $0.deliver(commit) }
      return !commit.isSent
    }
    core.pointer.pointee.section.endTelling()
    // SAFETY of what follows: nothing else can come to have it, if nothing has it.
    if isOurs, unsafe isKnownUniquelyReferenced(&recording.pointee.spare) {
      commit.visit { $0.endSingle() }
    } else if let kept = unsafe recording.pointee.spare.take() {
      // It may have been kept and released by now: its values end without the lock.
      core.retire(kept)
    }
    if core.pointer.pointee.retainedSlots != nil { core.retention.giveBackParkedSlots() }
  }
}
