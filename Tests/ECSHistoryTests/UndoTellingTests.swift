import ECS
import ECSHistory
import ECSTestSupport
import Testing

/// What hears of steps, and in which order.
@Suite(.noHangs) struct UndoTellingTests {
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
    expectEqual(
      lines.take(),
      [
        "removed false", "added true", #"["destroyed", "created"] by ["undo Edit"]"#,
      ])
    try history.redo()
    expectEqual(
      lines.take(),
      [
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
    expectEqual(lines.take(), ["- -", "Add -", "Move -", "Add Move", "Move -", "- -"])
    token.cancel()
    history.group("Move") { entity.set(Position(x: 3, y: 3)) }
    expectEqual(lines.take(), [])
  }

  @Test func `observers of a history come last, after journals`() throws {
    let (context, history) = drawing()
    let lines = Lines()
    let entity = context.createEntity(with: Position(x: 1, y: 1))
    let tokens = [
      history.observe(initial: false) { _ in lines.add("history") },
      context.journal().observe { _ in lines.add("journal") },
      context.group(Position.matcher).observeChanges { _ in lines.add("group") },
    ]
    history.group("Move") { entity.set(Position(x: 2, y: 2)) }
    expectEqual(lines.take(), ["group", "journal", "history"])
    try history.undo()
    expectEqual(lines.take(), ["group", "journal", "history"])
    try history.redo()
    expectEqual(lines.take(), ["group", "journal", "history"])
    // Also if there is nothing to tell journals.
    entity.destroy()
    _ = lines.take()
    try history.undo(.overwrite)
    expectEqual(lines.take(), ["history"])
    history.removeAll()
    expectEqual(lines.take(), ["history"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `an observer of a history may change the context`() throws {
    let (context, history) = drawing()
    let menu = context.createEntity(with: Tag())
    let token = history.observe { history in menu.set(Health(points: history.canUndo ? 1 : 0)) }
    expectEqual(menu.get(), Health(points: 0))
    history.group("Add") { _ = context.createEntity(with: Position(x: 1, y: 1)) }
    expectEqual(menu.get(), Health(points: 1))
    try history.undo()
    expectEqual(menu.get(), Health(points: 0))
    token.cancel()
  }
}
