import Foundation
import Synchronization

/// Threads for race tests.
package enum Threads {
  /// Runs a body on several threads at once, with the number of each, and waits for all of them.
  package static func run(_ count: Int = 8, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for number in 0..<count {
      // Not those of queues, which are shared: these are as patient as the thread that starts them.
      group.enter()
      let job = Job(body)
      let thread = Thread {
        job.run(number)
        group.leave()
      }
      thread.name = "thread \(number)"
      thread.qualityOfService = Thread.current.qualityOfService
      thread.stackSize = 8 << 20
      thread.start()
    }
    group.wait()
  }
}

/// A closure that a thread runs, and releases before it announces that: the thread itself may be
/// kept for longer.
// Used by the code that starts the thread, and then by the thread.
private final class Job: @unchecked Sendable {
  private var body: (@Sendable (Int) -> Void)?

  init(_ body: @escaping @Sendable (Int) -> Void) { self.body = body }

  func run(_ number: Int) {
    let body = body
    self.body = nil
    body?(number)
  }
}

/// A number that threads count up together.
package final class Tally: Sendable {
  private let count = Atomic<Int>(0)

  package init() {}

  package var value: Int { count.load(ordering: .acquiring) }

  package func add(_ more: Int = 1) { count.add(more, ordering: .acquiringAndReleasing) }
}
