#if SQLite
  import ECSTestSupport
  import ECS
  import ECSStore
  import Foundation
  import GRDB
  import Testing

  /// What SQLite refuses by its codes, as errors with table, column and entity.
  @Suite struct ConstraintTests {
    /// A session whose table of places was made by another program after it was opened.
    private func session(_ columns: String) throws -> StoreSession {
      let places = try Town.places()
      let store = try Store(at: .memory, schema: Schema { places })
      let session = try store.session()
      try store.write { database in
        try database.execute(sql: "DROP TABLE place")
        try database.execute(sql: "CREATE TABLE place (\(columns))")
      }
      return session
    }

    private let key = "id INTEGER PRIMARY KEY NOT NULL, name TEXT, next INTEGER"

    private func check(
      _ columns: String, _ place: Place, _ isExpected: (StoreError, Entity) -> Bool
    ) throws {
      let session = try session(columns)
      let entity = session.context.createEntity(with: place)
      let error = storeError { try session.save() }
      guard let error, isExpected(error, entity) else {
        Issue.record("\(String(describing: error))")
        return
      }
      expectTrue(session.hasChanges)
      try expectTrue(session.store.rows("SELECT * FROM place").isEmpty)
    }

    @Test func `NULL in a column that must have a value names the column`() throws {
      try check("\(key), rank INTEGER, more TEXT NOT NULL", Place(id: 1)) { error, entity in
        guard case .validation("place", "more", entity) = error else { return false }
        return true
      }
    }

    @Test func `a check that fails is named by its text`() throws {
      try check("\(key), rank INTEGER CHECK (rank < 10)", Place(id: 1, rank: 10)) { error, entity in
        guard case .validation("place", "rank < 10", entity) = error else { return false }
        return true
      }
    }

    @Test func `a value of another type in a strict table names the table`() throws {
      try check("\(key), rank BLOB) STRICT --", Place(id: 1, rank: 10)) { error, _ in
        guard case .schemaMismatch("place", _) = error else { return false }
        return true
      }
    }

    @Test func `a key of another type names the table`() throws {
      let authors = try Library.authors()
      let store = try Store(at: .memory, schema: Schema { authors })
      let seats = try Table("author", key: \Place.name) {
        Fields(of: Place()) { Field(\.name, at: "id") }
      }
      let other = try Store(at: .memory, schema: Schema { seats })
      let session = try other.session()
      try other.write { database in
        try database.execute(
          sql: "DROP TABLE author; CREATE TABLE author (id INTEGER PRIMARY KEY NOT NULL)")
      }
      session.context.createEntity(with: Place(name: "no number"))
      guard case .schemaMismatch("author", _)? = storeError({ try session.save() }) else {
        Issue.record("A text became a number.")
        return
      }
      try store.close()
    }

    @Test func `a reference that is checked at once names the entity`() throws {
      try check(
        "\(key), rank INTEGER, owner INTEGER DEFAULT 7 REFERENCES place (id)",
        Place(id: 1)
      ) { error, entity in
        guard case .foreignKey("place", entity) = error else { return false }
        return true
      }
    }

    @Test func `a key that somebody else took is a duplicate, in columns of either kind`() throws {
      for columns in [
        "\(key), rank INTEGER",
        "id INTEGER NOT NULL, name TEXT, next INTEGER, rank INTEGER, PRIMARY KEY (id)",
        "id INT PRIMARY KEY NOT NULL, name TEXT, next INTEGER, rank INTEGER",
      ] {
        let session = try session(columns)
        session.context.createEntity(with: Place(id: 1, name: "a"))
        session.context.createEntity(with: Place(id: 1, name: "b", rank: 1))
        guard case .duplicateKey("place", "1")? = storeError({ try session.save() }) else {
          Issue.record("\(columns): a key came twice.")
          continue
        }
      }
    }

    @Test func `an index of several columns names them`() throws {
      let session = try session("\(key), rank INTEGER, UNIQUE (name, rank)")
      session.context.createEntity(with: Place(id: 1, name: "a", rank: 1))
      let twin = session.context.createEntity(with: Place(id: 2, name: "a", rank: 1))
      guard case .unique("place", "name, rank", twin)? = storeError({ try session.save() }) else {
        Issue.record("Values came twice.")
        return
      }
    }

    @Test func `names are what they are, whatever SQL makes of them`() throws {
      let table = try Table("we\"ird; DROP TABLE x --", key: \Place.id) {
        Fields(of: Place()) {
          Field(\.id, at: "select")
          Field(\.name, at: "name")
          Field(\.rank, at: "rank")
        }
      } columns: {
        Column(\Place.name).named("a\"b'c]").indexed()
        Column(\Place.rank).named("größe [1] `?` \"\"; --")
      }
      for table in [table, table.onRequest()] {
        let folder = try Folder()
        let schema = try Schema { table }
        for round in 0..<2 {
          let store = try Store(at: .file(folder.file()), schema: schema)
          let session = try store.session()
          let places = session.repository(table)
          if round == 0 {
            try places.create(Place(id: 1, name: "a", rank: 1))
            try places.create(Place(id: 2, name: "b", rank: 2))
            try session.save()
          }
          try expectEqual(
            places.fetch(where: { $0.rank > 1 }, sortedBy: Sort(\Place.name)).count, round + 1
          )
          try places.require(1).update(Place.self) { $0.rank = round + 5 }
          try expectEqual(session.save().updated, 1)
          if round == 1 {
            try places.delete(key: 2)
            try expectEqual(session.save().deleted, 1)
          }
          try store.close()
        }
      }
    }
  }
#endif
