#if SQLite
  import ECS
  import ECSStore
  import GRDB

  struct Branch: Component, Equatable { var name = "" }
  struct BranchID: Component, Equatable { var value: Int64 }

  /// What has values that must differ.
  struct Place: Component, Equatable {
    var id = 0
    var name = ""
    var rank = 0
  }

  enum Next: OneToOneRelation {}

  /// Tables for tests of sessions, beside those of the library.
  enum Town {
    static func branches() throws -> ECSStore.Table<Branch, Int64> {
      try Table("branch", of: Branch.self, generatedKey: \BranchID.value, in: BranchID(value: 0)) {
        Fields(of: Branch()) { Field(\.name, at: "name") }
        Nested.itself(oneAt: "parent", as: .key, through: .targets(of: ChildOf.self))
      }
    }

    static func places() throws -> ECSStore.Table<Place, Int> {
      try Table("place", key: \Place.id) {
        Fields(of: Place()) {
          Field(\.id, at: "id")
          Field(\.name, at: "name")
          Field(\.rank, at: "rank")
        }
        Nested.itself(oneAt: "next", as: .key, through: .targets(of: Next.self))
      } columns: {
        Column(\Place.name).unique()
        Column(\Place.rank).unique()
      }
    }

    static func schema() throws -> Schema {
      let (authors, books, todos) = try (Library.authors(), Library.books(), Library.todos())
      let (log, seats) = try (Library.log(), Library.seats())
      let (branches, places) = try (branches(), places())
      return try Schema {
        authors
        books
        todos
        log
        seats
        branches
        places
      }
    }

    static func store(at location: Store.Location = .memory) throws -> Store {
      try Store(at: location, schema: schema())
    }
  }

  /// What tests of one session begin with.
  class SessionFixture {
    let store: Store
    let session: StoreSession
    var context: Context { session.context }

    init() throws {
      store = try Town.store()
      session = try store.session()
    }
  }

  extension StoreSession {
    func book(_ isbn: String) -> Entity? {
      context.group(Book.matcher).first { $0.get(Book.self)?.isbn == isbn }
    }

    func author(_ id: Int64) -> Entity? {
      context.group(Author.matcher).first { $0.get(Author.self)?.id == id }
    }

    func place(_ id: Int) -> Entity? {
      context.group(Place.matcher).first { $0.get(Place.self)?.id == id }
    }

    func branch(_ name: String) -> Entity? {
      context.group(Branch.matcher).first { $0.get(Branch.self)?.name == name }
    }
  }

  extension Store {
    /// Rows of a query, as texts.
    func rows(_ sql: String) throws -> [String] {
      try read { database in
        try Row.fetchAll(database, sql: sql).map { row in
          row.map { $0.1.isNull ? "NULL" : "\($0.1.storage.value ?? "")" }.joined(separator: " ")
        }
      }
    }
  }
#endif
