#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import Testing

  /// What sessions write of links, and of values that must differ.
  @Suite final class SavingLinkTests: SessionFixture {
    @Test func `a tree of rows without keys is saved at once`() throws {
      let names = ["a", "b", "c", "d"]
      let branches = names.map { context.createEntity(with: Branch(name: $0)) }
      // The parents come last.
      for number in 0..<3 { try branches[number].setParent(branches[number + 1]) }
      try expectEqual(session.save(), SaveReport(inserted: 4, linked: 3))
      let other = try store.session()
      expectEqual(other.branch("a")?.ancestors().count, 3)
      try branches[0].setParent(branches[3])
      branches[1].unrelate(ChildOf.self)
      try session.save()
      let third = try store.session()
      expectEqual(third.branch("a")?.parent, third.branch("d"))
      expectNil(third.branch("b")?.parent)
    }

    @Test func `rows that go with others go from the file, and moved ones stay`() throws {
      let branches = ["a", "b", "c"].map { context.createEntity(with: Branch(name: $0)) }
      try branches[1].setParent(branches[0])
      try branches[2].setParent(branches[0])
      try session.save()
      branches[2].unrelate(ChildOf.self)
      branches[0].destroy()
      try expectEqual(session.save(), SaveReport(updated: 1, deleted: 2, unlinked: 2))
      try expectEqual(store.rows("SELECT name FROM branch"), ["c"])
    }

    @Test func `links to many are written one by one, and their order stays`() throws {
      let authors = (1...4).map { context.createEntity(with: Author(id: Int64($0))) }
      let book = context.createEntity(with: Book(isbn: "1"))
      for author in authors.prefix(3) { book.relate(WrittenBy.self, to: author) }
      try session.save()
      book.unrelate(WrittenBy.self, from: authors[0])
      book.relate(WrittenBy.self, to: authors[3])
      try expectEqual(session.save(), SaveReport(linked: 1, unlinked: 1))
      let orders: [[Int]] = [[4, 3, 1], [1, 4, 3], [], [2, 1]]
      for order in orders {
        book.targets(WrittenBy.self).replaceAll(with: order.map { authors[$0 - 1] })
        try session.save()
        let other = try store.session()
        expectEqual(
          other.book("1")?.targets(WrittenBy.self).compactMap { $0.get(Author.self)?.id },
          order.map(Int64.init))
      }
    }

    @Test func `unique values are swapped, and so are keys`() throws {
      let places = (1...3).map {
        context.createEntity(with: Place(id: $0, name: "n\($0)", rank: $0))
      }
      places[0].relate(Next.self, to: places[1])
      places[1].relate(Next.self, to: places[2])
      try session.save()
      for (number, place) in places.enumerated() {
        let next = (number + 1) % 3 + 1
        place.update(Place.self) {
          $0.name = "n\(next)"
          $0.rank = next
        }
      }
      try expectEqual(session.save().updated, 3)
      try expectEqual(
        store.rows("SELECT id, name, rank FROM place ORDER BY id"),
        [
          "1 n2 2", "2 n3 3", "3 n1 1",
        ])
      for (number, place) in places.enumerated() {
        place.update(Place.self) { $0.id = (number + 1) % 3 + 1 }
      }
      try session.save()
      try expectEqual(
        store.rows("SELECT id, name, next FROM place ORDER BY name"),
        ["1 n1 NULL", "2 n2 3", "3 n3 1"])
      let other = try store.session()
      expectEqual(other.place(2)?.target(Next.self), other.place(3))
    }

    @Test func `links that must differ change places`() throws {
      let places = (1...4).map {
        context.createEntity(with: Place(id: $0, name: "n\($0)", rank: $0))
      }
      places[0].relate(Next.self, to: places[2])
      places[1].relate(Next.self, to: places[3])
      try session.save()
      places[0].relate(Next.self, to: places[3])
      places[1].relate(Next.self, to: places[2])
      try session.save()
      try expectEqual(
        store.rows("SELECT id, next FROM place ORDER BY id"),
        [
          "1 4", "2 3", "3 NULL", "4 NULL",
        ])
    }

    @Test func `who takes over a row with its links may get more of them`() throws {
      let authors = (1...2).map { context.createEntity(with: Author(id: Int64($0))) }
      let book = context.createEntity(with: Book(isbn: "1"))
      book.relate(WrittenBy.self, to: authors[0])
      try session.save()
      book.destroy()
      let next = context.createEntity(with: Book(isbn: "1"))
      next.relate(WrittenBy.self, to: authors[0])
      try session.save()
      next.relate(WrittenBy.self, to: authors[1])
      try expectEqual(session.save(), SaveReport(linked: 1))
      next.unrelate(WrittenBy.self, from: authors[0])
      try expectEqual(session.save(), SaveReport(unlinked: 1))
      try expectEqual(store.rows("SELECT author_id FROM book_authors"), ["2"])
    }

    @Test func `a key that moves takes its links along`() throws {
      let (one, two) = (
        context.createEntity(with: Author(id: 1)), context.createEntity(with: Author(id: 2))
      )
      let book = context.createEntity(with: Book(isbn: "1"))
      book.relate(PublishedBy.self, to: one)
      book.relate(WrittenBy.self, to: two)
      book.relate(WrittenBy.self, to: one)
      try session.save()
      one.set(Author(id: 9))
      try session.save()
      try expectEqual(store.rows("SELECT publisher FROM book"), ["9"])
      let other = try store.session()
      expectEqual(
        other.book("1")?.targets(WrittenBy.self).compactMap { $0.get(Author.self)?.id }, [2, 9])
    }

    struct Loan: Component, Equatable {
      var text = ""
      var author: Entity?
    }

    @Test func `a table that nests through a field is refused by sessions, which says why`() throws
    {
      let authors = try Library.authors()
      let loans = try Table("loan", of: Loan.self) {
        Fields(of: Loan()) { Field(\.text, at: "text") }
        Nested(
          one: authors.recipe, at: "author", as: .key, through: .toOne(\Loan.author, of: Loan()))
      }
      let schema = try Schema {
        authors
        loans
      }
      let store = try Store(at: .memory, schema: schema)
      guard case .schemaMismatch("loan", let detail)? = storeError({ _ = try store.session() })
      else {
        Issue.record("not refused")
        return
      }
      expectTrue(detail.contains("author") && detail.contains("use a relation"))
    }

    @Test func `keys change places while one of the links to them goes`() throws {
      enum Change: CaseIterable { case unlink, relink, rename, delete, replace }
      for change in Change.allCases {
        let test = try SavingLinkTests()
        let (store, session) = (test.store, test.session)
        let authors = (1...2).map { test.context.createEntity(with: Author(id: $0)) }
        let book = test.context.createEntity(with: Book(isbn: "1"))
        for author in authors { book.relate(WrittenBy.self, to: author) }
        try session.save()
        func set(_ ids: Int64...) {
          test.context.perform {
            for (author, id) in zip(authors, ids) where author.isAlive {
              author.set(Author(id: id))
            }
          }
        }
        var ids: [Int64] = [2]
        var report = SaveReport(updated: 2, unlinked: 1)
        switch change {
        case .unlink:
          set(2, 1)
          book.unrelate(WrittenBy.self, from: authors[1])
        case .relink:
          set(2, 1)
          book.unrelate(WrittenBy.self, from: authors[0])
          book.relate(WrittenBy.self, to: authors[0])
          (ids, report) = ([1, 2], SaveReport(updated: 2))
        case .rename:
          book.unrelate(WrittenBy.self, from: authors[1])
          set(2, 3)
        case .delete:
          authors[1].destroy()
          set(2)
          report = SaveReport(updated: 1, deleted: 1, unlinked: 1)
        case .replace:
          book.unrelate(WrittenBy.self, from: authors[0])
          authors[1].destroy()
          set(2)
          book.relate(WrittenBy.self, to: authors[0])
          report = SaveReport(updated: 1, deleted: 1, unlinked: 1)
        }
        try expectEqual(session.save(), report, "\(change)")
        let other = try store.session()
        expectEqual(
          other.book("1")?.targets(WrittenBy.self).compactMap { $0.get(Author.self)?.id }, ids)
        try expectEqual(store.rows("SELECT count(*) FROM book_authors"), ["\(ids.count)"])
      }
    }

    @Test func `a link to what gets the key of a row that goes is a new one`() throws {
      let authors = (1...2).map { context.createEntity(with: Author(id: $0)) }
      let book = context.createEntity(with: Book(isbn: "1"))
      book.relate(WrittenBy.self, to: authors[1])
      try session.save()
      authors[1].destroy()
      authors[0].set(Author(id: 2))
      book.relate(WrittenBy.self, to: authors[0])
      try session.save()
      try expectEqual(store.rows("SELECT author_id FROM book_authors"), ["2"])
      try expectTrue(session.save() == SaveReport() && !session.hasChanges)
    }

    enum KeptBy: ToOneRelation {}

    @Test func `keys change places that each belong to one of several`() throws {
      let authors = try Library.authors()
      let seats = try Table("seat", key: \Place.id) {
        Fields(of: Place()) { Field(\.id, at: "id") }
        Nested(many: authors.recipe, at: "kept", as: .key, through: .sources(of: KeptBy.self))
      }
      let store = try Store(
        at: .memory,
        schema: Schema {
          authors
          seats
        })
      let session = try store.session()
      let kept = (1...3).map { session.context.createEntity(with: Author(id: $0)) }
      let keepers = (1...3).map { session.context.createEntity(with: Place(id: $0)) }
      for (keeper, author) in zip(keepers, kept) { author.relate(KeptBy.self, to: keeper) }
      try session.save()
      session.context.perform {
        for (author, id) in zip(kept, [2, 3, 1] as [Int64]) { author.set(Author(id: id)) }
        for (keeper, id) in zip(keepers, [3, 1, 2]) { keeper.update(Place.self) { $0.id = id } }
      }
      try expectEqual(session.save(), SaveReport(updated: 6))
      try expectEqual(
        store.rows("SELECT seat_id, author_id FROM seat_kept ORDER BY 1"),
        ["1 3", "2 1", "3 2"])
    }

    @Test func `an error names the row whose key is taken, and not what is linked to it`() throws {
      let authors = (1...2).map { context.createEntity(with: Author(id: $0)) }
      let book = context.createEntity(with: Book(isbn: "1"))
      for author in authors { book.relate(WrittenBy.self, to: author) }
      let places = (1...4).map {
        context.createEntity(with: Place(id: $0, name: "n\($0)", rank: $0))
      }
      places[0].relate(Next.self, to: places[2])
      places[1].relate(Next.self, to: places[3])
      try session.save()
      func error() throws -> UnsavedEntities? {
        do {
          try session.saveWhatFits()
          return nil
        } catch let error as UnsavedEntities {
          return error
        }
      }
      authors[0].set(Author(id: 2))
      book.update(Book.self) { $0.pages = 9 }
      guard case .duplicateKey("author", "2")? = storeError({ try session.save() }) else {
        Issue.record("another one is named")
        return
      }
      let unsaved = try #require(try error())
      expectTrue(
        unsaved.entitiesNotKept == [authors[0]] && unsaved.report == SaveReport(updated: 1))
      try expectEqual(
        store.rows("SELECT author_id, pages FROM book_authors, book ORDER BY 1"),
        ["1 9", "2 9"])
      authors[0].set(Author(id: 1))
      try expectEqual(session.save(), SaveReport())
      // The same of links to one that must differ, and of two that get the same key.
      places[2].update(Place.self) { $0.id = 4 }
      guard case .duplicateKey("place", "4")? = storeError({ try session.save() }) else {
        Issue.record("another one is named")
        return
      }
      try expectEqual(error()?.entitiesNotKept, [places[2]])
      places[2].update(Place.self) { $0.id = 9 }
      places[3].update(Place.self) { $0.id = 9 }
      guard case .duplicateKey("place", "9")? = storeError({ try session.save() }) else {
        Issue.record("another one is named")
        return
      }
      try expectEqual(error()?.report, SaveReport(updated: 2))
      try expectEqual(store.rows("SELECT count(*) FROM place WHERE id = 9"), ["1"])
    }
  }
#endif
