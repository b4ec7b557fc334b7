public import ECS
public import ECSRecipes

/// Names an entity that the server does not have yet, and that is to be made there later.
///
/// ``Remote/saveLater(_:as:)`` gives it to an entity without a key, and it goes when the server has
/// answered. Keep it with the entity: it is how ``RemoteMutation/subject`` finds the entity after a
/// restart.
///
/// ```swift
/// Fields(of: RemoteDraft()) { RemoteDraft.fields }
/// ```
public struct RemoteDraft: Component, Hashable {
  /// The name.
  public internal(set) var id = ""

  /// Makes a draft without a name: the prototype for those that are read.
  public init() {}

  init(id: String) { self.id = id }

  /// The fields, for recipes, tables and snapshots.
  public static var fields: [Field<RemoteDraft>] { [Field(\.id, at: "draft")] }
}
