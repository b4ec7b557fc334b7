import Dispatch
import ECS

extension Gate {
  /// Replaces the deadlines of many entities while a loop pauses, and lets it note them.
  static func replaceDeadlines(_ entities: [Entity], in context: Context, rounds: Int) {
    let clock = LoopClock(now: { .zero }, wallTime: { .zero }, run: { _, _, _ in })
    let queue = DispatchQueue(label: "deadlines")
    let loop = ReactiveLoop(ctx: context, queue: queue, systems: [], clock: clock)
    loop.addDeadlines(of: Health.self)
    for round in 1...rounds {
      loop.pause()
      for (number, entity) in entities.enumerated() {
        // In no order.
        let delay = 1 + (round * entities.count + number) * 7919 % 1_000_003
        entity.set(Deadline(Health(v: 1), at: .microseconds(delay)))
      }
      loop.resume()
      let isSettled = DispatchSemaphore(value: 0)
      Task.detached {
        await loop.settled()
        isSettled.signal()
      }
      isSettled.wait()
    }
    loop.cancel()
    precondition(
      context.group(Deadline<Health>.matcher).count == entities.count, "A deadline has gone.")
  }
}
