#if SQLite
  /// A report of what a session has loaded.
  public struct LoadReport: Sendable {
    /// The number of rows that became entities.
    public var rows = 0

    /// The number of links between them.
    public var links = 0

    /// Why rows were skipped that can't be read.
    public var unreadable: [StoreError] = []

    /// Links that lead nowhere, or in a circle where there must be none, or that can't be beside
    /// another one of the file, as table, key and column.
    public var dangling: [String] = []
  }
#endif
