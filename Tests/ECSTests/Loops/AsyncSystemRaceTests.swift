import Dispatch
import ECS
import ECSTestSupport
import Testing

/// Systems whose work awaits, while entities change.
@Suite(.optimizedOrSanitized, .noHangs) struct AsyncSystemRaceTests {
  let context = Context()
  let queue = DispatchQueue(label: "loop")
  let time = ManualClock()
  let works = Works()

  @Test(arguments: 0..<4) func `Random changes and failures leave nothing undone`(seed: UInt64)
    async
  {
    var random = SplitMix64(seed: seed)
    let loop = ReactiveLoop(
      ctx: context, queue: queue, systems: [],
      retry: .after(.milliseconds(1), upTo: .milliseconds(1)),
      clock: time.clock
    ) { _ in }
    let collector = context.collector(for: Health.matcher, type: .addedOrUpdated)
    loop.onAsync(collector, name: "Copy", limit: 3, orderedBy: \Velocity.dx) { [works] entity in
      let points = entity.get(Health.self)?.points ?? 0
      try await works.attempt(entity, fails: points % 7 == 3)
      return { entity.set(Position(x: Float(points), y: 0)) }
    }
    var entities: [Entity] = []
    for _ in 0..<300 {
      switch random.next() % 9 {
      case 0..<3:
        entities.append(context.createEntity(with: Health(points: Int32(random.next() % 100))))
      case 3..<6:
        entities.randomElement(using: &random)?.set(Health(points: Int32(random.next() % 100)))
      case 6:
        entities.randomElement(using: &random)?.set(Velocity(dx: Float(random.next() % 4), dy: 0))
      case 7: entities.randomElement(using: &random)?.destroy()
      default: if random.next() % 2 == 0 { loop.pause() } else { loop.resume() }
      }
      if random.next() % 4 == 0 { time.advance(by: .milliseconds(1)) }
    }
    loop.resume()
    repeat {
      time.advance(by: .milliseconds(1))
      queue.sync {}
      await loop.settled()
    } while !collector.isEmpty
    expectEqual(loop.statistics[0].waiting, 0)
    for entity in entities where entity.isAlive {
      expectEqual(entity.get(Position.self)?.x, entity.get(Health.self).map { Float($0.points) })
    }
    await expectLessThanOrEqual(works.peak, 3)
    await expectEqual(works.overlaps, 0)
  }
}
