import Synchronization
package import Testing

/// Runs the tests of a suite on two threads that no other suite has.
///
/// All tests of a run share a few threads. Random programs and races would hold those for minutes, and whatever
/// waits for an answer meanwhile, here or in another suite, would run out of patience. On threads of their own
/// they compete for processors only, which the system shares out fairly.
package struct LongRunning: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let executor = SuiteThreads.shared.next(for: test.sourceLocation.fileID)
    try await withTaskExecutorPreference(executor) { try await function() }
  }
}

extension Trait where Self == LongRunning {
  /// The tests of the suite compute for long, on two threads of their own.
  package static var longRunning: LongRunning { LongRunning() }
}

/// The threads of all suites that have some.
private final class SuiteThreads: Sendable {
  static let shared = SuiteThreads()

  private struct Pair {
    let executors: [ThreadExecutor]
    var count = 0
  }

  private let pairs = Mutex<[String: Pair]>([:])

  /// The thread for the next test of a suite, by turns.
  func next(for suite: String) -> ThreadExecutor {
    pairs.withLock { pairs in
      var pair = pairs[suite] ?? Pair(executors: (0..<2).map { _ in ThreadExecutor(name: suite) })
      defer { pairs[suite] = pair }
      pair.count += 1
      return pair.executors[pair.count % 2]
    }
  }
}
