#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import Testing

  /// How sessions go back to the last save.
  @Suite final class RollbackTests: SessionFixture {
    @Test func `changes are taken back, new entities go, and destroyed ones come back`() throws {
      let changed = context.createEntity(with: Book(isbn: "1", title: "One"), Rating(stars: 2))
      context.createEntity(with: Book(isbn: "2", title: "Two"))
      try session.save()
      changed.update(Book.self) { $0.title = "X" }
      changed.remove(Rating.self)
      changed.set(Lent())
      session.book("2")?.destroy()
      let new = context.createEntity(with: Book(isbn: "3"))
      let stranger = context.createEntity(with: Position(x: 1, y: 1))
      session.rollback()
      expectFalse(session.hasChanges)
      expectEqual(changed.get(Book.self)?.title, "One")
      expectEqual(changed.get(Rating.self), Rating(stars: 2))
      expectFalse(changed.has(Lent.self))
      expectEqual(session.book("2")?.get(Book.self)?.title, "Two")
      expectFalse(new.isAlive)
      expectTrue(stranger.isAlive)
      try expectEqual(session.save(), SaveReport())
      session.book("2")?.update(Book.self) { $0.title = "Zwei" }
      try expectEqual(session.save(), SaveReport(updated: 1))
    }

    @Test func `links come back, in their order, with those who were destroyed`() throws {
      let authors = (1...3).map { context.createEntity(with: Author(id: Int64($0))) }
      let book = context.createEntity(with: Book(isbn: "1"))
      for author in authors.reversed() { book.relate(WrittenBy.self, to: author) }
      book.relate(PublishedBy.self, to: authors[0])
      try session.save()
      book.unrelate(WrittenBy.self, from: authors[1])
      authors[0].destroy()
      book.relate(WrittenBy.self, to: context.createEntity(with: Author(id: 4)))
      session.rollback()
      expectEqual(book.targets(WrittenBy.self).compactMap { $0.get(Author.self)?.id }, [3, 2, 1])
      expectEqual(book.target(PublishedBy.self)?.get(Author.self)?.id, 1)
      expectNil(session.author(4))
      try expectEqual(session.save(), SaveReport())
      book.destroy()
      session.rollback()
      let again = try #require(session.book("1"))
      expectEqual(again.targets(WrittenBy.self).count, 3)
      try expectEqual(session.save(), SaveReport())
    }

    @Test func `who is below a new entity is not destroyed with it`() throws {
      let child = context.createEntity(with: Branch(name: "child"))
      try session.save()
      try child.setParent(context.createEntity(with: Branch(name: "new")))
      session.rollback()
      expectTrue(child.isAlive)
      expectNil(child.parent)
      expectNil(session.branch("new"))
    }

    @Test func `observers are told once`() throws {
      let author = context.createEntity(with: Author(id: 1, first: "Ada"))
      try session.save()
      author.set(Author(id: 1, first: "Bob"))
      author.set(Author(id: 1, first: "Cy"))
      let calls = Tally()
      let observer = author.observe { _ in calls.add() }
      let before = calls.value
      session.rollback()
      expectEqual(calls.value, before + 1)
      observer.cancel()
    }

    @Test func `one entity is put back, and others stay as they are`() throws {
      let authors = (1...3).map { context.createEntity(with: Author(id: Int64($0), first: "A")) }
      try session.save()
      for author in authors { author.update(Author.self) { $0.first = "B" } }
      try session.revert(authors[1])
      expectEqual(authors.map { $0.get(Author.self)?.first }, ["B", "A", "B"])
      try expectEqual(session.save(), SaveReport(updated: 2))
      authors[0].destroy()
      try session.revert(authors[0])
      expectEqual(session.author(1)?.get(Author.self)?.first, "B")
      expectFalse(session.hasChanges)
      let new = context.createEntity(with: Author(id: 9))
      guard case .notFound(table: "author", key: _)? = storeError({ try session.revert(new) })
      else {
        Issue.record("a new entity was put back to nothing")
        return
      }
      expectTrue(new.isAlive)
    }

    @Test func `an entity is put back without links to what is destroyed, and then with them`()
      throws
    {
      for isSaved in [true, false] {
        let store = try Town.store()
        let session = try store.session()
        let authors = (1...2).map { session.context.createEntity(with: Author(id: Int64($0))) }
        let book = session.context.createEntity(with: Book(isbn: "1", title: "One"))
        for author in authors { book.relate(WrittenBy.self, to: author) }
        book.relate(PublishedBy.self, to: authors[0])
        let next = session.context.createEntity(with: Place(id: 1, name: "a", rank: 1))
        let place = session.context.createEntity(with: Place(id: 2, name: "b", rank: 2))
        place.relate(Next.self, to: next)
        try session.save()
        authors[0].destroy()
        next.destroy()
        for entity in [book, place] { try session.revert(entity) }
        expectEqual(Array(book.targets(WrittenBy.self)), [authors[1]])
        expectNil(book.target(PublishedBy.self))
        if isSaved {
          try session.save()
          try expectEqual(store.rows("SELECT isbn, publisher FROM book"), ["1 NULL"])
          try expectEqual(store.rows("SELECT count(*) FROM book_authors"), ["1"])
          try expectEqual(store.rows("SELECT id, next FROM place"), ["2 NULL"])
        } else {
          session.rollback()
          expectEqual(book.targets(WrittenBy.self).compactMap { $0.get(Author.self)?.id }, [1, 2])
          expectEqual(book.target(PublishedBy.self)?.get(Author.self)?.id, 1)
          expectEqual(place.target(Next.self), session.place(1))
        }
        expectFalse(session.hasChanges)
        try expectEqual(session.save(), SaveReport())
      }
    }

    @Test func `putting back one of two whose link was turned round closes no circle`() throws {
      let (one, two) = (
        context.createEntity(with: Branch(name: "1")), context.createEntity(with: Branch(name: "2"))
      )
      try one.setParent(two)
      try session.save()
      one.unrelate(ChildOf.self)
      try two.setParent(one)
      try session.revert(one)
      expectTrue(one.parent == nil && two.parent == one && session.hasChanges)
      try session.save()
      expectFalse(session.hasChanges)
      try expectEqual(
        store.rows(
          "SELECT a.name, b.name FROM branch a LEFT JOIN branch b ON b.id = a.parent ORDER BY 1"),
        ["1 NULL", "2 1"])
    }
  }
#endif
