public import ECS
public import ECSRecipes

/// A field that was changed here and on the server, since they agreed.
///
/// Of an entity that was deleted here and changed there, the path is the root, and nothing is
/// local: to return `nil` is to delete it, and anything else keeps it as the server has it.
public struct RemoteConflict: Sendable, Hashable {
  /// The entity; nil if it was deleted here.
  public let entity: Entity?

  /// The field.
  public let path: JSONPath

  /// What it was when they agreed; nil if that is not known.
  public let base: JSONValue?

  /// What it is here.
  public let local: JSONValue?

  /// What it is on the server.
  public let server: JSONValue?
}
