import Dispatch
import ECS
import ECSTestSupport
import Foundation
import Testing

@Suite(.noHangs) struct ReactiveLoopSettlingTests {
  let context = Context()
  let recorder = Recorder<String>()
  let queue = DispatchQueue(label: "loop")

  @Test func `A loop settles in the caller's time`() {
    let loop = ReactiveLoop(ctx: context, queue: queue, systems: [Chatty("a", recorder)])
    loop.on(Tag.matcher, name: "heal") { for entity in $0 { entity.set(Health(points: 1)) } }
    loop.runUntilSettled()
    expectEqual(recorder.take(), ["init a"])
    let entity = context.createEntity(with: Tag())
    loop.runUntilSettled()
    expectEqual(recorder.take(), ["execute a", "cleanup a"])
    expectTrue(entity.has(Health.self))
  }

  @Test func `Settling does not wait for a delay`() {
    let time = ManualClock()
    let loop = ReactiveLoop(
      ctx: context, queue: queue, delay: .seconds(1), systems: [], clock: time.clock)
    loop.on(Tag.matcher, name: "a") { [recorder] in recorder.append("\($0.count)") }
    _ = context.createEntity(with: Tag())
    loop.runUntilSettled()
    expectEqual(recorder.take(), ["1"])
    time.advance(by: .seconds(5))
    queue.sync {}
    expectEqual(recorder.take(), [])
    withExtendedLifetime(loop) {}
  }

  @Test func `Settling works on the loop's own queue`() {
    let loop = ReactiveLoop(ctx: context, queue: queue, systems: [])
    loop.on(Tag.matcher, name: "a") { [recorder] in recorder.append("\($0.count)") }
    queue.sync {
      _ = context.createEntity(with: Tag())
      loop.runUntilSettled()
    }
    expectEqual(recorder.take(), ["1"])
  }

  @Test func `Settling works inside a critical section on the loop's own queue`() {
    let loop = ReactiveLoop(ctx: context, queue: queue, systems: [])
    loop.on(Tag.matcher, name: "a") { [recorder] in recorder.append("\($0.count)") }
    queue.sync {
      context.perform {
        _ = context.createEntity(with: Tag())
        loop.runUntilSettled()
      }
    }
    expectEqual(recorder.take(), ["1"])
  }

  @Test func `Settling waits for entities that many passes make`() {
    let (context, recorder) = (context, recorder)
    let loop = ReactiveLoop(ctx: context, queue: queue, systems: [])
    loop.on(Health.matcher, .addedOrUpdated, name: "count") { entities in
      for entity in entities {
        guard let points = entity.get(Health.self)?.points, points > 0 else { continue }
        recorder.append("\(points)")
        entity.set(Health(points: points - 1))
      }
    }
    _ = context.createEntity(with: Health(points: 50))
    loop.runUntilSettled()
    expectEqual(recorder.take().count, 50)
  }

  @Test func `Waiting ends at once if there is nothing to do, or the loop is paused`() async {
    let loop = ReactiveLoop(ctx: context, queue: queue, systems: [])
    await loop.settled()
    loop.on(Tag.matcher, name: "a") { _ in }
    loop.pause()
    _ = context.createEntity(with: Tag())
    await loop.settled()
  }

  private struct Refusal: Error {}

  /// What a loop waits for by timers of its own.
  enum Timer: CaseIterable { case deadline, period, retry, retriedWork }

  @Test(arguments: Timer.allCases)
  func `Waiting lasts until timers that are due have done their work`(_ timer: Timer) async {
    let time = ManualClock()
    let loop = ReactiveLoop(
      ctx: context, queue: queue, systems: [], retry: .after(.seconds(5), upTo: .seconds(5)),
      clock: time.clock
    ) { _ in }
    let (attempts, recorder) = (Recorder<Timer>(), recorder)
    let attempt: @Sendable () throws -> Void = {
      attempts.append(timer)
      if attempts.count == 1 { throw Refusal() }
      recorder.append("done")
    }
    switch timer {
    case .deadline:
      loop.addDeadlines(of: Tag.self)
      loop.on(Tag.matcher, name: "due") { _ in recorder.append("done") }
      context.createEntity().set(Deadline(Tag(), at: .seconds(5)))
    case .period:
      loop.every(.seconds(5), name: "often") { recorder.append("done") }
    case .retry:
      loop.on(Tag.matcher, name: "flaky") { _ in try attempt() }
      _ = context.createEntity(with: Tag())
    case .retriedWork:
      loop.onAsync(Tag.matcher, name: "flaky", limit: 1) { _ in
        try attempt()
        return {}
      }
      _ = context.createEntity(with: Tag())
    }
    await loop.settled()
    expectEqual(recorder.take(), [])
    // What is due is late, as it is on a machine that has much to do.
    queue.async { Thread.sleep(forTimeInterval: 0.02) }
    time.advance(by: .seconds(5))
    await loop.settled()
    expectEqual(recorder.take(), ["done"])
    // Nothing is due now, and nothing waited for.
    await loop.settled()
  }

  @Test func `Waiting ends although the loop can't keep up with its timers`() async {
    let loop = ReactiveLoop(ctx: context, queue: queue, systems: [])
    loop.every(.milliseconds(1), name: "often") { Thread.sleep(forTimeInterval: 0.003) }
    for _ in 0..<5 { await loop.settled() }
    loop.cancel()
  }

  @Test func `Waiting does not last for timers of a loop that is paused`() async {
    let time = ManualClock()
    let loop = ReactiveLoop(ctx: context, queue: queue, systems: [], clock: time.clock)
    loop.every(.seconds(1), name: "often") {}
    await loop.settled()
    queue.suspend()
    time.advance(by: .seconds(1))
    loop.pause()
    await loop.settled()
    queue.resume()
    withExtendedLifetime(loop) {}
  }

  @Test func `Waiting ends when the task is canceled`() async {
    let time = ManualClock()
    let loop = ReactiveLoop(
      ctx: context, queue: queue, delay: .seconds(1), systems: [], clock: time.clock)
    loop.on(Tag.matcher, name: "a") { _ in }
    _ = context.createEntity(with: Tag())
    let waiting = Task { await loop.settled() }
    waiting.cancel()
    await waiting.value
  }

  @Test func `Waiting ends when the loop is paused or canceled`() async {
    let time = ManualClock()
    let loop = ReactiveLoop(
      ctx: context, queue: queue, delay: .seconds(1), systems: [], clock: time.clock)
    loop.on(Tag.matcher, name: "a") { _ in }
    _ = context.createEntity(with: Tag())
    async let waiting: Void = loop.settled()
    loop.pause()
    await waiting
    loop.resume()
    async let again: Void = loop.settled()
    loop.cancel()
    await again
  }

  @Test func `Several tasks may wait`() async {
    let loop = ReactiveLoop(ctx: context, queue: queue, systems: [])
    loop.on(Tag.matcher, name: "a") { [recorder] in recorder.append("\($0.count)") }
    _ = context.createEntity(with: Tag())
    await withTaskGroup { group in
      for _ in 1...8 { group.addTask { await loop.settled() } }
    }
    expectEqual(recorder.take(), ["1"])
  }

  @Test func `A system that settles its own loop stops with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = Context()
      let loop = ReactiveLoop(ctx: context, queue: DispatchQueue(label: "loop"), systems: [])
      loop.on(Tag.matcher, name: "a") { _ in loop.runUntilSettled() }
      _ = context.createEntity(with: Tag())
      loop.runUntilSettled()
    }
    expectTrue(stopped(result, saying: "runUntilSettled()", "its own loop"))
  }
}
