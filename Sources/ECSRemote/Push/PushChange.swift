public import ECSRecipes

/// A change of entities that an event of a ``RemoteFeed`` stands for.
public enum PushChange: Sendable {
  /// The server has made or changed an entity: the data, in the form of the resource's recipe, with
  /// its key, and the tag of this state if the event says it.
  case save(JSONValue, as: Resource, etag: String? = nil)

  /// The server has deleted the entity with a key.
  case delete(JSONValue, as: Resource)

  /// The entity with a key has changed, but the event does not say how: it gets
  /// ``RemoteState/Stale``.
  case invalidate(JSONValue, as: Resource)
}
