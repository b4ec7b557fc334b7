import ECS
import Synchronization

/// Counts the instances of `TrackedInstance` that are alive.
package final class LifeCounter: Sendable {
  private let begun = Atomic<Int>(0)
  private let ended = Atomic<Int>(0)

  package init() {}

  /// The instances that were made.
  package var beginnings: Int { begun.load(ordering: .relaxed) }

  /// The instances that are gone.
  package var endings: Int { ended.load(ordering: .relaxed) }

  package var living: Int { beginnings - endings }

  fileprivate func begin() { begun.add(1, ordering: .relaxed) }
  fileprivate func end() { ended.add(1, ordering: .relaxed) }
}

/// An instance whose life is counted.
package final class TrackedInstance: Sendable {
  private let counter: LifeCounter
  private let atEnd: (@Sendable () -> Void)?

  package init(_ counter: LifeCounter, atEnd: (@Sendable () -> Void)? = nil) {
    self.counter = counter
    self.atEnd = atEnd
    counter.begin()
  }

  deinit {
    counter.end()
    atEnd?()
  }
}

/// A component that owns an instance whose life is counted.
package struct Tracked: Component {
  package let number: Int
  package let instance: TrackedInstance

  package init(
    _ counter: LifeCounter, number: Int = 0, atEnd: (@Sendable () -> Void)? = nil
  ) {
    self.number = number
    instance = TrackedInstance(counter, atEnd: atEnd)
  }
}

/// A further component that owns an instance whose life is counted.
package struct OtherTracked: Component {
  package let instance: TrackedInstance

  package init(_ counter: LifeCounter) { instance = TrackedInstance(counter) }
}
