#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import Testing

  /// The order of the links of an entity, in the file and in several sessions.
  @Suite(.noHangs) struct OrderedLinkTests {
    let store: Store
    let one: StoreSession
    let two: StoreSession

    /// A book whose authors are 1, 2, 3 and 4; there are more of them.
    init() throws {
      store = try Town.store()
      one = try store.session()
      let book = one.context.createEntity(with: Book(isbn: "1", title: "One"))
      for id in 1...8 {
        let author = one.context.createEntity(with: Author(id: Int64(id)))
        if id <= 4 { book.relate(WrittenBy.self, to: author) }
      }
      try one.save()
      two = try store.session(merging: .manual)
    }

    private func authors(_ session: StoreSession) throws -> RelatedEntities<WrittenBy> {
      try #require(session.book("1")).targets(WrittenBy.self)
    }

    private func ids(_ session: StoreSession) throws -> [Int64] {
      try authors(session).compactMap { $0.get(Author.self)?.id }
    }

    private func move(_ id: Int64, to place: Int, _ session: StoreSession) throws {
      try authors(session).insert(try #require(session.author(id)), at: place)
    }

    @Test func `an order is saved, loaded and merged`() throws {
      try move(4, to: 0, one)
      try move(5, to: 2, one)
      try expectEqual(one.save(), SaveReport(linked: 1))
      try expectEqual(ids(store.session()), [4, 1, 5, 2, 3])
      let collector = two.context.collector(for: Author.matcher, type: .addedUpdatedOrRemoved)
      try two.refresh()
      try expectEqual(ids(two), [4, 1, 5, 2, 3])
      expectTrue(collector.isEmpty && !two.hasChanges)
      try expectEqual(one.save(), SaveReport())
    }

    @Test func `moving there and back saves nothing, and rolling back restores the order`() throws {
      try move(1, to: 3, one)
      try move(1, to: 0, one)
      try expectEqual(one.save(), SaveReport())
      try authors(one).reverse()
      expectTrue(one.hasChanges)
      one.rollback()
      try expectEqual(ids(one), [1, 2, 3, 4])
      try authors(one).reverse()
      try one.revert(try #require(one.book("1")))
      try expectEqual(ids(one), [1, 2, 3, 4])
    }

    @Test func `who has moved decides the order, and what others add comes too`() throws {
      try move(4, to: 0, two)
      try authors(one).insert(try #require(one.author(5)))
      try authors(one).remove(try #require(one.author(2)))
      try one.save()
      try two.refresh()
      try expectEqual(ids(two), [4, 1, 3, 5])
      try two.save()
      try expectEqual(ids(one), [4, 1, 3, 5])
      try expectEqual(ids(store.session()), [4, 1, 3, 5])
    }

    @Test func `if both have moved, the saved order stays, with what was added here`() throws {
      try authors(two).reverse()
      try move(6, to: 1, two)
      try authors(two).insert(try #require(two.author(7)))
      try move(1, to: 3, one)
      try authors(one).insert(try #require(one.author(8)))
      try one.save()
      try two.refresh()
      // 6 stays behind 4.
      try expectEqual(ids(two), [2, 3, 4, 6, 1, 8, 7])
      try two.save()
      try expectEqual(ids(store.session()), [2, 3, 4, 6, 1, 8, 7])
      try expectEqual(ids(one), [2, 3, 4, 6, 1, 8, 7])
    }
  }
#endif
