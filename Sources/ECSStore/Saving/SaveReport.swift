#if SQLite
  /// A report of what a save has written.
  public struct SaveReport: Sendable, Hashable {
    /// The number of new rows.
    public var inserted = 0

    /// The number of rows of which columns were changed, and of links that got other values.
    public var updated = 0

    /// The number of rows that were removed.
    public var deleted = 0

    /// The number of links to one or many that came.
    public var linked = 0

    /// The number of links that went.
    public var unlinked = 0

    /// Describes a save.
    public init(
      inserted: Int = 0, updated: Int = 0, deleted: Int = 0, linked: Int = 0, unlinked: Int = 0
    ) {
      (self.inserted, self.updated, self.deleted) = (inserted, updated, deleted)
      (self.linked, self.unlinked) = (linked, unlinked)
    }
  }

  extension SaveReport {
    static func + (first: SaveReport, second: SaveReport) -> SaveReport {
      SaveReport(
        inserted: first.inserted + second.inserted, updated: first.updated + second.updated,
        deleted: first.deleted + second.deleted, linked: first.linked + second.linked,
        unlinked: first.unlinked + second.unlinked)
    }
  }
#endif
