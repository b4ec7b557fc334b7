#if SQLite
  /// The parts of a table that a ``Schema`` is made of.
  public struct TableParts: Sendable {
    let definition: TableDefinition
  }
#endif
