#if SQLite
  /// A report of what a merge has done to a context.
  public struct MergeReport: Sendable, Hashable {
    /// The number of entities that were made.
    public var made = 0

    /// The number of entities of which components or links were changed.
    public var updated = 0

    /// The number of entities that were destroyed.
    public var destroyed = 0

    /// What was changed on both sides, to different values; rows that are left out as long as an
    /// entity of the context has their keys, which was made here or got them here; links made here
    /// to rows that others have removed, which go whatever the policy says, those to one for what
    /// the file has; and links to an entity that was destroyed here, which come back with it where
    /// the policy lets others win.
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
