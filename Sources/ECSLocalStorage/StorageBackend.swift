public import ECS
public import ECSRecipes
import Foundation

/// Entities of a recipe in a storage, each under `<recipe>/<key>`, as a back end.
///
/// ```swift
/// let books = StorageBackend(storage, recipe, mapper)
/// try await books.save(book)   // as mapper.save(book, with: recipe, to: storage)
/// ```
///
/// Fetching or listing applies the value kept at that moment, even while another thread saves the
/// same entity.
///
/// Calls are done when they return, and hold the calling thread meanwhile: with a ``FileStorage``,
/// for some milliseconds for each entity that differs from what is kept. They can't be cancelled.
public struct StorageBackend: EntityBackend {
  /// The storage.
  public let storage: any KeyValueStorage

  /// The mapping.
  public let recipe: Recipe

  /// What turns values into entities.
  public let mapper: Mapper

  /// What is kept with each entity that is saved or deleted, after it.
  public let lists: [KeptList]

  /// Makes a back end.
  ///
  /// - Parameters:
  ///   - storage: The storage.
  ///   - recipe: The mapping.
  ///   - mapper: A mapper of the entities' context.
  ///   - lists: What is kept with each entity, such as what a `LocalFirstBackend` notes for later.
  /// - Precondition: The recipe has a name, in which there is no slash, and an identity.
  public init(
    _ storage: any KeyValueStorage, _ recipe: Recipe, _ mapper: Mapper, with lists: [KeptList] = []
  ) {
    require(
      !recipe.name.isEmpty && !recipe.name.contains("/") && recipe.key?.keyPath != nil,
      "A back end was asked for the recipe '\(recipe.name)': give it a name without slashes and an identity."
    )
    (self.storage, self.recipe, self.mapper, self.lists) = (storage, recipe, mapper, lists)
  }

  /// `storage` and the name of the recipe.
  public var name: String { "storage \(recipe.name)" }

  // MARK: Reading

  /// Makes an entity what is kept of it, in one section.
  @discardableResult
  public func fetch(_ entity: Entity) async throws(BackendError) -> RecipeOutcome {
    try await fetch(entity) { _ in false }
  }

  /// Makes an entity what is kept of it, unless the context is ahead of that, which is asked in the
  /// same section.
  public func fetch(
    _ entity: Entity, unless isAhead: @Sendable (JSONValue) -> Bool
  ) async throws(BackendError) -> RecipeOutcome {
    let key = try key(of: entity)
    let storageKey = storageKey(of: key)
    return try KeyedLock.take(for: storageKey) { () throws(BackendError) in
      let value = try record(at: storageKey)
      do throws(RecipeError) {
        return try context.perform { () throws(RecipeError) in
          isAhead(key) ? .unchanged : try mapper.update(entity, with: recipe, from: value)
        }
      } catch {
        throw BackendError(name, error)
      }
    }
  }

  /// The entity of a key, made or changed in one section.
  @discardableResult
  public func fetch(key: JSONValue) async throws(BackendError) -> Entity {
    try await fetch(key: key) { _ in false }
  }

  /// The entity of a key, unless the context is ahead of what is kept, which is asked in the same
  /// section.
  public func fetch(
    key: JSONValue, unless isAhead: @Sendable (JSONValue) -> Bool
  ) async throws(BackendError) -> Entity {
    let storageKey = try checked(key)
    let entity = try KeyedLock.take(for: storageKey) { () throws(BackendError) in
      let value = try record(at: storageKey)
      do throws(RecipeError) {
        return try context.perform { () throws(RecipeError) -> Entity? in
          if isAhead(key) { return try mapper.entity(withKey: key, of: recipe) }
          return try mapper.make(recipe, from: value)
        }
      } catch {
        throw BackendError(name, error)
      }
    }
    guard let entity else { throw BackendError(name, .notFound) }
    return entity
  }

  /// All entities that are kept, in the order of their keys as texts.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of values in the storage.
  public func list() async throws(BackendError) -> [Entity] { try await list { _ in false } }

  /// All entities that are kept; of those that the context is ahead of, what it has.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of values in the storage.
  public func list(
    unless isAhead: @Sendable (JSONValue) -> Bool
  ) async throws(BackendError) -> [Entity] {
    let keys = try translating { () throws(StorageError) in try storage.keys() }
    let prefix = "\(recipe.name)/"
    var kept: [Record] = []
    for key in keys where key.hasPrefix(prefix) {
      let count = KeyedLock.count(for: key)
      // It may have been deleted meanwhile.
      guard let value = try recordIfAny(at: key) else { continue }
      kept.append(Record(storageKey: key, value: value, count: count))
    }
    return try KeyedLock.takeAll { wasTaken throws(BackendError) in
      var current: [Record] = []
      for var record in kept {
        if wasTaken(record.storageKey, record.count) {
          guard let value = try recordIfAny(at: record.storageKey) else { continue }
          record.value = value
        }
        current.append(record)
      }
      return try apply(current, unless: isAhead)
    }
  }

  /// The record that is kept at a place.
  private struct Record {
    let storageKey: String
    var value: JSONValue

    /// That of its turns when it was read.
    let count: Int
  }

  private func apply(
    _ kept: [Record], unless isAhead: (JSONValue) -> Bool
  ) throws(BackendError) -> [Entity] {
    var applied: [Int] = []
    do throws(ImportError) {
      return try context.perform { () throws(ImportError) in
        var entities = [Entity?](repeating: nil, count: kept.count)
        for (position, record) in kept.enumerated() {
          let key = self.key(in: record.value)
          if isAhead(key) {
            entities[position] = (try? mapper.entity(withKey: key, of: recipe)) ?? nil
          } else {
            applied.append(position)
          }
        }
        let made = try mapper.importList(
          applied.map { kept[$0].value }, with: recipe, policy: .allOrNothing
        ).entities
        for (position, entity) in zip(applied, made) { entities[position] = entity }
        return entities.compactMap(\.self)
      }
    } catch {
      guard let first = error.failures.first else { return [] }
      throw BackendError(
        name, first.error,
        underlying: StorageError.unreadable(
          key: kept[applied[first.position]].storageKey, reason: first.error.description))
    }
  }

  // MARK: Writing

  /// Keeps what an entity is; what is kept already is not written again.
  ///
  /// When it returns, the storage has what the entity was when it was called, or something newer,
  /// even while another thread saves it. The lists are kept even if the entity has no key.
  @discardableResult
  public func save(_ entity: Entity) async throws(BackendError) -> RecipeOutcome {
    do throws(BackendError) {
      try keep(entity)
    } catch {
      if error.reason == .missingKey { try await keepNotes() }
      throw error
    }
    try await keepNotes()
    return .unchanged
  }

  /// Keeps what several entities are, and then the lists, once.
  ///
  /// - Throws: `BackendError`, about the first that can't be kept; all others are.
  public func save(_ entities: [Entity]) async throws(BackendError) {
    var failure: BackendError?
    for entity in entities {
      do throws(BackendError) {
        try keep(entity)
      } catch {
        failure = failure ?? error
      }
    }
    do throws(BackendError) {
      try await keepNotes()
    } catch {
      failure = failure ?? error
    }
    if let failure { throw failure }
  }

  /// Keeps the lists.
  public func keepNotes() async throws(BackendError) {
    try translating { () throws(StorageError) in
      for list in lists { try list.save() }
    }
  }

  private func keep(_ entity: Entity) throws(BackendError) {
    // Its key may change while others are waited for.
    while true {
      let storageKey = storageKey(of: try key(of: entity))
      let isKept = try KeyedLock.take(for: storageKey) { () throws(BackendError) in
        try keep(entity, at: storageKey)
      }
      if isKept { return }
    }
  }

  // Keeps an entity at a place, in the turn of that; false if it belongs to another one.
  private func keep(_ entity: Entity, at storageKey: String) throws(BackendError) -> Bool {
    let value: JSONValue
    do throws(RecipeError) {
      value = try mapper.decompose(entity, with: recipe)
    } catch {
      throw BackendError(name, error)
    }
    let key = key(in: value)
    // A recipe may write no key, although it reads one.
    guard key != .null else { throw BackendError(name, .missingKey) }
    guard self.storageKey(of: key) == storageKey else { return false }
    try translating { () throws(StorageError) in
      // What can't be read is written over.
      if (try? storage.value(for: storageKey)) != value { try storage.set(value, for: storageKey) }
    }
    return true
  }

  /// Destroys the entity that has a key, and takes out what is kept under it, readable or not.
  ///
  /// The lists are kept before anything is gone, and again at the end. If that fails the first
  /// time, or a relation denies the destruction, which is `BackendError.Reason.refused`, all is as
  /// it was. If the value can't be taken out, or the process ends before, the entity is gone and
  /// its value is not: delete the key again.
  public func delete(key: JSONValue) async throws(BackendError) {
    let storageKey = try checked(key)
    let entity: Entity?
    do throws(RecipeError) {
      entity = try mapper.entity(withKey: key, of: recipe)
    } catch {
      throw BackendError(name, .missingKey, underlying: error)
    }
    try await keepNotes()
    try KeyedLock.take(for: storageKey) { () throws(BackendError) in
      do throws(DestructionDenied) {
        try entity?.destroyIfAllowed()
      } catch {
        throw BackendError(name, .refused, underlying: error)
      }
      try translating { () throws(StorageError) in _ = try storage.removeValue(for: storageKey) }
    }
    try await keepNotes()
  }

  // MARK: Values

  /// The place of a key as the recipe writes it.
  private func storageKey(of key: JSONValue) -> String {
    let text = key.string ?? key.json()
    // Storages take texts for one key that look the same, and entities are known by the bytes of
    // theirs.
    if text.utf8.allSatisfy({ $0 < 0x80 })
      || text.precomposedStringWithCanonicalMapping.utf8.elementsEqual(text.utf8)
    {
      return "\(recipe.name)/\(text)"
    }
    let bytes = text.utf8.map { String($0, radix: 16) }.joined(separator: "-")
    return "\(recipe.name)/\u{FFFF}\(bytes)"
  }

  /// The key in a value that has one.
  private func key(in value: JSONValue) -> JSONValue {
    recipe.key.flatMap { value[$0.path] } ?? .null
  }

  /// The place of a key, however it is written, if the recipe can have it.
  private func checked(_ key: JSONValue) throws(BackendError) -> String {
    do throws(RecipeError) {
      return storageKey(of: try recipe.writtenKey(key))
    } catch {
      throw BackendError(name, .missingKey, underlying: error)
    }
  }

  private func record(at storageKey: String) throws(BackendError) -> JSONValue {
    guard let value = try recordIfAny(at: storageKey) else { throw BackendError(name, .notFound) }
    return value
  }

  // What is kept says its key: another one would make another entity.
  private func recordIfAny(at storageKey: String) throws(BackendError) -> JSONValue? {
    let value = try translating { () throws(StorageError) in try storage.value(for: storageKey) }
    guard let value, let path = recipe.key?.path else { return nil }
    guard let key = value[path] else {
      throw BackendError(name, RecipeError(recipe: recipe.name, path: path, reason: .missing))
    }
    // Others may have written it in their own way.
    let storageKeys = [self.storageKey(of: key), try checked(key)]
    guard storageKeys.contains(storageKey) else {
      throw BackendError(
        name, RecipeError(recipe: recipe.name, path: path, reason: .identityMismatch))
    }
    return value
  }
}

extension StorageBackend {
  private func translating<Value>(
    _ body: () throws(StorageError) -> Value
  ) throws(BackendError) -> Value {
    do throws(StorageError) {
      return try body()
    } catch {
      throw BackendError(name, error)
    }
  }
}

extension BackendError {
  /// Makes an error of what a storage throws.
  init(_ backend: String, _ error: StorageError) {
    switch error {
    case .unavailable, .notWritten: self.init(backend, .unavailable, underlying: error)
    case .badKey, .missingKey: self.init(backend, .missingKey, underlying: error)
    case .unreadable: self.init(backend, .unreadable, underlying: error)
    case .recipe(let reason): self.init(backend, reason, underlying: error)
    }
  }
}
