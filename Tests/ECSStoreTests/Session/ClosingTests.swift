#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import Testing

  /// What happens to sessions when their store is closed.
  @Suite struct ClosingTests {
    let folder: Folder
    let store: Store

    init() throws {
      folder = try Folder()
      store = try Town.store(at: .file(folder.file()))
    }

    private func saved() throws -> [String] {
      try Town.store(at: .file(folder.file())).rows("SELECT first FROM author ORDER BY id")
    }

    @Test func `closing saves what sessions have to save, and they say so afterwards`() throws {
      let (one, two) = (try store.session(), try store.session(merging: .manual))
      one.context.createEntity(with: Author(id: 1, first: "one"))
      two.context.createEntity(with: Author(id: 2, first: "two"))
      try store.close()
      try expectEqual(saved(), ["one", "two"])
      one.context.createEntity(with: Author(id: 3))
      guard case .closed? = storeError({ try one.save() }) else {
        Issue.record("saved")
        return
      }
      expectTrue(one.hasChanges)
      guard case .closed? = storeError({ try two.refresh() }) else {
        Issue.record("refreshed")
        return
      }
    }

    @Test func `a store whose sessions can't be saved stays open`() throws {
      let session = try store.session()
      session.context.createEntity(with: Author(id: 1, first: "one"))
      let twin = session.context.createEntity(with: Author(id: 1))
      guard case .duplicateKey? = storeError({ try store.close() }) else {
        Issue.record("closed")
        return
      }
      twin.destroy()
      try store.close()
      try expectEqual(saved(), ["one"])
    }

    @Test func `a store whose sessions never have been saved stays open, and says so`() throws {
      let session = try store.session()
      let context = session.context
      let token = context.group(TodoID.matcher).observeAfterwards {
        context.createEntity(with: Todo(text: "more"))
      }
      context.createEntity(with: Todo(text: "one"))
      guard case .neverSaved? = storeError({ try store.close() }) else {
        Issue.record("closed, with something to save")
        return
      }
      token.cancel()
      try store.close()
    }

    @Test func `what is not to be saved is not written`() throws {
      let session = try store.session()
      session.context.createEntity(with: Author(id: 1, first: "one"))
      try store.close(savesChanges: false)
      try expectEqual(saved(), [])
      expectNotNil(session.author(1))
    }

    @Test func `a store that only reads closes whatever changed`() throws {
      try store.close()
      var options = Store.Options()
      options.isReadOnly = true
      let reading = try Store(at: .file(folder.file()), schema: Town.schema(), options: options)
      let session = try reading.session()
      session.context.createEntity(with: Author(id: 1, first: "one"))
      guard case .readOnly? = storeError({ try session.save() }) else {
        Issue.record("written")
        return
      }
      try reading.close()
      try expectEqual(saved(), [])
    }
  }
#endif
