public import ECS
public import ECSRecipes

/// A change that the server has to hear of: ``Remote/saveLater(_:as:)`` and
/// ``Remote/deleteLater(_:as:)`` make an entity with it, and a ``SendingSystem`` sends it.
///
/// It is a component like any other: to match, to observe, and to be kept, so that what was not
/// sent survives the process. A store has a table of ``recipe``, a snapshot lists ``fields``:
///
/// ```swift
/// let mutations = try Table(RemoteMutation.recipe, key: \RemoteMutation.id)
/// let schema = try Schema("app") {
///   Stored(of: RemoteMutation(), as: "mutation") { RemoteMutation.fields }
/// }
/// ```
///
/// The entity that it is about is found again by its key or its ``RemoteDraft``. So keep these,
/// too, and ``ServerCopy``, if edits that are made after a start are to be merged with those of
/// others.
public struct RemoteMutation: Component, Hashable {
  /// The operation to be done.
  public enum Kind: String, Sendable, Hashable {
    /// The server is to make the entity, and to give it a key.
    case create

    /// The server is to change it.
    case update

    /// The server is to delete it.
    case delete
  }

  /// Names the change.
  public internal(set) var id = ""

  /// Its place among all: they are sent in the order of their numbers.
  public internal(set) var number = 0

  /// The operation to be done.
  public internal(set) var kind = Kind.update

  /// The name of the resource.
  public internal(set) var resource = ""

  /// Names what it is about: mutations of one entity have the same subject, and are sent one after
  /// the other.
  public internal(set) var subject = ""

  /// The key; null if the server has not yet given one.
  public internal(set) var key = JSONValue.null

  /// The entity as data: as it was noted last, or, from the first attempt on, as it is sent.
  ///
  /// Null if it can't be written yet, because it refers to an entity without a key.
  public internal(set) var data = JSONValue.null

  /// What the server had when the change was made, as far as that is known: what to merge from.
  public internal(set) var base = JSONValue.null

  /// The tag that the server gave to that.
  public internal(set) var etag: String?

  /// How often it became another request, because the server had something newer or had refused it.
  public internal(set) var revision = 0

  /// How often this request was tried.
  ///
  /// What was tried stays as it is, since the server may have done it.
  public internal(set) var attempts = 0

  /// Why the server refused it, if it did.
  ///
  /// It waits for ``Remote/retry(_:)``, another edit, or
  /// ``Remote/discard(_:)``.
  public internal(set) var refusal: String?

  /// Makes a mutation without content: the prototype for those that are read.
  public init() {}

  /// What it is called for the server, in all attempts: `Idempotency-Key`.
  public var idempotencyKey: String { revision == 0 ? id : "\(id)-\(revision)" }

  /// The fields, for recipes, tables and snapshots.
  public static var fields: [Field<RemoteMutation>] {
    [
      Field(\.id, at: "id"),
      Field(\.number, at: "number"),
      Field(\.kind, at: "kind", as: .rawValue),
      Field(\.resource, at: "resource"),
      Field(\.subject, at: "subject"),
      Field(\.key, at: "key"),
      Field(\.data, at: "data"),
      Field(\.base, at: "base"),
      Field(\.etag, at: "etag"),
      Field(\.revision, at: "revision"),
      Field(\.attempts, at: "attempts"),
      Field(\.refusal, at: "refusal"),
    ]
  }

  /// A recipe for tables: the fields, with ``id`` as the identity.
  public static var recipe: Recipe {
    get throws(RecipeDefinitionError) {
      try Recipe("remote_mutation") {
        Identity(\RemoteMutation.id)
        Fields(of: RemoteMutation()) { fields }
      }
    }
  }
}
