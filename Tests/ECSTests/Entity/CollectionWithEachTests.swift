import ECS
import ECSTestSupport
import Testing

@Suite struct CollectionWithEachTests {
  private struct Gone: Error {}

  @Test func `Entities that have all components are visited in their order, with the values`() {
    let context = Context()
    let first = context.createEntity(with: Position(x: 1, y: 0), Health(points: 1))
    let second = context.createEntity(with: Position(x: 2, y: 0))
    let third = context.createEntity(with: Position(x: 3, y: 0), Health(points: 3))
    let dead = context.createEntity(with: Position(x: 4, y: 0), Health(points: 4))
    dead.destroy()
    var visited: [Entity] = []
    var sum: Float = 0
    EntitySet([third, second, dead, first]).withEach {
      (entity, position: Position, health: Health) in
      visited.append(entity)
      sum += position.x + Float(health.points)
    }
    expectEqual(visited, [third, first])
    expectEqual(sum, 8)
  }

  @Test func `Changes take effect at once`() {
    let context = Context()
    let entities = (0..<3).map { context.createEntity(with: Position(x: Float($0), y: 0)) }
    var visited = 0
    context.group(Position.matcher).sorted().withEach { (entity, position: Position) in
      visited += 1
      entities[2].destroy()
      entity.set(Health(points: Int32(position.x)))
      expectEqual(entity.get(Health.self)?.points, Int32(position.x))
    }
    expectEqual(visited, 2)
  }

  @Test func `An error ends it`() {
    let context = Context()
    let entities = (0..<3).map { _ in context.createEntity(with: Position(x: 0, y: 0)) }
    var visited = 0
    #expect(throws: Gone.self) {
      try entities.withEach { (entity, position: Position) throws(Gone) in
        visited += 1
        throw Gone()
      }
    }
    expectEqual(visited, 1)
  }
}
