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
/// is a programmer error and stops with a message. For values that change, use an ``Index``. A key
/// that does not equal itself, such as a number that is none (NaN), identifies nothing:
/// ``assign(_:to:)`` and ``copy(_:to:)`` throw, ``getOrCreate(_:)`` makes nothing, and an entity
/// that gets such a key in another way is not in the index.
///
/// It works from its creation until it is released. When its context goes away, it is empty.
///
/// Inside an iteration, the thread that iterates sees what it has asked for, although that waits:
/// the key of an entity that is about to end, or to lose it, is free, and one that is about to get
/// a key is found. An index that begins to work there, too, has what was asked for before.
public final class PrimaryIndex<C: Component, Key: Hashable & Sendable>: Sendable {
  @usableFromInline
  let core: Core

  @usableFromInline
  let storage: IndexStorage<Key>

  @usableFromInline let key: @Sendable (C) -> Key
  let functions: KeyFunctions<C, Key>
  let registration: IndexRegistration

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
    core.find(by: Key.self) { $0 ? firstSeen(key) : storage.first(key) }
  }

  /// The entity that a key identifies, as by the subscript; nil if there is none.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  public func holder(of key: Key) -> Entity? { self[key] }

  /// The entity that a key identifies, within a section.
  @inlinable
  @inline(__always)
  func find(_ key: Key) -> Entity? {
    core.acceptsChanges ? storage.first(key) : firstSeen(key)
  }

  /// The entity that a key identifies, inside an iteration or in other code that must not change
  /// the context.
  @usableFromInline
  @inline(never)
  func firstSeen(_ key: Key) -> Entity? {
    registration.isAtWork ? storage.firstSeen(key) : storage.first(key)
  }

  /// The number of keys, which is the number of entities.
  ///
  /// - Complexity: O(1); inside an iteration in which changes wait, that of ``keys``.
  public var count: Int {
    core.read { core.mayHaveQueued ? keys.count : storage.keyCount }
  }

  /// The keys at this moment, each once, in no order that has a meaning.
  ///
  /// - Complexity: O(*k*), where *k* is the number of keys.
  public var keys: [Key] {
    core.read {
      core.mayHaveQueued && registration.isAtWork ? storage.allSeenKeys : storage.keys
    }
  }

  /// The entity that a component's key identifies, created with the component if there is none.
  ///
  /// An existing entity keeps its component. Inside an iteration, a new entity comes to life when
  /// the iteration ends; asking again until then returns the same one, and asking for the key of
  /// one that waits to be destroyed returns a new one.
  ///
  /// - Returns: The entity; a dead one if the context is gone, or if the key does not equal itself,
  ///   which counts among the writes to dead entities of ``Context/statistics``.
  /// - Complexity: O(1) on average.
  @inlinable
  public func getOrCreate(_ component: C) -> Entity {
    // PERFORMANCE: P1: inlinable, so that keys and components are copied by code that has their
    // types.
    core.enter()
    defer { core.leave() }
    let key = key(component)
    if let entity = find(key) { return entity }
    guard key == key, isOfPresentContext else { return refused() }
    return Entity(core: core, handle: core.createOrReserve(component))
  }

  /// What stands for an entity that can't be made.
  @usableFromInline
  func refused() -> Entity {
    if isOfPresentContext { core.pointer.pointee.slots.staleWrites += 1 }
    return Entity(core: core, handle: .dead)
  }

  /// The key that an entity has; nil if it has none.
  ///
  /// - Complexity: O(1) on average.
  public func key(of entity: Entity) -> Key? {
    core.read {
      guard entity.core == core else { return nil }
      if core.mayHaveQueued, registration.isAtWork { return storage.seenKey(of: entity.handle) }
      return core.isAlive(entity.handle) ? storage.key(of: entity.handle) : nil
    }
  }

  /// The key that entities with a component have.
  ///
  /// For code that has components and looks for their entities.
  ///
  /// - Complexity: That of the closure that the index was made with.
  public func key(for component: C) -> Key { key(component) }

  /// Whether the context that the index was made for still exists.
  @usableFromInline var isOfPresentContext: Bool { registration.isOfPresentContext }

  /// Whether changes are ignored; see ``pause()``.
  public var isPaused: Bool { registration.isPaused }

  /// Empties the index and ignores changes until ``resume()``.
  ///
  /// While paused, keys are not kept unique, and they may change. No ``Context/transaction(_:)``
  /// takes it back: it is no change of entities.
  ///
  /// - Precondition: Not called by a filter, a sort key, a key closure or anything else that must
  ///   not change the context; nor is ``resume()``.
  public func pause() {
    registration.pause()
  }

  /// Fills the index again, and keeps it up to date from here on.
  ///
  /// No ``Context/transaction(_:)`` takes it back, unless two entities have the same key after the
  /// way back: then the index is paused again.
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
    settleAfterIteration()
  }

  /// Lets an index that begins to work inside an iteration be, until what waits is done.
  ///
  /// On the way to that, entities may have keys for which the index was not asked, so it is filled
  /// once more then.
  func settleAfterIteration() {
    guard !core.acceptsChanges, core.commands.hasEntries else { return }
    storage.unsettled += 1
    core.commands.add {
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
      guard key == key else { return }
      if let holder = holders.updateValue(entity, forKey: key), holder != entity, duplicate == nil {
        duplicate = .duplicate(key: key, holder: holder)
      }
    }
    core.forEachValue(of: C.self) { handle, value in
      if !core.commands.isAboutToChange(ComponentKey(C.self), of: handle) { add(handle, value) }
    }
    for (handle, value) in core.commands.values(of: C.self) { add(handle, value) }
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
