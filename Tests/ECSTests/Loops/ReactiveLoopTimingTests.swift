import Dispatch
import ECS
import ECSTestSupport
import Testing

@Suite(.noHangs) struct ReactiveLoopTimingTests {
  let context = Context()
  let recorder = Recorder<String>()
  let queue = DispatchQueue(label: "loop")
  let time = ManualClock()

  private func makeLoop(
    delay: Duration? = nil, timing: ReactiveLoop.Timing = .immediate
  ) -> ReactiveLoop {
    let loop = ReactiveLoop(
      ctx: context, queue: queue, delay: delay, systems: [], timing: timing, clock: time.clock)
    loop.on(Tag.matcher, .addedOrUpdated, name: "count") { [recorder] in
      recorder.append("\($0.count)")
    }
    return loop
  }

  private func advance(by milliseconds: Int) {
    queue.sync {}
    time.advance(by: .milliseconds(milliseconds))
    queue.sync {}
  }

  @Test func `A delay counts from the trigger, whatever follows`() {
    withExtendedLifetime(makeLoop(delay: .milliseconds(100))) {
      _ = context.createEntity(with: Tag())
      advance(by: 60)
      _ = context.createEntity(with: Tag())
      advance(by: 39)
      expectEqual(recorder.take(), [])
      advance(by: 1)
      expectEqual(recorder.take(), ["2"])
      advance(by: 1000)
      expectEqual(recorder.take(), [])
      _ = context.createEntity(with: Tag())
      advance(by: 100)
      expectEqual(recorder.take(), ["1"])
    }
  }

  @Test func `Debouncing waits until nothing changes for a while`() {
    withExtendedLifetime(makeLoop(timing: .debounce(.milliseconds(100)))) {
      let entity = context.createEntity(with: Tag())
      for _ in 1...5 {
        advance(by: 90)
        entity.set(Tag())
      }
      expectEqual(recorder.take(), [])
      advance(by: 99)
      expectEqual(recorder.take(), [])
      advance(by: 1)
      expectEqual(recorder.take(), ["1"])
    }
  }

  @Test func `Throttling runs at once, and then at most once per interval`() {
    withExtendedLifetime(makeLoop(timing: .throttle(.milliseconds(100)))) {
      _ = context.createEntity(with: Tag())
      advance(by: 0)
      expectEqual(recorder.take(), ["1"])
      for _ in 1...3 {
        _ = context.createEntity(with: Tag())
        advance(by: 20)
      }
      expectEqual(recorder.take(), [])
      advance(by: 40)
      expectEqual(recorder.take(), ["3"])
      advance(by: 500)
      _ = context.createEntity(with: Tag())
      advance(by: 0)
      expectEqual(recorder.take(), ["1"])
    }
  }

  @Test func `Further passes follow the timing`() {
    let loop = ReactiveLoop(
      ctx: context, queue: queue, delay: .milliseconds(10), systems: [], clock: time.clock)
    loop.on(Health.matcher, .addedOrUpdated, name: "again") { [recorder] entities in
      for entity in entities {
        guard let points = entity.get(Health.self)?.points, points > 0 else { continue }
        recorder.append("\(points)")
        entity.set(Health(points: points - 1))
      }
    }
    _ = context.createEntity(with: Health(points: 2))
    advance(by: 10)
    expectEqual(recorder.take(), ["2"])
    advance(by: 9)
    expectEqual(recorder.take(), [])
    advance(by: 1)
    expectEqual(recorder.take(), ["1"])
    withExtendedLifetime(loop) {}
  }

  @Test func `The loop waits with the clock of the system by default`() async {
    let loop = ReactiveLoop(ctx: context, queue: queue, delay: .milliseconds(5), systems: [])
    loop.on(Tag.matcher, name: "count") { [recorder] in recorder.append("\($0.count)") }
    let start = ContinuousClock.now
    _ = context.createEntity(with: Tag())
    await loop.settled()
    expectEqual(recorder.take(), ["1"])
    expectGreaterThanOrEqual(ContinuousClock.now - start, .milliseconds(5))
  }

  @Test func `A delay and another timing exclude each other`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ReactiveLoop(
        ctx: Context(), queue: .main, delay: .seconds(1), systems: [],
        timing: .debounce(.seconds(1)))
    }
    expectTrue(stopped(result, saying: "both a delay and the timing debounce"))
  }
}
