#if SQLite
  import ECS
  import ECSHistory
  import ECSStore
  import ECSTestSupport
  import Testing

  /// What a session makes of steps that are undone.
  @Suite(.noHangs) struct UndoStoreTests {
    @Test func `a key that the database gave out comes back by the save after an undo`() throws {
      let store = try Town.store()
      let session = try store.session()
      let history = UndoHistory(session.context, of: Branch.self, relations: [ChildOf.self])
      let branch = history.group("Add") { session.context.createEntity(with: Branch(name: "a")) }
      try session.save()
      let key = try #require(branch.get(BranchID.self))
      history.group("Delete") { branch.destroy() }
      try history.undo()
      #expect(branch.isAlive && !branch.has(BranchID.self))
      history.group("Rename") { branch.update(Branch.self) { $0.name = "b" } }
      #expect(try session.save() == SaveReport(updated: 1))
      #expect(branch.get(BranchID.self) == key)
      #expect(try store.rows("SELECT id, name FROM branch") == ["\(key.value) b"])
      try history.undo()
      try history.undo()
      #expect(!branch.isAlive)
      try session.save()
      #expect(try store.rows("SELECT id FROM branch") == [])
      // The row has gone, and so has its key.
      try history.redo()
      try session.save()
      #expect(branch.has(BranchID.self))
      #expect(try store.rows("SELECT name FROM branch") == ["a"])
    }
  }
#endif
