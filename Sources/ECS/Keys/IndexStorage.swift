/// The entities of an index by key, and for each entity where it is, so that taking it out needs
/// neither its component nor its key.
///
/// An index uses either the functions for one key an entity or those for several.
@safe
@usableFromInline
// Guarded by the lock of the core whose entities it holds.
final class IndexStorage<Key: Hashable>: @unchecked Sendable {
  // PERFORMANCE: X1: state behind a constant pointer is reached without exclusivity checks.
  // SAFETY: it is initialized as long as the storage lives.
  @safe @usableFromInline let state: UnsafeMutablePointer<State>

  @usableFromInline
  struct State {
    @usableFromInline var buckets = KeyBuckets<Key>()

    /// The position of each entity, by its slot.
    @usableFromInline var positions = SlotMap(absent: BucketPosition.none)

    /// The keys of each entity, if entities may have several.
    @usableFromInline var links = KeyLinks()

    @inlinable
    init() {}

    @inlinable
    @unsafe func deallocate() {
      unsafe buckets.deallocate()
      unsafe positions.deallocate()
      unsafe links.deallocate()
    }
  }

  /// What the entities belong to.
  @usableFromInline let core: Core

  /// What keys are computed of.
  let component: ComponentKey

  /// Computes the keys that an entity is seen to have; they may be those of changes that wait.
  let seenKeys: (Handle) -> [Key]

  /// The keys that entities come to have when the iteration ends that runs; nil until needed.
  // Guarded by the lock of the core.
  var coming: ComingKeys<Key>?

  /// Whether entities may have several keys.
  let hasManyKeys: Bool

  /// Whether a key has one entity at most, which the code that fills the index ensures.
  let isPrimary: Bool

  /// The number of times that the index was put to work in the iteration that runs, after changes
  /// that wait for its end: those are not for the index, which is filled when they are made.
  // Guarded by the lock of the core.
  // PERFORMANCE: P4: checks of exclusive access would take longer than looking.
  @safe @exclusivity(unchecked) @usableFromInline var unsettled = 0

  /// Whether it is being filled on the way back from a transaction, and whether a key came twice
  /// meanwhile.
  var isRefilled = false
  var isAmbiguous = false

  /// What transactions that run may have to take back.
  var steps: [Step] = []

  /// Where the entity is that is about to change.
  var noted: Entry?

  /// Where it is, if entities may have several keys.
  var notedEntries: [Entry] = []

  @usableFromInline
  convenience init(
    _ core: Core, of component: CID, hasManyKeys: Bool = false, isPrimary: Bool = false,
    seenKeys: @escaping (Handle) -> [Key]
  ) {
    self.init(
      core, of: component.key, hasManyKeys: hasManyKeys, isPrimary: isPrimary, seenKeys: seenKeys)
  }

  init(
    _ core: Core, of component: ComponentKey, hasManyKeys: Bool, isPrimary: Bool = false,
    seenKeys: @escaping (Handle) -> [Key]
  ) {
    (self.core, self.component, self.seenKeys) = (core, component, seenKeys)
    self.hasManyKeys = hasManyKeys
    self.isPrimary = isPrimary
    state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    unsafe state.initialize(to: State())
  }

  deinit {
    unsafe state.pointee.deallocate()
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// The entities under a key; nil if they would have to be kept in another way for that.
  ///
  /// Changes nothing, as several threads may look keys up at once.
  @inlinable
  @inline(__always)
  func keptEntities(_ key: Key) -> ContiguousArray<Entity>? {
    guard let bucket = unsafe state.pointee.buckets.find(key) else { return [] }
    return unsafe bucket.pointee.several.isEmpty ? nil : bucket.pointee.several
  }

  /// The entities under a key, kept so that ``keptEntities(_:)`` gives them from then on.
  @inlinable
  @inline(never)
  func entities(_ key: Key) -> ContiguousArray<Entity> {
    unsafe state.pointee.buckets.find(key)?.pointee.entities(of: core) ?? []
  }

  @inlinable
  func count(_ key: Key) -> Int {
    unsafe state.pointee.buckets.find(key)?.pointee.count ?? 0
  }

  @inlinable
  func first(_ key: Key) -> Entity? {
    guard let bucket = unsafe state.pointee.buckets.find(key) else { return nil }
    return unsafe Entity(core: core, handle: bucket.pointee.first)
  }

  /// The key that the entity of a slot is under, if it is under one.
  @inlinable
  func key(of handle: Handle) -> Key? {
    let position = position(ofSlot: handle.index)
    guard position.bucket != .none else { return nil }
    // SAFETY: positions of entities in the index have buckets.
    return unsafe state.pointee.buckets.buckets[position.bucket.index].key
  }

  @inlinable var keyCount: Int { state.pointee.buckets.count }

  /// The keys that have entities.
  var keys: [Key] { state.pointee.buckets.keys }

  /// Where the entity of a slot is.
  // PERFORMANCE: X1: the map's subscript would read all of the map.
  @inlinable
  @inline(__always)
  func position(ofSlot slot: UInt32) -> BucketPosition {
    // SAFETY: the slot is below the count of the positions that are found by slot.
    unsafe Int(slot) < state.pointee.positions.denseCount
      ? state.pointee.positions.dense[Int(slot)] : state.pointee.positions.findSparsely(slot)
  }

  /// Puts an entity under a key, taking it away from the one it was under.
  @inlinable
  @inline(__always)
  func update(_ entity: Entity, _ key: Key) {
    let slot = entity.handle.index
    let position = position(ofSlot: slot)
    guard position.bucket != .none else {
      let new = state.pointee.buckets.append(entity, to: key)
      if new.bucket != .none { state.pointee.positions.insert(slot, new) }
      return
    }
    // SAFETY: positions of entities in the index lead to buckets in use.
    if unsafe state.pointee.buckets.buckets[position.bucket.index].isOf(key) { return }
    take(position)
    let new = state.pointee.buckets.append(entity, to: key)
    if new.bucket != .none {
      state.pointee.positions.update(slot, new)
    } else {
      state.pointee.positions.remove(slot)
    }
  }

  /// Takes an entity out, by where it is.
  @inlinable
  func remove(_ handle: Handle) {
    let position = position(ofSlot: handle.index)
    guard position.bucket != .none else { return }
    take(position)
    state.pointee.positions.remove(handle.index)
  }

  @inlinable
  @inline(__always)
  func take(_ position: BucketPosition) {
    if let moved = state.pointee.buckets.remove(at: position) {
      state.pointee.positions.update(moved.handle.index, position)
    }
  }

  // MARK: Several keys

  /// Puts an entity under keys, taking it away from others that it was under.
  ///
  /// Under keys that stay it keeps its position.
  @inlinable
  func update(_ entity: Entity, keys: some Sequence<Key>) {
    let slot = entity.handle.index
    state.pointee.links.beginUpdate(of: slot)
    var others: ContiguousArray<Key> = []
    for key in keys {
      if let bucket = bucketID(key), state.pointee.links.keep(bucket) { continue }
      others.append(key)
    }
    while let link = state.pointee.links.nextUnwanted() { take(link) }
    state.pointee.links.prepare(toAdd: others.count)
    for key in others {
      // It may have come twice.
      if let bucket = bucketID(key), state.pointee.links.keep(bucket) { continue }
      let position = state.pointee.buckets.append(entity, to: key)
      if position.bucket != .none { state.pointee.links.insert(slot, position) }
    }
    state.pointee.links.endUpdate()
  }

  /// The bucket of a key; nil if there is none.
  @inlinable
  func bucketID(_ key: Key) -> BucketID? {
    unsafe state.pointee.buckets.find(key).map {
      unsafe BucketID($0 - state.pointee.buckets.buckets)
    }
  }

  @inlinable
  func removeFromAll(_ handle: Handle) {
    while let link = state.pointee.links.first(of: handle.index) { take(link) }
  }

  /// Takes an entity away from a key.
  @inlinable
  func take(_ link: KeyLinks.ID) {
    _ = state.pointee.buckets.remove(at: state.pointee.links.remove(link))
  }

  // MARK: Everything

  @inlinable
  func removeAll() {
    forget()
    unsafe state.pointee.deallocate()
    state.pointee = State()
  }
}
