/// A section of the user's that only reads.
@usableFromInline
struct ReadingSection {
  private let core: Core

  /// The section beside others; nil inside of another section.
  private let running: RunningReading?

  /// Whether it has made the mode refuse changes, and the mode before.
  private let before: Core.Mode?

  /// Begins a section: beside others that only read, or inside of the section that this thread is
  /// in.
  @usableFromInline
  init(_ core: Core) {
    self.core = core
    if core.pointer.pointee.lock.isHeldByCurrentThread || core.pointer.pointee.lock.takeBack() {
      running = nil
      // What refuses changes already is the one to blame.
      let refuses = core.pointer.pointee.section.mode.refuses
      before = refuses ? nil : core.beginRefusingChanges(.reading)
      return
    }
    before = nil
    guard core.runningReading == nil else {
      running = nil
      return
    }
    running = core.pointer.pointee.lock.beginReading()
    // INVARIANT: what waits is done before the lock is free. So readers find views settled, and
    // nothing of a change is left for them to carry out.
    assert(
      core.pointer.pointee.section.pending.isEmpty,
      "A section that only reads began before all was done that the last change left.")
  }

  @usableFromInline
  func end() {
    if let before { core.endRefusingChanges(before) }
    guard let running else { return }
    core.pointer.pointee.lock.endReading(running)
  }
}
