#if SQLite
  import ECSTestSupport
  import ECS
  import ECSStore
  import Foundation
  import GRDB
  import Testing

  /// How components become rows, and rows components.
  @Suite struct RowTests {
    /// Writes what entities have to a table, reads it into new ones, and gives these.
    static func roundTrip(
      _ entities: [Entity], through table: some StoredTable, into target: Context
    ) throws -> [Entity] {
      let store = try Store(at: .memory, schema: Schema { table })
      let plan = store.schema.plan.tables[0]
      let rows = TableRows(plan)
      for entity in entities { rows.append(entity) }
      try store.write { database in
        let statement = RowStatement(try database.makeStatement(sql: plan.insertion))
        for row in 0..<rows.count {
          try rows.bind(row, to: statement)
          try statement.run()
        }
      }
      let read = TableRows(plan)
      try store.read { database in
        let statement = RowStatement(try database.makeStatement(sql: plan.selection))
        while try statement.step() { try read.append(statement) }
      }
      for row in 0..<read.count {
        expectEqual(read.difference(row, from: rows, row), ColumnSet([]))
      }
      return Array(read.createEntities(in: target))
    }

    private static func plainBooks() throws -> ECSStore.Table<Book, String> {
      try Table("book", key: \Book.isbn) { Library.bookParts() }
    }

    @Test func `components of rows come back as they were`() throws {
      let (context, target) = (Context(), Context())
      let full = context.createEntity(
        with: Book(
          isbn: "1", title: "A\0B ✓ 'quoted'", pages: .max, format: .sound, tags: ["x", "y\0"],
          published: Date(timeIntervalSince1970: 1_714_566_600.125), cover: Data([0, 1, 255]),
          number: UUID()), Rating(stars: 4.5), Note(text: "t", page: .min), Lent())
      let bare = context.createEntity(with: Book(isbn: "", title: "", cover: Data()))
      let empty = context.createEntity(with: Book(isbn: "3", pages: -1), Note())
      let read = try Self.roundTrip(
        [full, bare, empty], through: try Self.plainBooks(), into: target)
      for (entity, original) in zip(read, [full, bare, empty]) {
        expectEqual(entity.get(Book.self), original.get(Book.self))
        expectEqual(entity.get(Rating.self), original.get(Rating.self))
        expectEqual(entity.get(Note.self), original.get(Note.self))
        expectEqual(entity.has(Lent.self), original.has(Lent.self))
      }
    }

    @Test func `a row without key, with a generated one and with two fields come back`() throws {
      let (context, target) = (Context(), Context())
      let line = context.createEntity(with: LogLine(text: "hello"))
      try expectEqual(
        Self.roundTrip([line], through: Library.log(), into: target)[0].get(),
        LogLine(text: "hello"))
      let todo = context.createEntity(with: Todo(text: "wash", isDone: true), TodoID(value: 7))
      let read = try Self.roundTrip([todo], through: Library.todos(), into: target)[0]
      expectEqual(read.get(), Todo(text: "wash", isDone: true))
      expectEqual(read.get(), TodoID(value: 7))
      let seat = context.createEntity(with: Seat(row: "A", number: 12, price: -0.5))
      try expectEqual(
        Self.roundTrip([seat], through: Library.seats(), into: target)[0].get(),
        Seat(row: "A", number: 12, price: -0.5))
    }

    @Test func `a Codable component has a column for each property`() throws {
      let table = try Table("settings", of: Settings.self) {
        AutomaticFields(of: Settings(), keys: .snakeCase)
      }
      expectEqual(table.columns.map(\.name), ["theme", "sizes", "since", "is_loud"])
      expectEqual(table.columns.map(\.type), [.text, .text, .text, .integer])
      let settings = Settings(
        theme: "dark", sizes: ["a": 1], since: Date(timeIntervalSince1970: 1_700_000_000),
        isLoud: true)
      let (context, target) = (Context(), Context())
      let entity = context.createEntity(with: settings)
      try expectEqual(Self.roundTrip([entity], through: table, into: target)[0].get(), settings)
    }

    struct Numbers: Component, Equatable {
      var small: Int8 = 0
      var large: UInt64 = 0
      var single: Float = 0
      var exact = Decimal(0)
      var real = 0.0
      var maybe: Double?
    }

    private static func numbers() throws -> ECSStore.Table<Numbers, NoKey> {
      try Table("numbers", of: Numbers.self) {
        Fields(of: Numbers()) {
          Field(\.small, at: "small")
          Field(\.large, at: "large")
          Field(\.single, at: "single")
          Field(\.exact, at: "exact")
          Field(\.real, at: "real")
          Field(\.maybe, at: "maybe")
        }
      }
    }

    @Test func `numbers are exact, infinities too`() throws {
      let (context, target) = (Context(), Context())
      let exact = try #require(Decimal(string: "12345678901234567890.123456789"))
      let values = [
        Numbers(
          small: -128, large: UInt64(Int64.max), single: .pi, exact: exact, real: .infinity,
          maybe: -.infinity),
        Numbers(real: .leastNonzeroMagnitude, maybe: .greatestFiniteMagnitude),
        Numbers(single: 16_777_216, real: 9_007_199_254_740_992, maybe: 5),
      ]
      let entities = values.map { context.createEntity(with: $0) }
      let read = try Self.roundTrip(entities, through: try Self.numbers(), into: target)
      expectEqual(read.map { $0.get(Numbers.self) }, values)
    }

    @Test func `what has no form in SQL is told, with the column`() throws {
      let table = try Self.numbers()
      let store = try Store(at: .memory, schema: Schema { table })
      let plan = store.schema.plan.tables[0]
      let context = Context()
      func failure(_ numbers: Numbers) throws -> RowFailure? {
        let rows = TableRows(plan)
        rows.append(context.createEntity(with: numbers))
        return try store.read { database in
          let statement = RowStatement(try database.makeStatement(sql: "SELECT ?, ?, ?, ?, ?, ?"))
          do throws(RowFailure) {
            try rows.bind(0, to: statement)
            return nil
          } catch {
            return error
          }
        }
      }
      try expectNil(failure(Numbers()))
      try expectEqual(failure(Numbers(large: .max))?.column, 1)
      try expectEqual(failure(Numbers(single: .nan))?.column, 2)
      try expectEqual(failure(Numbers(exact: .nan))?.column, 3)
      try expectEqual(failure(Numbers(real: .nan))?.column, 4)
      try expectEqual(failure(Numbers(maybe: .nan))?.column, 5)
    }

    @Test func `what has no form in a component is told, with the column`() throws {
      let table = try Self.plainBooks()
      let store = try Store(at: .memory, schema: Schema { table })
      let plan = store.schema.plan.tables[0]
      func failure(_ values: String) throws -> String? {
        let rows = TableRows(plan)
        return try store.write { database in
          try database.execute(sql: "DROP TABLE book")
          let names = Library.loose
          try database.execute(sql: "CREATE TABLE book (\(names.joined(separator: ", ")))")
          try database.execute(sql: "INSERT INTO book VALUES (\(values))")
          let statement = RowStatement(try database.makeStatement(sql: plan.selection))
          _ = try statement.step()
          do throws(RowFailure) {
            try rows.append(statement)
            return nil
          } catch {
            expectEqual(rows.count, 0)
            return names[error.column]
          }
        }
      }
      let end = "NULL, NULL, 0, 0"
      try expectNil(failure("'1', 't', 5, 'paper', '[]', NULL, NULL, NULL, NULL, \(end)"))
      try expectEqual(
        failure("'1', 't', 'x', 'paper', '[]', NULL, NULL, NULL, NULL, \(end)"), "pages")
      try expectEqual(
        failure("'1', NULL, 5, 'paper', '[]', NULL, NULL, NULL, NULL, \(end)"), "info_title")
      try expectEqual(
        failure("'1', 't', 5, 'clay', '[]', NULL, NULL, NULL, NULL, \(end)"), "format")
      try expectEqual(failure("'1', 't', 5, 'paper', '[', NULL, NULL, NULL, NULL, \(end)"), "tags")
      try expectEqual(
        failure("'1', 't', 5, 'paper', '[]', 'May', NULL, NULL, NULL, \(end)"), "published")
      try expectEqual(failure("'1', 't', 5, 'paper', '[]', NULL, 7, NULL, NULL, \(end)"), "cover")
      try expectEqual(
        failure("'1', 't', 5, 'paper', '[]', NULL, NULL, x'01', NULL, \(end)"), "number")
      try expectEqual(
        failure("CAST(x'ff' AS TEXT), 't', 5, 'paper', '[]', NULL, NULL, NULL, NULL, \(end)"),
        "isbn")
      try expectEqual(
        failure("'1', 't', 5, 'paper', '[]', NULL, NULL, NULL, 'five', \(end)"),
        "rating_stars")
    }

    @Test func `differences are told by column, and copied by column`() throws {
      let table = try Self.plainBooks()
      let plan = try Schema { table }.plan.tables[0]
      let context = Context()
      let rows = TableRows(plan)
      rows.append(context.createEntity(with: Book(isbn: "1", title: "a"), Note(text: "n", page: 1)))
      rows.append(
        context.createEntity(with: Book(isbn: "1", title: "b", pages: 2), Rating(stars: 1)))
      expectTrue(rows.difference(0, from: rows, 0).columns.isEmpty)
      let names = rows.difference(0, from: rows, 1).columns.map { Library.loose[$0] }
      expectEqual(
        names, ["info_title", "pages", "rating_stars", "note_text", "note_page", "has_Note"])
      try rows.replace(ColumnSet([1, 8]), of: 0, with: rows, 1)
      let entity = context.createEntity()
      rows.apply(0, to: entity)
      expectEqual(entity.get(), Book(isbn: "1", title: "b"))
      expectEqual(entity.get(), Rating(stars: 1))
      expectEqual(entity.get(), Note(text: "n", page: 1))
      try rows.replace(ColumnSet([8, 9, 10, 11]), of: 1, with: rows, 0)
      rows.apply(1, to: entity)
      expectEqual(entity.get(), Book(isbn: "1", title: "b", pages: 2))
      expectEqual(entity.get(), Note(text: "n", page: 1))
    }
  }

  extension Library {
    /// The columns of a book in a table that takes anything.
    static let loose = [
      "isbn", "info_title", "pages", "format", "tags", "published", "cover", "number",
      "rating_stars", "note_text", "note_page", "has_Note", "lent",
    ]
  }
#endif
