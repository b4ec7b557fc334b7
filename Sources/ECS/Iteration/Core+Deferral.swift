// Changes that are asked for while an iteration runs wait here until it ends.
extension Core {
  /// Makes the queued changes, in order.
  @inline(__always)
  func applyDeferred() {
    if !pointer.pointee.iterations.deferred.isEmpty { applyWhatWaits() }
  }

  @inline(never)
  private func applyWhatWaits() {
    while !pointer.pointee.iterations.deferred.isEmpty {
      let changes = pointer.pointee.iterations.deferred
      pointer.pointee.iterations.deferred = []
      for change in changes { change() }
      // Values that were not used in the end may end with them.
      pointer.pointee.section.pendingRelease.append(contentsOf: changes)
      pointer.pointee.section.pending.insert(.pendingRelease)
    }
  }

  /// Queues a change that was asked for while an iteration runs.
  ///
  /// Stops if code runs that must not change the context.
  @usableFromInline
  @inline(never)
  func deferChange(_ change: @escaping () -> Void) {
    checkMode()
    pointer.pointee.iterations.deferred.append(change)
  }

  /// The number of changes that wait for the end of an iteration; 0 if none runs.
  var deferredCount: Int { acceptsChanges ? 0 : pointer.pointee.iterations.deferred.count }

  /// Lets something else make the changes that wait, from one on.
  func wrapDeferred(from first: Int, _ wrap: @escaping (() -> Void) -> Void) {
    guard deferredCount > first else { return }
    for index in first..<deferredCount {
      let change = pointer.pointee.iterations.deferred[index]
      pointer.pointee.iterations.deferred[index] = { wrap(change) }
    }
  }

  /// Stops if code runs that must not change the context, or must not even iterate.
  @usableFromInline
  func checkMode(toRead: Bool = false) {
    let mode = pointer.pointee.section.mode
    if mode.refuses, !toRead || !mode.contains(.reading), let refusal = mode.refusal {
      stop(refusal)
    }
  }
}
