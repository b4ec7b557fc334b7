import ECS
import ECSHistory
import ECSTestSupport
import Testing

private enum PlacedOn: ToOneRelation {}

/// Live views, which follow an undo as they follow other changes.
@Suite(.noHangs) struct UndoViewTests {
  @Test func `a view that is sorted by targets goes back and forth with them`() throws {
    let context = Context()
    let history = UndoHistory(context, of: Name.self, relations: [PlacedOn.self])
    let pages = ["b", "a"].map { context.createEntity(with: Name($0)) }
    let shapes = ["x", "y"].map { context.createEntity(with: Name($0)) }
    let view = context.group(Name.matcher)
      .filtered { (name: Name) in name.text > "w" }
      .sorted(by: \Name.text, ofTarget: PlacedOn.self)
      .then(by: \Name.text, .descending)
      .start()
    history.group("Place") {
      for (shape, page) in zip(shapes, pages) { shape.relate(PlacedOn.self, to: page) }
    }
    #expect(Array(view) == [shapes[1], shapes[0]])
    history.group("Rename") { _ = pages[0].set(Name("A")) }
    #expect(Array(view) == [shapes[0], shapes[1]])
    history.group("Destroy") { pages[0].destroy() }
    #expect(Array(view) == [shapes[1], shapes[0]])
    try history.undo()
    #expect(Array(view) == [shapes[0], shapes[1]])
    try history.undo()
    #expect(Array(view) == [shapes[1], shapes[0]])
    try history.undo()
    #expect(Array(view) == [shapes[1], shapes[0]], "y, x")
    try history.redo()
    try history.redo()
    #expect(Array(view) == [shapes[0], shapes[1]])
  }
}
