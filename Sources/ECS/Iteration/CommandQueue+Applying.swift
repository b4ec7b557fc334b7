// Changes that are asked for while an iteration runs wait here until it ends.
extension CommandQueue {
  /// Makes the queued changes, in order.
  @inline(__always)
  func apply() {
    if !core.pointer.pointee.iterations.deferred.isEmpty { applyWhatWaits() }
  }

  @inline(never)
  private func applyWhatWaits() {
    while !core.pointer.pointee.iterations.deferred.isEmpty {
      let changes = core.pointer.pointee.iterations.deferred
      core.pointer.pointee.iterations.deferred = []
      for change in changes { change() }
      // Values that were not used in the end may end with them.
      core.pointer.pointee.section.pendingRelease.append(contentsOf: changes)
      core.pointer.pointee.section.pending.insert(.pendingRelease)
    }
  }

  /// Queues a change that was asked for while an iteration runs.
  ///
  /// Stops if code runs that must not change the context.
  @usableFromInline
  @inline(never)
  func add(_ change: @escaping () -> Void) {
    core.checkMode()
    core.pointer.pointee.iterations.deferred.append(change)
  }

  /// The number of changes that wait for the end of an iteration; 0 if none runs.
  var count: Int { core.acceptsChanges ? 0 : core.pointer.pointee.iterations.deferred.count }

  /// Lets something else make the changes that wait, from one on.
  func wrap(from first: Int, _ wrap: @escaping (() -> Void) -> Void) {
    guard count > first else { return }
    for index in first..<count {
      let change = core.pointer.pointee.iterations.deferred[index]
      core.pointer.pointee.iterations.deferred[index] = { wrap(change) }
    }
  }
}
