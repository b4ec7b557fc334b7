import ECS
import ECSHistory
import ECSTestSupport
import ECSTesting
import Testing

/// What is a step.
@Suite(.noHangs) struct UndoGroupTests {
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
    expectTrue(entity.get() == Position(x: 1, y: 1) && !history.canUndo)
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
    expectFalse(history.canUndo)
    entity.set(Position(x: 4, y: 4))
    expectFalse(history.canUndo)
  }

  @Test func `a context that its last owner gives up in a group ends behind it`() {
    var context: Context? = Context()
    weak let seen = context
    let history = context.map { UndoHistory($0, of: Position.self) }
    let entity = context?.createEntity(with: Position(x: 1, y: 1))
    history?.group("Move") {
      context = nil
      expectNotNil(seen)
      entity?.set(Position(x: 2, y: 2))
      expectEqual(entity?.get(), Position(x: 2, y: 2))
    }
    expectTrue(seen == nil && entity?.isAlive == false)
  }

  @Test func `the outermost group names the step`() throws {
    let (context, history) = drawing()
    let entity = context.createEntity(with: Position(x: 1, y: 1))
    history.group("Outer") {
      entity.set(Position(x: 2, y: 2))
      history.group("Inner") { entity.set(Name("a")) }
    }
    expectEqual(history.undoNames, ["Outer"])
    try history.undo()
    expectTrue(entity.get() == Position(x: 1, y: 1) && !entity.has(Name.self))
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
    expectEqual(entity.get(Opaque.self)?.text, "1.0")
    try history.redo()
    expectEqual(entity.get(Opaque.self)?.text, "2.0")
    try history.undo()
    expectEqual(entity.get(Opaque.self)?.text, "1.0")
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
    expectTrue(history.redoNames == ["Move"] && history.undoNames == [])
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
    expectEqual(history.undoNames, ["typing"])
    time.advance(by: .milliseconds(1001))
    type("abcd")
    expectEqual(history.undoNames, ["typing", "typing"])
    history.endCoalescing()
    type("abcde")
    expectEqual(history.undoNames.count, 3)
    try history.undo()
    expectEqual(entity.get(), Name("abcd"))
    type("abcd!")
    expectEqual(history.undoNames.count, 3)
    for _ in 0..<2 { try history.undo() }
    expectEqual(entity.get(), Name("abc"))
    try history.undo()
    expectEqual(entity.get(), Name(""))
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
    expectEqual(history.undoNames.count, 2)
    try history.undo()
    expectEqual(entity.get(), Name("foreign"))
    #expect(throws: UndoConflict.self) { try history.undo() }
    // So it is if the next piece does not touch the value, which it does not have to suffer for.
    let other = context.createEntity(with: Name(""), Position(x: 0, y: 0))
    piece {
      other.set(Name("a"))
      other.set(Position(x: 1, y: 1))
    }
    other.set(Position(x: 2, y: 2))
    piece { other.set(Name("b")) }
    try history.undo()
    expectEqual(other.get(), Name("a"))
    #expect(throws: UndoConflict.self) { try history.undo() }
    expectEqual(other.get(), Position(x: 2, y: 2))
  }

  @Test func `pieces stay apart if somebody else has changed a link in between`() throws {
    let (context, history) = drawing()
    let layers = (0..<3).map { context.createEntity(with: Name("\($0)")) }
    let entity = context.createEntity(with: Position(x: 1, y: 1))
    func piece(_ body: () -> Void) { history.coalesce("drag", within: .seconds(1000), body) }
    // One that the next piece changes.
    piece { entity.relate(InLayer.self, to: layers[0]) }
    entity.unrelate(InLayer.self)
    piece { entity.relate(InLayer.self, to: layers[0]) }
    expectEqual(history.undoNames, ["drag", "drag"])
    try history.undo()
    expectNil(entity.target(InLayer.self))
    #expect(throws: UndoConflict.self) { try history.undo() }
    // One that it replaces.
    history.removeAll()
    piece { entity.relate(InLayer.self, to: layers[0]) }
    entity.relate(InLayer.self, to: layers[1])
    piece { entity.relate(InLayer.self, to: layers[2]) }
    expectEqual(history.undoNames, ["drag", "drag"])
    try history.undo()
    expectEqual(entity.target(InLayer.self), layers[1])
    // One that it does not touch.
    history.removeAll()
    piece { entity.relate(Likes.self, to: layers[0]) }
    entity.unrelate(Likes.self, from: layers[0])
    piece { entity.set(Position(x: 2, y: 2)) }
    expectEqual(history.undoNames, ["drag", "drag"])
    // What was put back was not changed, nor were links of relations that are not listed.
    history.removeAll()
    piece { entity.relate(Likes.self, to: layers[0]) }
    entity.unrelate(Likes.self, from: layers[0]).relate(Likes.self, to: layers[0])
    entity.relate(Follows.self, to: layers[0])
    piece { entity.relate(Likes.self, to: layers[1]) }
    expectEqual(history.undoNames, ["drag"])
    try history.undo()
    expectTrue(entity.targets(Likes.self).isEmpty && entity.isRelated(Follows.self, to: layers[0]))
  }

  @Test func `an entity that one piece makes and the next one destroys is forgotten`() throws {
    let (context, history) = drawing()
    let entity = history.coalesce("draw", within: .seconds(1000)) {
      context.createEntity(with: Position(x: 1, y: 1))
    }
    history.coalesce("draw", within: .seconds(1000)) { entity.destroy() }
    expectTrue(!history.canUndo && history.keptEntityCount == 0 && history.byteCount == 0)
  }

  @Test func `pieces that come to nothing are no step, whatever came and went in them`() {
    let (context, history) = drawing()
    var entity: Entity?
    history.coalesce("draw", within: .seconds(1000)) {
      let made = context.createEntity()
      made.set(Position(x: 1, y: 1))
      made.remove(Position.self)
      made.set(Name("a"))
      entity = made
    }
    history.coalesce("draw", within: .seconds(1000)) { entity?.destroy() }
    expectEqual(history.undoNames, [])
    expectEqual(history.keptEntityCount, 0)
  }
}
