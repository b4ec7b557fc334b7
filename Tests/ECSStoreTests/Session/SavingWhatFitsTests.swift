#if SQLite
  import ECS
  import ECSRecipes
  import ECSStore
  import ECSTestSupport
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
      #expect(try session.saveWhatFits() == SaveReport(inserted: 1))
      #expect(try session.saveWhatFits() == SaveReport() && !session.hasChanges)
    }

    @Test func `new rows that the file refuses are left out, and stay to be saved`() throws {
      let first = context.createEntity(with: Place(id: 1, name: "a", rank: 1))
      let key = context.createEntity(with: Place(id: 1, name: "b", rank: 2))
      let name = context.createEntity(with: Place(id: 3, name: "a", rank: 3))
      let value = context.createEntity(with: Book(isbn: "1"), Rating(stars: .nan))
      context.createEntity(with: Place(id: 4, name: "d", rank: 4))
      context.createEntity(with: Todo(text: "t"))
      let error = try #require(try unsaved(session))
      #expect(error.report == SaveReport(inserted: 3))
      #expect(Set(error.entitiesNotKept) == [key, name, value])
      guard case .duplicateKey("place", "1")? = error.errors[key],
        case .unique("place", "name", name)? = error.errors[name],
        case .unstorable("book", "rating_stars", value, _)? = error.errors[value]
      else {
        Issue.record("\(error)")
        return
      }
      #expect(try store.rows("SELECT id FROM place ORDER BY id") == ["1", "4"])
      #expect(session.hasChanges && first.isAlive)
      // Reported each time, until it fits.
      #expect(try unsaved(session)?.report == SaveReport())
      key.update(Place.self) { $0.id = 2 }
      name.update(Place.self) { $0.name = "c" }
      #expect(try unsaved(session)?.entitiesNotKept == [value])
      value.set(Rating(stars: 1))
      #expect(try session.saveWhatFits() == SaveReport(inserted: 1) && !session.hasChanges)
      #expect(try store.rows("SELECT id FROM place ORDER BY id") == ["1", "2", "3", "4"])
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
      #expect(error.entitiesNotKept == [one] && error.report == SaveReport(updated: 1))
      #expect(try store.rows("SELECT name, rank FROM place ORDER BY id") == ["a 1", "b 7"])
      #expect(other.place(1)?.get(Place.self)?.name == "a")
      try session.revert(one)
      #expect(one.get(Place.self)?.name == "a")
      #expect(try session.saveWhatFits() == SaveReport() && !session.hasChanges)
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
      #expect(Set(error.entitiesNotKept) == Set(refused))
      for case .refused("author", _, let reason) in error.errors.values {
        #expect(reason.contains("not this one") || reason.contains("left it out"))
      }
      #expect(try store.rows("SELECT id FROM author") == ["9"])
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
      #expect(storeError { try session.saveWhatFits() } != nil)
      #expect(try store.rows("SELECT count(*) FROM author") == ["0"] && session.hasChanges)
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
      #expect(error.errors.count == 1 && error.report == SaveReport(inserted: 1))
      #expect(session.hasChanges && error.description.contains("no key"))
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
      #expect(try store.rows("SELECT count(*) FROM book") == ["0"] && session.hasChanges)
      // Others that lead there already are no obstacle.
      book.unrelate(PublishedBy.self)
      #expect(try unsaved(session)?.entitiesNotKept == [twin])
      #expect(try store.rows("SELECT isbn, publisher FROM book") == ["1 NULL"])
    }
  }
#endif
