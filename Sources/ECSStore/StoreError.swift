#if SQLite
  public import ECS

  /// Why a store could not do something.
  ///
  /// Nothing is lost: what was to be saved still is in the context, and
  /// what is in the file is as it was.
  public enum StoreError: Error, Sendable {
    /// The file can't be opened or made (SQLite's 14).
    case cannotOpen(path: String, reason: String)

    /// The file is no database (26).
    case notADatabase(path: String)

    /// The database is damaged (11).
    case corrupt(path: String, detail: String)

    /// A later program made the file; it is not touched.
    case newerSchema(found: Int, supported: Int)

    /// A table lacks something, and the schema's evolution is manual; or a column has another type.
    case schemaMismatch(table: String, detail: String)

    /// A migration threw; the file is as before, and the copy beside it was removed.
    case migrationFailed(version: Int, reason: String)

    /// Another process wrote for longer than the store waits (5).
    case locked(waited: Duration)

    /// The disk is full (13).
    case full

    /// The file or its folder must not be written (8).
    case readOnly

    /// The file was removed or replaced while it was open.
    case fileGone(path: String)

    /// The disk failed (10).
    case disk(detail: String)

    /// A key is there already (1555, or a look-up): two entities of the context have it, or a row
    /// of the file that others have saved first. See ``MergePolicy``.
    case duplicateKey(table: String, key: String)

    /// A value of a unique column is there already (2067).
    case unique(table: String, column: String, entity: Entity)

    /// A column must not be NULL or breaks a check (1299, 275).
    case validation(table: String, column: String, entity: Entity)

    /// The file has not taken a row: a trigger has refused it, or left it as it was.
    case refused(table: String, entity: Entity, reason: String)

    /// A link leads to a row that is not there (787): that of the entity, or one to the entity,
    /// which was deleted or got another key; with the entity's table.
    case foreignKey(table: String, entity: Entity)

    /// An entity to be saved has no key: give it one, or a table whose keys the database gives out.
    case missingKey(table: String, entity: Entity)

    /// A value has no form in SQL: NaN, an integer above 2^63 - 1, what a one-way transformer can't
    /// write.
    case unstorable(table: String, column: String, entity: Entity, reason: String)

    /// A value in the file has no form in the component.
    case unreadable(table: String, key: String, column: String, reason: String)

    /// A value of ``Store/values`` can't be kept.
    case badValue(key: String, reason: String)

    /// No row has the key.
    case notFound(table: String, key: String)

    /// A table does not keep a relation.
    case noForeignKey(table: String, relation: String)

    /// Others changed what was changed here; see ``MergePolicy/error``.
    case conflicts([Conflict])

    /// Sessions still had something to save after they had been saved several times.
    case neverSaved

    /// The store was closed.
    case closed

    /// Anything else that SQLite reports.
    case sql(code: Int, message: String)
  }
#endif
