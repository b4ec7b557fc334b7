#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import Foundation
  import Testing

  /// What can't be saved, and is reported.
  @Suite final class SavingFailureTests: SessionFixture {
    @Test
    func `a failed save changes nothing in the file, names what is wrong, and stays to be done`()
      throws
    {
      let number = UUID()
      context.createEntity(with: Book(isbn: "1", number: number))
      try session.save()
      context.createEntity(with: Author(id: 1))
      let second = context.createEntity(with: Book(isbn: "2", number: number))
      let error = storeError { try session.save() }
      guard case .unique(table: "book", column: "number", let entity)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      expectEqual(entity, second)
      expectTrue(session.hasChanges)
      try expectEqual(store.rows("SELECT id FROM author"), [])
      second.update(Book.self) { $0.number = nil }
      try expectEqual(session.save(), SaveReport(inserted: 2))
    }

    @Test func `a key that is there already is refused`() throws {
      context.createEntity(with: Author(id: 1))
      try session.save()
      context.createEntity(with: Author(id: 1))
      guard case .duplicateKey(table: "author", key: "1")? = storeError({ try session.save() })
      else {
        Issue.record("another error, or none")
        return
      }
      expectTrue(session.hasChanges)
    }

    @Test func `values without a form, and links to what is no row, are told`() throws {
      let book = context.createEntity(with: Book(isbn: "1"), Rating(stars: .nan))
      guard
        case .unstorable(table: "book", column: "rating_stars", book, _)? =
          storeError({ try session.save() })
      else {
        Issue.record("not a number was saved")
        return
      }
      book.set(Rating(stars: 1))
      book.relate(WrittenBy.self, to: context.createEntity())
      guard case .foreignKey(table: "book", book)? = storeError({ try session.save() }) else {
        Issue.record("a link to no row was saved")
        return
      }
      book.unrelate(WrittenBy.self)
      try session.save()
    }

    @Test func `an entity to which others are linked does not just lose its row`() throws {
      let author = context.createEntity(with: Author(id: 1))
      let book = context.createEntity(with: Book(isbn: "1"))
      book.relate(PublishedBy.self, to: author)
      try session.save()
      author.remove(Author.self)
      guard case .foreignKey(table: "author", author)? = storeError({ try session.save() }) else {
        Issue.record("a row went that another one refers to")
        return
      }
      book.unrelate(PublishedBy.self)
      try session.save()
    }

    @Test func `saving in a section or an iteration stops with a message`() async {
      let section = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let session = try Town.store().session()
        session.context.perform { _ = try? session.save() }
      }
      expectTrue(stopped(section, saying: "save()", "call it when the section has ended"))
      let iteration = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let session = try Town.store().session()
        session.context.createEntity(with: Author(id: 1))
        session.context.group(Author.matcher).withEach { (_, _: Author) in
          _ = try? session.save()
        }
      }
      expectTrue(stopped(iteration, saying: "save()"))
    }
  }
#endif
