#if SQLite
  import ECS

  /// The ``Schema`` of a store under another name, for files that import `ECSSnapshots` as well.
  public typealias StoreSchema = Schema

  /// The ``SchemaError`` of a store under another name, for files that import `ECSSnapshots` as
  /// well.
  public typealias StoreSchemaError = SchemaError

  /// The ``SchemaBuilder`` of a store under another name, for files that import `ECSSnapshots` as
  /// well.
  public typealias StoreSchemaBuilder = SchemaBuilder

  /// A program's expectation of a database: tables, a version, and the way from earlier versions.
  ///
  /// ```swift
  /// let schema = try Schema(
  ///   version: 2, migrations: [Migration(to: 2) { try $0.renameColumn("name", to: "title", in: "book") }]
  /// ) {
  ///   authors
  ///   books
  /// }
  /// ```
  public struct Schema: Sendable {
    /// A rule for tables that lack something that the program expects, after all migrations.
    ///
    /// With ``automatic`` and ``manual`` the file is the program's own: when it is accepted, it
    /// gets the schema's version and a write-ahead log, be it that nothing is ever saved.
    /// ``adopting`` is for files of others.
    public enum Evolution: Sendable, Hashable {
      /// Missing tables, columns and indexes are added; nothing is ever removed or changed.
      case automatic

      /// It is an error; what is there has been made by migrations, or otherwise.
      case manual

      /// The file is that of another program, and stays as it is but for the rows that are saved.
      ///
      /// Nothing is made or migrated, and neither the version nor the journal mode changes. Tables
      /// and columns have to be there; indexes and the version need not, and ``Store/missing`` says
      /// which are not.
      case adopting
    }

    /// The version of databases that fit the tables.
    public let version: Int

    /// What happens if a table lacks something.
    public let evolution: Evolution

    /// In the order of their versions.
    let migrations: [Migration]
    let willMigrate: (@Sendable (_ from: Int, _ to: Int) throws -> Void)?
    let didMigrate: (@Sendable (_ from: Int, _ to: Int) -> Void)?
    package let plan: SchemaPlan

    /// Describes a database.
    ///
    /// - Parameters:
    ///   - version: The version, from 1 on: one more with each change that takes a migration.
    ///   - evolution: What happens if a table lacks something, after all migrations.
    ///   - migrations: The way from earlier versions. New files run none.
    ///   - willMigrate: Called before the first step; if it throws, nothing is migrated.
    ///   - didMigrate: Called when the last step is in the file.
    ///   - tables: The tables.
    /// - Throws: ``SchemaError``, if two tables have one name, a nested recipe has no table, or a
    ///   migration leads where another one does or beyond the version.
    public init(
      version: Int = 1, evolution: Evolution = .automatic, migrations: [Migration] = [],
      willMigrate: (@Sendable (_ from: Int, _ to: Int) throws -> Void)? = nil,
      didMigrate: (@Sendable (_ from: Int, _ to: Int) -> Void)? = nil,
      @SchemaBuilder _ tables: () -> [any StoredTable]
    ) throws(SchemaError) {
      require(
        version > 0 && version <= Int32.max,
        "A schema was given the version \(version): begin with 1, which a file of version 0 comes before."
      )
      plan = try SchemaPlan(tables().map(\.parts.definition))
      var versions: Set<Int> = []
      for migration in migrations {
        guard migration.version > 0, migration.version <= version else {
          throw SchemaError(table: "", reason: .migrationBeyondVersion(migration.version))
        }
        guard versions.insert(migration.version).inserted else {
          throw SchemaError(table: "", reason: .duplicateMigration(migration.version))
        }
      }
      (self.version, self.evolution) = (version, evolution)
      self.migrations = migrations.sorted { $0.version < $1.version }
      (self.willMigrate, self.didMigrate) = (willMigrate, didMigrate)
    }
  }

#endif
