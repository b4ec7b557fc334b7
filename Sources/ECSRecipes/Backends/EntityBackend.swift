public import ECS
public import JSONValues

/// A place where the entities of a recipe are kept: a storage, a store, a server, or some of them
/// together.
///
/// ```swift
/// func refresh(_ books: some EntityBackend) async throws(BackendError) {
///   for book in try await books.list() { print(book) }
/// }
/// ```
///
/// A model is written once, for `some EntityBackend` or `any EntityBackend`, and the program
/// chooses. All back ends behave alike:
///
/// - Entities are those of one context, and are distinguished by the identity of the ``recipe``:
///   what is fetched twice is one entity.
/// - Fetching makes an entity what is kept of it, in one section of the context: what the data does
///   not mention stays, equal values are not written, and what was edited and not saved is
///   overwritten.
/// - If a call throws, what is kept is as it was, and no component of the recipe has changed,
///   unless the back end says otherwise.
/// - Nothing of it may be called in a section of the context, apart from `saveLater` and
///   `deleteLater`.
///
/// A back end of your own is a type with the requirements up to ``delete(key:)``; the others have
/// defaults. One that overwrites edits when it lists, and is to be a local half, has
/// ``list(unless:)`` as well.
public protocol EntityBackend: Sendable {
  /// What turns data into the entities of its context.
  var mapper: Mapper { get }

  /// The mapping of what is kept; it has an identity.
  var recipe: Recipe { get }

  /// What it is called in errors, such as `remote book`.
  var name: String { get }

  /// Makes an entity what is kept of it.
  ///
  /// - Returns: Whether that changed anything.
  /// - Throws: ``BackendError``; ``BackendError/Reason/notFound`` if nothing is kept.
  @discardableResult
  func fetch(_ entity: Entity) async throws(BackendError) -> RecipeOutcome

  /// The entity of a key, made if the context does not have it.
  ///
  /// - Parameter key: The key as data, as the recipe's identity has it.
  /// - Returns: The entity.
  /// - Throws: ``BackendError``; ``BackendError/Reason/notFound`` if nothing is kept.
  @discardableResult
  func fetch(key: JSONValue) async throws(BackendError) -> Entity

  /// All entities that are kept, each as it is kept: those of a storage in the order of their keys,
  /// others in that of the store or the server.
  ///
  /// They are made or changed in one section. Entities that are not kept, or no more, stay as they
  /// are.
  ///
  /// - Throws: ``BackendError``; one that can't be read is an error for all.
  func list() async throws(BackendError) -> [Entity]

  /// Keeps what an entity is.
  ///
  /// - Returns: Whether what the back end answered has changed the entity, such as by giving it a
  ///   key.
  /// - Throws: ``BackendError``; ``BackendError/Reason/missingKey`` if it has none, and the back
  ///   end gives none.
  @discardableResult
  func save(_ entity: Entity) async throws(BackendError) -> RecipeOutcome

  /// Deletes what is kept under a key, and destroys the entity that has it, if there is one;
  /// nothing there is as well.
  ///
  /// - Throws: ``BackendError``.
  func delete(key: JSONValue) async throws(BackendError)

  /// Deletes what is kept of an entity, and destroys it; by default by its key.
  ///
  /// - Throws: ``BackendError``; ``BackendError/Reason/missingKey`` if it has none.
  func delete(_ entity: Entity) async throws(BackendError)

  /// Keeps what several entities are; by default one after the other.
  ///
  /// - Throws: ``BackendError``, about the first that can't be kept; those before it are.
  func save(_ entities: [Entity]) async throws(BackendError)

  /// Notes that an entity is to be saved when that is possible; false if this back end can't, which
  /// is the default.
  func saveLater(_ entity: Entity) -> Bool

  /// Destroys an entity, and notes that what is kept of it is to be deleted when that is possible;
  /// false if this back end can't, which is the default: nothing has happened then.
  func deleteLater(_ entity: Entity) -> Bool

  // MARK: As a half of a combination

  /// Whether the context is ahead of what is kept elsewhere under a key: an entity has changes that
  /// were noted and wait, or its deletion does. False by default. It may be called in a section of
  /// the context.
  func hasUnsent(key: JSONValue) -> Bool

  /// Keeps what the other half has noted for later; nothing by default.
  ///
  /// - Throws: ``BackendError``.
  func keepNotes() async throws(BackendError)

  /// Makes an entity what is kept of it, unless the context is ahead of that.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - isAhead: Whether what the context has under a key stays as it is. By default it is asked
  ///     before; a back end that can asks in the section in which it changes something.
  /// - Returns: Whether that changed anything.
  /// - Throws: ``BackendError``, as ``fetch(_:)``.
  func fetch(
    _ entity: Entity, unless isAhead: @Sendable (JSONValue) -> Bool
  ) async throws(BackendError) -> RecipeOutcome

  /// The entity of a key, made what is kept of it, unless the context is ahead of that.
  ///
  /// - Throws: ``BackendError``, as ``fetch(key:)``; ``BackendError/Reason/notFound`` if the
  ///   context is ahead, and has none.
  func fetch(
    key: JSONValue, unless isAhead: @Sendable (JSONValue) -> Bool
  ) async throws(BackendError) -> Entity

  /// All entities that are kept, but those that the context is ahead of as they are there, and none
  /// that it has deleted.
  ///
  /// By default this is ``list()``. A back end that overwrites with it what was edited, as a
  /// storage does, has to implement it to be the local half of a ``LocalFirstBackend`` whose remote
  /// half can do things later.
  ///
  /// - Throws: ``BackendError``, as ``list()``.
  func list(unless isAhead: @Sendable (JSONValue) -> Bool) async throws(BackendError) -> [Entity]
}

extension EntityBackend {
  /// The context of the entities.
  public var context: Context { mapper.context }

  /// Deletes what is kept under the entity's key, and destroys the entity.
  public func delete(_ entity: Entity) async throws(BackendError) {
    try await delete(key: key(of: entity))
  }

  /// Keeps what entities are, one after the other.
  public func save(_ entities: [Entity]) async throws(BackendError) {
    for entity in entities { try await save(entity) }
  }

  /// False: it can't.
  public func saveLater(_ entity: Entity) -> Bool { false }

  /// False: it can't.
  public func deleteLater(_ entity: Entity) -> Bool { false }

  /// False: nothing waits.
  public func hasUnsent(key: JSONValue) -> Bool { false }

  /// Does nothing.
  public func keepNotes() async throws(BackendError) {}

  /// Fetches an entity, unless the context is ahead of what is kept.
  public func fetch(
    _ entity: Entity, unless isAhead: @Sendable (JSONValue) -> Bool
  ) async throws(BackendError) -> RecipeOutcome {
    isAhead(try key(of: entity)) ? .unchanged : try await fetch(entity)
  }

  /// Fetches the entity of a key, unless the context is ahead of what is kept.
  public func fetch(
    key: JSONValue, unless isAhead: @Sendable (JSONValue) -> Bool
  ) async throws(BackendError) -> Entity {
    if !isAhead(key) { return try await fetch(key: key) }
    guard let entity = try entity(withKey: key) else { throw BackendError(name, .notFound) }
    return entity
  }

  /// As ``list()``.
  public func list(
    unless isAhead: @Sendable (JSONValue) -> Bool
  ) async throws(BackendError) -> [Entity] {
    try await list()
  }

  /// The entity that the context has for a key; nil if it has none.
  func entity(withKey key: JSONValue) throws(BackendError) -> Entity? {
    do throws(RecipeError) {
      return try mapper.entity(withKey: key, of: recipe)
    } catch {
      throw BackendError(name, .missingKey, underlying: error)
    }
  }

  /// The key of an entity, for back ends of one's own.
  ///
  /// - Throws: ``BackendError``: ``BackendError/Reason/missingKey``,
  ///   ``BackendError/Reason/deadEntity``, or that the entity can't be written.
  public func key(of entity: Entity) throws(BackendError) -> JSONValue {
    do throws(RecipeError) {
      if let key = try mapper.key(of: entity, with: recipe) { return key }
    } catch {
      throw BackendError(name, error)
    }
    throw BackendError(name, .missingKey)
  }
}
