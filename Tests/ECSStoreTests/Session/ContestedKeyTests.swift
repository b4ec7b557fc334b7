#if SQLite
  import ECS
  import ECSRecipes
  import ECSStore
  import ECSTestSupport
  import Testing

  /// New rows whose keys new rows of others have, too.
  @Suite(.noHangs) struct ContestedKeyTests {
    let merging: MergingTests
    var store: Store { merging.store }

    init() throws { merging = try MergingTests() }

    @Test(arguments: [MergePolicy.localWins, .storeWins, .error], [true, false])
    func `a key that two sessions have given to new rows is that of the first one`(
      _ policy: MergePolicy, _ isAutomatic: Bool
    ) throws {
      let (one, two) = try merging.pair(policy, isAutomatic ? .automatic : .manual)
      one.context.createEntity(with: Author(id: 7, first: "one", last: "x"))
      let mine = two.context.createEntity(with: Author(id: 7, first: "two"))
      try one.save()
      for _ in 0..<2 {
        guard case .duplicateKey(table: "author", key: "7")? = storeError({ try two.save() }) else {
          Issue.record("not told")
          return
        }
      }
      expectTrue(two.hasChanges && mine.get(Author.self) == Author(id: 7, first: "two"))
      expectEqual(two.context.group(Author.matcher).count, 2)
      // All else is saved and merged meanwhile.
      one.author(1)?.update(Author.self) { $0.first = "Bob" }
      one.book("1")?.relate(WrittenBy.self, to: try #require(one.author(7)))
      try one.save()
      two.book("1")?.update(Book.self) { $0.pages = 9 }
      do {
        try two.saveWhatFits()
        Issue.record("not told")
      } catch let error as UnsavedEntities {
        expectTrue(error.entitiesNotKept == [mine] && error.report == SaveReport(updated: 1))
      }
      expectEqual(two.author(1)?.get(Author.self)?.first, "Bob")
      expectEqual(one.book("1")?.get(Book.self)?.pages, 9)
      expectEqual(two.book("1")?.targets(WrittenBy.self).count, 1)
      try expectEqual(store.rows("SELECT first, last FROM author WHERE id = 7"), ["one x"])
      // With another key it is saved, and the other row comes, with its links.
      mine.update(Author.self) { $0.id = 8 }
      try expectEqual(two.save(), SaveReport(inserted: 1))
      expectEqual(two.author(7)?.get(Author.self), Author(id: 7, first: "one", last: "x"))
      expectEqual(
        two.book("1")?.targets(WrittenBy.self).map { $0.get(Author.self)?.id }, [1, 7])
      expectTrue(one.author(8)?.get(Author.self)?.first == "two" || !isAutomatic)
      try expectTrue(two.save() == SaveReport() && two.refresh() == MergeReport())
      try expectEqual(store.rows("SELECT id FROM author ORDER BY id"), ["1", "7", "8"])
    }

    @Test func `a new row that gives way to that of another session leaves its key to it`() throws {
      for way in ["destroy", "rollback", "refresh"] {
        let test = try MergingTests()
        let (one, two) = try test.pair(.localWins, way == "rollback" ? .automatic : .manual)
        one.context.createEntity(with: Author(id: 7, first: "one"))
        let mapper = Mapper(two.context)
        try mapper.make(Library.authors().recipe, from: ["id": 7, "first": "two"])
        try one.save()
        expectNotNil(storeError { try two.save() })
        // What becomes of the row meanwhile counts.
        one.author(7)?.update(Author.self) { $0.first = "One" }
        try one.save()
        if way == "rollback" { two.rollback() } else { two.author(7)?.destroy() }
        if way == "destroy" { try two.save() }
        if way == "refresh" { try two.refresh() }
        expectEqual(two.author(7)?.get(Author.self)?.first, "One")
        try expectEqual(two.save(), SaveReport())
        try expectEqual(test.store.rows("SELECT first FROM author WHERE id = 7"), ["One"])
        withExtendedLifetime(mapper) {}
      }
    }

    @Test(arguments: [MergePolicy.localWins, .storeWins, .error], [true, false])
    func `new rows that two sessions have made alike are one`(
      _ policy: MergePolicy, _ isAutomatic: Bool
    ) throws {
      let (one, two) = try merging.pair(policy, isAutomatic ? .automatic : .manual)
      let author = Author(id: 7, first: "same", last: "x")
      one.context.createEntity(with: author)
      let mine = two.context.createEntity(with: author)
      try one.save()
      try expectTrue(two.refresh().conflicts == [] && two.save() == SaveReport())
      expectTrue(!two.hasChanges && two.author(7) == mine)
      mine.update(Author.self) { $0.first = "edited" }
      try expectEqual(two.save(), SaveReport(updated: 1))
      try expectEqual(store.rows("SELECT first, last FROM author WHERE id = 7"), ["edited x"])
    }

    @Test(arguments: [true, false])
    func `a link to a row whose key was taken comes back with it`(_ isAutomatic: Bool) throws {
      let (one, two) = try merging.pair(.localWins, isAutomatic ? .automatic : .manual)
      let book = try #require(two.book("1"))
      let mine = two.context.createEntity(with: Author(id: 7, first: "two"))
      book.relate(PublishedBy.self, to: mine)
      one.context.createEntity(with: Author(id: 7, first: "one"))
      one.book("1")?.relate(PublishedBy.self, to: try #require(one.author(7)))
      try one.save()
      try two.refresh()
      expectEqual(book.target(PublishedBy.self), mine)
      two.rollback()
      try two.refresh()
      expectEqual(book.target(PublishedBy.self)?.get(Author.self)?.first, "one")
      book.update(Book.self) { $0.pages = 9 }
      try expectEqual(two.save(), SaveReport(updated: 1))
      try expectEqual(store.rows("SELECT pages, publisher FROM book"), ["9 7"])
    }

    @Test func `what leads to a row whose key another one has is not saved with that one`() throws {
      let (one, two) = try merging.pair()
      one.context.createEntity(with: Author(id: 7, first: "one"))
      try one.save()
      let file = try store.rows("SELECT * FROM author, book, book_authors")
      two.context.createEntity(with: Author(id: 8))
      let mine = two.context.createEntity(with: Author(id: 7, first: "two"))
      // Both have the key now, of which the file has a row.
      two.book("1")?.relate(WrittenBy.self, to: mine)
      guard case .duplicateKey(table: "author", key: "7")? = storeError({ try two.saveWhatFits() })
      else {
        Issue.record("not told")
        return
      }
      try expectEqual(store.rows("SELECT * FROM author, book, book_authors"), file)
      expectTrue(two.hasChanges)
    }

    @Test func `an entity in the place of one that was destroyed is no second one with its key`()
      throws
    {
      let (one, two) = try merging.pair(.storeWins)
      let mapper = Mapper(two.context)
      two.author(1)?.destroy()
      try mapper.make(Library.authors().recipe, from: ["id": 1, "first": "new"])
      one.author(1)?.update(Author.self) { $0.first = "Bob" }
      try one.save()
      guard case .duplicateKey(table: "author", key: "1")? = storeError({ try two.save() }) else {
        Issue.record("not told")
        return
      }
      two.author(1)?.destroy()
      try two.save()
      expectEqual(two.author(1)?.get(Author.self)?.first, "Bob")
      withExtendedLifetime(mapper) {}
    }
  }
#endif
