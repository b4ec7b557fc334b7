public import ECSRecipes
public import Foundation

/// Where the entities of a recipe are on a server, and in what form.
///
/// ```swift
/// let posts = Resource(postRecipe) { URL(string: "https://example.org/posts")! }
/// ```
///
/// All of them are at the URL, and one is at the URL with its key behind: the key is the recipe's
/// identity, and what is not allowed in a path is encoded. An entity without the component of the
/// identity is one that the server has not yet seen.
public struct Resource: Sendable {
  /// How a change is sent.
  public enum Update: Sendable, Hashable {
    /// `PUT` with all fields.
    case replacing

    /// `PATCH` with the fields that changed since the server was last heard of, those that are gone as
    /// `null`; all of them if it never was. Objects are compared field by field, lists as wholes.
    case patching
  }

  /// The mapping.
  public let recipe: Recipe

  /// The name, which tells it from others.
  public let name: String

  /// How a change is sent.
  public let update: Update

  /// How long fetched data counts as fresh.
  public let staleAfter: Duration

  /// What happens if the server has something newer than what a change was based on.
  public let conflicts: RemoteConflictPolicy

  // PERFORMANCE: A recipe describes its fields each time it is asked, which is most of a small request.
  let key: RecipeField?
  let hasRelations: Bool

  let url: @Sendable () throws -> URL
  var paging = Paging.none
  private(set) var path = JSONPath.root
  private(set) var listPath = JSONPath.root
  private(set) var prepareReading: (@Sendable (JSONValue) throws -> JSONValue)?
  private(set) var prepareWriting: @Sendable (JSONValue) throws -> JSONValue = { $0 }

  /// Makes a resource.
  ///
  /// - Parameters:
  ///   - recipe: The mapping. Its identity is the last part of the URL of one entity.
  ///   - name: The name; that of the recipe by default. Two resources of one recipe need different ones.
  ///   - update: How a change is sent.
  ///   - staleAfter: How long fetched data counts as fresh; not at all by default.
  ///   - conflicts: What happens if the server has something newer.
  ///   - url: Where all entities are. It is asked for each attempt, so it may change.
  public init(
    _ recipe: Recipe, named name: String? = nil, update: Update = .replacing,
    staleAfter: Duration = .zero, conflicts: RemoteConflictPolicy = .ifMatch(.local),
    at url: @escaping @Sendable () throws -> URL
  ) {
    self.recipe = recipe
    key = recipe.key
    hasRelations = !recipe.relations.isEmpty
    self.name = name ?? recipe.name
    self.update = update
    self.staleAfter = staleAfter
    self.conflicts = conflicts
    self.url = url
  }

  /// Whether it takes the data that the server has to know what to send.
  var keepsCopies: Bool { update == .patching || conflicts.winner != nil }

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
    var resource = self
    resource.path = try JSONPath(path)
    resource.listPath = try JSONPath(list ?? path)
    return resource
  }

  /// Makes of an answer what the recipe expects, for one entity and for each element of a list.
  public func reading(_ prepare: @escaping @Sendable (JSONValue) throws -> JSONValue) -> Resource {
    var resource = self
    resource.prepareReading = prepare
    return resource
  }

  /// Makes of an entity's data what the server expects, before parameters are added.
  public func writing(_ prepare: @escaping @Sendable (JSONValue) throws -> JSONValue) -> Resource {
    var resource = self
    resource.prepareWriting = prepare
    return resource
  }
}
