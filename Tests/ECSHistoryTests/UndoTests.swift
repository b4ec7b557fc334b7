import ECS
import ECSHistory
import ECSTestSupport
import Testing

@Suite(.noHangs) struct UndoTests {
  @Test func `a step is taken back and made again`() throws {
    let (context, history) = drawing()
    let entity = context.createEntity(with: Position(x: 1, y: 1))
    history.group("Move") { entity.set(Position(x: 2, y: 2)) }
    expectTrue(history.canUndo && !history.canRedo)
    expectEqual(history.undoName, "Move")
    try expectEqual(history.undo(), "Move")
    expectEqual(entity.get(), Position(x: 1, y: 1))
    expectTrue(!history.canUndo && history.redoName == "Move")
    try expectEqual(history.redo(), "Move")
    expectEqual(entity.get(), Position(x: 2, y: 2))
    try expectNil(history.redo())
  }

  @Test(arguments: [1, 3, 100, 3_000], [false, true])
  func `small and large steps keep values of any alignment and kind`(
    _ count: Int, isWide: Bool
  ) throws {
    let counter = LifeCounter()
    let context = Context()
    let history =
      isWide
      ? UndoHistory(context, of: Position.self, Page.self, Tracked.self, Matrix.self)
      : UndoHistory(context, of: Position.self, Page.self, Tracked.self)
    let entities = context.createEntities(count, with: Position(x: 1, y: 1))
    for entity in entities.prefix(10) { entity.set(Page(filledWith: 1)).set(Tracked(counter)) }
    if isWide { for entity in entities { entity.set(Matrix(1)) } }
    history.group("Position") { for entity in entities { entity.set(Position(x: 2, y: 2)) } }
    history.group("Page") { entities[0].set(Page(filledWith: 2)) }
    history.group("End") { for entity in entities.prefix(10) { entity.remove(Tracked.self) } }
    if isWide { history.group("Matrix") { for entity in entities { entity.set(Matrix(2)) } } }
    history.group("All") { for entity in entities { entity.destroy() } }
    while try history.undo() != nil {}
    expectTrue(entities.allSatisfy { $0.get() == Position(x: 1, y: 1) })
    expectTrue(entities.allSatisfy { $0.get() == (isWide ? Matrix(1) : nil) })
    expectEqual(entities[0].get(), Page(filledWith: 1))
    expectTrue(entities.prefix(10).allSatisfy { $0.has(Tracked.self) })
    while history.redoName != "All" { try history.redo() }
    expectTrue(entities.allSatisfy { $0.get() == Position(x: 2, y: 2) })
    expectTrue(entities.allSatisfy { $0.get() == (isWide ? Matrix(2) : nil) })
    expectEqual(entities[0].get(), Page(filledWith: 2))
    expectEqual(counter.living, min(count, 10))
    history.removeAll()
    expectTrue(history.byteCount == 0 && counter.living == 0)
  }

  @Test func `a history is read in sections that only read`() throws {
    let (context, history) = drawing()
    let entity = context.createEntity(with: Position(x: 1, y: 1))
    history.group("Move") { entity.set(Position(x: 2, y: 2)) }
    history.group("Back") { entity.set(Position(x: 1, y: 1)) }
    try history.undo()
    context.reading {
      expectTrue(history.canUndo && history.canRedo)
      expectTrue(history.undoName == "Move" && history.redoName == "Back")
      expectTrue(history.undoNames == ["Move"] && history.redoNames == ["Back"])
      expectGreaterThan(history.byteCount, 0)
    }
  }

  @Test func `changes outside of groups are nobody's steps`() throws {
    let (context, history) = drawing()
    context.createEntity(with: Position(x: 1, y: 1)).set(Name("a"))
    expectFalse(history.canUndo)
    try expectNil(history.undo())
  }

  @Test func `a group without listed changes is no step, and keeps what can be redone`() throws {
    let (context, history) = drawing()
    let entity = context.createEntity(with: Position(x: 1, y: 1))
    history.group("Move") { entity.set(Position(x: 2, y: 2)) }
    try history.undo()
    history.group("Tag") { entity.set(Tag()) }
    history.group("Nothing") {}
    history.group("Same") { entity.set(Position(x: 1, y: 1)) }
    expectTrue(!history.canUndo && history.canRedo)
    history.group("Name") { entity.set(Name("a")) }
    expectTrue(history.undoNames == ["Name"] && !history.canRedo)
  }

  @Test func `destroyed entities live again by the same handles, with what is listed`() throws {
    let (context, history) = drawing()
    let layer = context.createEntity(with: Name("layer"))
    let entity = context.createEntity(with: Position(x: 1, y: 1), Name("a"), Tag())
    entity.relate(InLayer.self, to: layer).relate(Likes.self, to: entity)
    let number = entity.creationNumber
    history.group("Delete") { entity.destroy() }
    expectFalse(entity.isAlive)
    let other = context.createEntity(with: Position(x: 5, y: 5))
    try history.undo()
    expectTrue(entity.isAlive && entity.creationNumber == number)
    expectTrue(entity.get() == Position(x: 1, y: 1) && entity.get() == Name("a"))
    expectFalse(entity.has(Tag.self))
    expectTrue(entity.target(InLayer.self) == layer && entity.isRelated(Likes.self, to: entity))
    expectEqual(other.get(), Position(x: 5, y: 5))
    try history.redo()
    expectTrue(!entity.isAlive && layer.sources(InLayer.self).isEmpty)
  }

  @Test func `created entities come and go by one handle`() throws {
    let (context, history) = drawing()
    let entity = history.group("Add") { context.createEntity().set(Position(x: 1, y: 1)) }
    history.group("Name") { entity.set(Name("a")) }
    try history.undo()
    try history.undo()
    expectFalse(entity.isAlive)
    let strangers = (0..<100).map { _ in context.createEntity(with: Position(x: 9, y: 9)) }
    expectTrue(!strangers.contains(entity) && !entity.isAlive)
    try history.redo()
    try history.redo()
    expectTrue(entity.get() == Position(x: 1, y: 1) && entity.get() == Name("a"))
  }

  @Test func `an entity whose creation was undone is dead for ever once the step is dropped`()
    throws
  {
    let (context, history) = drawing()
    let entity = history.group("Add") { context.createEntity(with: Position(x: 1, y: 1)) }
    try history.undo()
    expectEqual(history.keptEntityCount, 1)
    let next = history.group("Add") { context.createEntity(with: Position(x: 2, y: 2)) }
    expectTrue(history.keptEntityCount == 1 && next != entity)
    let others = (0..<10).map { _ in context.createEntity() }
    expectTrue(!entity.isAlive && !others.contains(entity))
  }

  @Test func `an entity that comes and goes in one step is not kept`() throws {
    let (context, history) = drawing()
    let entity = history.group("Try") {
      let entity = context.createEntity(with: Position(x: 1, y: 1))
      entity.destroy()
      return entity
    }
    expectTrue(!history.canUndo && history.keptEntityCount == 0 && !entity.isAlive)
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
    expectTrue(entity.target(InLayer.self) == layers[0] && entity.targets(Likes.self).isEmpty)
    try history.redo()
    expectEqual(entity.target(InLayer.self), layers[1])
    expectTrue(entity.isRelated(Likes.self, to: layers[2]))
  }

  @Test func `what relations destroy with an entity comes back with it`() throws {
    let (context, history) = drawing()
    let owner = context.createEntity(with: Name("owner"))
    let parts = (0..<3).map { number in
      context.createEntity(with: Position(x: Float(number), y: 0)).relate(OwnedBy.self, to: owner)
    }
    history.group("Delete") { owner.destroy() }
    expectTrue(parts.allSatisfy { !$0.isAlive })
    try history.undo()
    expectEqual(Array(owner.sources(OwnedBy.self).entities()), parts)
    expectEqual(parts[2].get(), Position(x: 2, y: 0))
    try history.redo()
    expectTrue(parts.allSatisfy { !$0.isAlive } && !owner.isAlive)
  }

  @Test func `unique components go back to who had them`() throws {
    let (context, history) = drawing()
    let first = context.createEntity(with: Settings(volume: 1), Name("first"))
    let second = context.createEntity(with: Name("second"))
    history.group("Give") { second.set(Settings(volume: 2)) }
    try history.undo()
    expectTrue(context.uniqueEntity(Settings.self) == first && first.get() == Settings(volume: 1))
    expectFalse(second.has(Settings.self))
    try history.redo()
    expectEqual(context.uniqueEntity(Settings.self), second)
    history.group("Set") { context.setUniqueComponent(Settings(volume: 3)) }
    try history.undo()
    expectEqual(second.get(), Settings(volume: 2))
  }

  @Test func `who was made to hold a unique component goes with it, also when it lives again`()
    throws
  {
    let (context, history) = drawing()
    history.group("Set") { context.setUniqueComponent(Settings(volume: 1)) }
    let holder = try #require(context.uniqueEntity(Settings.self))
    try history.undo()
    try history.redo()
    expectEqual(context.uniqueEntity(Settings.self), holder)
    history.group("Remove") { context.removeUniqueComponent(Settings.self) }
    expectFalse(holder.isAlive)
    try history.undo()
    expectEqual(context.uniqueEntity(Settings.self), holder)
    context.removeUniqueComponent(Settings.self)
    expectFalse(holder.isAlive)
    // An entity that was not made for it stays.
    let other = history.group("Add") { context.createEntity(with: Settings(volume: 2)) }
    try history.undo()
    try history.redo()
    context.removeUniqueComponent(Settings.self)
    expectTrue(other.isAlive && other.isEmpty)
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
    expectTrue(entities.allSatisfy { $0.get(Position.self)?.y == 0 })
    try history.redo()
    expectTrue(entities.allSatisfy { $0.get(Position.self)?.y == 1 })
  }

  @Test func `links go back to where they were, and to where they were moved`() throws {
    let (context, history) = drawing()
    let nodes = (0..<6).map { context.createEntity(with: Position(x: Float($0), y: 0)) }
    let liked = nodes[0].targets(Likes.self)
    for node in nodes[1..<5] { liked.insert(node) }
    func places() -> [Int] { liked.map { nodes.firstIndex(of: $0) ?? -1 } }
    history.group("Move") { liked.move(nodes[4], to: 0) }
    history.group("Insert") { liked.insert(nodes[5], at: 2) }
    history.group("Remove") {
      liked.remove(nodes[1])
      liked.remove(nodes[5])
    }
    history.group("Delete") { nodes[4].destroy() }
    history.group("Mix") {
      liked.remove(nodes[2])
      liked.insert(nodes[1])
      liked.insert(nodes[2])
      liked.reverse()
      nodes[3].sources(Likes.self).insert(nodes[5], at: 0)
    }
    let expected = [
      [1, 2, 3, 4], [4, 1, 2, 3], [4, 1, 5, 2, 3], [4, 2, 3], [2, 3], [2, 1, 3],
    ]
    expectEqual(places(), expected[5])
    for round in 0..<2 {
      for step in expected.indices.dropLast().reversed() {
        try history.undo()
        expectEqual(places(), expected[step], "round \(round), step \(step)")
      }
      for step in expected.indices.dropFirst() {
        try history.redo()
        expectEqual(places(), expected[step], "round \(round), step \(step)")
      }
    }
    expectEqual(Array(nodes[3].sources(Likes.self)), [nodes[5], nodes[0]])
  }

  @Test func `moving there and back is no step, and a link that is gone is a conflict`() throws {
    let (context, history) = drawing()
    let nodes = (0..<3).map { context.createEntity(with: Position(x: Float($0), y: 0)) }
    for node in nodes { nodes[0].relate(Likes.self, to: node) }
    let liked = nodes[0].targets(Likes.self)
    history.group("Nothing") {
      liked.move(nodes[0], to: 2)
      liked.move(nodes[0], to: 0)
    }
    expectFalse(history.canUndo)
    history.group("Move") { liked.move(nodes[0], to: 2) }
    liked.remove(nodes[0])
    #expect(throws: UndoConflict.self) { try history.undo() }
    liked.insert(nodes[0])
    liked.reverse()
    try history.undo()
    expectEqual(Array(liked), [nodes[2], nodes[0], nodes[1]])
  }
}
