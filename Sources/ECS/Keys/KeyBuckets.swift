/// Identifies a bucket of an index while it has entities.
@usableFromInline
struct BucketID: BitwiseCopyable, Hashable {
  @usableFromInline let value: UInt32

  @inlinable
  init(_ index: Int) { value = UInt32(truncatingIfNeeded: index) }

  @inlinable static var none: BucketID { BucketID(Int(UInt32.max)) }

  /// Where the bucket is, and where others may keep something for it.
  @inlinable var index: Int { Int(value) }
}

/// The position of an entity in an index: its bucket, and its offset there.
@usableFromInline
struct BucketPosition: BitwiseCopyable, Equatable {
  @usableFromInline var bucket: BucketID
  @usableFromInline var offset: UInt32

  @inlinable
  init(bucket: BucketID, offset: Int) {
    self.bucket = bucket
    self.offset = UInt32(truncatingIfNeeded: offset)
  }

  @inlinable static var none: BucketPosition { BucketPosition(bucket: .none, offset: 0) }
}

/// A hash table from keys to packed arrays of entities.
///
/// Linear probing over bucket indices with backward-shift deletion (Knuth, The Art of Computer
/// Programming, volume 3, section 6.4, algorithm R); buckets are found by ID without hashing,
/// and freed as soon as they are empty. No order of the hash table is observable.
@safe
@usableFromInline
struct KeyBuckets<Key: Hashable> {
  @usableFromInline
  struct Bucket {
    /// Nil if the bucket is free.
    @usableFromInline var key: Key?

    /// The upper half of the key's hash.
    @usableFromInline var hash: UInt32

    /// The entity, if there is one and `several` has none.
    // PERFORMANCE: N6: most keys have one entity, which needs no memory of its own.
    // PERFORMANCE: X1: a handle, so that the bucket of an integer takes half of a cache line.
    @usableFromInline var only: Handle
    @usableFromInline var several: ContiguousArray<Entity>

    @inlinable
    init(key: Key, hash: UInt32, only: Handle) {
      (self.key, self.hash, self.only, several) = (key, hash, only, [])
    }

    /// Whether a bucket that is in use is that of a key.
    @inlinable
    @inline(__always)
    func isOf(_ key: Key) -> Bool {
      // SAFETY: callers ensure that it is in use.
      unsafe self.key.unsafelyUnwrapped == key
    }

    @inlinable var count: Int { several.isEmpty ? 1 : several.count }

    @inlinable var first: Handle { several.isEmpty ? only : several[0].handle }

    @inlinable
    subscript(offset: Int) -> Handle {
      several.isEmpty ? only : several[offset].handle
    }

    /// All entities, which are those of a core.
    ///
    /// From then on they are kept so, for the next one that asks.
    @inlinable
    mutating func entities(of core: Core) -> ContiguousArray<Entity> {
      if several.isEmpty { several.append(Entity(core: core, handle: only)) }
      return several
    }

    /// Adds an entity; returns its offset.
    @inlinable
    @inline(__always)
    mutating func append(_ entity: Entity) -> Int {
      if several.isEmpty { several.append(Entity(core: entity.core, handle: only)) }
      several.append(entity)
      return several.count &- 1
    }
  }

  // PERFORMANCE: N6: with the upper halves of hashes beside the indices of buckets, neither looking
  // for a key that is not there nor growing reads buckets, which are far from each other.
  /// The upper half of a hash, and below it the index of its bucket plus one; 0 in free slots.
  // INVARIANT: there are at most 2^32 slots, so that `home(_:)` needs no more of a hash.
  @usableFromInline var slots: UnsafeMutablePointer<UInt64>
  @usableFromInline var shift: UInt64
  @usableFromInline var buckets: UnsafeMutablePointer<Bucket>
  @usableFromInline var bucketCount = 0
  @usableFromInline var bucketCapacity = 0
  @usableFromInline var freeBuckets: ContiguousArray<BucketID> = []

  /// The number of keys that have entities.
  @usableFromInline var count = 0

  /// Keys of a hostile source must not be able to collide.
  @usableFromInline let seed: UInt64

  @inlinable
  init() {
    unsafe slots = Memory.allocate(UInt64.self, capacity: 8)
    unsafe slots.initialize(repeating: 0, count: 8)
    shift = 64 - 3
    unsafe buckets = Memory.allocate(Bucket.self, capacity: 0)
    seed = UInt64.random(in: .min ... .max)
  }

  @inlinable
  @unsafe func deallocate() {
    // SAFETY: buckets below `bucketCount` are initialized.
    unsafe buckets.deinitialize(count: bucketCount)
    unsafe Memory.free(buckets, capacity: bucketCapacity)
    unsafe Memory.free(slots, capacity: mask + 1)
  }

  @inlinable
  @inline(__always)
  var mask: Int { Int(truncatingIfNeeded: UInt64.max &>> shift) }

  /// Hashes a key; integers by one folded multiplication (as in wyhash), others as they say.
  @inlinable
  @inline(__always)
  func hash(_ key: Key) -> UInt64 {
    let bits: UInt
    if Key.self == Int.self {
      bits = UInt(bitPattern: unsafeBitCastToInt(key))
    } else {
      bits = UInt(bitPattern: key.hashValue)
    }
    let (high, low) = (UInt64(bits) ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return high ^ low
  }

  @inlinable
  @inline(__always)
  func unsafeBitCastToInt(_ key: Key) -> Int {
    // SAFETY: called only if Key is Int.
    unsafe unsafeBitCast(key, to: Int.self)
  }

  /// The slot in which the search for a hash begins, or for the one that a slot contains.
  @inlinable
  @inline(__always)
  func home(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash &>> shift) }

  /// The index of the bucket that a slot which is not free leads to.
  @inlinable
  @inline(__always)
  func bucketIndex(_ slot: UInt64) -> Int { Int(UInt32(truncatingIfNeeded: slot) &- 1) }

  /// The contents of a slot that leads to a bucket.
  @inlinable
  @inline(__always)
  func slot(_ hash: UInt64, _ bucketIndex: Int) -> UInt64 {
    (hash & ~0xFFFF_FFFF) | UInt64(UInt32(truncatingIfNeeded: bucketIndex &+ 1))
  }

  /// The keys that have entities, in the order of their buckets.
  var keys: [Key] {
    // SAFETY: buckets below `bucketCount` are initialized.
    unsafe UnsafeBufferPointer(start: buckets, count: bucketCount).compactMap(\.key)
  }

  /// The bucket of a key; nil if no entity has it.
  @inlinable
  @inline(__always)
  func find(_ key: Key) -> UnsafeMutablePointer<Bucket>? { unsafe find(key, hash(key)) }

  @inlinable
  @inline(__always)
  func find(_ key: Key, _ hash: UInt64) -> UnsafeMutablePointer<Bucket>? {
    let mask = mask
    var index = home(hash)
    while true {
      // SAFETY: indices are masked; slots hold indices of buckets in use.
      let slot = unsafe slots[index]
      if slot == 0 { return nil }
      if (slot ^ hash) &>> 32 == 0 {
        let bucket = unsafe buckets + bucketIndex(slot)
        if unsafe bucket.pointee.isOf(key) { return unsafe bucket }
      }
      index = (index &+ 1) & mask
    }
  }

  /// Adds an entity to the bucket of a key, which is made if there is none.
  ///
  /// There is none for a key that does not equal itself, which would never be found again.
  @inlinable
  @inline(__always)
  mutating func append(_ entity: Entity, to key: Key) -> BucketPosition {
    guard let bucket = unsafe find(key) else {
      return key == key ? make(key, entity.handle) : .none
    }
    let offset = unsafe bucket.pointee.append(entity)
    return unsafe BucketPosition(bucket: BucketID(bucket - buckets), offset: offset)
  }

  /// Removes the entity at a position.
  ///
  /// Returns the entity that took the position, if one did.
  @inlinable
  @inline(__always)
  mutating func remove(at position: BucketPosition) -> Entity? {
    assert(
      position.bucket.index < bucketCount, "An entity was to leave a bucket that does not exist.")
    // SAFETY: positions are those that `append` returned and `remove` kept up to date.
    let bucket = unsafe buckets + position.bucket.index
    let last = unsafe bucket.pointee.count &- 1
    assert(Int(position.offset) <= last, "An entity was to leave a position that is free.")
    if last == 0 {
      unsafe free(bucket)
      return nil
    }
    let end = unsafe bucket.pointee.several.removeLast()
    guard Int(position.offset) != last else { return nil }
    unsafe bucket.pointee.several[Int(position.offset)] = end
    return end
  }

  @inlinable
  @inline(never)
  mutating func make(_ key: Key, _ entity: Handle) -> BucketPosition {
    if (count + 1) * 4 > (mask + 1) * 3 { growSlots(toHold: count + 1) }
    let hash = hash(key)
    let index: Int
    if let free = freeBuckets.popLast() {
      index = free.index
    } else {
      if bucketCount == bucketCapacity { growBuckets(toHold: bucketCount + 1) }
      index = bucketCount
    }
    occupy(index, key, hash, entity)
    count += 1
    fill(slot(hash, index))
    return BucketPosition(bucket: BucketID(index), offset: 0)
  }

  /// Gives a key a bucket that is free, or the first one that is not initialized.
  @inlinable
  @inline(__always)
  mutating func occupy(_ index: Int, _ key: Key, _ hash: UInt64, _ entity: Handle) {
    let hash = UInt32(truncatingIfNeeded: hash &>> 32)
    // SAFETY: index <= bucketCount < bucketCapacity, or the bucket is a free one.
    let bucket = unsafe buckets + index
    if index == bucketCount {
      unsafe bucket.initialize(to: Bucket(key: key, hash: hash, only: entity))
      bucketCount &+= 1
    } else {
      unsafe (bucket.pointee.key, bucket.pointee.hash) = (key, hash)
      unsafe bucket.pointee.only = entity
    }
  }

  /// Puts the contents of a slot into the first free one from its home on.
  @inlinable
  @inline(__always)
  mutating func fill(_ slot: UInt64) {
    var index = home(slot)
    while unsafe slots[index] != 0 { index = (index &+ 1) & mask }
    unsafe slots[index] = slot
  }

  @inlinable
  @inline(never)
  mutating func free(_ bucket: UnsafeMutablePointer<Bucket>) {
    let bucketIndex = unsafe bucket - buckets
    let mask = mask
    let own = unsafe slot(UInt64(bucket.pointee.hash) &<< 32, bucketIndex)
    var hole = home(own)
    while unsafe slots[hole] != own { hole = (hole + 1) & mask }
    var index = hole
    while true {
      index = (index + 1) & mask
      let other = unsafe slots[index]
      if other == 0 { break }
      // Whether its home lies cyclically in (hole, index]: then the entry must stay.
      if (index &- home(other)) & mask < (index &- hole) & mask { continue }
      unsafe slots[hole] = other
      hole = index
    }
    unsafe slots[hole] = 0
    count -= 1
    unsafe bucket.pointee.key = nil
    // Some free buckets keep a little room for their next keys; a load that has passed keeps none.
    if unsafe bucket.pointee.several.capacity > 16 || freeBuckets.count > count / 4 + 16 {
      unsafe bucket.pointee.several = []
    } else if unsafe !bucket.pointee.several.isEmpty {
      unsafe bucket.pointee.several.removeAll(keepingCapacity: true)
    }
    freeBuckets.append(BucketID(bucketIndex))
  }

  @inlinable
  @inline(never)
  mutating func growSlots(toHold wanted: Int) {
    let oldCount = mask + 1
    let old = unsafe slots
    var newCount = oldCount
    while wanted * 4 > newCount * 3 { newCount *= 2 }
    unsafe slots = Memory.allocate(UInt64.self, capacity: newCount)
    unsafe slots.initialize(repeating: 0, count: newCount)
    shift = UInt64(64 - newCount.trailingZeroBitCount)
    // SAFETY: all `oldCount` old slots are initialized.
    for index in 0..<oldCount where unsafe old[index] != 0 { unsafe fill(old[index]) }
    unsafe Memory.free(old, capacity: oldCount)
  }

  @inlinable
  @inline(never)
  mutating func growBuckets(toHold wanted: Int) {
    let capacity = max(8, wanted, bucketCapacity * 2)
    let stride = MemoryLayout<Bucket>.stride
    if unsafe !Memory.extend(buckets, from: bucketCapacity * stride, to: capacity * stride) {
      let grown = unsafe Memory.allocate(Bucket.self, capacity: capacity)
      // SAFETY: `bucketCount` buckets are initialized and fit.
      unsafe grown.moveInitialize(from: buckets, count: bucketCount)
      unsafe Memory.free(buckets, capacity: bucketCapacity)
      unsafe buckets = grown
    }
    bucketCapacity = capacity
  }
}
