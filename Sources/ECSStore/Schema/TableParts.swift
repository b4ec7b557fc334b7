#if SQLite
  /// What a ``Schema`` has to know of a table.
  public struct TableParts: Sendable {
    let definition: TableDefinition
  }
#endif
