/// Finds the one entity that a key identifies, and keeps keys unique.
///
/// ```swift
/// struct UserID: Component { let value: Int }
///
/// let users = context.primaryIndex { (id: UserID) in id.value }
/// let user = users.getOrCreate(UserID(value: 7))
/// users[7] == user  // true
/// try users.assign(UserID(value: 7), to: another)  // throws DuplicateKeyError
/// ```
///
/// Data whose keys may collide goes through ``getOrCreate(_:)`` or ``assign(_:to:)``. Setting the
/// component in any other way to a key that another entity has is a programmer error and stops
/// with a message.
///
/// It works from its creation until it is released. When its context goes, it is empty.
public final class PrimaryIndex<C: Component, Key: Hashable & Sendable>: Sendable {
  @usableFromInline
  let core: CoreReference

  @usableFromInline
  let storage: IndexStorage<Key>

  let key: @Sendable (C) -> Key
  private let registration: IndexRegistration

  /// The entities that a running iteration has asked for and that come to life when it ends.
  // Guarded by the lock of the core.
  nonisolated(unsafe) private var coming: [Key: Entity] = [:]

  init(
    storage: IndexStorage<Key>, registration: IndexRegistration, key: @escaping @Sendable (C) -> Key
  ) {
    core = registration.core
    self.storage = storage
    self.registration = registration
    self.key = key
  }

  /// The entity that a key identifies; nil if there is none.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  public subscript(key: Key) -> Entity? {
    let isOutermost = core.enterBriefly()
    defer { core.leaveBriefly(isOutermost) }
    return storage.first(key)
  }

  /// The number of keys, which is the number of entities.
  ///
  /// - Complexity: O(1).
  public var count: Int {
    core.section { storage.keyCount }
  }

  /// The entity that a component's key identifies, created with the component if there is none.
  ///
  /// An entity that exists keeps the component that it has. Inside of an iteration a new entity
  /// comes to life when the iteration ends; asking again until then gives the same one.
  ///
  /// - Returns: The entity; a dead one if the context is gone.
  /// - Complexity: O(1) on average.
  public func getOrCreate(_ component: C) -> Entity {
    core.enter()
    defer { core.leave() }
    let key = key(component)
    if let entity = storage.first(key) ?? coming[key] { return entity }
    guard registration.isOfPresentContext else { return Entity(core: core, handle: .dead) }
    let entity = Entity(core: core, handle: core.createOrReserve(component))
    if !core.acceptsChanges { expect(entity, key) }
    return entity
  }

  /// Sets the component of an entity, unless its key identifies another entity.
  ///
  /// - Throws: ``DuplicateKeyError`` if another entity has the key; nothing has changed and nobody
  ///   is notified then.
  /// - Complexity: O(1) on average.
  public func assign(_ component: C, to entity: Entity) throws(DuplicateKeyError<Key>) {
    core.enter()
    defer { core.leave() }
    let key = key(component)
    if let holder = storage.first(key) ?? coming[key], holder != entity {
      throw DuplicateKeyError(key: key, holder: holder)
    }
    entity.set(component)
    if !core.acceptsChanges { expect(entity, key) }
  }

  /// Remembers who is to have a key until the running iteration ends.
  private func expect(_ entity: Entity, _ key: Key) {
    coming[key] = entity
    core.deferChange { self.coming[key] = nil }
  }

  /// Whether changes are ignored; see ``pause()``.
  public var isPaused: Bool { registration.isPaused }

  /// Empties the index and ignores changes until ``resume()``.
  ///
  /// Keys are not kept unique meanwhile.
  public func pause() {
    registration.pause()
  }

  /// Fills the index again, and keeps it up to date from here on.
  ///
  /// - Throws: ``DuplicateKeyError`` if two entities have come to have the same key; the index
  ///   stays paused then.
  /// - Complexity: O(*n*), where *n* is the number of entities with the component.
  public func resume() throws(DuplicateKeyError<Key>) {
    core.enter()
    defer { core.leave() }
    if isPaused, let duplicate = firstDuplicate() { throw duplicate }
    registration.resume()
  }

  private func firstDuplicate() -> DuplicateKeyError<Key>? {
    var holders: [Key: Entity] = [:]
    var duplicate: DuplicateKeyError<Key>?
    core.forEachValue(of: C.self) { handle, value in
      let (key, entity) = (key(value), Entity(core: core, handle: handle))
      if let holder = holders.updateValue(entity, forKey: key), duplicate == nil {
        duplicate = DuplicateKeyError(key: key, holder: holder)
      }
    }
    return duplicate
  }
}

/// A key was to be given to an entity although another one has it.
public struct DuplicateKeyError<Key: Hashable & Sendable>: Error, Sendable, Hashable {
  /// The key.
  public let key: Key

  /// The entity that has the key.
  public let holder: Entity

  /// Makes an error.
  public init(key: Key, holder: Entity) {
    self.key = key
    self.holder = holder
  }
}

extension DuplicateKeyError: CustomStringConvertible {
  /// What is wrong, with the key and its holder.
  public var description: String {
    "The key \(key) was to be given to a second entity: \(holder) has it."
  }
}

extension Context {
  /// Makes an index in which a key identifies at most one entity.
  ///
  /// Keep the result: the index works as long as it is referenced.
  ///
  /// - Parameters:
  ///   - paused: Whether to begin paused.
  ///   - key: Computes the key. It runs in the context's critical section and must not change the
  ///     context, which stops with a message.
  /// - Returns: The index, up to date unless paused.
  /// - Precondition: Unless paused, no two entities have the same key. If the data that is there
  ///   already may hold duplicates, make the index paused and ``PrimaryIndex/resume()`` it.
  /// - Complexity: O(*n*), where *n* is the number of entities with the component; O(1) on average
  ///   for each change of the component afterwards.
  @inlinable
  public func primaryIndex<C: Component, Key: Hashable & Sendable>(
    paused: Bool = false, key: @escaping @Sendable (C) -> Key
  ) -> PrimaryIndex<C, Key> {
    let storage = IndexStorage<Key>()
    let core = core
    let sink = IndexSink(
      C.self,
      update: { (handle, value: C) in
        let (key, entity) = (key(value), Entity(core: core, handle: handle))
        if let holder = storage.first(key), holder != entity {
          stopAtDuplicate("\(C.self)", "\(key)")
        }
        storage.update(entity, key)
      },
      remove: { storage.remove($0) },
      clear: { storage.removeAll() })
    return makePrimaryIndex(storage, sink, paused: paused, key)
  }

  @usableFromInline
  func makePrimaryIndex<C: Component, Key: Hashable & Sendable>(
    _ storage: IndexStorage<Key>, _ sink: IndexSink, paused: Bool,
    _ key: @escaping @Sendable (C) -> Key
  ) -> PrimaryIndex<C, Key> {
    let registration = IndexRegistration(core: core, sink: sink, paused: paused)
    return PrimaryIndex(storage: storage, registration: registration, key: key)
  }
}

@usableFromInline
@inline(never)
func stopAtDuplicate(_ component: String, _ key: String) -> Never {
  preconditionFailure(
    "\(component) was set to the key \(key), which another entity has: use assign(_:to:) or getOrCreate(_:) of the primary index for keys that may collide."
  )
}
