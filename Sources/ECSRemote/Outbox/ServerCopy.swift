public import ECS
public import ECSRecipes

/// What the server was last known to have of an entity: what edits are told by, and merged from.
///
/// Entities get it from answers, if their resource sends patches or merges conflicts. Keep it with the
/// entity, and edits that are made after a restart are sent and merged as if there had been none;
/// without it, all fields count as edited then.
///
/// ```swift
/// Fields(of: ServerCopy()) { ServerCopy.fields }
/// ```
public struct ServerCopy: Component, Hashable {
  /// By the name of the resource: an object with the `data`, as the recipe writes it, and the `etag`.
  public internal(set) var copies = JSONValue.object([:])

  /// Makes a component without copies: the prototype for those that are read.
  public init() {}

  /// The fields, for recipes, tables and snapshots.
  public static var fields: [Field<ServerCopy>] { [Field(\.copies, at: "server_copies")] }

  /// Whether there are none.
  var isEmpty: Bool { copies.object?.isEmpty ?? true }

  /// The copy of a resource; nil if there is none.
  subscript(resource: Resource) -> Copy? {
    get {
      guard let copy = copies[resource.name], let data = copy["data"] else { return nil }
      return Copy(data: data, etag: copy["etag"]?.string)
    }
    set {
      var all = copies.object ?? [:]
      all[resource.name] = newValue.map { copy in
        var fields: JSONObject = ["data": copy.data]
        if let etag = copy.etag { fields["etag"] = .string(etag) }
        return .object(fields)
      }
      copies = .object(all)
    }
  }

  struct Copy: Hashable {
    let data: JSONValue
    let etag: String?
  }
}
