#if SQLite
  /// A step from an earlier version of a database to a later one.
  ///
  /// ```swift
  /// Migration(to: 2) { try $0.renameColumn("name", to: "title", in: "book") }
  /// ```
  ///
  /// It names tables and columns as they were then, and so stays true when the program goes on: a
  /// migration that has been shipped is never changed.
  public struct Migration: Sendable {
    /// What the database is afterwards.
    public let version: Int
    let body: @Sendable (SchemaEditor) throws -> Void

    /// Describes a step.
    ///
    /// - Parameters:
    ///   - version: What the database is afterwards. Steps are carried out in the order of their
    ///     versions, those above the version of the database, all in one transaction.
    ///   - body: Changes the tables. If it throws, the database is as it was before the first step.
    public init(to version: Int, _ body: @escaping @Sendable (SchemaEditor) throws -> Void) {
      (self.version, self.body) = (version, body)
    }
  }
#endif
