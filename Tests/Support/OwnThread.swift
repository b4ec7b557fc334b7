import Dispatch
package import Testing

/// Runs each test on a thread that it has for itself.
///
/// All tests of a run share a few threads, and long ones hold them for minutes: what waits for an
/// answer, or for a deadline, goes on only then. Tests that look at the time need this. Tasks that
/// aren't children of the test's still share.
package struct OwnThread: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(ThreadExecutor(name: test.name)) { try await function() }
  }
}

extension Trait where Self == OwnThread {
  /// Each test of the suite has a thread for itself.
  package static var ownThread: OwnThread { OwnThread() }
}

/// Runs jobs on a serial queue, which gets a thread however busy the others are.
final class ThreadExecutor: TaskExecutor {
  private let queue: DispatchQueue

  init(name: String) { queue = DispatchQueue(label: name) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // SAFETY: the job is run once, and the queue keeps the executor until then.
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
