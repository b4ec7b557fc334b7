import Dispatch

extension ReactiveLoopEngine {
  /// Whether systems may begin something: the loop is neither paused nor cancelled.
  var canRun: Bool { withState(\.canRun) }

  /// Whether the last work of a system failed.
  var hasFailingWork: Bool {
    withState(\.asyncSystems).contains { $0.system.isFailing }
  }

  /// Reports that the work of a system threw, on the queue, and then calls a body with whether its
  /// entity is given up.
  ///
  /// Sees to it that what the body puts back is tried again.
  func workFailed(
    _ error: any Error, of system: AsyncSystem, _ entity: Entity,
    _ body: @escaping @Sendable (Bool) -> Void
  ) {
    // Nothing failed: the loop's end was the reason.
    if error is CancellationError, isCancelled { return body(false) }
    queue.async { [self] in
      withTurn {
        admitAdditions()
        let isDropped = runner.noteFailure(error, of: system, entity)
        // One that failed before has planned it.
        let isPlanned = runner.hasRestored
        body(isDropped)
        if !isPlanned, !isDropped { planRetry() }
      }
    }
  }

  /// A work has ended, and the change that it returned has been made.
  func workEnded() {
    scheduleIfNeeded()
    resumeSleepers(withState { $0.takeSleepers() })
  }
}
