import ECS
import ECSHistory
import ECSTestSupport
import Testing

/// What is kept, and for how long.
@Suite(.noHangs) struct UndoLimitTests {
  @Test func `the oldest steps are dropped, and what they keep`() throws {
    let counter = LifeCounter()
    let context = Context()
    let history = UndoHistory(context, of: Tracked.self, limit: .steps(3))
    for number in 0..<10 {
      let entity = context.createEntity(with: Tracked(counter, number: number))
      history.group("\(number)") { entity.destroy() }
    }
    expectEqual(history.undoNames, ["9", "8", "7"])
    expectTrue(counter.living == 3 && history.keptEntityCount == 3)
    while try history.undo() != nil {}
    expectEqual(context.group(Tracked.matcher).count, 3)
    history.removeAll()
    expectTrue(history.keptEntityCount == 0 && history.byteCount == 0 && counter.living == 3)
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
      expectLessThanOrEqual(history.byteCount, 100_000)
      slots.insert(Mirror(reflecting: entity).children.first.map { "\($0.value)" } ?? "")
    }
    expectTrue(history.undoNames.count > 50 && slots.count < 200)
    history.group("Too much") {
      for _ in 0..<200 { context.createEntity(with: Page(filledWith: 0)) }
    }
    expectTrue(!history.canUndo && history.byteCount == 0 && history.keptEntityCount == 0)
  }

  @Test func `a history that is let go of gives slots and values back`() throws {
    let counter = LifeCounter()
    let context = Context()
    var history: UndoHistory? = UndoHistory(context, of: Tracked.self)
    var entities = (0..<10).map { _ in context.createEntity(with: Tracked(counter)) }
    history?.group("Delete") { for entity in entities { entity.destroy() } }
    expectEqual(counter.living, 10)
    history = nil
    expectEqual(counter.living, 0)
    for _ in 0..<10 { entities.append(context.createEntity(with: Tracked(counter))) }
    expectTrue(Set(entities).count == 20 && entities[..<10].allSatisfy { !$0.isAlive })
    expectEqual(
      Set(entities.map { Mirror(reflecting: $0).children.first.map { "\($0.value)" } }).count, 10)
  }

  @Test func `a history outlives its context`() throws {
    var context: Context? = Context()
    let history = try #require(context.map { UndoHistory($0, of: Position.self) })
    let entity = try #require(context).createEntity(with: Position(x: 1, y: 1))
    history.group("Delete") { entity.destroy() }
    let token = history.observe { _ in }
    context = nil
    expectTrue(!history.canUndo && history.undoNames == [] && history.byteCount == 0)
    try expectNil(history.undo())
    history.group("Nothing") {}
    history.endCoalescing()
    // Another context may have the same core by now.
    let next = Context()
    let other = UndoHistory(next, of: Position.self)
    other.group("Add") { _ = next.createEntity(with: Position(x: 2, y: 2)) }
    history.removeAll()
    expectTrue(other.undoNames == ["Add"] && !entity.isAlive)
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
    expectTrue(one.undoNames == ["Add"] && other.undoNames == ["Move"])
    #expect(throws: UndoConflict.self) { try one.undo() }
    try other.undo()
    try one.undo()
    expectFalse(entity.isAlive)
    #expect(throws: UndoConflict.self) { try other.redo() }
    try one.redo()
    try other.redo()
    expectEqual(entity.get(), Position(x: 2, y: 2))
    other.group("Delete") { entity.destroy() }
    one.removeAll()
    try other.undo()
    expectEqual(entity.get(), Position(x: 2, y: 2))
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
      expectTrue(entity.isAlive)
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
    expectTrue(lines.take() == ["ended"] && context.group(Position.matcher).count == 1)
  }

  @Test func `an undo inside of a section stops with a message`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      let history = UndoHistory(context, of: Position.self)
      context.perform { _ = try? history.undo() }
    }
    expectTrue(
      stopped(result, saying: "undo() was called inside a section", "outside of perform(_:)"))
  }
}
