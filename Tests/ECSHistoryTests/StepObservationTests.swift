import ECS
import ECSHistory
import ECSTestSupport
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
    #expect(notes.kinds == [.added, .updated])
    try history.undo()
    try history.undo()
    #expect(notes.kinds == [.added, .updated, .updated, .removed])
    try history.redo()
    #expect(notes.kinds.last == .added && notes.kinds.count == 5)
    observation.cancel()
    try history.redo()
    #expect(notes.kinds.count == 5)
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
    #expect(notes.kinds.isEmpty)
    observation.cancel()
  }

  @Test func `what the closure changes is a part of the step if the history lists it`() throws {
    let history = UndoHistory(context, of: Line.self, Words.self)
    let observation = history.observeSteps(of: context.group(Line.self)) { change in
      guard let text = change.new(Line.self)?.text else { return }
      change.entity.setIfChanged(Words(count: text.split(separator: " ").count))
    }
    let line = history.group("Add") { context.createEntity(with: Line(text: "a b")) }
    #expect(line.get(Words.self)?.count == 2)
    history.group("Set") { line.set(Line(text: "a b c")) }
    try history.undo()
    #expect(line.get(Words.self)?.count == 2)
    try history.undo()
    #expect(!line.isAlive)
    observation.cancel()
  }

  @Test func `without its history an observer of steps is called no more`() {
    let notes = Notes()
    var history: UndoHistory? = UndoHistory(context, of: Line.self)
    let observation = history.map { observed($0, notes) }
    history = nil
    context.createEntity(with: Line())
    #expect(notes.kinds.isEmpty)
    observation?.cancel()
  }
}
