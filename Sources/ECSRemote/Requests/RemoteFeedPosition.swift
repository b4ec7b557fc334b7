public import ECS
public import ECSRecipes

/// The position up to which a ``RemoteFeed`` was followed, on an entity of its own.
///
/// It is written in the section that applies an event. So keep it with the entities, and whenever
/// the process ends, the next one goes on behind what it has:
///
/// ```swift
/// let positions = try Table(RemoteFeedPosition.recipe, key: \RemoteFeedPosition.feed)
/// let schema = try Schema("app") {
///   Stored(of: RemoteFeedPosition(), as: "feed") { RemoteFeedPosition.fields }
/// }
/// ```
///
/// Destroy its entity to follow the feed from where the server begins.
public struct RemoteFeedPosition: Component, Hashable {
  /// The name of the feed.
  public internal(set) var feed = ""

  /// What the server has called the last event that was applied; empty if it has not.
  ///
  /// What is longer than 4 KiB in UTF-8 or has control characters other than tabs is passed over:
  /// it could not be sent back.
  public internal(set) var lastID = ""

  /// Makes a position without content: the prototype for those that are read.
  public init() {}

  init(feed: String) { self.feed = feed }

  /// The fields, for recipes, tables and snapshots.
  public static var fields: [Field<RemoteFeedPosition>] {
    [Field(\.feed, at: "feed"), Field(\.lastID, at: "last_id")]
  }

  /// A recipe for tables: the fields, with ``feed`` as the identity.
  public static var recipe: Recipe {
    get throws(RecipeDefinitionError) {
      try Recipe("remote_feed") {
        Identity(\RemoteFeedPosition.feed)
        Fields(of: RemoteFeedPosition()) { fields }
      }
    }
  }
}
