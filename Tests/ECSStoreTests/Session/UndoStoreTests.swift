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
      expectTrue(branch.isAlive && !branch.has(BranchID.self))
      history.group("Rename") { branch.update(Branch.self) { $0.name = "b" } }
      try expectEqual(session.save(), SaveReport(updated: 1))
      expectEqual(branch.get(BranchID.self), key)
      try expectEqual(store.rows("SELECT id, name FROM branch"), ["\(key.value) b"])
      try history.undo()
      try history.undo()
      expectFalse(branch.isAlive)
      try session.save()
      try expectEqual(store.rows("SELECT id FROM branch"), [])
      // The row has gone, and so has its key.
      try history.redo()
      try session.save()
      expectTrue(branch.has(BranchID.self))
      try expectEqual(store.rows("SELECT name FROM branch"), ["a"])
    }

    @Test func `a key that was given again is a conflict where an index keeps it unique`() throws {
      for isReverted in [true, false] {
        let store = try Town.store()
        let session = try store.session()
        let index = session.context.primaryIndex { (author: Author) in author.id }
        let history = UndoHistory(session.context, of: Author.self)
        let author = session.context.createEntity(with: Author(id: 1, first: "Ada"))
        try session.save()
        history.group("Delete") { author.destroy() }
        if isReverted { try session.revert(author) } else { session.rollback() }
        #expect(throws: UndoConflict.self) { try history.undo() }
        expectTrue(index[1] != author && session.context.group(Author.matcher).count == 1)
        history.removeAll()
        try expectNil(history.undo())
        expectFalse(session.hasChanges)
      }
    }

    @Test func `a key that another session has given meanwhile is a conflict, too`() throws {
      let store = try Town.store()
      let (session, other) = (try store.session(), try store.session())
      let index = session.context.primaryIndex { (author: Author) in author.id }
      let history = UndoHistory(session.context, of: Author.self)
      let author = session.context.createEntity(with: Author(id: 1, first: "Ada"))
      try session.save()
      history.group("Delete") { author.destroy() }
      try session.save()
      other.context.createEntity(with: Author(id: 1, first: "Bob"))
      try other.save()
      #expect(throws: UndoConflict.self) { try history.undo() }
      expectEqual(index[1]?.get(Author.self)?.first, "Bob")
      try expectEqual(session.save(), SaveReport())
    }

    @Test(arguments: [true, false])
    func `what is back without its key goes with its row if others have deleted that`(
      _ isRefreshed: Bool
    ) throws {
      for policy in [MergePolicy.localWins, .storeWins, .error] {
        let store = try Town.store()
        let session = try store.session(merging: .manual, policy: policy)
        let other = try store.session(merging: .manual)
        let history = UndoHistory(session.context, of: Branch.self, relations: [ChildOf.self])
        let branch = history.group("Add") { session.context.createEntity(with: Branch(name: "a")) }
        try session.save()
        history.group("Delete") { branch.destroy() }
        try history.undo()
        try other.refresh()
        try #require(other.branch("a")).destroy()
        try other.save()
        if isRefreshed { try expectEqual(session.refresh(), MergeReport(destroyed: 1)) }
        try expectEqual(session.save(), SaveReport())
        expectTrue(!branch.isAlive && !session.hasChanges)
        try expectEqual(store.rows("SELECT id FROM branch"), [])
      }
    }

    @Test func `an undo of a deletion that was taken back is a second row with another key`() throws
    {
      let store = try Town.store()
      let session = try store.session()
      let history = UndoHistory(session.context, of: Branch.self, relations: [ChildOf.self])
      let branch = session.context.createEntity(with: Branch(name: "a"))
      try session.save()
      history.group("Delete") { branch.destroy() }
      session.rollback()
      try history.undo()
      try expectEqual(session.save(), SaveReport(inserted: 1))
      try expectEqual(store.rows("SELECT name FROM branch"), ["a", "a"])
    }
  }
#endif
