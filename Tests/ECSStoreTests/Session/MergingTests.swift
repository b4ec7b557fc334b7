#if SQLite
  import Dispatch
  import ECS
  import ECSStore
  import ECSTestSupport
  import GRDB
  import Testing

  /// How what one session has saved comes into another one.
  @Suite(.noHangs) struct MergingTests {
    let store: Store

    init() throws { store = try Town.store() }

    func pair(
      _ policy: MergePolicy = .localWins, _ merging: StoreSession.Merging = .automatic
    ) throws -> (StoreSession, StoreSession) {
      let first = try store.session()
      let author = first.context.createEntity(with: Author(id: 1, first: "Ada", last: "L"))
      let book = first.context.createEntity(with: Book(isbn: "1", title: "One", pages: 1))
      book.relate(WrittenBy.self, to: author)
      try first.save()
      return (first, try store.session(merging: merging, policy: policy))
    }

    @Test func `what others save comes at once, and is not saved back`() throws {
      let (one, two) = try pair()
      one.author(1)?.update(Author.self) { $0.first = "Bob" }
      one.context.createEntity(with: Author(id: 2))
      one.book("1")?.relate(WrittenBy.self, to: try #require(one.author(2)))
      expectEqual(two.author(1)?.get(Author.self)?.first, "Ada")
      try one.save()
      expectEqual(two.author(1)?.get(Author.self)?.first, "Bob")
      expectEqual(two.book("1")?.targets(WrittenBy.self).count, 2)
      expectFalse(two.hasChanges)
      one.author(2)?.destroy()
      try one.save()
      expectNil(two.author(2))
      expectEqual(two.book("1")?.targets(WrittenBy.self).count, 1)
      try expectEqual(two.save(), SaveReport())
    }

    @Test func `fields that were changed on one side are taken from there`() throws {
      let (one, two) = try pair(.error)
      one.author(1)?.update(Author.self) { $0.first = "Bob" }
      two.author(1)?.update(Author.self) { $0.last = "M" }
      try one.save()
      expectEqual(two.author(1)?.get(Author.self), Author(id: 1, first: "Bob", last: "M"))
      try expectEqual(two.save(), SaveReport(updated: 1))
      expectEqual(one.author(1)?.get(Author.self), Author(id: 1, first: "Bob", last: "M"))
    }

    @Test func `the policy decides on fields that were changed on both sides`() throws {
      for (policy, expected) in [
        (MergePolicy.localWins, "two"), (.storeWins, "one"),
        (
          .resolve { conflict in
            expectTrue(
              conflict.column == "first" && conflict.table == "author" && conflict.key == "1")
            expectTrue(
              conflict.base == "Ada" && conflict.local == "two" && conflict.stored == "one")
            return .value("both")
          }, "both"
        ),
      ] {
        let test = try MergingTests()
        let (one, two) = try test.pair(policy)
        one.author(1)?.update(Author.self) { $0.first = "one" }
        two.author(1)?.update(Author.self) { $0.first = "two" }
        try one.save()
        expectEqual(two.author(1)?.get(Author.self)?.first, expected)
        try two.save()
        try expectEqual(test.store.rows("SELECT first FROM author"), [expected])
        expectEqual(one.author(1)?.get(Author.self)?.first, expected)
      }
    }

    @Test func `conflicts can be errors, which change nothing`() throws {
      let (one, two) = try pair(.error)
      one.author(1)?.update(Author.self) { $0.first = "one" }
      one.book("1")?.update(Book.self) { $0.pages = 5 }
      two.author(1)?.update(Author.self) { $0.first = "two" }
      try one.save()
      expectEqual(two.author(1)?.get(Author.self)?.first, "two")
      expectEqual(two.book("1")?.get(Book.self)?.pages, 1)
      guard case .conflicts(let conflicts)? = storeError({ try two.save() }) else {
        Issue.record("no conflict")
        return
      }
      expectEqual(conflicts.map(\.column), ["first"])
      expectTrue(two.hasChanges)
      two.rollback()
      try two.save()
      expectEqual(two.author(1)?.get(Author.self)?.first, "one")
      expectEqual(two.book("1")?.get(Book.self)?.pages, 5)
    }

    @Test func `an entity that is gone there and changed here is made again, or goes`() throws {
      for (policy, stays) in [(MergePolicy.localWins, true), (.storeWins, false)] {
        let test = try MergingTests()
        let (one, two) = try test.pair(policy)
        one.author(1)?.destroy()
        two.author(1)?.update(Author.self) { $0.first = "two" }
        try one.save()
        expectEqual((two.author(1) != nil), stays)
        try two.save()
        try expectEqual(test.store.rows("SELECT first FROM author"), (stays ? ["two"] : []))
        expectEqual((one.author(1) != nil), stays)
      }
    }

    @Test func `links that were changed here are a change of an entity that is gone there`() throws
    {
      for policy in [MergePolicy.localWins, .storeWins] {
        let store = try Town.store()
        let one = try store.session()
        let authors = (1...2).map { one.context.createEntity(with: Author(id: Int64($0))) }
        for isbn in ["1", "2", "3"] {
          let book = one.context.createEntity(with: Book(isbn: isbn))
          book.relate(WrittenBy.self, to: authors[0])
          book.relate(PublishedBy.self, to: authors[0])
        }
        try one.save()
        let two = try store.session(merging: .manual, policy: policy)
        two.book("1")?.relate(WrittenBy.self, to: try #require(two.author(2)))
        two.book("2")?.unrelate(PublishedBy.self)
        for isbn in ["1", "2", "3"] { one.book(isbn)?.destroy() }
        try one.save()
        let report = try two.refresh()
        expectEqual(Set(report.conflicts.map(\.key)), ["1", "2"])
        expectNil(two.book("3"))
        try two.save()
        let isLocal = if case .localWins = policy { true } else { false }
        try expectEqual(
          store.rows("SELECT isbn, publisher FROM book ORDER BY isbn"),
          (isLocal ? ["1 1", "2 NULL"] : []))
        try expectEqual(
          store.rows("SELECT author_id FROM book_authors ORDER BY ecs_row"),
          (isLocal ? ["1", "2", "1"] : []))
      }
    }

    @Test func `a link that went with its target here is no change of what is gone there`() throws {
      let one = try store.session()
      let author = one.context.createEntity(with: Author(id: 1))
      let book = one.context.createEntity(with: Book(isbn: "1"))
      book.relate(WrittenBy.self, to: author)
      try one.save()
      let two = try store.session(merging: .manual)
      two.author(1)?.destroy()
      book.destroy()
      try one.save()
      try expectEqual(two.refresh().conflicts, [])
      try two.save()
      expectNil(two.book("1"))
      try expectEqual(store.rows("SELECT isbn FROM book"), [])
    }

    @Test func `an entity that is gone here and changed there stays gone, or comes back`() throws {
      for (policy, stays) in [(MergePolicy.localWins, false), (.storeWins, true)] {
        let test = try MergingTests()
        let (one, two) = try test.pair(policy)
        one.author(1)?.update(Author.self) { $0.first = "one" }
        two.author(1)?.destroy()
        try one.save()
        expectEqual((two.author(1) != nil), stays)
        try two.save()
        try expectEqual(test.store.rows("SELECT first FROM author"), (stays ? ["one"] : []))
        expectEqual((one.author(1) != nil), stays)
      }
    }

    @Test(arguments: [MergePolicy.localWins, .storeWins])
    func `a key that both sides have given is an error, until one of them gives way`(
      _ policy: MergePolicy
    ) throws {
      let (one, two) = try pair(policy)
      // Makes keys different from each other in the context.
      let mapper = Mapper(two.context)
      let recipe = try Library.authors().recipe
      try mapper.make(recipe, from: ["id": 9, "first": "nine"])
      try two.save()
      let moved = try #require(two.author(1))
      moved.remove(Author.self)
      moved.set(Author(id: 2, first: "Ada", last: "L"))
      one.context.createEntity(with: Author(id: 2, first: "one"))
      try one.save()
      expectEqual(two.context.group(Author.matcher).count, 2)
      for _ in 0..<2 {
        guard case .duplicateKey(table: "author", key: "2")? = storeError({ try two.save() }) else {
          Issue.record("not told")
          return
        }
        expectTrue(two.hasChanges)
      }
      try two.revert(moved)
      try two.save()
      expectEqual(two.author(2)?.get(Author.self)?.first, "one")
      expectEqual(moved.get(Author.self)?.id, 1)
      try expectEqual(
        store.rows("SELECT id, first FROM author ORDER BY id"), ["1 Ada", "2 one", "9 nine"])
    }

    @Test func `keys that change or change places come into contexts where they may not`() throws {
      let (one, two) = try pair()
      one.context.createEntity(with: Author(id: 2, first: "Bob"))
      one.context.createEntity(with: Author(id: 3, first: "Cy"))
      try one.save()
      let mapper = Mapper(two.context)
      let recipe = try Library.authors().recipe
      let ada = try #require(two.author(1))
      try mapper.make(recipe, from: ["id": 1])
      // 1 and 2 change places, 3 goes, and 4 gets what was 3.
      let (first, second) = (try #require(one.author(1)), try #require(one.author(2)))
      first.update(Author.self) { $0.id = 2 }
      second.update(Author.self) { $0.id = 1 }
      try one.save()
      expectEqual(ada.get(Author.self), Author(id: 2, first: "Ada", last: "L"))
      expectEqual(two.author(1)?.get(Author.self)?.first, "Bob")
      one.author(3)?.destroy()
      second.update(Author.self) { $0.id = 3 }
      try one.save()
      expectEqual(two.author(3)?.get(Author.self)?.first, "Bob")
      expectTrue(two.author(1) == nil && two.context.group(Author.matcher).count == 2)
      expectEqual(two.book("1").map { Array($0.targets(WrittenBy.self)) }, [ada])
      try expectEqual(two.save(), SaveReport())
      // And back again by a rollback.
      let bob = try #require(two.author(3))
      bob.remove(Author.self)
      ada.remove(Author.self)
      bob.set(Author(id: 2, first: "Bob"))
      ada.set(Author(id: 3, first: "Ada", last: "L"))
      two.rollback()
      expectTrue(ada.get(Author.self)?.id == 2 && bob.get(Author.self)?.id == 3)
      try expectEqual(two.save(), SaveReport())
    }

    @Test func `who is told of what was merged may save at once`() throws {
      let (one, two) = try pair()
      let saves = Tally()
      let told = two.context.group(Author.matcher).observeAfterwards { [weak two] in
        saves.add()
        #expect(throws: Never.self) { try two?.save() }
      }
      for number in 2...5 {
        one.context.createEntity(with: Author(id: Int64(number)))
        try one.save()
      }
      expectEqual(saves.value, 4)
      expectEqual(two.context.group(Author.matcher).count, 5)
      try expectEqual(two.save(), SaveReport())
      told.cancel()
    }

    @Test func `links to many are merged one by one`() throws {
      let (one, two) = try pair()
      for number in 2...4 { one.context.createEntity(with: Author(id: Int64(number))) }
      try one.save()
      let (book, other) = (try #require(one.book("1")), try #require(two.book("1")))
      book.relate(WrittenBy.self, to: try #require(one.author(2)))
      other.relate(WrittenBy.self, to: try #require(two.author(3)))
      other.unrelate(WrittenBy.self, from: try #require(two.author(1)))
      try one.save()
      expectEqual(other.targets(WrittenBy.self).compactMap { $0.get(Author.self)?.id }, [2, 3])
      try two.save()
      expectEqual(book.targets(WrittenBy.self).compactMap { $0.get(Author.self)?.id }, [2, 3])
    }

    @Test func `manual merging waits for refresh, and saving merges before`() throws {
      let (one, two) = try pair(.localWins, .manual)
      one.author(1)?.update(Author.self) { $0.first = "Bob" }
      try one.save()
      expectEqual(two.author(1)?.get(Author.self)?.first, "Ada")
      try expectEqual(two.refresh().updated, 1)
      expectEqual(two.author(1)?.get(Author.self)?.first, "Bob")
      try expectEqual(two.refresh(), MergeReport())
      one.author(1)?.update(Author.self) { $0.first = "Cy" }
      try one.save()
      two.author(1)?.update(Author.self) { $0.last = "M" }
      try two.save()
      try expectEqual(store.rows("SELECT first, last FROM author"), ["Cy M"])
    }

    @Test func `merging takes place on a queue that was named`() throws {
      let queue = DispatchQueue(label: "merging")
      let (one, two) = try pair(.localWins, .on(queue))
      queue.suspend()
      one.author(1)?.update(Author.self) { $0.first = "Bob" }
      try one.save()
      expectEqual(two.author(1)?.get(Author.self)?.first, "Ada")
      queue.resume()
      queue.sync {}
      expectEqual(two.author(1)?.get(Author.self)?.first, "Bob")
    }

    @Test func `what was put below a row that others remove stays, and is reported`() throws {
      let one = try store.session()
      let parent = one.context.createEntity(with: Branch(name: "parent"))
      let child = one.context.createEntity(with: Branch(name: "child"))
      try one.save()
      let two = try store.session()
      try two.branch("child")?.setParent(two.branch("parent"))
      let new = two.context.createEntity(with: Branch(name: "new"))
      try new.setParent(two.branch("parent"))
      parent.destroy()
      try one.save()
      expectTrue(two.branch("child")?.parent == nil && new.isAlive && new.parent == nil)
      try two.save()
      try expectEqual(
        store.rows("SELECT name, parent FROM branch ORDER BY name"),
        ["child NULL", "new NULL"])
      expectTrue(child.isAlive && one.branch("new") != nil)
    }

    @Test func `work on the queue of a session is done one after the other`() async throws {
      let session = try store.session()
      try await session.perform { session in
        session.context.createEntity(with: Author(id: 1))
        try session.save()
        expectEqual(session.performAndWait { _ in 1 }, 1)
      }
      expectTrue(session.performAndWait { $0.author(1) != nil })
    }

    @Test func `a loop saves by itself, and tries again`() throws {
      let session = try store.session()
      let failures = Tally()
      let loop = ReactiveLoop(
        ctx: session.context, queue: DispatchQueue(label: "saving"),
        systems: [SavingSystem(session)], errorHandler: { _ in failures.add() })
      session.context.createEntity(with: Author(id: 1))
      loop.runUntilSettled()
      try expectEqual(store.rows("SELECT id FROM author"), ["1"])
      let twin = session.context.createEntity(with: Author(id: 1))
      loop.runUntilSettled()
      expectGreaterThan(failures.value, 0)
      expectTrue(session.hasChanges)
      twin.destroy()
      session.context.createEntity(with: Author(id: 2))
      loop.runUntilSettled()
      try expectEqual(store.rows("SELECT id FROM author"), ["1", "2"])
      loop.cancel()
      let autosave = session.autosave(timing: .immediate)
      session.context.createEntity(with: Author(id: 3))
      autosave.runUntilSettled()
      try expectEqual(store.rows("SELECT id FROM author"), ["1", "2", "3"])
    }

    @Test func `what a closure makes of a conflict wakes the loop that saves`() async throws {
      let (one, two) = try pair(.resolve { _ in .value("both") })
      let system = SavingSystem(two)
      let loop = ReactiveLoop(
        ctx: two.context, queue: DispatchQueue(label: "saving"), systems: [system],
        errorHandler: { $0.dropsEntities = true })
      let author = try #require(two.author(1))
      let twin = two.context.createEntity(with: Author(id: 1))
      author.update(Author.self) { $0.first = "two" }
      await loop.settled()
      // It has given up, and does not see what would let it save.
      system.collector.ignoring { twin.destroy() }
      await loop.settled()
      expectTrue(two.hasChanges)
      try expectEqual(store.rows("SELECT first FROM author"), ["Ada"])
      one.author(1)?.update(Author.self) { $0.first = "one" }
      try one.save()
      await loop.settled()
      expectFalse(two.hasChanges)
      try expectEqual(store.rows("SELECT first FROM author"), ["both"])
      expectEqual(one.author(1)?.get(Author.self)?.first, "both")
    }
  }
#endif
