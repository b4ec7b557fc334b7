/// The entities of an index by key, and for each entity where it is, so that taking it out needs
/// neither its component nor its key.
///
/// An index uses either the functions for one key an entity or those for several.
@usableFromInline
// Guarded by the lock of the core whose entities it holds.
final class IndexStorage<Key: Hashable>: @unchecked Sendable {
  // PERFORMANCE: X1: state behind a constant pointer is reached without exclusivity checks.
  @usableFromInline let state: UnsafeMutablePointer<State>

  @usableFromInline
  struct State {
    @usableFromInline var buckets = KeyBuckets<Key>()

    /// The place of the entity in each slot of the core.
    @usableFromInline var places: UnsafeMutablePointer<BucketPlace>
    @usableFromInline var placeCount = 0

    /// The places of the entity in each slot of the core, if entities may have several keys.
    @usableFromInline var severalPlaces: ContiguousArray<ContiguousArray<BucketPlace>> = []

    @inlinable
    init() {
      places = Memory.allocate(BucketPlace.self, capacity: 0)
    }
  }

  @inlinable
  init() {
    state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    state.initialize(to: State())
  }

  deinit {
    state.pointee.buckets.deallocate()
    Memory.free(state.pointee.places, capacity: state.pointee.placeCount)
    state.deinitialize(count: 1)
    state.deallocate()
  }

  @inlinable
  @inline(__always)
  func entities(_ key: Key) -> ContiguousArray<Entity> {
    state.pointee.buckets.find(key)?.pointee.entities ?? []
  }

  @inlinable
  func count(_ key: Key) -> Int {
    state.pointee.buckets.find(key)?.pointee.entities.count ?? 0
  }

  @inlinable
  func first(_ key: Key) -> Entity? {
    state.pointee.buckets.find(key)?.pointee.entities.first
  }

  /// The key that the entity of a slot is under, if it is under one.
  @inlinable
  func key(of handle: Handle) -> Key? {
    let index = Int(handle.index)
    guard index < state.pointee.placeCount else { return nil }
    // SAFETY: index < placeCount; places of entities in the index have buckets.
    let place = state.pointee.places[index]
    guard place.bucket != BucketPlace.none.bucket else { return nil }
    return state.pointee.buckets.buckets[Int(place.bucket)].key
  }

  @inlinable var keyCount: Int { state.pointee.buckets.count }

  /// The keys that have entities, in no particular order.
  @inlinable
  func keys() -> [Key] {
    (0..<state.pointee.buckets.bucketCount).compactMap { state.pointee.buckets.buckets[$0].key }
  }

  /// Puts an entity under a key, taking it away from the one it was under.
  @inlinable
  @inline(__always)
  func update(_ entity: Entity, _ key: Key) {
    let index = Int(entity.handle.index)
    if index >= state.pointee.placeCount { growPlaces(to: index + 1) }
    // SAFETY: index < placeCount; places of entities in the index are valid.
    let place = state.pointee.places[index]
    if place.bucket != BucketPlace.none.bucket {
      if state.pointee.buckets.buckets[Int(place.bucket)].key == key { return }
      take(place)
    }
    state.pointee.places[index] = state.pointee.buckets.append(entity, to: key)
  }

  /// Takes an entity out, by where it is.
  @inlinable
  func remove(_ handle: Handle) {
    let index = Int(handle.index)
    guard index < state.pointee.placeCount else { return }
    // SAFETY: index < placeCount.
    let place = state.pointee.places[index]
    guard place.bucket != BucketPlace.none.bucket else { return }
    take(place)
    state.pointee.places[index] = .none
  }

  @inlinable
  @inline(__always)
  func take(_ place: BucketPlace) {
    if let moved = state.pointee.buckets.remove(at: place) {
      // SAFETY: entities in the index have places.
      state.pointee.places[Int(moved.handle.index)] = place
    }
  }

  // MARK: Several keys

  /// Puts an entity under keys, taking it away from others that it was under.
  ///
  /// Under keys that stay it keeps its position.
  @inlinable
  func update(_ entity: Entity, keys: some Sequence<Key>) {
    let keys = ContiguousArray(keys)
    let index = Int(entity.handle.index)
    while state.pointee.severalPlaces.count <= index { state.pointee.severalPlaces.append([]) }
    for place in state.pointee.severalPlaces[index] {
      // SAFETY: places of entities in the index have buckets.
      let key = state.pointee.buckets.buckets[Int(place.bucket)].key
      if !keys.contains(where: { $0 == key }) { take(place, ofSlot: index) }
    }
    for key in keys where !isUnder(key, slot: index) {
      state.pointee.severalPlaces[index].append(state.pointee.buckets.append(entity, to: key))
    }
  }

  @inlinable
  func isUnder(_ key: Key, slot index: Int) -> Bool {
    guard let bucket = state.pointee.buckets.find(key) else { return false }
    let number = UInt32(truncatingIfNeeded: bucket - state.pointee.buckets.buckets)
    return state.pointee.severalPlaces[index].contains { $0.bucket == number }
  }

  @inlinable
  func removeFromAll(_ handle: Handle) {
    let index = Int(handle.index)
    guard index < state.pointee.severalPlaces.count else { return }
    for place in state.pointee.severalPlaces[index] { take(place, ofSlot: index) }
  }

  @inlinable
  func take(_ place: BucketPlace, ofSlot index: Int) {
    state.pointee.severalPlaces[index].removeAll { $0.bucket == place.bucket }
    guard let moved = state.pointee.buckets.remove(at: place) else { return }
    let other = Int(moved.handle.index)
    let number = state.pointee.severalPlaces[other].firstIndex { $0.bucket == place.bucket }
    if let number { state.pointee.severalPlaces[other][number] = place }
  }

  // MARK: Everything

  @inlinable
  func removeAll() {
    state.pointee.severalPlaces = []
    state.pointee.buckets.deallocate()
    state.pointee.buckets = KeyBuckets()
    Memory.free(state.pointee.places, capacity: state.pointee.placeCount)
    state.pointee.places = Memory.allocate(BucketPlace.self, capacity: 0)
    state.pointee.placeCount = 0
  }

  @inlinable
  @inline(never)
  func growPlaces(to needed: Int) {
    let count = max(64, needed, state.pointee.placeCount * 2)
    let old = state.pointee.placeCount
    Memory.resize(&state.pointee.places, count: old, from: old, to: count)
    // SAFETY: `old` places are initialised, and there is room for `count`.
    (state.pointee.places + old).initialize(repeating: .none, count: count - old)
    state.pointee.placeCount = count
  }
}
