/// Finds the entities of a context by a value computed from a component.
///
/// ```swift
/// let byTeam = context.index { (team: Team) in team.name }
/// byTeam["red"].count
///
/// let byTag = context.index(keys: { (article: Article) in article.tags })
/// byTag["swift"].first
/// ```
///
/// An index is up to date after every change, before anything is notified. It remembers the key of
/// each entity, so components that are or hold classes cannot make it stale: setting a component
/// computes its key again, and removing it uses the remembered key. Entities whose keys don't equal
/// themselves, as numbers that are none (NaN), are not in it.
///
/// Inside an iteration, the thread that iterates sees what it has asked for, although that waits;
/// see <doc:Iteration>.
///
/// It works from its creation until it is released. When its context goes away, it is empty.
public final class Index<Key: Hashable & Sendable>: Sendable {
  /// The component from which keys are computed.
  public var component: CID { registration.component }

  @usableFromInline
  let core: Core

  @usableFromInline
  let storage: IndexStorage<Key>

  private let registration: IndexRegistration

  init(storage: IndexStorage<Key>, registration: IndexRegistration) {
    core = registration.core
    self.storage = storage
    self.registration = registration
  }

  /// The entities under a key at this moment.
  ///
  /// They come in the order in which they got the key, except that the last one takes the position
  /// of one that leaves.
  ///
  /// - Complexity: O(1) on average; nothing is copied until the index or the result changes.
  @inlinable
  public subscript(key: Key) -> EntitySet {
    // PERFORMANCE: X2: all else is elsewhere, so that nothing is saved for it.
    @inline(__always)
    get {
      guard core.pointer.pointee.lock.isHeldByCurrentThread, core.acceptsChanges,
        let entities = storage.keptEntities(key)
      else { return entities(key) }
      return EntitySet(unique: entities)
    }
  }

  @inlinable
  @inline(never)
  func entities(_ key: Key) -> EntitySet {
    if core.mayHaveQueued { return seenEntities(key) }
    if let entities = core.find(by: Key.self, { _ in storage.keptEntities(key) }) {
      return EntitySet(unique: entities)
    }
    guard core.pointer.pointee.lock.acquireUnlessReading() else {
      // Other threads are reading what would be kept.
      return EntitySet(unique: first(for: key).map { [$0] } ?? [])
    }
    defer { core.leave() }
    return EntitySet(unique: storage.entities(key))
  }

  /// The number of entities under a key.
  ///
  /// - Complexity: O(1) on average; inside an iteration in which changes wait, O(*n*), where *n* is
  ///   the result.
  @inlinable
  public func count(for key: Key) -> Int {
    core.find(by: Key.self) { $0 ? seenEntities(key).count : storage.count(key) }
  }

  /// Some entity under a key, always the same while nothing changes; nil if there is none.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  public func first(for key: Key) -> Entity? {
    core.find(by: Key.self) { $0 ? firstSeen(key) : storage.first(key) }
  }

  // Inside an iteration, and in other code that must not change the context.

  @usableFromInline
  @inline(never)
  func seenEntities(_ key: Key) -> EntitySet {
    EntitySet(unique: registration.isAtWork ? storage.seenEntities(key) : storage.entities(key))
  }

  @usableFromInline
  @inline(never)
  func firstSeen(_ key: Key) -> Entity? {
    registration.isAtWork ? storage.firstSeen(key) : storage.first(key)
  }

  /// The number of keys that have entities.
  ///
  /// - Complexity: O(1); inside an iteration in which changes wait, that of ``keys``.
  public var keyCount: Int {
    core.read { core.mayHaveQueued ? keys.count : storage.keyCount }
  }

  /// The keys that have entities at this moment, each once, in no order that has a meaning.
  ///
  /// - Complexity: O(*k*), where *k* is the number of keys.
  public var keys: [Key] {
    core.read {
      core.mayHaveQueued && registration.isAtWork ? storage.allSeenKeys : storage.keys
    }
  }

  /// Whether changes are ignored; see ``pause()``.
  ///
  /// - Complexity: O(1).
  public var isPaused: Bool { registration.isPaused }

  /// Empties the index and ignores changes until ``resume()``.
  ///
  /// No ``Context/transaction(_:)`` takes it back, nor ``resume()``: it is no change of entities.
  ///
  /// - Complexity: O(*k*), where *k* is the number of keys.
  /// - Precondition: Not called by a filter, a sort key, a key closure or anything else that must
  ///   not change the context; nor is ``resume()``.
  public func pause() {
    registration.pause()
  }

  /// Fills the index again, and keeps it up to date from then on.
  ///
  /// - Complexity: O(*n*), where *n* is the number of entities with the component.
  public func resume() {
    registration.resume()
  }
}
