import ECS
import ECSTestSupport
import Testing

@Suite struct ModelTests {
  @Test func `A context counts its entities`() {
    let context = Context()
    context.createEntities(100, with: Position(x: 0, y: 0))
    #expect(context.count == 100)
  }
}
