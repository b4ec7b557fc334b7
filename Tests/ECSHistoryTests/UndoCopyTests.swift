import ECS
import ECSHistory
import ECSTestSupport
import Testing

@Suite(.noHangs) struct UndoCopyTests {
  @Test func `copies are taken back and made again with their links`() throws {
    let (context, history) = drawing()
    let layer = context.createEntity(with: Name("layer"))
    let shape = context.createEntity(with: Name("shape"), Position(x: 1, y: 2))
    let part = context.createEntity(with: Name("part")).relate(ChildOf.self, to: shape)
    shape.relate(InLayer.self, to: layer)
    var copies: [Entity] = []
    try history.group("Duplicate") {
      copies = try context.clone([shape], deep: ChildOf.self).all()
    }
    expectTrue(context.count == 5 && copies[0].children.entities() == [copies[1]])
    try history.undo()
    expectTrue(context.count == 3 && shape.children.entities() == [part])
    expectEqual(layer.sources(InLayer.self).entities(), [shape])
    try history.redo()
    expectTrue(context.count == 5 && copies[0].get() == Position(x: 1, y: 2))
    expectEqual(copies[0].children.entities(), [copies[1]])
    expectEqual(layer.sources(InLayer.self).entities(), [shape, copies[0]])
  }

  @Test func `entities from templates are taken back and made again`() throws {
    let (context, history) = drawing()
    let template = Template {
      Name("star")
      Child { Name("point") }
    }
    var stars: [Entity] = []
    history.group("Add stars") {
      stars = context.createEntities(3, from: template) { index, star in
        star.set(Position(x: Float(index), y: 0))
      }
    }
    expectEqual(context.count, 6)
    try history.undo()
    expectEqual(context.count, 0)
    try history.redo()
    expectTrue(context.count == 6 && stars.map { $0.get(Position.self)?.x } == [0, 1, 2])
    expectTrue(stars.allSatisfy { $0.children.first?.get() == Name("point") })
  }
}
