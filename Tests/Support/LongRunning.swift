import Foundation
package import Testing

/// Runs the tests of a suite on threads that only such suites have, as many at a time as there are processors.
///
/// All tests of a run share a few threads. Random programs and races would hold those for minutes,
/// and whatever waits for an answer meanwhile, here or in another suite, would run out of patience.
/// On threads of their own they compete for processors only, and give way there. More of them at a
/// time would end none earlier: races that share processors with others wait for their own threads.
package struct LongRunning: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let thread = await PatientThreads.shared.take()
    let result: Result<Void, any Error>
    do {
      result = .success(try await withTaskExecutorPreference(thread) { try await function() })
    } catch {
      result = .failure(error)
    }
    await PatientThreads.shared.giveBack(thread)
    try result.get()
  }
}

extension Trait where Self == LongRunning {
  /// The tests of the suite compute for long, on threads that only such suites have.
  package static var longRunning: LongRunning { LongRunning() }
}

/// The threads of all suites that have some.
///
/// An actor, which the thread sanitizer understands. Of a `Mutex` that was waited for it doesn't see
/// that it was locked, and takes what it guards for a race.
private actor PatientThreads {
  static let shared = PatientThreads()

  private var idle = (0..<max(2, ProcessInfo.processInfo.activeProcessorCount)).map {
    PatientThread(name: "long-running-\($0)")
  }
  private var waiting: ArraySlice<CheckedContinuation<PatientThread, Never>> = []

  func take() async -> PatientThread {
    if let thread = idle.popLast() { return thread }
    return await withCheckedContinuation { waiting.append($0) }
  }

  func giveBack(_ thread: PatientThread) {
    if let next = waiting.popFirst() { next.resume(returning: thread) } else { idle.append(thread) }
  }
}
