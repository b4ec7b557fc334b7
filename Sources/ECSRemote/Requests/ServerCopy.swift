public import ECS
public import ECSRecipes

/// The last known state of an entity on the server: edits are found by comparing with it, and
/// merged from it.
///
/// Entities get it from answers, if their resource sends patches or merges conflicts. Keep it with
/// the entity, and edits that are made after a restart are sent and merged as if there had been
/// none; without it, all fields count as edited then.
///
/// ```swift
/// Fields(of: ServerCopy()) { ServerCopy.fields }
/// ```
public struct ServerCopy: Component, Hashable {
  // PERFORMANCE: Written as data only when it is asked for: each entity of a list has copies (H1).
  private(set) var all = SmallMap<String, Copy>()

  /// Makes a component without copies: the prototype for those that are read.
  public init() {}

  init(_ copy: Copy, named name: String) { all = SmallMap(copy, for: name) }

  /// The fields, for recipes, tables and snapshots.
  public static var fields: [Field<ServerCopy>] {
    [Field(\.all, at: "server_copies", as: .serverCopies)]
  }

  /// By the name of the resource: an object with the `data`, as the recipe writes it, and the
  /// `etag`.
  ///
  /// - Complexity: O(*n*), where *n* is the number of resources.
  public var copies: JSONValue {
    var copies = JSONObject()
    for name in all.keys.sorted() {
      guard let copy = all[name] else { continue }
      var fields: JSONObject = ["data": copy.data]
      if let etag = copy.etag { fields["etag"] = .string(etag) }
      copies[name] = .object(fields)
    }
    return .object(copies)
  }

  /// Reads copies.
  fileprivate init(_ copies: JSONObject) {
    for entry in copies {
      guard let data = entry.value["data"] else { continue }
      all[entry.key] = Copy(data: data, etag: entry.value["etag"]?.string)
    }
  }

  fileprivate init(_ all: SmallMap<String, Copy>) { self.all = all }

  /// Whether there are none.
  var isEmpty: Bool { all.isEmpty }

  /// The copy of the resource with a name; nil if there is none.
  subscript(name: String) -> Copy? {
    get { all[name] }
    set { all[name] = newValue }
  }

  struct Copy: Hashable {
    let data: JSONValue
    let etag: String?
  }
}

extension ServerCopy {
  /// Feeds the copies to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(copies) }
}

extension Transformer<SmallMap<String, ServerCopy.Copy>> {
  /// Copies as ``ServerCopy/copies`` shows them.
  fileprivate static var serverCopies: Transformer {
    Transformer("server copies", expects: "object") { (value) throws(TransformFailure) in
      guard case .object(let copies) = value else {
        throw .mismatch(expected: "object", found: value)
      }
      return ServerCopy(copies).all
    } encode: {
      ServerCopy($0).copies
    }
  }
}
