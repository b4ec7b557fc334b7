/// Finds the one entity that a key identifies, and keeps keys unique.
///
/// ```swift
/// struct UserID: Component { let value: Int }
///
/// let users = context.primaryIndex { (id: UserID) in id.value }
/// let user = users.getOrCreate(UserID(value: 7))
/// users[7] == user  // true
/// try users.assign(UserID(value: 7), to: another)  // throws IdentityError
/// ```
///
/// The key is the identity of an entity: it stays as long as the entity has the component, and no
/// second entity gets it. Removing the component or destroying the entity frees the key. Data whose
/// keys may collide or change goes through ``getOrCreate(_:)`` or ``assign(_:to:)``. Setting the
/// component in any other way to a key that another entity has, or changing the key of an entity,
/// is a programmer error and stops with a message. For values that change, use an ``Index``.
///
/// It works from its creation until it is released. When its context goes away, it is empty. One that
/// begins to work inside an iteration knows what waits for its end: an entity whose key is about to change
/// is found by ``holder(of:)`` with the key that it will have, and its former key is free.
public final class PrimaryIndex<C: Component, Key: Hashable & Sendable>: Sendable {
  @usableFromInline
  let core: Core

  @usableFromInline
  let storage: IndexStorage<Key>

  @usableFromInline let key: @Sendable (C) -> Key
  let functions: KeyFunctions<C, Key>
  let registration: IndexRegistration

  /// The entities that a running iteration has asked for and that come to life when it ends.
  // Guarded by the lock of the core.
  // PERFORMANCE: P4: checks of exclusive access would take longer than looking.
  @exclusivity(unchecked) @usableFromInline
  @safe nonisolated(unsafe) var coming: [Key: Entity] = [:]

  /// The keys of the same entities.
  // Guarded by the lock of the core.
  @safe nonisolated(unsafe) private var comingKeys: [Entity: Key] = [:]

  init(
    storage: IndexStorage<Key>, registration: IndexRegistration,
    functions: KeyFunctions<C, Key>, key: @escaping @Sendable (C) -> Key
  ) {
    core = registration.core
    self.storage = storage
    self.registration = registration
    self.functions = functions
    self.key = key
  }

  /// The entity that a key identifies; nil if there is none.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  public subscript(key: Key) -> Entity? {
    core.find(by: Key.self) { storage.first(key) }
  }

  /// The number of keys, which is the number of entities.
  ///
  /// - Complexity: O(1).
  public var count: Int {
    core.section { storage.keyCount }
  }

  /// The keys at this moment, each once, in no order that has a meaning.
  ///
  /// - Complexity: O(*k*), where *k* is the number of keys.
  public var keys: [Key] {
    core.section { storage.keys }
  }

  /// The entity that a component's key identifies, created with the component if there is none.
  ///
  /// An existing entity keeps its component. Inside an iteration, a new entity comes to life when
  /// the iteration ends; asking again until then returns the same one.
  ///
  /// - Returns: The entity; a dead one if the context is gone.
  /// - Complexity: O(1) on average.
  @inlinable
  public func getOrCreate(_ component: C) -> Entity {
    // PERFORMANCE: P1: inlinable, so that keys and components are copied by code that knows their
    // types.
    core.enter()
    defer { core.leave() }
    let key = key(component)
    if let entity = storage.first(key) ?? coming(key) { return entity }
    guard isOfPresentContext else { return Entity(core: core, handle: .dead) }
    let entity = Entity(core: core, handle: core.createOrReserve(component))
    if !core.acceptsChanges { expect(entity, key) }
    return entity
  }

  /// Remembers who is to have a key until the running iteration ends.
  @usableFromInline
  func expect(_ entity: Entity, _ key: Key) {
    coming[key] = entity
    comingKeys[entity] = key
    core.deferChange {
      self.coming[key] = nil
      self.comingKeys[entity] = nil
    }
  }

  /// The entity that has a key, or will have it when the running iteration ends; nil if there is
  /// none.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  public func holder(of key: Key) -> Entity? {
    core.find(by: Key.self) { storage.first(key) ?? coming(key) }
  }

  /// The entity that comes to have a key when the running iteration ends.
  @inlinable
  func coming(_ key: Key) -> Entity? { coming.isEmpty ? nil : coming[key] }

  /// Reserves a key for an entity that was given it inside an iteration, until that ends.
  ///
  /// For code that sets a component with a key by ``Entity/set(_:)``, after making sure with
  /// ``holder(of:)`` that nobody has it: from then on, ``holder(of:)``, ``getOrCreate(_:)`` and
  /// ``assign(_:to:)`` know about it. Outside an iteration, setting the component is enough, and
  /// this does nothing.
  ///
  /// - Complexity: O(1) on average.
  public func reserve(_ key: Key, for entity: Entity) {
    core.section {
      guard !core.acceptsChanges, storage.first(key) == nil, coming[key] == nil else { return }
      expect(entity, key)
    }
  }

  /// The key that an entity has, or will have when the running iteration ends; nil if it has none.
  ///
  /// - Complexity: O(1) on average.
  public func key(of entity: Entity) -> Key? {
    core.section {
      guard entity.core == core else { return nil }
      if core.isAlive(entity.handle), let key = storage.key(of: entity.handle) { return key }
      return comingKeys[entity]
    }
  }

  /// The key that entities with a component have.
  ///
  /// For whoever has components and looks for their entities.
  ///
  /// - Complexity: That of the closure that the index was made with.
  public func key(for component: C) -> Key { key(component) }

  /// Whether the context that the index was made for still exists.
  @usableFromInline var isOfPresentContext: Bool { registration.isOfPresentContext }

  /// Whether changes are ignored; see ``pause()``.
  public var isPaused: Bool { registration.isPaused }

  /// Empties the index and ignores changes until ``resume()``.
  ///
  /// While paused, keys are not kept unique, and they may change. No ``Context/transaction(_:)`` takes
  /// it back: it is no change of entities.
  ///
  /// - Precondition: Not called by a filter, a sort key, a key closure or anything else that must not change
  ///   the context; nor is ``resume()``.
  public func pause() {
    registration.pause()
  }

  /// Fills the index again, and keeps it up to date from here on.
  ///
  /// No ``Context/transaction(_:)`` takes it back, unless two entities have the same key after the way
  /// back: then the index is paused again.
  ///
  /// - Throws: ``IdentityError/duplicate(key:holder:)`` if two entities now have the same key; the
  ///   index then stays paused.
  /// - Complexity: O(*n*), where *n* is the number of entities with the component.
  public func resume() throws(IdentityError<Key>) {
    core.enter()
    defer { core.leave() }
    guard isPaused else { return }
    if let duplicate = firstDuplicate() { throw duplicate }
    registration.resume()
    expectQueued()
  }

  /// Remembers who comes to have a key by what the running iteration was asked for before the index
  /// worked.
  ///
  /// On the way to that, entities may have keys for which the index was not asked, so it is filled once
  /// more when it is done.
  func expectQueued() {
    guard !core.acceptsChanges, core.hasQueuedChanges else { return }
    for (handle, value) in core.queuedValues(of: C.self) {
      let entity = Entity(core: core, handle: handle)
      guard core.isAboutToChange(ComponentKey(C.self), of: handle) else { continue }
      // It may have been given another key while the index was paused.
      if let former = comingKeys[entity], coming[former] == entity { coming[former] = nil }
      expect(entity, key(value))
    }
    storage.unsettled += 1
    core.deferChange {
      self.storage.unsettled -= 1
      guard self.storage.unsettled == 0, !self.isPaused else { return }
      self.registration.pause()
      self.registration.resume()
    }
  }

  /// Two entities that have the same key, as the running iteration sees them.
  private func firstDuplicate() -> IdentityError<Key>? {
    var holders: [Key: Entity] = [:]
    var duplicate: IdentityError<Key>?
    func add(_ handle: Handle, _ value: C) {
      let (key, entity) = (key(value), Entity(core: core, handle: handle))
      if let holder = holders.updateValue(entity, forKey: key), holder != entity, duplicate == nil {
        duplicate = .duplicate(key: key, holder: holder)
      }
    }
    core.forEachValue(of: C.self) { handle, value in
      if !core.isAboutToChange(ComponentKey(C.self), of: handle) { add(handle, value) }
    }
    for (handle, value) in core.queuedValues(of: C.self) { add(handle, value) }
    return duplicate
  }
}

@usableFromInline
@inline(never)
func stopAtChange(_ component: String, _ current: String, _ key: String) -> Never {
  stop(
    "\(component) cannot change from the key \(current) to the key \(key), because keys do not change: remove the component first, or copy the entity to the new key with copy(_:to:) of the primary index."
  )
}
