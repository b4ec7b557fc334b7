#if SQLite
  /// What a session has loaded.
  public struct LoadReport: Sendable {
    /// The number of rows that became entities.
    public var rows = 0

    /// The number of links between them.
    public var links = 0

    /// Why rows were skipped that can't be read.
    public var unreadable: [StoreError] = []

    /// Links that lead nowhere, or in a circle where there must be none, as table, key and column.
    public var dangling: [String] = []
  }

  /// What a save has written.
  public struct SaveReport: Sendable, Hashable {
    /// The number of new rows.
    public var inserted = 0

    /// The number of rows of which columns were changed.
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

  /// What a merge has done to a context.
  public struct MergeReport: Sendable, Hashable {
    /// The number of entities that were made.
    public var made = 0

    /// The number of entities of which components or links were changed.
    public var updated = 0

    /// The number of entities that were destroyed.
    public var destroyed = 0

    /// What was changed on both sides, to different values.
    public var conflicts: [Conflict] = []

    /// Describes a merge.
    public init(
      made: Int = 0, updated: Int = 0, destroyed: Int = 0, conflicts: [Conflict] = []
    ) {
      (self.made, self.updated, self.destroyed) = (made, updated, destroyed)
      self.conflicts = conflicts
    }
  }

  extension MergeReport {
    mutating func add(_ other: MergeReport) {
      made += other.made
      updated += other.updated
      destroyed += other.destroyed
      conflicts += other.conflicts
    }
  }
#endif
