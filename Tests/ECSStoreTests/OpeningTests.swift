#if SQLite
  import ECSTestSupport
  import ECS
  import ECSStore
  import Foundation
  import GRDB
  import Testing

  /// Making, opening and completing files.
  @Suite struct OpeningTests {
    @Test func `a new file gets tables, columns, indexes and references`() throws {
      let folder = try Folder()
      let store = try Store(at: .file(folder.file()), schema: Library.schema())
      let tables = try store.read {
        try String.fetchAll(
          $0, sql: "SELECT sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
      }
      expectEqual(
        tables,
        [
          #"CREATE TABLE "author" ("id" INTEGER PRIMARY KEY NOT NULL, "first" TEXT NOT NULL DEFAULT '', "last" TEXT) STRICT"#,
          #"CREATE TABLE "book" ("isbn" TEXT PRIMARY KEY NOT NULL, "info_title" TEXT NOT NULL DEFAULT '', "pages" INTEGER NOT NULL DEFAULT 0, "format" TEXT NOT NULL DEFAULT 'paper', "tags" TEXT NOT NULL DEFAULT '[]', "published" TEXT, "cover" BLOB, "number" BLOB, "rating_stars" REAL, "note_text" TEXT, "note_page" INTEGER, "has_Note" INTEGER NOT NULL DEFAULT 0, "lent" INTEGER NOT NULL DEFAULT 0, "publisher" INTEGER, FOREIGN KEY ("publisher") REFERENCES "author" ("id") DEFERRABLE INITIALLY DEFERRED) STRICT"#,
          #"CREATE TABLE "todo" ("text" TEXT NOT NULL DEFAULT '', "done" INTEGER NOT NULL DEFAULT 0, "id" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL) STRICT"#,
          #"CREATE TABLE "log" (ecs_row INTEGER PRIMARY KEY, "text" TEXT NOT NULL DEFAULT '') STRICT"#,
          #"CREATE TABLE "seat" ("row" TEXT NOT NULL, "number" INTEGER NOT NULL, "price" REAL NOT NULL DEFAULT 0.0, PRIMARY KEY ("row", "number")) STRICT"#,
          #"CREATE TABLE "book_authors" (ecs_row INTEGER PRIMARY KEY, "book_isbn" TEXT NOT NULL, "author_id" INTEGER NOT NULL, FOREIGN KEY ("book_isbn") REFERENCES "book" ("isbn") DEFERRABLE INITIALLY DEFERRED, FOREIGN KEY ("author_id") REFERENCES "author" ("id") DEFERRABLE INITIALLY DEFERRED) STRICT"#,
        ])
      let indexes = try store.read {
        try String.fetchAll(
          $0,
          sql: "SELECT name FROM sqlite_master WHERE type = 'index' AND sql NOT NULL ORDER BY name")
      }
      expectEqual(
        indexes,
        [
          "book_authors_author_id", "book_authors_book_isbn_author_id", "book_info_title",
          "book_number", "book_publisher",
        ])
      expectEqual(store.version, 1)
      try expectEqual(store.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }, 1)
      try store.close()
      expectEqual(folder.names, ["library.sqlite"])
    }

    @Test func `a store that only reads makes nothing, but SQLite the files of a log`() throws {
      let folder = try Folder()
      let store = try Town.store(at: .file(folder.file()))
      let session = try store.session()
      session.context.createEntity(with: Author(id: 1))
      try session.save()
      try store.close()
      expectEqual(folder.names, ["library.sqlite"])
      let bytes = try Data(contentsOf: folder.file())
      var options = Store.Options()
      options.isReadOnly = true
      options.sharing = .processes(checkingEvery: .seconds(3600))
      let reader = try Store(at: .file(folder.file()), schema: Town.schema(), options: options)
      try expectNotNil(reader.session().author(1))
      try reader.close()
      expectEqual(folder.names, ["library.sqlite", "library.sqlite-shm", "library.sqlite-wal"])
      try expectEqual(Data(contentsOf: folder.file()), bytes)
    }

    @Test func `opening again changes nothing`() throws {
      let folder = try Folder()
      func declarations() throws -> [String?] {
        let store = try Store(at: .file(folder.file()), schema: Library.schema())
        defer { try? store.close() }
        return try store.read {
          try Row.fetchAll($0, sql: "SELECT sql FROM sqlite_master").map { $0["sql"] }
        }
      }
      let first = try declarations()
      try expectEqual(declarations(), first)
    }

    @Test func `missing columns come with values for the rows that are there`() throws {
      let folder = try Folder()
      let old = try Table("book", key: \Book.isbn) {
        Fields(of: Book()) { Field(\.isbn, at: "isbn") }
        Fields(of: Note()) { Field(\.text, at: "note.text") }
      }
      let first = try Store(at: .file(folder.file()), schema: Schema { old })
      try first.write {
        try $0.execute(
          sql: "INSERT INTO book (isbn, note_text, has_Note) VALUES ('1', 'x', 1), ('2', NULL, 0)")
      }
      try first.close()
      let template = Book(title: "it's", pages: 3)
      let new = try Table("book", key: \Book.isbn) {
        Fields(of: template) {
          Field(\.isbn, at: "isbn")
          Field(\.title, at: "title")
          Field(\.pages, at: "pages")
          Field(\.published, at: "published", as: .secondsSince1970)
        }
        Fields(of: Note(text: "n", page: 9)) {
          Field(\.text, at: "note.text")
          Field(\.page, at: "note.page")
        }
        Fields(of: Rating(stars: 5)) { Field(\.stars, at: "stars") }
      } columns: {
        Column(\Book.pages).named("page_count").forExistingRows(1)
      }
      let second = try Store(at: .file(folder.file()), schema: Schema { new })
      let rows = try second.read { try Row.fetchAll($0, sql: "SELECT * FROM book ORDER BY isbn") }
      expectEqual(rows.map { $0["title"] }, ["it's", "it's"])
      expectEqual(rows.map { $0["page_count"] }, [1, 1])
      expectEqual(rows.map { $0["note_page"] as Int? }, [9, nil])
      // A component that is new to the table is one that no row has.
      expectEqual(rows.map { $0["stars"] as Double? }, [nil, nil])
      expectEqual(rows.map { $0["published"] as Double? }, [nil, nil])
      let columns = try second.read { try $0.columns(in: "book") }
      expectEqual(columns.first { $0.name == "page_count" }?.defaultValueSQL, "3")
    }

    @Test func `a manual schema adds nothing to a file, but makes a new one`() throws {
      let folder = try Folder()
      let small = try Table("seat", of: Seat.self) {
        Fields(of: Seat()) { Field(\.row, at: "row") }
      }
      let large = try Table("seat", of: Seat.self) {
        Fields(of: Seat()) {
          Field(\.row, at: "row")
          Field(\.number, at: "number")
        }
      }
      try Store(at: .file(folder.file()), schema: Schema(evolution: .manual) { small }).close()
      let before = try Data(contentsOf: folder.file())
      let schema = try Schema(evolution: .manual) { large }
      let error = storeError { _ = try Store(at: .file(folder.file()), schema: schema) }
      guard case .schemaMismatch("seat", let detail)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      expectEqual(detail, "the column number is missing")
      try expectEqual(Data(contentsOf: folder.file()), before)
    }

    @Test(arguments: ["STRING", "JSON", "DECIMAL(10)", "ANY"])
    func `a column that makes numbers of texts is no column of texts`(type: String) throws {
      let folder = try Folder()
      try DatabaseQueue(path: folder.file().path).write {
        try $0.execute(
          sql: "CREATE TABLE author (id INTEGER PRIMARY KEY, first \(type), last DATETIME)")
      }
      let error = storeError {
        _ = try Store(at: .file(folder.file()), schema: Library.schemaOfAuthors())
      }
      guard case .schemaMismatch("author", let detail)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      expectEqual(detail, "the column first is of type \(type), not TEXT")
    }

    @Test func `a column of any type is one of texts, if it keeps them as they are`() throws {
      for (number, columns) in [
        "(id INTEGER PRIMARY KEY, first, last BLOB)",
        "(id INTEGER PRIMARY KEY, first ANY, last ANY) STRICT",
      ].enumerated() {
        let folder = try Folder()
        let file = folder.file("\(number)")
        try DatabaseQueue(path: file.path).write {
          try $0.execute(sql: "CREATE TABLE author \(columns)")
        }
        let store = try Store(at: .file(file), schema: Library.schemaOfAuthors())
        let session = try store.session()
        session.context.createEntity(with: Author(id: 1, first: "007", last: "1e3"))
        try session.save()
        let other = try store.session()
        expectEqual(other.author(1)?.get(Author.self)?.first, "007")
        try expectEqual(store.rows("SELECT typeof(first), typeof(last) FROM author"), ["text text"])
      }
    }

    @Test func `a column of another type is told`() throws {
      let folder = try Folder()
      try DatabaseQueue(path: folder.file().path).write {
        try $0.execute(sql: "CREATE TABLE author (id INTEGER PRIMARY KEY, first INT, last TEXT)")
      }
      let error = storeError {
        _ = try Store(at: .file(folder.file()), schema: Library.schemaOfAuthors())
      }
      guard case .schemaMismatch("author", "the column first is of type INT, not TEXT")? = error
      else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    @Test func `an index that leaves rows out is neither a key nor that of a column`() throws {
      let folder = try Folder()
      let table = try Table("author", key: \Author.first) {
        Fields(of: Author()) { Field(\.first, at: "first") }
        Fields(of: Rating()) { Field(\.stars, at: "stars") }
      } columns: {
        Column(\Rating.stars).unique()
      }
      for (key, error) in [("TEXT NOT NULL", true), ("TEXT PRIMARY KEY NOT NULL", false)] {
        let file = folder.file("\(error).sqlite")
        try DatabaseQueue(path: file.path).write { database in
          try database.execute(
            sql: """
              CREATE TABLE author (first \(key), stars REAL);
              CREATE UNIQUE INDEX one ON author (first) WHERE first > 'm';
              CREATE UNIQUE INDEX two ON author (stars) WHERE stars > 3;
              CREATE UNIQUE INDEX three ON author (stars + 1)
              """)
        }
        let schema = try Schema { table }
        guard error else {
          let store = try Store(at: .file(file), schema: schema)
          try expectEqual(
            store.rows(
              "SELECT count(*) FROM pragma_index_list('author') WHERE partial = 0 AND origin = 'c'"),
            ["2"])
          continue
        }
        guard
          case .schemaMismatch(table: "author", _)? = storeError({
            _ = try Store(at: .file(file), schema: schema)
          })
        else {
          Issue.record("A table without a key was taken.")
          continue
        }
      }
    }

    @Test func `another key is told`() throws {
      let folder = try Folder()
      try DatabaseQueue(path: folder.file().path).write {
        try $0.execute(sql: "CREATE TABLE author (id INTEGER, first TEXT PRIMARY KEY, last TEXT)")
      }
      let error = storeError {
        _ = try Store(at: .file(folder.file()), schema: Library.schemaOfAuthors())
      }
      guard case .schemaMismatch("author", "the key is (first), not (id)")? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }

    @Test func `tables that were made by others are completed`() throws {
      let folder = try Folder()
      try DatabaseQueue(path: folder.file().path).write {
        try $0.execute(
          sql:
            "CREATE TABLE Author (ID INTEGER PRIMARY KEY, first VARCHAR(20), other); INSERT INTO author VALUES (1, 'Ada', 2)"
        )
      }
      let store = try Store(at: .file(folder.file()), schema: Library.schemaOfAuthors())
      let row = try store.read { try Row.fetchOne($0, sql: "SELECT * FROM author") }
      expectEqual(row, ["ID": 1, "first": "Ada", "other": 2, "last": nil])
    }
  }
#endif
