import Dispatch
import ECS

extension Gate {
  /// Replaces the deadlines of many entities, and lets a loop note them.
  ///
  /// Its timers never fire, so that it makes passes only when it is asked to, on this thread: what
  /// threads do to wait for each other is not the same twice.
  static func replaceDeadlines(_ entities: [Entity], in context: Context, rounds: Int) {
    let clock = LoopClock(now: { .zero }, wallTime: { .zero }, run: { _, _, _ in })
    let queue = DispatchQueue(label: "deadlines")
    let loop = ReactiveLoop(
      ctx: context, queue: queue, systems: [], timing: .delay(.seconds(1)), clock: clock)
    loop.addDeadlines(of: Health.self)
    for round in 1...rounds {
      for (number, entity) in entities.enumerated() {
        // In no order.
        let delay = 1 + (round * entities.count + number) * 7919 % 1_000_003
        entity.set(Deadline(Health(v: 1), at: .microseconds(delay)))
      }
      loop.runUntilSettled()
    }
    loop.cancel()
    precondition(
      context.group(Deadline<Health>.matcher).count == entities.count, "A deadline has gone.")
  }
}
