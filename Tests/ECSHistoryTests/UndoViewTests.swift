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
    expectEqual(Array(view), [shapes[1], shapes[0]])
    history.group("Rename") { _ = pages[0].set(Name("A")) }
    expectEqual(Array(view), [shapes[0], shapes[1]])
    history.group("Destroy") { pages[0].destroy() }
    expectEqual(Array(view), [shapes[1], shapes[0]])
    try history.undo()
    expectEqual(Array(view), [shapes[0], shapes[1]])
    try history.undo()
    expectEqual(Array(view), [shapes[1], shapes[0]])
    try history.undo()
    expectEqual(Array(view), [shapes[1], shapes[0]], "y, x")
    try history.redo()
    try history.redo()
    expectEqual(Array(view), [shapes[0], shapes[1]])
  }

  @Test func `totals by targets go back and forth with links and what they link`() throws {
    let context = Context()
    let history = UndoHistory(
      context, of: Name.self, relations: [PlacedOn.self, InLayer.self])
    let letters = context.sum(
      of: { (name: Name) in name.text.count }, byTarget: PlacedOn.self, InLayer.self)
    let layers = context.createEntities(2, with: Name("layer"))
    let view = context.group(Name.matcher).sorted(by: letters, .descending).limited(to: 1).start()
    let page = context.createEntity(with: Name("page"))
    let shape = context.createEntity(with: Name("abc"))
    history.group("Place") {
      _ = shape.relate(PlacedOn.self, to: page)
      _ = page.relate(InLayer.self, to: layers[1])
    }
    expectTrue(letters[layers[1]] == 3 && view.first == layers[1])
    history.group("Move") { _ = page.relate(InLayer.self, to: layers[0]) }
    history.group("Rename") { _ = shape.set(Name("abcd")) }
    history.group("Destroy") { page.destroy() }
    expectNil(letters.total)
    try history.undo()
    expectTrue(letters[layers[0]] == 4 && view.first == layers[0])
    try history.undo()
    expectTrue(letters[layers[0]] == 3 && letters.keyCount == 1)
    try history.undo()
    expectTrue(letters[layers[1]] == 3 && view.first == layers[1])
    try history.undo()
    expectNil(letters.total)
    for _ in 0..<3 { try history.redo() }
    expectTrue(letters[layers[0]] == 4 && letters.count == 1)
  }

  @Test func `a view of what is related to an entity shows it again when that lives again`() throws
  {
    let context = Context()
    let history = UndoHistory(context, of: Name.self, relations: [PlacedOn.self])
    let page = context.createEntity(with: Name("page"))
    let shapes = ["b", "a"].map { context.createEntity(with: Name($0)) }
    for shape in shapes { shape.relate(PlacedOn.self, to: page) }
    let placed = page.sources(PlacedOn.self).sorted(by: \Name.text)
    let (started, defined) = (placed.start(), page.sources(PlacedOn.self).sorted(by: \Name.text))
    let calls = Tally()
    let first = started.observe(initial: false) { _ in calls.add() }
    history.group("Destroy") { page.destroy() }
    expectTrue(started.isEmpty && defined.isEmpty && !started.isStarted)
    expectTrue(calls.value == 1 && !first.isActive)
    expectFalse(started.start().isStarted, "There is nothing to keep up to date.")

    try history.undo()
    expectTrue(Array(started) == [shapes[1], shapes[0]] && Array(defined) == Array(started))
    expectTrue(!started.isStarted && context.statistics.views == 0)
    _ = shapes[1].set(Name("c"))
    expectTrue(Array(started) == shapes && calls.value == 1)

    let second = started.observe(initial: false) { _ in calls.add() }
    expectTrue(started.isStarted && context.statistics.views == 1)
    _ = shapes[1].set(Name("a"))
    expectTrue(Array(started) == [shapes[1], shapes[0]] && calls.value == 2)
    shapes[0].unrelate(PlacedOn.self, from: page)
    expectTrue(Array(started) == [shapes[1]] && calls.value == 3)
    #expect(throws: CancellationError.self) {
      try context.transaction {
        page.destroy()
        expectTrue(started.isEmpty && !started.isStarted)
        throw CancellationError()
      }
    }
    expectTrue(Array(started) == [shapes[1]] && started.isStarted && second.isActive)
    _ = shapes[0].relate(PlacedOn.self, to: page)
    expectTrue(Array(started) == [shapes[1], shapes[0]] && calls.value == 4)
  }

  @Test func `a view that a total sorts follows it after its owner was destroyed and came back`()
    throws
  {
    let context = Context()
    let history = UndoHistory(
      context, of: Name.self, relations: [PlacedOn.self, InLayer.self])
    let letters = context.sum(of: { (name: Name) in name.text.count }, byTarget: InLayer.self)
    let page = context.createEntity(with: Name("page"))
    let layers = context.createEntities(2, with: Name("layer"))
    for layer in layers { layer.relate(PlacedOn.self, to: page) }
    let shape = context.createEntity(with: Name("abc"))
    shape.relate(InLayer.self, to: layers[1])
    let view = page.sources(PlacedOn.self).sorted(by: letters, .descending).start()
    expectEqual(Array(view), [layers[1], layers[0]])
    history.group("Destroy") { page.destroy() }
    try history.undo()
    expectTrue(Array(view.start()) == [layers[1], layers[0]] && view.isStarted)
    shape.relate(InLayer.self, to: layers[0])
    expectEqual(Array(view), layers)
  }
}
