package import Testing

/// Runs the tests of a suite on two threads that no other suite has.
///
/// All tests of a run share a few threads. Random programs and races would hold those for minutes,
/// and whatever waits for an answer meanwhile, here or in another suite, would run out of patience.
/// On threads of their own they compete for processors only, and give way there: dozens of them
/// compute at a time, beside which a fair share would be a small one.
package struct LongRunning: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let executor = await SuiteThreads.shared.next(for: test.sourceLocation.fileID)
    try await withTaskExecutorPreference(executor) { try await function() }
  }
}

extension Trait where Self == LongRunning {
  /// The tests of the suite compute for long, on two threads of their own.
  package static var longRunning: LongRunning { LongRunning() }
}

/// The threads of all suites that have some.
///
/// An actor, which the thread sanitizer knows. Of a `Mutex` that somebody waited for it doesn't see
/// that it was locked, and takes what it guards for a race.
private actor SuiteThreads {
  static let shared = SuiteThreads()

  private var threads: [String: [PatientThread]] = [:]

  /// The thread for the next test of a suite, by turns.
  func next(for suite: String) -> PatientThread {
    var two = threads[suite] ?? (0..<2).map { _ in PatientThread(name: suite) }
    two.reverse()
    threads[suite] = two
    return two[0]
  }
}
