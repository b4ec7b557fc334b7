import Dispatch
import Synchronization

/// Threads for race tests.
package enum Threads {
  /// Runs a body on several threads at once, with the number of each, and waits for all of them.
  package static func run(_ count: Int = 8, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for number in 0..<count {
      // A queue each: a concurrent one would run no more bodies at once than there are cores.
      DispatchQueue(label: "thread \(number)").async(group: group) { body(number) }
    }
    group.wait()
  }
}

/// A number that threads count up together.
package final class Tally: Sendable {
  private let count = Atomic<Int>(0)

  package init() {}

  package var value: Int { count.load(ordering: .acquiring) }

  package func add(_ more: Int = 1) { count.add(more, ordering: .acquiringAndReleasing) }
}
