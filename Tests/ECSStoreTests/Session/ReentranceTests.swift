#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import Testing

  /// Observers of what sessions do, and what may be done then.
  @Suite(.noHangs) struct ReentranceTests {
    let store: Store

    init() throws { store = try Town.store() }

    @Test func `who is told of a generated key may change and save at once`() throws {
      let session = try store.session()
      let saves = Tally()
      let told = session.context.group(TodoID.matcher).observeAfterwards { [weak session] in
        guard let session, saves.value < 3 else { return }
        saves.add()
        for todo in session.context.group(TodoID.matcher) {
          todo.update(Todo.self) { $0.text += "+" }
        }
        session.context.createEntity(with: Branch(name: "b\(saves.value)"))
        #expect(throws: Never.self) { try session.save() }
      }
      session.context.createEntity(with: Todo(text: "a"))
      session.context.createEntity(with: Branch(name: "a"))
      try session.save()
      try session.save()
      expectGreaterThan(saves.value, 0)
      try expectEqual(store.rows("SELECT id FROM todo"), ["1"])
      try expectNotNil(store.session().branch("b1"))
      expectFalse(session.hasChanges)
      told.cancel()
    }

    @Test func `what another session saves while one is loaded comes into it`() throws {
      let one = try store.session()
      one.context.createEntity(with: Author(id: 1))
      try one.save()
      let context = Context()
      let told = context.group(Author.matcher).observeAfterwards { [weak one] in
        guard let one, one.author(2) == nil else { return }
        one.context.createEntity(with: Author(id: 2))
        #expect(throws: Never.self) { try one.save() }
      }
      let two = try store.session(on: context)
      expectNotNil(two.author(2))
      told.cancel()
    }

    @Test func `a new row may take the key that another one gives up`() throws {
      let one = try store.session()
      let first = one.context.createEntity(with: Author(id: 1, first: "Ada"))
      try one.save()
      let two = try store.session()
      let known = try #require(two.author(1))
      first.update(Author.self) { $0.id = 2 }
      one.context.createEntity(with: Author(id: 1, first: "Bob"))
      try one.save()
      expectEqual(known.get(Author.self), Author(id: 2, first: "Ada"))
      expectEqual(two.author(1)?.get(Author.self)?.first, "Bob")
      try expectEqual(two.save(), SaveReport())
      known.update(Author.self) { $0.last = "L" }
      two.author(1)?.update(Author.self) { $0.last = "B" }
      try two.save()
      try expectEqual(store.rows("SELECT * FROM author ORDER BY id"), ["1 Bob B", "2 Ada L"])
    }

    @Test(arguments: ["save", "refresh", "other", "write", "value", "session", "close"])
    func `a closure that resolves a conflict and calls a session or its store stops with a message`(
      _ call: String
    ) async throws {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { [call = call as String] in
        try Resolving.run(call)
      }
      expectTrue(stopped(result, saying: "was called in a section"))
    }

    @Test func `a row that is gone on one side is a conflict about no column`() throws {
      let conflicts = Sink()
      let one = try store.session()
      for id in 1...2 { one.context.createEntity(with: Author(id: Int64(id))) }
      try one.save()
      let two = try store.session(
        policy: .resolve {
          conflicts.add($0)
          return .local
        })
      one.author(1)?.destroy()
      one.author(2)?.update(Author.self) { $0.first = "one" }
      two.author(1)?.update(Author.self) { $0.first = "two" }
      two.author(2)?.destroy()
      try one.save()
      expectEqual(conflicts.all.map(\.column), [nil, nil])
      expectEqual(Set(conflicts.all.map(\.key)), ["1", "2"])
    }
  }

  private enum Resolving {
    /// Makes a conflict whose closure calls something.
    static func run(_ call: String) throws {
      let store = try Town.store()
      let one = try store.session(merging: .manual)
      one.context.createEntity(with: Author(id: 1))
      try one.save()
      let sessions = Sessions()
      let two = try store.session(
        merging: .manual,
        policy: .resolve { _ in
          for session in sessions.all { try? Resolving.call(call, session, other: one) }
          return .local
        })
      sessions.all = [two]
      one.author(1)?.update(Author.self) { $0.first = "one" }
      two.author(1)?.update(Author.self) { $0.first = "two" }
      try one.save()
      try two.refresh()
    }

    private static func call(_ call: String, _ session: StoreSession, other: StoreSession) throws {
      switch call {
      case "save": try session.save()
      case "refresh": try session.refresh()
      case "other": try other.save()
      case "write": try session.store.write { _ in }
      case "value": try session.store.values.set("1", for: "key")
      case "session": _ = try session.store.session()
      case "close": try session.store.close()
      default: break
      }
    }
  }

  // Set before a conflict comes.
  private final class Sessions: @unchecked Sendable { var all: [StoreSession] = [] }

  // Guarded by the lock of the hub, under which conflicts are decided.
  private final class Sink: @unchecked Sendable {
    private(set) var all: [Conflict] = []
    func add(_ conflict: Conflict) { all.append(conflict) }
  }
#endif
