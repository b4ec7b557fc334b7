import Dispatch
import ECS
import ECSTestSupport
import Testing

@Suite(.noHangs) struct ReactiveLoopErrorTests {
  let context = Context()
  let failures = Recorder<LoopFailure>()
  let recorder = Recorder<String>()
  let queue = DispatchQueue(label: "loop")
  let time = ManualClock()

  private func makeLoop(
    maxPasses: Int = 100, retry: ReactiveLoop.Retry = .withNextTrigger
  ) -> ReactiveLoop {
    ReactiveLoop(
      ctx: context, queue: queue, systems: [], name: "loop", maxPasses: maxPasses, retry: retry,
      clock: time.clock
    ) { [failures] in failures.append($0) }
  }

  private func addFailing(_ times: Int, to loop: ReactiveLoop) {
    var failuresLeft = times
    loop.on(Tag.matcher, .addedOrUpdated, name: "bad") { [recorder] entities in
      recorder.append("\(entities.count)")
      failuresLeft -= 1
      if failuresLeft >= 0 { throw Refusal() }
    }
  }

  @Test func `A failing system is named, and the others run on`() async {
    let loop = makeLoop()
    addFailing(.max, to: loop)
    loop.on(Tag.matcher, name: "good") { [recorder] _ in recorder.append("good") }
    _ = context.createEntity(with: Tag())
    await loop.settled()
    expectEqual(failures.take().map(\.system), ["bad"])
    expectEqual(recorder.take(), ["1", "good"])
    expectEqual(loop.statistics.map(\.errors), [1, 0])
  }

  @Test func `Entities are tried again together with the next change`() async {
    let loop = makeLoop()
    addFailing(1, to: loop)
    _ = context.createEntity(with: Tag())
    await loop.settled()
    _ = context.createEntity(with: Tag())
    await loop.settled()
    expectEqual(recorder.take(), ["1", "2"])
  }

  @Test func `A change of an entity that is to be tried again is a trigger`() async {
    let loop = makeLoop()
    addFailing(1, to: loop)
    let entity = context.createEntity(with: Tag())
    await loop.settled()
    entity.set(Tag())
    await loop.settled()
    expectEqual(recorder.take(), ["1", "1"])
  }

  @Test func `Entities are tried again on resuming and on settling`() async {
    let loop = makeLoop()
    addFailing(2, to: loop)
    _ = context.createEntity(with: Tag())
    await loop.settled()
    loop.pause()
    loop.resume()
    await loop.settled()
    loop.runUntilSettled()
    loop.runUntilSettled()
    expectEqual(recorder.take(), ["1", "1", "1"])
  }

  @Test func `Without a change entities are tried again after a while, less and less often`() {
    let loop = makeLoop(retry: .after(.milliseconds(100), upTo: .milliseconds(300)))
    addFailing(4, to: loop)
    _ = context.createEntity(with: Tag())
    queue.sync {}
    expectEqual(recorder.take(), ["1"])
    for wait in [100, 200, 300, 300] {
      advance(by: wait - 1)
      expectEqual(recorder.take(), [])
      advance(by: 1)
      expectEqual(recorder.take(), ["1"])
    }
    advance(by: 10_000)
    expectEqual(recorder.take(), [])
    expectEqual(failures.take().count, 4)
    withExtendedLifetime(loop) {}
  }

  @Test func `A success makes the next failure wait as shortly as the first`() {
    let loop = makeLoop(retry: .after(.milliseconds(100), upTo: .seconds(100)))
    addFailing(2, to: loop)
    _ = context.createEntity(with: Tag())
    advance(by: 100)
    advance(by: 200)
    expectEqual(recorder.take(), ["1", "1", "1"])
    addFailing(1, to: loop)
    _ = context.createEntity(with: Tag())
    advance(by: 100)
    expectEqual(recorder.take().count, 3)
    withExtendedLifetime(loop) {}
  }

  @Test func `Systems that keep feeding each other are named, and go on`() async {
    let loop = makeLoop(maxPasses: 10)
    addPingPong(to: loop, rounds: 100)
    loop.on(Position.matcher, .addedOrUpdated, name: "spectator") { _ in }
    _ = context.createEntity(with: Health(points: 0), Position(x: 0, y: 0))
    await loop.settled()
    let reports = failures.take()
    expectGreaterThanOrEqual(reports.count, 5)
    expectTrue(reports.allSatisfy { $0.systems == ["pong", "ping"] })
    expectEqual(
      reports.first?.description,
      "Systems of loop loop kept it awake for 10 passes: pong, ping")
    expectEqual(context.group(Health.matcher).first?.get(Health.self)?.points, 100)
  }

  @Test func `A system that never drains its further trigger is named`() {
    struct Lazy: ExecuteSystem {
      let triggers: [Collector]
      func execute() {}
    }
    let loop = makeLoop(maxPasses: 10)
    queue.sync {
      loop.add(Lazy(triggers: [context.collector(for: Tag.matcher)]))
      _ = context.createEntity(with: Tag())
      loop.runUntilSettled()
      loop.cancel()
    }
    expectEqual(failures.take().map(\.systems), [["Lazy"]])
  }

  @Test func `Settling gives up after the report, and the loop goes on by itself`() async {
    let loop = makeLoop(maxPasses: 10)
    addPingPong(to: loop, rounds: 100)
    queue.sync {
      _ = context.createEntity(with: Health(points: 0))
      loop.runUntilSettled()
      expectEqual(failures.take().count, 1)
    }
    await loop.settled()
    expectEqual(context.group(Health.matcher).first?.get(Health.self)?.points, 100)
  }

  @Test func `Work that ends by itself in fewer passes is not reported`() async {
    let loop = makeLoop(maxPasses: 10)
    addPingPong(to: loop, rounds: 4)
    _ = context.createEntity(with: Health(points: 0))
    await loop.settled()
    expectTrue(failures.take().isEmpty)
  }

  @Test func `A loop makes at least one pass`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ReactiveLoop(ctx: Context(), queue: .main, systems: [], maxPasses: 0)
    }
    expectTrue(stopped(result, saying: "0 as maxPasses"))
  }

  /// Two systems that answer each other, the second one called first.
  private func addPingPong(to loop: ReactiveLoop, rounds: Int32) {
    loop.on(Velocity.matcher, .addedOrUpdated, name: "pong") { entities in
      for entity in entities where (entity.get(Health.self)?.points ?? 0) < rounds {
        entity.update(Health.self) { $0.points += 1 }
      }
    }
    loop.on(Health.matcher, .addedOrUpdated, name: "ping") { entities in
      for entity in entities {
        entity.set(Velocity(dx: 0, dy: 0))
        if entity.has(Position.self) { entity.set(Position(x: 1, y: 1)) }
      }
    }
  }

  private func advance(by milliseconds: Int) {
    queue.sync {}
    time.advance(by: .milliseconds(milliseconds))
    queue.sync {}
    queue.sync {}
  }
}
