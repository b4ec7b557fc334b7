#if SQLite
  public import ECS
  public import ECSRecipes

  /// A field that was changed on both sides since they agreed; or a row that was changed on one
  /// side and is gone on the other, or that was made on both.
  public struct Conflict: Sendable, Hashable {
    /// The table; of a value of a link, the table of pairs.
    public let table: String

    /// The key of the row; of a value of a link, the keys of its source and of its target.
    public let key: String

    /// The entity, which is the source of a link; nil if it is gone here.
    public let entity: Entity?

    /// The column, or the link; nil if it is about the row as a whole.
    public let column: String?

    /// What both knew; nil if it is about the row as a whole, as are the others.
    public let base: JSONValue?

    /// What is here; nil if the entity is gone.
    public let local: JSONValue?

    /// What was saved; nil if the row is gone.
    public let stored: JSONValue?
  }
#endif
