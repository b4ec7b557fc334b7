#if SQLite
  import ECS
  import ECSRecipes
  import ECSStore
  import ECSTestSupport
  import Foundation
  import GRDB
  import Testing

  /// Saves that leave out what is refused, and no more.
  @Suite(.noHangs) final class SavingWhatFitsTests: SessionFixture {
    struct SheetID: Component, Equatable { var value = 0 }
    struct Sheet: Component, Equatable { var text = "" }

    /// The error of a save that leaves some out; nil if it saved all.
    private func unsaved(_ session: StoreSession) throws -> UnsavedEntities? {
      do {
        try session.saveWhatFits()
        return nil
      } catch let error as UnsavedEntities {
        return error
      }
    }

    @Test func `without anything to leave out, it saves as any save`() throws {
      context.createEntity(with: Author(id: 1))
      try expectEqual(session.saveWhatFits(), SaveReport(inserted: 1))
      try expectTrue(session.saveWhatFits() == SaveReport() && !session.hasChanges)
    }

    @Test func `new rows that the file refuses are left out, and stay to be saved`() throws {
      let first = context.createEntity(with: Place(id: 1, name: "a", rank: 1))
      let key = context.createEntity(with: Place(id: 1, name: "b", rank: 2))
      let name = context.createEntity(with: Place(id: 3, name: "a", rank: 3))
      let value = context.createEntity(with: Book(isbn: "1"), Rating(stars: .nan))
      context.createEntity(with: Place(id: 4, name: "d", rank: 4))
      context.createEntity(with: Todo(text: "t"))
      let error = try #require(try unsaved(session))
      expectEqual(error.report, SaveReport(inserted: 3))
      expectEqual(Set(error.entitiesNotKept), [key, name, value])
      guard case .duplicateKey("place", "1")? = error.errors[key],
        case .unique("place", "name", name)? = error.errors[name],
        case .unstorable("book", "rating_stars", value, _)? = error.errors[value]
      else {
        Issue.record("\(error)")
        return
      }
      try expectEqual(store.rows("SELECT id FROM place ORDER BY id"), ["1", "4"])
      expectTrue(session.hasChanges && first.isAlive)
      // Reported each time, until it fits.
      try expectEqual(unsaved(session)?.report, SaveReport())
      key.update(Place.self) { $0.id = 2 }
      name.update(Place.self) { $0.name = "c" }
      try expectEqual(unsaved(session)?.entitiesNotKept, [value])
      value.set(Rating(stars: 1))
      try expectTrue(session.saveWhatFits() == SaveReport(inserted: 1) && !session.hasChanges)
      try expectEqual(store.rows("SELECT id FROM place ORDER BY id"), ["1", "2", "3", "4"])
    }

    @Test func `edits that the file refuses are left out, and their rows stay as they were`() throws
    {
      let one = context.createEntity(with: Place(id: 1, name: "a", rank: 1))
      let two = context.createEntity(with: Place(id: 2, name: "b", rank: 2))
      try session.save()
      let other = try store.session()
      one.update(Place.self) { $0.name = "b" }
      two.update(Place.self) { $0.rank = 7 }
      let error = try #require(try unsaved(session))
      expectTrue(error.entitiesNotKept == [one] && error.report == SaveReport(updated: 1))
      try expectEqual(store.rows("SELECT name, rank FROM place ORDER BY id"), ["a 1", "b 7"])
      expectEqual(other.place(1)?.get(Place.self)?.name, "a")
      try session.revert(one)
      expectEqual(one.get(Place.self)?.name, "a")
      try expectTrue(session.saveWhatFits() == SaveReport() && !session.hasChanges)
    }

    @Test func `what triggers and checks refuse is left out`() throws {
      try store.write {
        try $0.execute(
          sql: """
            CREATE TRIGGER no AFTER INSERT ON author WHEN new.first = 'no' BEGIN
              SELECT RAISE(ABORT, 'not this one'); END;
            CREATE TRIGGER quiet BEFORE INSERT ON author WHEN new.first = 'quiet' BEGIN
              SELECT RAISE(IGNORE); END
            """)
      }
      let refused = ["no", "quiet"].enumerated().map { number, first in
        context.createEntity(with: Author(id: Int64(number), first: first))
      }
      context.createEntity(with: Author(id: 9, first: "yes"))
      let error = try #require(try unsaved(session))
      expectEqual(Set(error.entitiesNotKept), Set(refused))
      for case .refused("author", _, let reason) in error.errors.values {
        expectTrue(reason.contains("not this one") || reason.contains("left it out"))
      }
      try expectEqual(store.rows("SELECT id FROM author"), ["9"])
    }

    @Test(arguments: ["ABORT, 'not this one'", "IGNORE"])
    func `a row whose removal a trigger refuses is left out`(action: String) throws {
      let authors = (1...2).map { context.createEntity(with: Author(id: $0, first: "\($0)")) }
      try session.save()
      try store.write {
        try $0.execute(
          sql: """
            CREATE TRIGGER no BEFORE DELETE ON author WHEN old.id = 1 BEGIN
              SELECT RAISE(\(action)); END
            """)
      }
      for author in authors { author.destroy() }
      context.createEntity(with: Author(id: 3))
      let error = try #require(try unsaved(session))
      expectEqual(error.entitiesNotKept, [authors[0]])
      expectEqual(error.report, SaveReport(inserted: 1, deleted: 1))
      try expectTrue(store.rows("SELECT id FROM author") == ["1", "3"] && session.hasChanges)
      try store.write { try $0.execute(sql: "DROP TRIGGER no") }
      try expectTrue(session.saveWhatFits() == SaveReport(deleted: 1) && !session.hasChanges)
    }

    @Test func `rows that there is no key for are left out`() throws {
      try store.write {
        try $0.execute(sql: "INSERT INTO branch (id, name) VALUES (9223372036854775807, 'last')")
      }
      let branches = (1...2).map { context.createEntity(with: Branch(name: "\($0)")) }
      context.createEntity(with: Author(id: 1))
      guard case .refused("branch", _, _)? = storeError({ try session.save() }) else {
        Issue.record("another error")
        return
      }
      let error = try #require(try unsaved(session))
      expectTrue(Set(error.entitiesNotKept) == Set(branches) && error.report.inserted == 1)
      try expectEqual(store.rows("SELECT name FROM branch"), ["last"])
    }

    @Test func `a row that is refused and leads to one that goes is what the error is about`()
      throws
    {
      let file = try OtherFile(
        """
        CREATE TABLE singer(id INTEGER PRIMARY KEY, born INTEGER NOT NULL, boss INTEGER);
        CREATE TABLE disc(
          id INTEGER PRIMARY KEY, title TEXT NOT NULL, owner INTEGER,
          singer INTEGER REFERENCES singer ON DELETE RESTRICT);
        INSERT INTO singer VALUES (1, 1950, NULL), (2, 1951, NULL);
        INSERT INTO disc VALUES (10, 'a', NULL, 1);
        CREATE TRIGGER no BEFORE UPDATE ON disc BEGIN SELECT RAISE(ABORT, 'not this one'); END
        """)
      let (singers, discs) = (try AbsentLinkTests.singers(), try AbsentLinkTests.discs())
      let store = try Store(
        at: .file(file.url),
        schema: Schema {
          singers
          discs
        })
      let session = try store.session()
      let disc = try session.repository(discs).require(10)
      disc.relate(AbsentLinkTests.SungBy.self, to: try session.repository(singers).require(2))
      try session.repository(singers).require(1).destroy()
      let found = storeError { try session.saveWhatFits() }
      guard case .refused("disc", disc, let reason)? = found else {
        Issue.record("\(String(describing: found))")
        return
      }
      expectTrue(reason.contains("not this one"))
    }

    @Test func `a refusal that ends the transaction saves nothing`() throws {
      try store.write {
        try $0.execute(
          sql: """
            CREATE TRIGGER no AFTER INSERT ON author WHEN new.first = 'no' BEGIN
              SELECT RAISE(ROLLBACK, 'none of them'); END
            """)
      }
      context.createEntity(with: Author(id: 1, first: "yes"))
      context.createEntity(with: Author(id: 2, first: "no"))
      expectNotNil(storeError { try session.saveWhatFits() })
      try expectTrue(store.rows("SELECT count(*) FROM author") == ["0"] && session.hasChanges)
    }

    @Test func `entities without their key are left out, and the others of the table are not`()
      throws
    {
      let table = try Table(
        Recipe("sheet") {
          Identity(\SheetID.value, at: "id", of: SheetID())
          Fields(of: Sheet()) { Field(\.text, at: "text") }
        }, of: Sheet.self, key: \SheetID.value)
      let session = try Store(at: .memory, schema: Schema { table }).session()
      let draft = session.context.createEntity(with: Sheet(text: "draft"))
      session.context.createEntity(with: Sheet(text: "kept"), SheetID(value: 1))
      let error = try #require(try unsaved(session))
      guard case .missingKey("sheet", draft)? = error.errors[draft] else {
        Issue.record("\(error)")
        return
      }
      expectTrue(error.errors.count == 1 && error.report == SaveReport(inserted: 1))
      expectTrue(session.hasChanges && error.description.contains("no key"))
    }

    @Test func `nothing is saved if what is left out is what others lead to`() throws {
      context.createEntity(with: Author(id: 1, first: "a"))
      try session.save()
      let twin = context.createEntity(with: Author(id: 1, first: "b"))
      let book = context.createEntity(with: Book(isbn: "1"))
      book.relate(PublishedBy.self, to: twin)
      guard case .duplicateKey("author", "1")? = storeError({ try session.saveWhatFits() }) else {
        Issue.record("it was linked to the other one")
        return
      }
      try expectTrue(store.rows("SELECT count(*) FROM book") == ["0"] && session.hasChanges)
      // Others that lead there already are no obstacle.
      book.unrelate(PublishedBy.self)
      try expectEqual(unsaved(session)?.entitiesNotKept, [twin])
      try expectEqual(store.rows("SELECT isbn, publisher FROM book"), ["1 NULL"])
    }

    @Test func `links of an entity that is left out are not those of the row that has its key`()
      throws
    {
      let author = context.createEntity(with: Author(id: 1))
      context.createEntity(with: Book(isbn: "1"))
      let book = context.createEntity(with: Book(isbn: "2"))
      try session.save()
      book.update(Book.self) { $0.isbn = "1" }
      book.relate(WrittenBy.self, to: author)
      let error = try #require(try unsaved(session))
      expectTrue(error.entitiesNotKept == [book] && error.report == SaveReport())
      try expectEqual(store.rows("SELECT count(*) FROM book_authors"), ["0"])
      book.update(Book.self) { $0.isbn = "2" }
      try expectTrue(session.saveWhatFits() == SaveReport(linked: 1) && !session.hasChanges)
      try expectEqual(store.rows("SELECT book_isbn, author_id FROM book_authors"), ["2 1"])
    }

    @Test(arguments: [true, false])
    func `links of an entity that is left out are saved with its row`(_ isNew: Bool) throws {
      let author = context.createEntity(with: Author(id: 1))
      let number = UUID()
      context.createEntity(with: Book(isbn: "1", number: number))
      let book = context.createEntity(with: Book(isbn: "2"))
      if isNew { book.destroy() }
      try session.save()
      let late = isNew ? context.createEntity(with: Book(isbn: "2")) : book
      late.update(Book.self) { $0.number = number }
      late.relate(PublishedBy.self, to: author)
      late.relate(WrittenBy.self, to: author)
      let other = context.createEntity(with: Author(id: 2))
      let error = try #require(try unsaved(session))
      expectTrue(error.entitiesNotKept == [late] && error.report == SaveReport(inserted: 1))
      try expectEqual(
        store.rows("SELECT isbn, publisher FROM book"),
        (isNew ? ["1 NULL"] : ["1 NULL", "2 NULL"]))
      try expectTrue(store.rows("SELECT count(*) FROM book_authors") == ["0"] && session.hasChanges)
      late.update(Book.self) { $0.number = nil }
      try expectEqual(
        session.save(), SaveReport(inserted: isNew ? 1 : 0, updated: isNew ? 0 : 1, linked: 2)
      )
      try expectEqual(store.rows("SELECT isbn, publisher FROM book"), ["1 NULL", "2 1"])
      // Those that go as well, and what is put back is what is in the file.
      late.update(Book.self) { $0.number = number }
      late.unrelate(PublishedBy.self)
      late.targets(WrittenBy.self).replaceAll(with: [other])
      try expectEqual(unsaved(session)?.report, SaveReport())
      session.rollback()
      expectTrue(late.target(PublishedBy.self) == author && !session.hasChanges)
      expectEqual(Array(late.targets(WrittenBy.self).entities()), [author])
    }

    @Test func `links of an entity that is left out follow keys, and go with rows`() throws {
      let authors = (1...3).map { context.createEntity(with: Author(id: $0)) }
      let number = UUID()
      context.createEntity(with: Book(isbn: "1", number: number))
      let book = context.createEntity(with: Book(isbn: "2"))
      book.relate(PublishedBy.self, to: authors[0])
      for author in authors { book.relate(WrittenBy.self, to: author) }
      try session.save()
      book.update(Book.self) { $0.number = number }
      book.unrelate(PublishedBy.self)
      book.unrelate(WrittenBy.self, from: authors[0])
      authors[0].update(Author.self) { $0.id = 9 }
      authors[1].destroy()
      let error = try #require(try unsaved(session))
      expectEqual(error.entitiesNotKept, [book])
      expectTrue(error.report.deleted == 1 && error.report.unlinked == 1)
      try expectEqual(store.rows("SELECT isbn, publisher FROM book"), ["1 NULL", "2 9"])
      try expectEqual(store.rows("SELECT author_id FROM book_authors ORDER BY 1"), ["3", "9"])
      book.update(Book.self) { $0.number = nil }
      try expectEqual(session.save(), SaveReport(updated: 1, unlinked: 2))
      try expectEqual(store.rows("SELECT isbn, publisher FROM book"), ["1 NULL", "2 NULL"])
      try expectEqual(store.rows("SELECT author_id FROM book_authors"), ["3"])
    }

    @Test(arguments: [0, 1])
    func `what was to take over a link of an entity that is left out is so as well`(_ first: Int)
      throws
    {
      let places = (1...4).map {
        context.createEntity(with: Place(id: $0, name: "n\($0)", rank: $0))
      }
      places[first].relate(Next.self, to: places[3])
      try session.save()
      let (former, next) = (places[first], places[1 - first])
      former.update(Place.self) { $0.name = "n3" }
      next.relate(Next.self, to: places[3])
      places[3].update(Place.self) { $0.id = 9 }
      let error = try #require(try unsaved(session))
      expectEqual(Set(error.entitiesNotKept), [former, next])
      try expectEqual(
        store.rows("SELECT id FROM place WHERE next = 9"), ["\(first + 1)"])
      former.update(Place.self) { $0.name = "other" }
      try expectTrue(unsaved(session) == nil && !session.hasChanges)
      try expectEqual(
        store.rows("SELECT id FROM place WHERE next = 9"), ["\(2 - first)"])
    }

    @Test func `an entity that keeps the values of its row keeps others from taking them over`()
      throws
    {
      let places = (1...4).map {
        context.createEntity(with: Place(id: $0, name: "n\($0)", rank: $0))
      }
      try session.save()
      // Each gets the name of the next one, and the last but one that of the first place.
      for (number, name) in ["n2", "n3", "n4", "n4"].enumerated() {
        places[number].update(Place.self) {
          $0.name = name
          $0.rank += 10
        }
      }
      let error = try #require(try unsaved(session))
      expectEqual(Set(error.entitiesNotKept), Set(places.prefix(3)))
      expectEqual(error.report, SaveReport(updated: 1))
      try expectEqual(
        store.rows("SELECT name, rank FROM place ORDER BY id"),
        ["n1 1", "n2 2", "n3 3", "n4 14"])
      places[3].update(Place.self) { $0.name = "n5" }
      try expectTrue(session.saveWhatFits() == SaveReport(updated: 4) && !session.hasChanges)
    }

    @Test func `a row whose entity was destroyed stays if what was to take it over is left out`()
      throws
    {
      let number = UUID()
      let former = context.createEntity(with: Book(isbn: "1", pages: 1))
      let author = context.createEntity(with: Author(id: 1))
      former.relate(WrittenBy.self, to: author)
      context.createEntity(with: Book(isbn: "2", number: number))
      try session.save()
      former.destroy()
      let next = context.createEntity(with: Book(isbn: "1", pages: 2, number: number))
      try expectEqual(unsaved(session)?.entitiesNotKept, [next])
      try expectEqual(store.rows("SELECT pages FROM book WHERE isbn = '1'"), ["1"])
      try expectEqual(store.rows("SELECT count(*) FROM book_authors"), ["1"])
      next.update(Book.self) { $0.number = nil }
      try expectEqual(session.saveWhatFits(), SaveReport(updated: 1, unlinked: 1))
      try expectEqual(store.rows("SELECT pages FROM book WHERE isbn = '1'"), ["2"])
      try expectTrue(
        store.rows("SELECT count(*) FROM book_authors") == ["0"] && !session.hasChanges)
    }

    @Test func `an entity with a pair or a swapped value that is refused is left out`() throws {
      let authors = (1...2).map { context.createEntity(with: Author(id: $0)) }
      let books = (1...2).map { context.createEntity(with: Book(isbn: "\($0)")) }
      let places = (1...2).map {
        context.createEntity(with: Place(id: $0, name: "n\($0)", rank: $0))
      }
      try session.save()
      try store.write {
        try $0.execute(
          sql: """
            CREATE TRIGGER no AFTER INSERT ON book_authors WHEN new.author_id = 1 BEGIN
              SELECT RAISE(ABORT, 'not this one'); END;
            CREATE TRIGGER quiet BEFORE INSERT ON book_authors WHEN new.author_id = 2 BEGIN
              SELECT RAISE(IGNORE); END;
            CREATE TRIGGER stays BEFORE UPDATE ON place WHEN old.id = 1 BEGIN
              SELECT RAISE(ABORT, 'not this one'); END
            """)
      }
      for (book, author) in zip(books, authors) { book.relate(WrittenBy.self, to: author) }
      context.perform {
        places[0].update(Place.self) { $0.rank = 2 }
        places[1].update(Place.self) { $0.rank = 1 }
      }
      context.createEntity(with: Author(id: 3))
      let error = try #require(try unsaved(session))
      expectEqual(error.report, SaveReport(inserted: 1))
      expectEqual(Set(error.entitiesNotKept), Set(books + places))
      try expectEqual(store.rows("SELECT count(*) FROM book_authors"), ["0"])
      try store.write {
        try $0.execute(sql: "DROP TRIGGER no; DROP TRIGGER quiet; DROP TRIGGER stays")
      }
      try expectEqual(session.saveWhatFits(), SaveReport(updated: 2, linked: 2))
      expectFalse(session.hasChanges)
    }
  }
#endif
