import Synchronization

/// A system that sets components whose deadlines have passed.
///
/// An ordered index has the deadlines; one timer waits for the first of them. A deadline that comes
/// before it wakes the loop as any change does.
// Its time is used in passes only.
final class DeadlineSystem<Value: Component>: ReactiveSystem, @unchecked Sendable {
  let name = "Deadline<\(Value.self)>"
  let collector: Collector
  private let deadlines: OrderedIndex<Int64>

  /// The engine that calls the system, and keeps it.
  private unowned let engine: ReactiveLoopEngine

  /// When the timer is due, by the loop's clock; nil if there is none.
  private var due: Duration?

  /// Whether the timer was due since the last pass.
  private let wasDue = Atomic<Bool>(false)

  /// How many components are set in one section: others get their turn in between.
  private let sectionSize = 256

  /// The longest wait of the timer: the time of day may be set, and machines sleep.
  private let longestWait = Duration.seconds(60)

  init(_ context: Context, engine: ReactiveLoopEngine) {
    self.engine = engine
    collector = context.collector(for: Deadline<Value>.matcher, type: .addedOrUpdated)
    deadlines = context.orderedIndex { (deadline: Deadline<Value>) in deadline.nanoseconds }
    wake()
  }

  /// Lets the loop look at the deadlines, if there are any.
  private func wake() {
    // In one section: one that has gone in between would wake nothing.
    collector.core.section {
      if let first = deadlines.first { collector.collect([first]) }
    }
  }

  func execute(entities: EntitySet) {
    let time = engine.clock.wallTime().clampedNanoseconds
    // Those that come meanwhile are left to the next pass.
    for passed in stride(from: deadlines.count(in: ...time), to: 0, by: -sectionSize) {
      setPassed(at: time, atMost: min(passed, sectionSize))
    }
    startTimer(at: time)
  }

  /// Sets the components whose deadlines were the first to pass.
  private func setPassed(at time: Int64, atMost limit: Int) {
    collector.core.section {
      let count = min(deadlines.count(in: ...time), limit)
      for entity in deadlines.entities(at: 0..<count) {
        guard let deadline = entity.get(Deadline<Value>.self) else { continue }
        entity.remove(Deadline<Value>.self)
        entity.set(deadline.value)
      }
    }
  }

  private func startTimer(at time: Int64) {
    let now = engine.clock.now()
    if wasDue.exchange(false, ordering: .acquiringAndReleasing) { due = nil }
    guard let next = deadlines.min else { return }
    let wait = min(.nanoseconds(next) - .nanoseconds(time), longestWait)
    guard due.map({ now + wait < $0 }) ?? true else { return }
    due = now + wait
    engine.clock.run(wait, engine.queue) { [weak self] in
      self?.wasDue.store(true, ordering: .releasing)
      self?.wake()
    }
  }
}
