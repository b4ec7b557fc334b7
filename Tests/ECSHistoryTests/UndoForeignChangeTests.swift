import ECS
import ECSHistory
import ECSTestSupport
import Testing

/// What others have changed since a step.
@Suite(.noHangs) struct UndoForeignChangeTests {
  @Test func `a value that somebody else has changed is a conflict`() throws {
    let (context, history) = drawing()
    let entity = context.createEntity(with: Position(x: 1, y: 1), Name("a"))
    history.group("Edit") {
      entity.set(Name("b"))
      entity.set(Position(x: 2, y: 2))
    }
    entity.set(Position(x: 3, y: 3))
    do {
      try history.undo()
      Issue.record("There was no conflict.")
    } catch {
      expectTrue(error.entity == entity && error.component == Position.cid && error.relation == nil)
      expectEqual(
        "\(error)",
        "'Edit' cannot be taken back or made again: Position of \(entity) was changed by somebody else."
      )
    }
    expectTrue(entity.get() == Name("b") && history.undoNames == ["Edit"])
    try expectEqual(history.undo(.overwrite), "Edit")
    expectTrue(entity.get() == Position(x: 1, y: 1) && entity.get() == Name("a"))
    try history.redo()
    expectEqual(entity.get(), Position(x: 2, y: 2))
  }

  @Test func `a value that is equal again is no conflict`() throws {
    let (context, history) = drawing()
    let entity = context.createEntity(with: Position(x: 1, y: 1), Opaque(text: "a"))
    history.group("Move") { entity.set(Position(x: 2, y: 2)) }
    entity.set(Position(x: 3, y: 3)).set(Position(x: 2, y: 2))
    try history.undo()
    expectEqual(entity.get(), Position(x: 1, y: 1))
    // Of what has no `==`, that is unknown.
    history.group("Text") { entity.set(Opaque(text: "b")) }
    entity.set(Opaque(text: "b"))
    #expect(throws: UndoConflict.self) { try history.undo() }
  }

  @Test func `what is not there any more, or again, is a conflict`() throws {
    let (context, history) = drawing()
    let entity = context.createEntity(with: Position(x: 1, y: 1))
    history.group("Move") { entity.set(Position(x: 2, y: 2)) }
    let added = history.group("Add") { context.createEntity(with: Position(x: 5, y: 5)) }
    added.set(Name("by somebody"))
    #expect { try history.undo() } throws: { ($0 as? UndoConflict)?.component == Name.cid }
    added.destroy()
    #expect { try history.undo() } throws: {
      ($0 as? UndoConflict)?.entity == added && ($0 as? UndoConflict)?.component == nil
    }
    try expectEqual(history.undo(.overwrite), "Add")
    entity.destroy()
    #expect { try history.undo() } throws: { ($0 as? UndoConflict)?.entity == entity }
    try history.undo(.overwrite)
    expectTrue(!entity.isAlive && !added.isAlive)
    try history.redo(.overwrite)
    try history.redo()
    expectTrue(added.get() == Position(x: 5, y: 5) && !entity.isAlive)
  }

  @Test func `who holds a unique component now does not lose it`() throws {
    let (context, history) = drawing()
    let first = context.createEntity(with: Settings(volume: 1), Name("first"))
    history.group("Delete") { first.destroy() }
    let second = context.createEntity(with: Settings(volume: 2), Name("second"))
    #expect { try history.undo() } throws: { ($0 as? UndoConflict)?.entity == second }
    try history.undo(.overwrite)
    expectTrue(first.get() == Settings(volume: 1) && !second.has(Settings.self))
  }

  @Test func `links of others are not replaced, nor made cycles of`() throws {
    let (context, history) = drawing()
    let nodes = (0..<4).map { context.createEntity(with: Name("\($0)")) }
    nodes[0].relate(InLayer.self, to: nodes[1])
    history.group("Take out") { _ = nodes[0].unrelate(InLayer.self) }
    nodes[0].relate(InLayer.self, to: nodes[2])
    #expect { try history.undo() } throws: {
      ($0 as? UndoConflict)?.relation == InLayer.self as any Relation.Type
    }
    try history.undo(.overwrite)
    expectEqual(nodes[0].target(InLayer.self), nodes[1])

    nodes[0].relate(ChildOf.self, to: nodes[1])
    history.group("Free") { _ = nodes[0].unrelate(ChildOf.self) }
    nodes[1].relate(ChildOf.self, to: nodes[0])
    #expect { try history.undo() } throws: { ($0 as? UndoConflict)?.entity == nodes[0] }
    expectTrue(nodes[1].parent == nodes[0] && nodes[0].parent == nil)
    try history.undo(.overwrite)
    expectTrue(nodes[1].parent == nodes[0] && nodes[0].parent == nil)
  }

  @Test func `an undo that a cycle stops leaves those alone that were to live again`() throws {
    let (context, history) = drawing()
    let nodes = (0..<3).map { context.createEntity(with: Name("\($0)")) }
    nodes[0].relate(ChildOf.self, to: nodes[1])
    history.group("Free") {
      nodes[0].unrelate(ChildOf.self)
      nodes[2].destroy()
    }
    nodes[1].relate(ChildOf.self, to: nodes[0])
    #expect(throws: UndoConflict.self) { try history.undo() }
    expectTrue(!nodes[2].isAlive && history.keptEntityCount == 1)
    let strangers = (0..<10).map { _ in context.createEntity() }
    expectTrue(!nodes[2].isAlive && !strangers.contains(nodes[2]))
    nodes[1].unrelate(ChildOf.self)
    try history.undo()
    expectTrue(nodes[2].isAlive && nodes[0].parent == nodes[1])
  }
}
