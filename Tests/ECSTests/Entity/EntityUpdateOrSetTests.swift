import ECS
import ECSTestSupport
import Testing

@Suite struct EntityUpdateOrSetTests {
  private struct Refused: Error {}

  @Test func `A component that is there is changed in place, and the default is not made`() {
    let context = Context()
    let entity = context.createEntity(with: Health(points: 1))
    func never() -> Health {
      Issue.record("made")
      return Health(points: 0)
    }
    let result = entity.update(default: never()) { health in
      health.points += 1
      return health.points
    }
    expectEqual(result, 2)
    expectEqual(entity.get(Health.self)?.points, 2)
  }

  @Test func `A component that is missing is set to the default as the closure leaves it`() {
    let context = Context()
    let entity = context.createEntity()
    let collector = context.collector(for: Health.matcher, type: .addedUpdatedOrRemoved)
    entity.update(default: Health(points: 5)) { $0.points += 1 }
    expectEqual(entity.get(Health.self)?.points, 6)
    expectEqual(collector.drain().count, 1)
  }

  @Test func `An error changes nothing`() {
    let context = Context()
    let bare = context.createEntity()
    let entity = context.createEntity(with: Health(points: 1))
    for entity in [bare, entity] {
      #expect(throws: Refused.self) {
        try entity.update(default: Health(points: 5)) {
          $0.points += 1
          throw Refused()
        }
      }
    }
    expectFalse(bare.has(Health.self))
    expectEqual(entity.get(Health.self)?.points, 1)
  }

  @Test func `A dead entity gets nothing`() {
    let context = Context()
    let entity = context.createEntity()
    entity.destroy()
    let result: Void? = entity.update(default: Health(points: 5)) { _ in Issue.record("called") }
    expectNil(result)
  }

  @Test func `Inside an iteration, queued changes count`() {
    let context = Context()
    for _ in 0..<3 { context.createEntity(with: Position(x: 0, y: 0)) }
    let sum = context.createEntity()
    context.group(Position.matcher).withEach { (_, _: Position) in
      sum.update(default: Health(points: 0)) { $0.points += 1 }
    }
    expectEqual(sum.get(Health.self)?.points, 3)
  }
}
