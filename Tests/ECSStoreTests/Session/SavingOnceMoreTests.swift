#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import Foundation
  import GRDB
  import Synchronization
  import Testing

  /// Saves that leave something out, of which others had been refused.
  @Suite(.noHangs) final class SavingOnceMoreTests: SessionFixture {
    private func notKept(_ session: StoreSession? = nil) throws -> [Entity: StoreError] {
      do {
        try (session ?? self.session).saveWhatFits()
        return [:]
      } catch let error as UnsavedEntities {
        return error.errors
      }
    }

    @Test(arguments: [0, 1])
    func `a key that two are to get is that of the one that can be saved`(_ refused: Int) throws {
      let author = context.createEntity(with: Author(id: 1))
      let books = (1...2).map { context.createEntity(with: Book(isbn: "\($0)")) }
      try session.save()
      for book in books {
        book.update(Book.self) { $0.isbn = "9" }
        book.relate(WrittenBy.self, to: author)
      }
      books[refused].set(Rating(stars: .nan))
      try expectEqual(Array(notKept().keys), [books[refused]])
      try expectEqual(store.rows("SELECT isbn FROM book ORDER BY 1"), ["\(refused + 1)", "9"])
      try expectEqual(store.rows("SELECT book_isbn FROM book_authors"), ["9"])
      books[refused].remove(Rating.self)
      books[refused].update(Book.self) { $0.isbn = "8" }
      try expectTrue(session.save() == SaveReport(updated: 1, linked: 1) && !session.hasChanges)
    }

    @Test(arguments: [0, 1], [false, true])
    func `a row that goes is taken over by the new one that can be saved`(
      _ refused: Int, _ isDestroyed: Bool
    ) throws {
      let former = context.createEntity(with: Book(isbn: "5", title: "former"))
      try session.save()
      if isDestroyed { former.destroy() } else { former.remove(Book.self) }
      let books = (0...1).map { context.createEntity(with: Book(isbn: "5", title: "\($0)")) }
      books[refused].set(Rating(stars: .nan))
      try expectEqual(Array(notKept().keys), [books[refused]])
      try expectEqual(store.rows("SELECT isbn, info_title FROM book"), ["5 \(1 - refused)"])
      books[refused].remove(Rating.self)
      books[refused].update(Book.self) { $0.isbn = "6" }
      try expectTrue(session.save() == SaveReport(inserted: 1) && !session.hasChanges)
    }

    @Test(arguments: [0, 1])
    func `a value that two new rows have is that of the one whose links are taken`(_ refused: Int)
      throws
    {
      let author = context.createEntity(with: Author(id: 1))
      try session.save()
      try store.write {
        try $0.execute(
          sql: """
            CREATE TRIGGER no AFTER INSERT ON book_authors BEGIN
              SELECT RAISE(ABORT, 'not this one'); END
            """)
      }
      let number = UUID()
      let books = (0...1).map { context.createEntity(with: Book(isbn: "\($0)", number: number)) }
      books[refused].relate(WrittenBy.self, to: author)
      try expectEqual(Array(notKept().keys), [books[refused]])
      try expectEqual(store.rows("SELECT isbn FROM book"), ["\(1 - refused)"])
    }

    @Test(arguments: ["publisher", "pages", "isbn COLLATE NOCASE"], [0, 1])
    func `values that differ by an index of another program are those of the one that can be saved`(
      _ columns: String, _ refused: Int
    ) throws {
      let authors = (1...2).map { context.createEntity(with: Author(id: $0)) }
      try session.save()
      try store.write {
        try $0.execute(
          sql: """
            CREATE UNIQUE INDEX one ON book(\(columns));
            CREATE TRIGGER no AFTER INSERT ON book_authors BEGIN
              SELECT RAISE(ABORT, 'not this one'); END
            """)
      }
      let isOfKey = columns.contains("isbn")
      let books = ["a", isOfKey ? "A" : "b"].enumerated().map {
        context.createEntity(
          with: Book(isbn: $1, pages: columns == "pages" ? 7 : $0))
      }
      for (book, author) in zip(books, authors) {
        book.relate(PublishedBy.self, to: columns == "publisher" ? authors[0] : author)
      }
      books[refused].relate(WrittenBy.self, to: authors[0])
      try expectEqual(Array(notKept().keys), [books[refused]])
      try expectEqual(store.rows("SELECT count(*) FROM book"), ["1"])
    }

    @Test(arguments: [false, true])
    func `one of three with two values is saved, whichever comes first`(_ isTurned: Bool) throws {
      let places = (0...1).map {
        context.createEntity(with: Place(id: $0, name: "n\($0)", rank: $0))
      }
      places[1].relate(Next.self, to: places[0])
      try session.save()
      let changes = [Place(id: 3, name: "n0", rank: 0), Place(id: 3, name: "n0", rank: 1)]
      for number in isTurned ? [1, 0] : [0, 1] { places[number].set(changes[number]) }
      places[1].unrelate(Next.self)
      let new = context.createEntity(with: Place(id: 9, name: "n0", rank: 9))
      try expectEqual(Set(notKept().keys), [places[1], new])
      try expectEqual(store.rows("SELECT id, name FROM place ORDER BY id"), ["1 n1", "3 n0"])
    }

    @Test(arguments: [false, true])
    func `a row that goes stays if none of those that were to get its key can be saved`(
      _ isFirst: Bool
    ) throws {
      let number = UUID()
      let author = context.createEntity(with: Author(id: 1))
      let books = (1...3).map { context.createEntity(with: Book(isbn: "\($0)")) }
      books[1].update(Book.self) { $0.number = number }
      try session.save()
      func change() {
        books[2].update(Book.self) { $0.isbn = "1" }
        books[2].relate(WrittenBy.self, to: author)
        books[2].set(Rating(stars: .nan))
      }
      if isFirst { change() }
      books[0].destroy()
      let next = context.createEntity(with: Book(isbn: "1", number: number))
      if !isFirst { change() }
      try expectEqual(Set(notKept().keys), [books[2], next])
      try expectEqual(store.rows("SELECT isbn FROM book ORDER BY 1"), ["1", "2", "3"])
      // As soon as one of them fits, it does.
      books[2].remove(Rating.self)
      try expectEqual(Set(notKept().keys), [next])
      try expectEqual(store.rows("SELECT isbn FROM book ORDER BY 1"), ["1", "2"])
    }

    @Test func `what is refused for two reasons is refused for the first one`() throws {
      context.createEntity(with: Author(id: 1))
      try session.save()
      let both = context.createEntity(
        with: Author(id: 1), Book(isbn: "1"), Rating(stars: .nan))
      let errors = try notKept()
      guard errors.count == 1, case .duplicateKey("author", "1")? = errors[both] else {
        Issue.record("\(errors)")
        return
      }
    }

    @Test func `of several with the same values, one is saved and the others are not`() throws {
      let books = (0...4).map { context.createEntity(with: Book(isbn: "\($0)")) }
      try session.save()
      for book in books { book.update(Book.self) { $0.isbn = "9" } }
      let author = context.createEntity(with: Author(id: 1))
      for book in books { book.relate(WrittenBy.self, to: author) }
      books[0].set(Rating(stars: .nan))
      books[1].set(Rating(stars: .infinity))
      try expectEqual(notKept().count, 4)
      try expectEqual(store.rows("SELECT count(*) FROM book WHERE isbn = '9'"), ["1"])
      try expectEqual(notKept().count, 4)
    }

    @Test func `what is destroyed meanwhile is none that was left out`() throws {
      context.createEntity(with: Author(id: 1))
      try session.save()
      let twins = (1...2).map { context.createEntity(with: Author(id: 1, first: "twin \($0)")) }
      try store.write {
        $0.add(
          function: DatabaseFunction("end_twin", argumentCount: 0) { _ in
            for twin in twins where twin.isAlive { twin.destroy() }
            return nil
          })
        try $0.execute(
          sql: "CREATE TRIGGER ends AFTER INSERT ON seat BEGIN SELECT end_twin(); END")
      }
      context.createEntity(with: Seat(row: "A", number: 1, price: 0))
      try expectEqual(session.saveWhatFits(), SaveReport(inserted: 1))
      try expectTrue(session.save() == SaveReport() && !session.hasChanges)
    }

    @Test func `a row that goes stays if another one is to get its key in other letters`() throws {
      let authors = (1...2).map { context.createEntity(with: Author(id: $0)) }
      let books = ["a", "d", "e"].map { context.createEntity(with: Book(isbn: $0)) }
      for book in books { book.relate(WrittenBy.self, to: authors[0]) }
      try session.save()
      books[0].destroy()
      let next = context.createEntity(with: Book(isbn: "a"), Rating(stars: .nan))
      books[1].set(Rating(stars: .nan))
      for book in books.dropFirst() {
        book.update(Book.self) { $0.isbn = "A" }
        book.relate(WrittenBy.self, to: authors[1])
      }
      try expectEqual(Set(notKept().keys), [books[1], next])
      try expectEqual(store.rows("SELECT isbn FROM book ORDER BY 1"), ["A", "a", "d"])
      try expectEqual(store.rows("SELECT count(*) FROM book_authors WHERE book_isbn = 'a'"), ["1"])
      next.remove(Rating.self)
      try expectEqual(Array(notKept().keys), [books[1]])
      try expectEqual(store.rows("SELECT count(*) FROM book_authors WHERE book_isbn = 'a'"), ["0"])
    }

    /// Two books that are to get one key, of which the first is refused, and what the database does
    /// with the other one once all else is saved.
    private func rivals(_ trigger: String, _ act: @escaping @Sendable () throws -> Bool) throws
      -> [Entity]
    {
      let books = (1...2).map { context.createEntity(with: Book(isbn: "\($0)")) }
      try session.save()
      let todo = context.createEntity(with: Todo(text: "saved first"))
      let author = context.createEntity(with: Author(id: 1))
      try store.write {
        $0.add(
          function: DatabaseFunction("acts", argumentCount: 0) { _ in
            todo.has(TodoID.self) ? try act() : false
          })
        try $0.execute(sql: trigger)
      }
      for book in books {
        book.update(Book.self) { $0.isbn = "9" }
        book.relate(WrittenBy.self, to: author)
      }
      books[0].set(Rating(stars: .nan))
      return books
    }

    @Test func `an error of another try is why what was tried is not saved`() throws {
      let trigger = "CREATE TRIGGER t AFTER UPDATE ON book BEGIN SELECT acts(); END"
      let books = try rivals(trigger) { throw DatabaseError(resultCode: .SQLITE_FULL) }
      let errors = try notKept()
      expectEqual(Set(errors.keys), Set(books))
      guard case .full? = errors[books[1]], case .unstorable? = errors[books[0]] else {
        Issue.record("\(errors)")
        return
      }
      try expectTrue(store.rows("SELECT text FROM todo") == ["saved first"] && session.hasChanges)
    }

    @Test func `an error of one that is tried keeps no other from being saved`() throws {
      let books = (1...4).map { context.createEntity(with: Book(isbn: "\($0)")) }
      try session.save()
      try store.write {
        try $0.execute(
          sql: """
            CREATE TRIGGER t AFTER UPDATE ON book WHEN new.info_title = 'bad' BEGIN
              UPDATE book SET publisher = 99 WHERE isbn = new.isbn; END
            """)
      }
      let author = context.createEntity(with: Author(id: 1))
      for (book, isbn) in zip(books, ["8", "8", "9", "9"]) {
        book.update(Book.self) { $0.isbn = isbn }
        book.relate(WrittenBy.self, to: author)
      }
      for number in [0, 2] { books[number].set(Rating(stars: .nan)) }
      books[1].update(Book.self) { $0.title = "bad" }
      let errors = try notKept()
      expectEqual(Set(errors.keys), Set(books.dropLast()))
      guard case .foreignKey("book", books[1])? = errors[books[1]] else {
        Issue.record("\(errors)")
        return
      }
      try expectEqual(store.rows("SELECT isbn FROM book ORDER BY isbn"), ["1", "2", "3", "9"])
    }

    @Test(arguments: [1, 9])
    func `a row that is not there in another try is looked for again`(_ times: Int) throws {
      let count = Atomic(0)
      let trigger = """
        CREATE TRIGGER t BEFORE UPDATE ON book WHEN acts() BEGIN SELECT RAISE(IGNORE); END
        """
      let books = try rivals(trigger) {
        count.add(1, ordering: .relaxed).newValue <= times
      }
      let errors = try notKept()
      if times == 1 {
        expectEqual(Array(errors.keys), [books[0]])
        try expectEqual(store.rows("SELECT isbn FROM book ORDER BY 1"), ["1", "9"])
      } else if case .notFound? = errors[books[1]] {
        expectEqual(errors.count, 2)
      } else {
        Issue.record("\(errors)")
      }
    }

    @Test(arguments: [false, true])
    func `what others kept out that are refused themselves is saved`(_ isTurned: Bool) throws {
      let places = ["a", "b", "c", "d"].enumerated().map {
        context.createEntity(with: Place(id: $0 + 1, name: $1, rank: $0 + 1))
      }
      try session.save()
      // The second and the third one want the name of the fourth one, or its rank.
      places[1].set(isTurned ? Place(id: 9, name: "c", rank: 4) : Place(id: 9, name: "d", rank: 3))
      places[2].set(isTurned ? Place(id: 3, name: "c", rank: 4) : Place(id: 3, name: "d", rank: 3))
      places[0].set(Place(id: 9, name: "a", rank: 1))
      places[0].relate(Next.self, to: places[3])
      try expectEqual(Set(notKept().keys), [places[1], places[2]])
      try expectEqual(
        store.rows("SELECT id, name FROM place ORDER BY id"), ["2 b", "3 c", "4 d", "9 a"])
    }

    @Test func `however many have links that are refused, they are so in one try`() throws {
      let count = Atomic(0)
      try store.write {
        $0.add(
          function: DatabaseFunction("counts", argumentCount: 0) { _ in
            count.add(1, ordering: .relaxed)
            return nil
          })
        try $0.execute(
          sql: """
            CREATE TRIGGER t BEFORE INSERT ON book BEGIN SELECT counts(); END;
            CREATE UNIQUE INDEX one ON book_authors(author_id);
            CREATE TRIGGER no AFTER INSERT ON book_authors WHEN new.author_id = 100 BEGIN
              SELECT RAISE(ABORT, 'not this one'); END
            """)
      }
      let last = context.createEntity(with: Author(id: 100))
      let author = context.createEntity(with: Author(id: 1))
      let books = (1...30).map { context.createEntity(with: Book(isbn: "\($0)")) }
      for book in books { book.relate(WrittenBy.self, to: last) }
      // What is refused for another link has none of the first one.
      books[0].targets(WrittenBy.self).replaceAll(with: [author, last])
      let fits = context.createEntity(with: Book(isbn: "fits"))
      fits.relate(WrittenBy.self, to: author)
      try expectEqual(Set(notKept().keys), Set(books))
      try expectEqual(store.rows("SELECT book_isbn FROM book_authors"), ["fits"])
      expectEqual(count.load(ordering: .relaxed), books.count + 2)
    }

    @Test func `however many have the same values, few tries are made`() throws {
      let books = (1...60).map { context.createEntity(with: Book(isbn: "\($0)")) }
      try session.save()
      let count = Atomic(0)
      try store.write {
        $0.add(
          function: DatabaseFunction("counts", argumentCount: 0) { _ in
            count.add(1, ordering: .relaxed)
            return nil
          })
        try $0.execute(
          sql: """
            CREATE TRIGGER t BEFORE UPDATE ON book BEGIN SELECT counts(); END;
            CREATE TRIGGER no AFTER INSERT ON book_authors BEGIN
              SELECT RAISE(ABORT, 'not this one'); END
            """)
      }
      let author = context.createEntity(with: Author(id: 1))
      for book in books {
        book.update(Book.self) { $0.isbn = "x" }
        book.relate(WrittenBy.self, to: author)
      }
      try expectEqual(notKept().count, 60)
      // Each one writes one of them, until its link is refused.
      expectLessThanOrEqual(count.load(ordering: .relaxed), 20)
    }
  }
#endif
