import Dispatch
import ECS
import ECSHistory
import ECSTestSupport
import ECSTesting
import Testing

private enum Likes: Relation {}
private enum InLayer: ToOneRelation {}
private enum OwnedBy: ToOneRelation { static var deleteRule: DeleteRule { .cascade } }

/// Without `==`.
private struct Opaque: Component { let text: String }

private func drawing() -> (Context, UndoHistory) {
  let context = Context()
  let history = UndoHistory(
    context, of: Position.self, Name.self, Settings.self, Opaque.self,
    relations: [Likes.self, InLayer.self, OwnedBy.self, ChildOf.self])
  return (context, history)
}

/// What a closure collects.
// Filled in critical sections of one context, and read outside of them.
private final class Lines: @unchecked Sendable {
  private var lines: [String] = []
  func add(_ line: String) { lines.append(line) }
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}

@Suite(.noHangs) struct UndoTests {
  @Test func `a step is taken back and made again`() throws {
    let (context, history) = drawing()
    let entity = context.createEntity(with: Position(x: 1, y: 1))
    history.group("Move") { entity.set(Position(x: 2, y: 2)) }
    #expect(history.canUndo && !history.canRedo)
    #expect(history.undoName == "Move")
    #expect(try history.undo() == "Move")
    #expect(entity.get() == Position(x: 1, y: 1))
    #expect(!history.canUndo && history.redoName == "Move")
    #expect(try history.redo() == "Move")
    #expect(entity.get() == Position(x: 2, y: 2))
    #expect(try history.redo() == nil)
  }

  @Test func `changes outside of groups are nobody's steps`() throws {
    let (context, history) = drawing()
    context.createEntity(with: Position(x: 1, y: 1)).set(Name("a"))
    #expect(!history.canUndo)
    #expect(try history.undo() == nil)
  }

  @Test func `a group without listed changes is no step, and keeps what can be redone`() throws {
    let (context, history) = drawing()
    let entity = context.createEntity(with: Position(x: 1, y: 1))
    history.group("Move") { entity.set(Position(x: 2, y: 2)) }
    try history.undo()
    history.group("Tag") { entity.set(Tag()) }
    history.group("Nothing") {}
    history.group("Same") { entity.set(Position(x: 1, y: 1)) }
    #expect(!history.canUndo && history.canRedo)
    history.group("Name") { entity.set(Name("a")) }
    #expect(history.undoNames == ["Name"] && !history.canRedo)
  }

  @Test func `destroyed entities live again by the same handles, with what is listed`() throws {
    let (context, history) = drawing()
    let layer = context.createEntity(with: Name("layer"))
    let entity = context.createEntity(with: Position(x: 1, y: 1), Name("a"), Tag())
    entity.relate(InLayer.self, to: layer).relate(Likes.self, to: entity)
    let number = entity.creationNumber
    history.group("Delete") { entity.destroy() }
    #expect(!entity.isAlive)
    let other = context.createEntity(with: Position(x: 5, y: 5))
    try history.undo()
    #expect(entity.isAlive && entity.creationNumber == number)
    #expect(entity.get() == Position(x: 1, y: 1) && entity.get() == Name("a"))
    #expect(!entity.has(Tag.self))
    #expect(entity.target(InLayer.self) == layer && entity.isRelated(Likes.self, to: entity))
    #expect(other.get() == Position(x: 5, y: 5))
    try history.redo()
    #expect(!entity.isAlive && layer.sources(InLayer.self).isEmpty)
  }

  @Test func `created entities come and go by one handle`() throws {
    let (context, history) = drawing()
    let entity = history.group("Add") { context.createEntity().set(Position(x: 1, y: 1)) }
    history.group("Name") { entity.set(Name("a")) }
    try history.undo()
    try history.undo()
    #expect(!entity.isAlive)
    let strangers = (0..<100).map { _ in context.createEntity(with: Position(x: 9, y: 9)) }
    #expect(!strangers.contains(entity) && !entity.isAlive)
    try history.redo()
    try history.redo()
    #expect(entity.get() == Position(x: 1, y: 1) && entity.get() == Name("a"))
  }

  @Test func `an entity whose creation was undone is dead for ever once the step is dropped`()
    throws
  {
    let (context, history) = drawing()
    let entity = history.group("Add") { context.createEntity(with: Position(x: 1, y: 1)) }
    try history.undo()
    #expect(history.keptEntityCount == 1)
    let next = history.group("Add") { context.createEntity(with: Position(x: 2, y: 2)) }
    #expect(history.keptEntityCount == 1 && next != entity)
    let others = (0..<10).map { _ in context.createEntity() }
    #expect(!entity.isAlive && !others.contains(entity))
  }

  @Test func `an entity that comes and goes in one step is not kept`() throws {
    let (context, history) = drawing()
    let entity = history.group("Try") {
      let entity = context.createEntity(with: Position(x: 1, y: 1))
      entity.destroy()
      return entity
    }
    #expect(!history.canUndo && history.keptEntityCount == 0 && !entity.isAlive)
  }

  @Test func `links of listed relations are taken back`() throws {
    let (context, history) = drawing()
    let layers = (0..<3).map { _ in context.createEntity(with: Name("layer")) }
    let entity = context.createEntity(with: Position(x: 1, y: 1)).relate(
      InLayer.self, to: layers[0])
    history.group("Move up") {
      entity.relate(InLayer.self, to: layers[1]).relate(Likes.self, to: layers[2])
    }
    try history.undo()
    #expect(entity.target(InLayer.self) == layers[0] && entity.targets(Likes.self).isEmpty)
    try history.redo()
    #expect(entity.target(InLayer.self) == layers[1])
    #expect(entity.isRelated(Likes.self, to: layers[2]))
  }

  @Test func `what relations destroy with an entity comes back with it`() throws {
    let (context, history) = drawing()
    let owner = context.createEntity(with: Name("owner"))
    let parts = (0..<3).map { number in
      context.createEntity(with: Position(x: Float(number), y: 0)).relate(OwnedBy.self, to: owner)
    }
    history.group("Delete") { owner.destroy() }
    #expect(parts.allSatisfy { !$0.isAlive })
    try history.undo()
    #expect(Array(owner.sources(OwnedBy.self).entities()) == parts)
    #expect(parts[2].get() == Position(x: 2, y: 0))
    try history.redo()
    #expect(parts.allSatisfy { !$0.isAlive } && !owner.isAlive)
  }

  @Test func `unique components go back to who had them`() throws {
    let (context, history) = drawing()
    let first = context.createEntity(with: Settings(volume: 1), Name("first"))
    let second = context.createEntity(with: Name("second"))
    history.group("Give") { second.set(Settings(volume: 2)) }
    try history.undo()
    #expect(context.uniqueEntity(Settings.self) == first && first.get() == Settings(volume: 1))
    #expect(!second.has(Settings.self))
    try history.redo()
    #expect(context.uniqueEntity(Settings.self) == second)
    history.group("Set") { context.setUniqueComponent(Settings(volume: 3)) }
    try history.undo()
    #expect(second.get() == Settings(volume: 2))
  }

  @Test func `who was made to hold a unique component goes with it, also when it lives again`()
    throws
  {
    let (context, history) = drawing()
    history.group("Set") { context.setUniqueComponent(Settings(volume: 1)) }
    let holder = try #require(context.uniqueEntity(Settings.self))
    try history.undo()
    try history.redo()
    #expect(context.uniqueEntity(Settings.self) == holder)
    history.group("Remove") { context.removeUniqueComponent(Settings.self) }
    #expect(!holder.isAlive)
    try history.undo()
    #expect(context.uniqueEntity(Settings.self) == holder)
    context.removeUniqueComponent(Settings.self)
    #expect(!holder.isAlive)
    // Who was not made for it stays.
    let other = history.group("Add") { context.createEntity(with: Settings(volume: 2)) }
    try history.undo()
    try history.redo()
    context.removeUniqueComponent(Settings.self)
    #expect(other.isAlive && other.isEmpty)
  }

  @Test func `iterations are taken back`() throws {
    let (context, history) = drawing()
    let entities = (0..<10).map { context.createEntity(with: Position(x: Float($0), y: 0)) }
    history.group("Move all") {
      context.group(Position.matcher).withEach { (_: Entity, position: inout Position) in
        position.y += 1
      }
    }
    try history.undo()
    #expect(entities.allSatisfy { $0.get(Position.self)?.y == 0 })
    try history.redo()
    #expect(entities.allSatisfy { $0.get(Position.self)?.y == 1 })
  }

  // MARK: Groups

  @Test func `a group that throws leaves nothing`() {
    struct Failure: Error {}
    let (context, history) = drawing()
    let entity = context.createEntity(with: Position(x: 1, y: 1))
    #expect(throws: Failure.self) {
      try history.group("Move") {
        entity.set(Position(x: 2, y: 2))
        throw Failure()
      }
    }
    #expect(entity.get() == Position(x: 1, y: 1) && !history.canUndo)
  }

  @Test func `a transaction that throws takes the groups in it back, and nothing else`() throws {
    struct Failure: Error {}
    let (context, history) = drawing()
    let entity = context.createEntity(with: Position(x: 1, y: 1))
    context.perform {
      try? context.transaction {
        history.group("Move") { entity.set(Position(x: 2, y: 2)) }
        throw Failure()
      }
      entity.set(Position(x: 3, y: 3))
    }
    #expect(!history.canUndo)
    entity.set(Position(x: 4, y: 4))
    #expect(!history.canUndo)
  }

  @Test func `the outermost group names the step`() throws {
    let (context, history) = drawing()
    let entity = context.createEntity(with: Position(x: 1, y: 1))
    history.group("Outer") {
      entity.set(Position(x: 2, y: 2))
      history.group("Inner") { entity.set(Name("a")) }
    }
    #expect(history.undoNames == ["Outer"])
    try history.undo()
    #expect(entity.get() == Position(x: 1, y: 1) && !entity.has(Name.self))
  }

  @Test func `what observers change in response belongs to the step`() throws {
    let (context, history) = drawing()
    let entity = context.createEntity(with: Position(x: 1, y: 1), Opaque(text: "1.0"))
    let token = context.group(Position.matcher).observeChanges(.updated) { change in
      guard let position = change.new(Position.self) else { return }
      change.entity.set(Opaque(text: "\(position.x)"))
    }
    history.group("Move") { entity.set(Position(x: 2, y: 2)) }
    try history.undo()
    #expect(entity.get(Opaque.self)?.text == "1.0")
    try history.redo()
    #expect(entity.get(Opaque.self)?.text == "2.0")
    try history.undo()
    #expect(entity.get(Opaque.self)?.text == "1.0")
    token.cancel()
  }

  @Test func `a group that an observer of an undo makes is no step`() throws {
    let (context, history) = drawing()
    let entity = context.createEntity(with: Position(x: 1, y: 1))
    history.group("Move") { entity.set(Position(x: 2, y: 2)) }
    let token = context.group(Position.matcher).observeChanges(.updated) { [history] change in
      history.group("Rename") { _ = change.entity.set(Name("moved")) }
    }
    try history.undo()
    #expect(history.redoNames == ["Move"] && history.undoNames == [])
    token.cancel()
  }

  @Test func `what comes in pieces is one step if it comes fast enough`() throws {
    let time = ManualClock()
    let context = Context()
    let history = UndoHistory(context, of: Name.self, clock: time.clock)
    let entity = context.createEntity(with: Name(""))
    func type(_ text: String) {
      history.coalesce("typing", within: .seconds(1)) { _ = entity.set(Name(text)) }
    }
    type("a")
    time.advance(by: .milliseconds(900))
    type("ab")
    time.advance(by: .milliseconds(1000))
    type("abc")
    #expect(history.undoNames == ["typing"])
    time.advance(by: .milliseconds(1001))
    type("abcd")
    #expect(history.undoNames == ["typing", "typing"])
    history.endCoalescing()
    type("abcde")
    #expect(history.undoNames.count == 3)
    try history.undo()
    #expect(entity.get() == Name("abcd"))
    type("abcd!")
    #expect(history.undoNames.count == 3)
    for _ in 0..<2 { try history.undo() }
    #expect(entity.get() == Name("abc"))
    try history.undo()
    #expect(entity.get() == Name(""))
  }

  @Test func `pieces stay apart if somebody else has changed a value in between`() throws {
    let time = ManualClock()
    let context = Context()
    let history = UndoHistory(context, of: Name.self, Position.self, clock: time.clock)
    let entity = context.createEntity(with: Name(""), Position(x: 0, y: 0))
    func piece(_ body: () -> Void) { history.coalesce("typing", within: .seconds(1), body) }
    piece { entity.set(Name("a")) }
    entity.set(Name("foreign"))
    piece { entity.set(Name("b")) }
    #expect(history.undoNames.count == 2)
    try history.undo()
    #expect(entity.get() == Name("foreign"))
    #expect(throws: UndoConflict.self) { try history.undo() }
    // A value that the next piece does not touch is guarded all the same.
    let other = context.createEntity(with: Name(""), Position(x: 0, y: 0))
    piece {
      other.set(Name("a"))
      other.set(Position(x: 1, y: 1))
    }
    other.set(Position(x: 2, y: 2))
    piece { other.set(Name("b")) }
    #expect(throws: UndoConflict.self) { try history.undo() }
    #expect(other.get() == Position(x: 2, y: 2))
  }

  @Test func `an entity that one piece makes and the next one destroys is forgotten`() throws {
    let (context, history) = drawing()
    let entity = history.coalesce("draw", within: .seconds(1000)) {
      context.createEntity(with: Position(x: 1, y: 1))
    }
    history.coalesce("draw", within: .seconds(1000)) { entity.destroy() }
    #expect(!history.canUndo && history.keptEntityCount == 0 && history.byteCount == 0)
  }

  // MARK: Conflicts

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
      #expect(error.entity == entity && error.component == Position.cid && error.relation == nil)
      #expect(
        "\(error)"
          == "'Edit' cannot be taken back or made again: Position of \(entity) was changed by somebody else."
      )
    }
    #expect(entity.get() == Name("b") && history.undoNames == ["Edit"])
    #expect(try history.undo(.overwrite) == "Edit")
    #expect(entity.get() == Position(x: 1, y: 1) && entity.get() == Name("a"))
    try history.redo()
    #expect(entity.get() == Position(x: 2, y: 2))
  }

  @Test func `a value that is equal again is no conflict`() throws {
    let (context, history) = drawing()
    let entity = context.createEntity(with: Position(x: 1, y: 1), Opaque(text: "a"))
    history.group("Move") { entity.set(Position(x: 2, y: 2)) }
    entity.set(Position(x: 3, y: 3)).set(Position(x: 2, y: 2))
    try history.undo()
    #expect(entity.get() == Position(x: 1, y: 1))
    // Of what has no `==`, nobody knows.
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
    #expect(try history.undo(.overwrite) == "Add")
    entity.destroy()
    #expect { try history.undo() } throws: { ($0 as? UndoConflict)?.entity == entity }
    try history.undo(.overwrite)
    #expect(!entity.isAlive && !added.isAlive)
    try history.redo(.overwrite)
    try history.redo()
    #expect(added.get() == Position(x: 5, y: 5) && !entity.isAlive)
  }

  @Test func `who holds a unique component now does not lose it`() throws {
    let (context, history) = drawing()
    let first = context.createEntity(with: Settings(volume: 1), Name("first"))
    history.group("Delete") { first.destroy() }
    let second = context.createEntity(with: Settings(volume: 2), Name("second"))
    #expect { try history.undo() } throws: { ($0 as? UndoConflict)?.entity == second }
    try history.undo(.overwrite)
    #expect(first.get() == Settings(volume: 1) && !second.has(Settings.self))
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
    #expect(nodes[0].target(InLayer.self) == nodes[1])

    nodes[0].relate(ChildOf.self, to: nodes[1])
    history.group("Free") { _ = nodes[0].unrelate(ChildOf.self) }
    nodes[1].relate(ChildOf.self, to: nodes[0])
    #expect { try history.undo() } throws: { ($0 as? UndoConflict)?.entity == nodes[0] }
    #expect(nodes[1].parent == nodes[0] && nodes[0].parent == nil)
    try history.undo(.overwrite)
    #expect(nodes[1].parent == nodes[0] && nodes[0].parent == nil)
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
    #expect(!nodes[2].isAlive && history.keptEntityCount == 1)
    let strangers = (0..<10).map { _ in context.createEntity() }
    #expect(!nodes[2].isAlive && !strangers.contains(nodes[2]))
    nodes[1].unrelate(ChildOf.self)
    try history.undo()
    #expect(nodes[2].isAlive && nodes[0].parent == nodes[1])
  }

  // MARK: Who is told

  @Test func `everybody is told of an undo, with its cause, in one commit`() throws {
    let (context, history) = drawing()
    let lines = Lines()
    let entity = context.createEntity(with: Position(x: 1, y: 1), Name("a"))
    history.group("Edit") {
      entity.destroy()
      context.createEntity(with: Position(x: 2, y: 2))
    }
    let tokens = [
      context.journal().observe { commit in
        lines.add("\(commit.map { "\($0.kind)" }) by \(commit.causes.map(\.name))")
      },
      context.group(Position.matcher).observeChanges { change in
        lines.add("\(change.kind) \(change.entity == entity)")
      },
    ]
    try history.undo()
    #expect(
      lines.take() == [
        "removed false", "added true", #"["destroyed", "created"] by ["undo Edit"]"#,
      ])
    try history.redo()
    #expect(
      lines.take() == [
        "removed true", "added false", #"["destroyed", "created"] by ["redo Edit"]"#,
      ])
    for token in tokens { token.cancel() }
  }

  @Test func `a history is observed`() throws {
    let (context, history) = drawing()
    let lines = Lines()
    let token = history.observe { history in
      lines.add("\(history.undoName ?? "-") \(history.redoName ?? "-")")
    }
    let entity = history.group("Add") { context.createEntity(with: Position(x: 1, y: 1)) }
    entity.set(Tag())
    history.group("Move") { entity.set(Position(x: 2, y: 2)) }
    try history.undo()
    try history.redo()
    history.removeAll()
    #expect(lines.take() == ["- -", "Add -", "Move -", "Add Move", "Move -", "- -"])
    token.cancel()
    history.group("Move") { entity.set(Position(x: 3, y: 3)) }
    #expect(lines.take() == [])
  }

  @Test func `an observer of a history may change the context`() throws {
    let (context, history) = drawing()
    let menu = context.createEntity(with: Tag())
    let token = history.observe { history in menu.set(Health(points: history.canUndo ? 1 : 0)) }
    #expect(menu.get() == Health(points: 0))
    history.group("Add") { _ = context.createEntity(with: Position(x: 1, y: 1)) }
    #expect(menu.get() == Health(points: 1))
    try history.undo()
    #expect(menu.get() == Health(points: 0))
    token.cancel()
  }

  // MARK: Limits and ends

  @Test func `the oldest steps are dropped, and what they keep`() throws {
    let counter = LifeCounter()
    let context = Context()
    let history = UndoHistory(context, of: Tracked.self, limit: .steps(3))
    for number in 0..<10 {
      let entity = context.createEntity(with: Tracked(counter, number: number))
      history.group("\(number)") { entity.destroy() }
    }
    #expect(history.undoNames == ["9", "8", "7"])
    #expect(counter.living == 3 && history.keptEntityCount == 3)
    while try history.undo() != nil {}
    #expect(context.group(Tracked.matcher).count == 3)
    history.removeAll()
    #expect(history.keptEntityCount == 0 && history.byteCount == 0 && counter.living == 3)
  }

  @Test func `a limit in bytes holds, and slots are used again`() throws {
    let context = Context()
    let history = UndoHistory(context, of: Page.self, limit: .bytes(100_000))
    var slots: Set<String> = []
    for number in 0..<1_000 {
      let entity = history.group("Add") {
        context.createEntity(with: Page(filledWith: UInt32(number)))
      }
      history.group("Delete") { entity.destroy() }
      #expect(history.byteCount <= 100_000)
      slots.insert(Mirror(reflecting: entity).children.first.map { "\($0.value)" } ?? "")
    }
    #expect(history.undoNames.count > 50 && slots.count < 200)
    history.group("Too much") {
      for _ in 0..<200 { context.createEntity(with: Page(filledWith: 0)) }
    }
    #expect(!history.canUndo && history.byteCount == 0 && history.keptEntityCount == 0)
  }

  @Test func `a history that is let go of gives slots and values back`() throws {
    let counter = LifeCounter()
    let context = Context()
    var history: UndoHistory? = UndoHistory(context, of: Tracked.self)
    var entities = (0..<10).map { _ in context.createEntity(with: Tracked(counter)) }
    history?.group("Delete") { for entity in entities { entity.destroy() } }
    #expect(counter.living == 10)
    history = nil
    #expect(counter.living == 0)
    for _ in 0..<10 { entities.append(context.createEntity(with: Tracked(counter))) }
    #expect(Set(entities).count == 20 && entities[..<10].allSatisfy { !$0.isAlive })
    #expect(
      Set(entities.map { Mirror(reflecting: $0).children.first.map { "\($0.value)" } }).count == 10)
  }

  @Test func `a history outlives its context`() throws {
    var context: Context? = Context()
    let history = try #require(context.map { UndoHistory($0, of: Position.self) })
    let entity = try #require(context).createEntity(with: Position(x: 1, y: 1))
    history.group("Delete") { entity.destroy() }
    let token = history.observe { _ in }
    context = nil
    #expect(!history.canUndo && history.undoNames == [] && history.byteCount == 0)
    #expect(try history.undo() == nil)
    history.group("Nothing") {}
    history.endCoalescing()
    // Another context may have the same core by now.
    let next = Context()
    let other = UndoHistory(next, of: Position.self)
    other.group("Add") { _ = next.createEntity(with: Position(x: 2, y: 2)) }
    history.removeAll()
    #expect(other.undoNames == ["Add"] && !entity.isAlive)
    token.cancel()
  }

  @Test func `two histories of a context see each other's steps as those of somebody else`() throws
  {
    let context = Context()
    let (one, other) = (
      UndoHistory(context, of: Position.self, Name.self),
      UndoHistory(context, of: Position.self, Name.self)
    )
    let entity = one.group("Add") { context.createEntity(with: Position(x: 1, y: 1)) }
    other.group("Move") { entity.set(Position(x: 2, y: 2)) }
    #expect(one.undoNames == ["Add"] && other.undoNames == ["Move"])
    #expect(throws: UndoConflict.self) { try one.undo() }
    try other.undo()
    try one.undo()
    #expect(!entity.isAlive)
    #expect(throws: UndoConflict.self) { try other.redo() }
    try one.redo()
    try other.redo()
    #expect(entity.get() == Position(x: 2, y: 2))
    other.group("Delete") { entity.destroy() }
    one.removeAll()
    try other.undo()
    #expect(entity.get() == Position(x: 2, y: 2))
  }

  @Test func `a slot that one step lets go of can be kept by the one that makes it do so`() throws {
    let context = Context()
    let (one, other) = (
      UndoHistory(context, of: Position.self), UndoHistory(context, of: Position.self)
    )
    for history in [one, other] {
      let entity = context.createEntity(with: Position(x: 1, y: 1))
      one.group("Delete") { entity.destroy() }
      try one.undo()
      history.group("Delete again") { entity.destroy() }
      one.group("Nothing to do with it") {
        _ = context.createEntity(with: Position(x: 2, y: 2))
      }
      if history === one { try one.undo() }
      try history.undo()
      #expect(entity.isAlive)
    }
  }

  @Test func `values end outside of the critical section`() throws {
    let context = Context()
    let history = UndoHistory(context, of: Tracked.self, limit: .steps(1))
    let counter = LifeCounter()
    let lines = Lines()
    // The end of a value may change the context, which an observer of a journal may not.
    let entity = context.createEntity(
      with: Tracked(counter) { [weak context] in
        lines.add("ended")
        context?.createEntity(with: Position(x: 1, y: 1))
      })
    history.group("First") { entity.destroy() }
    history.group("Second") { _ = context.createEntity(with: Tracked(counter)) }
    #expect(lines.take() == ["ended"] && context.group(Position.matcher).count == 1)
  }

  @Test func `an undo inside of a section stops with a message`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      let history = UndoHistory(context, of: Position.self)
      context.perform { _ = try? history.undo() }
    }
    #expect(
      stopped(result, saying: "undo() was called inside a section", "outside of perform(_:)"))
  }
}
