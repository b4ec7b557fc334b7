import Dispatch

extension ReactiveLoopEngine {
  /// Whether the last work of a system failed.
  var hasFailingWork: Bool {
    withState(\.asyncSystems).contains { $0.system.isFailing }
  }

  /// Reports that the work of a system threw, on the queue; lets it put the entity back unless that
  /// is given up, plans a retry, and then ends the work.
  func workFailed(
    _ error: any Error, of system: AsyncSystem, _ entity: Entity,
    giveBack: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void
  ) {
    queue.async { [self] in
      withTurn {
        admitAdditions()
        if !runner.noteFailure(error, of: system, entity) {
          giveBack()
          // Of several that fail together, the first one plans it.
          if !withState(\.isRetryPlanned) { planRetry() }
        }
        end()
      }
    }
  }

  /// A work has ended, and the change that it returned has been made.
  func workEnded() {
    scheduleIfNeeded()
    resumeSleepers(withState { $0.takeSleepers() })
  }
}
