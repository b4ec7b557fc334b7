#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import Foundation
  import GRDB
  import Testing

  /// Saves that leave something out while what they leave out changes.
  @Suite(.noHangs) final class SavingMeanwhileTests: SessionFixture {
    private func notKept() throws -> [Entity: StoreError] {
      do {
        try session.saveWhatFits()
        return [:]
      } catch let error as UnsavedEntities {
        return error.errors
      }
    }

    /// Has an act be done each time that rows of a table are added or changed, and refuses authors
    /// of books.
    private func setTriggers(_ event: String, _ act: @escaping @Sendable () -> Void) throws {
      try store.write {
        $0.add(
          function: DatabaseFunction("acts", argumentCount: 0) { _ in
            act()
            return nil
          })
        try $0.execute(
          sql: """
            CREATE TRIGGER t AFTER \(event) BEGIN SELECT acts(); END;
            CREATE TRIGGER no AFTER INSERT ON book_authors BEGIN
              SELECT RAISE(ABORT, 'not this one'); END
            """)
      }
    }

    @Test(arguments: [false, true])
    func `a row stays if what was to take it over goes, and another one is left out`(
      _ isMoved: Bool
    ) throws {
      let former = context.createEntity(with: Book(isbn: "5", title: "former"))
      let author = context.createEntity(with: Author(id: 1))
      former.relate(PublishedBy.self, to: author)
      try session.save()
      former.destroy()
      let refused = context.createEntity(with: Book(isbn: "5"), Rating(stars: .nan))
      let next = context.createEntity(with: Book(isbn: "5", title: "next"))
      let others = (0...1).map { context.createEntity(with: Book(isbn: "6", title: "\($0)")) }
      for book in others { book.relate(WrittenBy.self, to: author) }
      let todo = context.createEntity(with: Todo(text: "saved first"))
      // What is tried once more goes when it is written, for something else that is refused then.
      try setTriggers("UPDATE ON book") {
        guard todo.has(TodoID.self), next.get(Book.self)?.isbn == "5" else { return }
        if isMoved { next.update(Book.self) { $0.isbn = "7" } } else { next.destroy() }
      }
      try expectEqual(Set(notKept().keys), Set([refused] + others))
      try expectEqual(
        store.rows("SELECT isbn, info_title, publisher FROM book ORDER BY isbn"),
        ["5 former 1"] + (isMoved ? ["7 next NULL"] : []))
      refused.remove(Rating.self)
      try expectEqual(Set(notKept().keys), Set(others))
      try expectEqual(store.rows("SELECT info_title FROM book WHERE isbn = '5'"), [""])
    }

    @Test func `a row goes if what was to take it over is saved with another key`() throws {
      let number = UUID()
      let author = context.createEntity(with: Author(id: 1))
      let former = context.createEntity(with: Book(isbn: "5"))
      let rival = context.createEntity(with: Book(isbn: "6"))
      try session.save()
      former.destroy()
      rival.update(Book.self) { $0.number = number }
      rival.relate(WrittenBy.self, to: author)
      let next = context.createEntity(with: Book(isbn: "5", number: number))
      context.createEntity(with: Todo(text: "t"))
      try setTriggers("INSERT ON todo") {
        if next.get(Book.self)?.isbn == "5" { next.update(Book.self) { $0.isbn = "7" } }
      }
      try expectEqual(Array(notKept().keys), [rival])
      try expectEqual(store.rows("SELECT isbn FROM book ORDER BY isbn"), ["6", "7"])
    }

    @Test(arguments: [false, true])
    func `a row goes if what was to take it over is none of its table any more`(
      _ isDestroyed: Bool
    ) throws {
      let former = context.createEntity(with: Book(isbn: "1"))
      try session.save()
      former.destroy()
      let next = context.createEntity(with: Book(isbn: "1"), Rating(stars: .nan))
      context.createEntity(with: Todo(text: "t"))
      try setTriggers("INSERT ON todo") {
        if isDestroyed { next.destroy() } else { next.remove(Book.self) }
      }
      try expectEqual(session.saveWhatFits(), SaveReport(inserted: 1, deleted: 1))
      try expectTrue(!session.hasChanges && store.rows("SELECT isbn FROM book") == [])
    }

    @Test(arguments: [false, true])
    func `a row that can't go is left out, and said to be`(_ isDestroyed: Bool) throws {
      let book = context.createEntity(with: Book(isbn: "1"))
      book.relate(WrittenBy.self, to: context.createEntity(with: Author(id: 1)))
      try session.save()
      try store.write {
        try $0.execute(
          sql: """
            CREATE TRIGGER no BEFORE DELETE ON book_authors BEGIN
              SELECT RAISE(ABORT, 'not this one'); END
            """)
      }
      if isDestroyed { book.destroy() } else { book.remove(Book.self) }
      context.createEntity(with: Author(id: 2))
      let errors = try notKept()
      guard errors.count == 1, case .refused("book", book, _)? = errors[book] else {
        Issue.record("\(errors)")
        return
      }
      try expectTrue(store.rows("SELECT isbn FROM book") == ["1"] && session.hasChanges)
      try expectEqual(store.rows("SELECT count(*) FROM author"), ["2"])
    }
  }
#endif
