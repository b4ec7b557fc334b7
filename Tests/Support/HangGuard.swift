import Foundation
package import Testing

/// Stops the process, with the names of the tests, when tests wait for what never comes.
///
/// All tests of a run share a few threads, so the time that one takes says little: it goes on when
/// the others let it, which a limit of its time would take for its fault. What tells is that the
/// whole process stands still.
package struct HangGuard: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let number = HangWatch.shared.begin(test.name)
    defer { HangWatch.shared.end(number) }
    try await function()
  }
}

extension Trait where Self == HangGuard {
  /// The process stops when it stands still for a minute while a test of the suite runs.
  package static var noHangs: HangGuard { HangGuard() }
}

/// Looks, on a thread of its own, whether the process uses any time of a processor.
// Guarded by its lock.
package final class HangWatch: @unchecked Sendable {
  static let shared = HangWatch(limit: 60)

  private let limit: Double
  private let lock = NSLock()
  private var running: [Int: String] = [:]
  private var lastNumber = 0
  private var isWatching = false

  /// Makes a watch that stops the process after so many seconds.
  package init(limit: Double) { self.limit = limit }

  /// A test begins; returns a number to end it with.
  package func begin(_ name: String) -> Int {
    let (number, isFirst) = lock.withLock {
      lastNumber += 1
      running[lastNumber] = name
      defer { isWatching = true }
      return (lastNumber, !isWatching)
    }
    if isFirst { Thread.detachNewThread { self.watch() } }
    return number
  }

  package func end(_ number: Int) {
    lock.withLock { running[number] = nil }
  }

  private func watch() {
    var (busy, since) = (Self.processorTime, Date())
    while true {
      Thread.sleep(forTimeInterval: limit / 60)
      let (time, now) = (Self.processorTime, Date())
      let names = lock.withLock { running.values.sorted() }
      // This thread uses some, too.
      if time - busy > limit / 60 || names.isEmpty {
        (busy, since) = (time, now)
      } else if now.timeIntervalSince(since) > limit {
        fatalError("Nothing has gone on for \(limit) s in these tests: \(names)")
      }
    }
  }

  /// The time that processors have spent on the process, in seconds.
  private static var processorTime: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
}
