import ECS
import ECSHistory
import ECSTestSupport
import ECSTesting
import Testing

@Suite(.noHangs) struct StepObservationTests {
  struct Line: Component, Equatable { var text = "" }
  struct Words: Component, Equatable { var count = 0 }
  struct Stop: Error {}

  // Guarded by the context.
  private final class Notes: @unchecked Sendable { var kinds: [Change.Kind] = [] }

  private let context = Context()

  private func observed(_ history: UndoHistory, _ notes: Notes) -> Subscription {
    history.observeSteps(of: context.group(Line.self)) { notes.kinds.append($0.kind) }
  }

  @Test func `changes of steps are told when they are made, undone and redone, and no others are`()
    throws
  {
    let (history, notes) = (UndoHistory(context, of: Line.self), Notes())
    let observation = observed(history, notes)
    let other = context.createEntity(with: Line(text: "by others"))
    other.set(Line(text: "again"))
    let line = history.group("Add") { context.createEntity(with: Line(text: "a")) }
    history.coalesce("Type", within: .seconds(1)) { line.set(Line(text: "ab")) }
    expectEqual(notes.kinds, [.added, .updated])
    try history.undo()
    try history.undo()
    expectEqual(notes.kinds, [.added, .updated, .updated, .removed])
    try history.redo()
    expectTrue(notes.kinds.last == .added && notes.kinds.count == 5)
    observation.cancel()
    try history.redo()
    expectEqual(notes.kinds.count, 5)
  }

  @Test func `a step that throws and an undo with a conflict tell nothing`() throws {
    let (history, notes) = (UndoHistory(context, of: Line.self), Notes())
    let line = context.createEntity(with: Line(text: "a"))
    history.group("Set") { line.set(Line(text: "b")) }
    let observation = observed(history, notes)
    #expect(throws: Stop.self) {
      try history.group("Fail") { () throws in
        line.set(Line(text: "c"))
        throw Stop()
      }
    }
    line.set(Line(text: "d"))
    #expect(throws: UndoConflict.self) { try history.undo() }
    expectTrue(notes.kinds.isEmpty)
    observation.cancel()
  }

  private enum WrittenBy: ToOneRelation {}
  private enum Cites: Relation {}

  /// The changes of links that a history with both relations tells of, as texts.
  private func linked(_ history: UndoHistory, _ notes: Recorder<String>) -> Subscription {
    history.observeSteps(of: context.group(Line.self)) { change in
      guard change.component == nil, change.kind == .updated else { return }
      notes.append(change.entity.get(Line.self)?.text ?? "")
    }
  }

  @Test func `links of steps that are made, undone and redone are changes of their sources`()
    throws
  {
    let history = UndoHistory(context, of: Line.self, relations: [WrittenBy.self, Cites.self])
    let notes = Recorder<String>()
    let observation = linked(history, notes)
    let (a, b) = (Line(text: "a"), Line(text: "b"))
    let (first, second) = (context.createEntity(with: a), context.createEntity(with: b))
    let author = context.createEntity()
    first.relate(WrittenBy.self, to: author)
    expectEqual(notes.take(), [], "by others")
    history.group("Cite") { second.relate(Cites.self, to: first) }
    expectEqual(notes.take(), ["b"])
    try history.undo()
    expectEqual(notes.take(), ["b"])
    try history.redo()
    expectEqual(notes.take(), ["b"])
    history.group("Move") {
      second.relate(WrittenBy.self, to: author)
      first.relate(Cites.self, to: second)
      author.sources(WrittenBy.self).move(second, before: first)
    }
    expectEqual(notes.take(), ["b", "a"], "each once")
    observation.cancel()
    expectFalse(observation.isActive)
    try history.undo()
    expectEqual(notes.take(), [])
  }

  @Test func `changes of links come after those of components, whatever came first`() {
    let history = UndoHistory(context, of: Line.self, relations: [Cites.self])
    let notes = Recorder<String>()
    let observation = history.observeSteps(of: context.group(Line.self)) { change in
      notes.append(change.component == nil ? "link" : change.new(Line.self)?.text ?? "")
    }
    let (line, other) = (context.createEntity(with: Line(text: "a")), context.createEntity())
    history.group("Both") {
      line.relate(Cites.self, to: other)
      line.set(Line(text: "b"))
    }
    expectEqual(notes.take(), ["b", "link"])
    withExtendedLifetime(observation) {}
  }

  @Test func `links that go with their target, and come back, are changes of their sources`()
    throws
  {
    let history = UndoHistory(context, of: Line.self, relations: [WrittenBy.self])
    let notes = Recorder<String>()
    let observation = linked(history, notes)
    let (line, author) = (
      context.createEntity(with: Line(text: "a")), context.createEntity(with: Line(text: "author"))
    )
    // Not in the group, and dead by the end.
    let (other, former) = (context.createEntity(), context.createEntity(with: Line(text: "b")))
    for source in [line, other, former] { source.relate(WrittenBy.self, to: author) }
    history.group("Destroy") {
      former.destroy()
      author.destroy()
    }
    expectEqual(notes.take(), ["a"])
    try history.undo()
    expectTrue(notes.take().contains("a"))
    #expect(throws: Stop.self) {
      try history.group("Fail") { () throws in
        line.unrelate(WrittenBy.self, from: author)
        throw Stop()
      }
    }
    expectEqual(notes.take(), [])
    line.relate(Cites.self, to: author)
    history.group("Unlisted") { line.relate(Cites.self, to: former) }
    expectEqual(notes.take(), [])
    withExtendedLifetime(observation) {}
  }

  @Test func `what the closure changes is a part of the step if the history lists it`() throws {
    let history = UndoHistory(context, of: Line.self, Words.self)
    let observation = history.observeSteps(of: context.group(Line.self)) { change in
      guard let text = change.new(Line.self)?.text else { return }
      change.entity.setIfChanged(Words(count: text.split(separator: " ").count))
    }
    let line = history.group("Add") { context.createEntity(with: Line(text: "a b")) }
    expectEqual(line.get(Words.self)?.count, 2)
    history.group("Set") { line.set(Line(text: "a b c")) }
    try history.undo()
    expectEqual(line.get(Words.self)?.count, 2)
    try history.undo()
    expectFalse(line.isAlive)
    observation.cancel()
  }

  @Test func `without its history an observer of steps is called no more`() {
    let notes = Notes()
    var history: UndoHistory? = UndoHistory(context, of: Line.self)
    let observation = history.map { observed($0, notes) }
    history = nil
    context.createEntity(with: Line())
    expectTrue(notes.kinds.isEmpty)
    observation?.cancel()
  }
}
