import ECS
import ECSTestSupport
import Testing

@Suite struct ContextTests {
  @Test func `An entity has the components it was created with`() {
    let context = Context()
    let entity = context.createEntity(with: Position(x: 1, y: 2), ECSTestSupport.Tag())
    #expect(entity.get(Position.self) == Position(x: 1, y: 2))
    #expect(entity.has(ECSTestSupport.Tag.self))
    #expect(!entity.has(Velocity.self))
  }
}
