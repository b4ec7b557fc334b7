public import ECSRecipes
public import Foundation

/// A place on a server where entities of a recipe are, and their form there.
///
/// ```swift
/// let posts = Resource(postRecipe) { URL(string: "https://example.org/posts")! }
/// ```
///
/// All of them are at the URL, and one is at the URL with its key behind: the key is the recipe's
/// identity, and what is not allowed in a path is encoded. An entity without the component of the
/// identity is one that the server has not yet seen.
public struct Resource: Sendable {
  /// A way to send a change.
  public enum Update: Sendable, Hashable {
    /// `PUT` with all fields.
    case replacing

    /// `PATCH` with the fields that changed since the server was last heard of, those that are gone
    /// as `null`; all of them if it never was. Objects are compared field by field, lists as
    /// wholes.
    case patching
  }

  /// The parts of a resource.
  private struct Parts: Sendable {
    let recipe: Recipe
    let name: String
    let update: Update
    let staleAfter: Duration
    let conflicts: RemoteConflictPolicy

    // PERFORMANCE: A recipe describes its fields each time it is asked, which is most of a small
    // request.
    let key: RecipeField?
    let hasRelations: Bool

    let url: @Sendable () throws -> URL
    var paging = Paging.none
    var path = JSONPath.root
    var listPath = JSONPath.root
    var omitsNull = false
    var prepareReading: (@Sendable (JSONValue) throws -> JSONValue)?
    var prepareWriting: @Sendable (JSONValue) throws -> JSONValue = { $0 }
  }

  private final class Shared: Sendable {
    let parts: Parts

    init(_ parts: Parts) { self.parts = parts }
  }

  // PERFORMANCE: One object, since each call passes its resource on (H2).
  private let shared: Shared

  /// The mapping.
  public var recipe: Recipe { shared.parts.recipe }

  /// The name, which tells it from others.
  public var name: String { shared.parts.name }

  /// A way to send a change.
  public var update: Update { shared.parts.update }

  /// How long fetched data counts as fresh.
  public var staleAfter: Duration { shared.parts.staleAfter }

  /// What happens if the server has something newer than what a change was based on.
  public var conflicts: RemoteConflictPolicy { shared.parts.conflicts }

  var key: RecipeField? { shared.parts.key }
  var hasRelations: Bool { shared.parts.hasRelations }
  var url: @Sendable () throws -> URL { shared.parts.url }
  var paging: Paging { shared.parts.paging }
  var path: JSONPath { shared.parts.path }
  var listPath: JSONPath { shared.parts.listPath }
  var omitsNull: Bool { shared.parts.omitsNull }
  var prepareReading: (@Sendable (JSONValue) throws -> JSONValue)? { shared.parts.prepareReading }
  var prepareWriting: @Sendable (JSONValue) throws -> JSONValue { shared.parts.prepareWriting }

  /// Makes a resource.
  ///
  /// - Parameters:
  ///   - recipe: The mapping. Its identity is the last part of the URL of one entity.
  ///   - name: The name; that of the recipe by default. Two resources of one recipe need different
  ///     ones.
  ///   - update: A way to send a change.
  ///   - staleAfter: How long fetched data counts as fresh; not at all by default.
  ///   - conflicts: What happens if the server has something newer.
  ///   - url: Where all entities are. It is asked for each attempt, so it may change.
  public init(
    _ recipe: Recipe, named name: String? = nil, update: Update = .replacing,
    staleAfter: Duration = .zero, conflicts: RemoteConflictPolicy = .ifMatch(.local),
    at url: @escaping @Sendable () throws -> URL
  ) {
    shared = Shared(
      Parts(
        recipe: recipe, name: name ?? recipe.name, update: update, staleAfter: staleAfter,
        conflicts: conflicts, key: recipe.key, hasRelations: !recipe.relations.isEmpty, url: url))
  }

  private init(_ parts: Parts) { shared = Shared(parts) }

  /// Whether what is to be sent depends on the data that the server has.
  var keepsCopies: Bool { update == .patching || conflicts.winner != nil }

  /// The resource with lists that are asked for in parts, by ``Remote/pages(_:size:parameters:)``.
  public func paged(by paging: Paging) -> Resource {
    var parts = shared.parts
    parts.paging = paging
    return Resource(parts)
  }

  /// Takes the data of an answer from a place in it.
  ///
  /// ```swift
  /// let enveloped = try posts.reading(at: "data", list: "data.items")
  /// ```
  ///
  /// - Parameters:
  ///   - path: Where the data of one entity is, such as `"data"`.
  ///   - list: Where a list is; at the same place by default.
  /// - Returns: The resource.
  /// - Throws: `JSONPathError`, if one is no path.
  public func reading(at path: String, list: String? = nil) throws(JSONPathError) -> Resource {
    var parts = shared.parts
    parts.path = try JSONPath(path)
    parts.listPath = try JSONPath(list ?? path)
    return Resource(parts)
  }

  /// Makes of an answer what the recipe expects, for one entity and for each element of a list.
  public func reading(_ prepare: @escaping @Sendable (JSONValue) throws -> JSONValue) -> Resource {
    var parts = shared.parts
    parts.prepareReading = prepare
    return Resource(parts)
  }

  /// Leaves fields without a value out of what is sent, for servers that refuse `null` or have
  /// values of their own then.
  ///
  /// Those of `POST` and `PUT`, also in objects, and after ``writing(_:)``; a parameter of the
  /// configuration does not take their place. A `PATCH` says by `null` that a value is gone.
  public func omittingNull() -> Resource {
    var parts = shared.parts
    parts.omitsNull = true
    return Resource(parts)
  }

  /// Makes of an entity's data what the server expects, before parameters are added.
  public func writing(_ prepare: @escaping @Sendable (JSONValue) throws -> JSONValue) -> Resource {
    var parts = shared.parts
    parts.prepareWriting = prepare
    return Resource(parts)
  }
}
