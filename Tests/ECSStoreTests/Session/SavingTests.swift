#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import GRDB
  import Synchronization
  import Testing

  /// What sessions write.
  @Suite final class SavingTests: SessionFixture {
    @Test func `what is saved is loaded into another context, with links in their order`() throws {
      let authors = (1...3).map {
        context.createEntity(with: Author(id: Int64($0), first: "A\($0)"))
      }
      let book = context.createEntity(
        with: Book(isbn: "1", title: "One", pages: 7), Rating(stars: 4))
      for author in [authors[2], authors[0]] { book.relate(WrittenBy.self, to: author) }
      book.relate(PublishedBy.self, to: authors[1])
      context.createEntity(with: Book(isbn: "2"), Lent())
      context.createEntity(with: LogLine(text: "a"))
      context.createEntity(with: Seat(row: "A", number: 2, price: 1.5))
      expectTrue(session.hasChanges)
      let report = try session.save()
      expectEqual(report, SaveReport(inserted: 7, linked: 3))
      expectFalse(session.hasChanges)
      let other = try store.session()
      expectEqual(other.loaded.rows, 7)
      expectEqual(other.loaded.links, 3)
      expectFalse(other.hasChanges)
      let loaded = try #require(other.book("1"))
      expectEqual(loaded.get(Book.self), book.get(Book.self))
      expectEqual(loaded.get(Rating.self), Rating(stars: 4))
      expectFalse(loaded.has(Lent.self))
      expectEqual(other.book("2")?.has(Lent.self), true)
      expectEqual(loaded.targets(WrittenBy.self).compactMap { $0.get(Author.self)?.id }, [3, 1])
      expectEqual(loaded.target(PublishedBy.self)?.get(Author.self)?.id, 2)
      expectEqual(other.context.group(LogLine.matcher).count, 1)
      expectEqual(other.context.group(Seat.matcher).first?.get(Seat.self)?.price, 1.5)
    }

    @Test func `created rows are seen by the own session at once, and by the file after a save`()
      throws
    {
      context.createEntity(with: Author(id: 1))
      expectNotNil(session.author(1))
      try expectEqual(store.rows("SELECT id FROM author"), [])
      try expectNil(store.session().author(1))
      try session.save()
      try expectEqual(store.rows("SELECT id FROM author"), ["1"])
    }

    @Test func `if nothing differs, the file is not touched`() throws {
      let author = context.createEntity(with: Author(id: 1, first: "Ada"))
      try session.save()
      let before = try store.write { $0.totalChangesCount }
      author.set(Author(id: 1, first: "Bob"))
      author.set(Author(id: 1, first: "Ada"))
      let gone = context.createEntity(with: Author(id: 2))
      gone.destroy()
      context.createEntity(with: Rating(stars: 1))
      expectTrue(session.hasChanges)
      try expectEqual(session.save(), SaveReport())
      expectFalse(session.hasChanges)
      try expectEqual(session.save(), SaveReport())
      try expectEqual(store.write { $0.totalChangesCount }, before)
    }

    @Test func `only columns that differ are written`() throws {
      let book = context.createEntity(
        with: Book(isbn: "1", title: "One", pages: 1), Rating(stars: 1))
      try session.save()
      try store.write {
        try $0.execute(sql: "UPDATE book SET info_title = 'SQL', rating_stars = 5")
      }
      book.update(Book.self) { $0.pages = 2 }
      try expectEqual(session.save(), SaveReport(updated: 1))
      try expectEqual(
        store.rows("SELECT info_title, pages, rating_stars FROM book"), ["SQL 2 5.0"])
    }

    @Test func `nil is NULL, and NULL clears`() throws {
      let author = context.createEntity(with: Author(id: 1, last: "L"))
      let book = context.createEntity(with: Book(isbn: "1"), Note(text: "n", page: nil))
      try session.save()
      author.set(Author(id: 1, last: nil))
      book.remove(Note.self)
      try session.save()
      try expectEqual(store.rows("SELECT last FROM author"), ["NULL"])
      let other = try store.session()
      expectNil(other.author(1)?.get(Author.self)?.last)
      expectEqual(other.book("1")?.has(Note.self), false)
    }

    @Test func `destroyed entities and those without the component lose their rows`() throws {
      let authors = (1...3).map { context.createEntity(with: Author(id: Int64($0))) }
      try session.save()
      authors[0].destroy()
      authors[1].remove(Author.self)
      try expectEqual(session.save(), SaveReport(deleted: 2))
      try expectEqual(store.rows("SELECT id FROM author"), ["3"])
      authors[1].set(Author(id: 2))
      try expectEqual(session.save(), SaveReport(inserted: 1))
    }

    @Test func `a key that is freed and given again is one update`() throws {
      let author = context.createEntity(with: Author(id: 1, first: "Ada", last: "L"))
      let book = context.createEntity(with: Book(isbn: "1", title: "One"))
      book.relate(PublishedBy.self, to: author)
      book.relate(WrittenBy.self, to: author)
      try session.save()
      author.destroy()
      let next = context.createEntity(with: Author(id: 1, first: "Bob", last: "L"))
      book.relate(PublishedBy.self, to: next)
      try expectEqual(session.save(), SaveReport(updated: 1, unlinked: 1))
      try expectEqual(store.rows("SELECT * FROM author"), ["1 Bob L"])
      next.destroy()
      book.destroy()
      context.createEntity(with: Book(isbn: "1", title: "Two"))
      try session.save()
      try expectEqual(store.rows("SELECT info_title, publisher FROM book"), ["Two NULL"])
      try expectEqual(store.session().loaded.rows, 1)
    }

    @Test func `generated keys are in the components after a save, and none comes twice`() throws {
      let todos = (0..<3).map { context.createEntity(with: Todo(text: "\($0)")) }
      try session.save()
      expectEqual(todos.map { $0.get(TodoID.self)?.value }, [1, 2, 3])
      expectFalse(session.hasChanges)
      todos[2].destroy()
      try session.save()
      let next = context.createEntity(with: Todo(text: "next"))
      try session.save()
      expectEqual(next.get(TodoID.self)?.value, 4)
    }

    @Test func `repositories of a session find what is there, and what they make is saved`() throws
    {
      let authors = try Library.authors()
      let store = try Store(at: .memory, schema: Schema { authors })
      let session = try store.session()
      let repository = session.repository(authors)
      try repository.create(Author(id: 1, first: "Ada"))
      try session.save()
      let other = try store.session()
      expectEqual(other.repository(authors).find(1)?.get(Author.self)?.first, "Ada")
      repository.find(1)?.destroy()
      try session.save()
      expectNil(other.repository(authors).find(1))
      try repository.create(Author(id: 1, first: "Bob"))
      session.rollback()
      expectNil(repository.find(1))
      try repository.create(Author(id: 1, first: "Cy"))
      try session.save()
      repository.find(1)?.destroy()
      session.rollback()
      expectEqual(repository.find(1)?.get(Author.self)?.first, "Cy")
      expectEqual(other.repository(authors).find(1)?.get(Author.self)?.first, "Cy")
    }

    // MARK: Beginning

    @Test func `entities that a context has already are new`() throws {
      let context = Context()
      let author = context.createEntity(with: Author(id: 1))
      context.createEntity(with: Book(isbn: "1")).relate(WrittenBy.self, to: author)
      let session = try store.session(on: context)
      expectTrue(session.hasChanges)
      try expectEqual(session.save(), SaveReport(inserted: 2, linked: 1))
      let clash = Context()
      clash.createEntity(with: Author(id: 1))
      guard
        case .duplicateKey(table: "author", key: "1")? = storeError({
          _ = try store.session(on: clash)
        })
      else {
        Issue.record("a key was loaded twice")
        return
      }
      expectEqual(clash.group(Author.matcher).count, 1)
      expectTrue(clash.group(Book.matcher).isEmpty)
    }

    @Test func `rows that can't be read are refused, or skipped and left alone`() throws {
      context.createEntity(with: Book(isbn: "1"))
      context.createEntity(with: Book(isbn: "2"))
      try session.save()
      try store.write { try $0.execute(sql: "UPDATE book SET format = 'stone' WHERE isbn = '1'") }
      guard
        case .unreadable(table: "book", key: "1", column: "format", _)? =
          storeError({ _ = try store.session() })
      else {
        Issue.record("it was read")
        return
      }
      let other = try store.session(unreadable: .skipAndReport)
      expectEqual(other.loaded.unreadable.count, 1)
      expectNil(other.book("1"))
      other.book("2")?.update(Book.self) { $0.pages = 3 }
      try other.save()
      try expectEqual(
        store.rows("SELECT isbn, format, pages FROM book"), ["1 stone 0", "2 paper 3"])
    }

    @Test func `what has changed costs a statement for each row, and two for the transaction`()
      throws
    {
      let authors = (1...20).map { context.createEntity(with: Author(id: Int64($0))) }
      try session.save()
      for author in authors { author.update(Author.self) { $0.first = "same" } }
      for author in authors.dropFirst(15) { author.update(Author.self) { $0.first = "" } }
      let statements = Mutex<[String]>([])
      try store.write { database in
        database.trace { event in statements.withLock { $0.append("\(event)") } }
      }
      try expectEqual(session.save(), SaveReport(updated: 15))
      try store.write { $0.trace(options: []) }
      // Less the end of one of the writes, and the beginning of the other.
      let all = statements.withLock { $0.drop { !$0.hasPrefix("BEGIN") }.dropLast() }
      expectTrue(all.first?.hasPrefix("BEGIN") == true && all.last?.hasPrefix("COMMIT") == true)
      expectEqual(all.count { $0.hasPrefix("UPDATE") }, 15)
      expectEqual(all.count, 17)
    }
  }
#endif
