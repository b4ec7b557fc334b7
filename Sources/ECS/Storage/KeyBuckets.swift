/// Names a bucket of an index while it has entities.
@usableFromInline
struct BucketNumber: BitwiseCopyable, Hashable {
  @usableFromInline let value: UInt32

  @inlinable
  init(_ index: Int) { value = UInt32(truncatingIfNeeded: index) }

  @inlinable static var none: BucketNumber { BucketNumber(Int(UInt32.max)) }

  /// Where the bucket is, and where others may keep something for it.
  @inlinable var index: Int { Int(value) }
}

/// Where an entity is in an index.
@usableFromInline
struct BucketPlace: BitwiseCopyable, Equatable {
  @usableFromInline var bucket: BucketNumber
  @usableFromInline var position: UInt32

  @inlinable
  init(bucket: BucketNumber, position: Int) {
    self.bucket = bucket
    self.position = UInt32(truncatingIfNeeded: position)
  }

  @inlinable static var none: BucketPlace { BucketPlace(bucket: .none, position: 0) }
}

/// A hash table from keys to packed arrays of entities.
///
/// Linear probing over bucket numbers with backward-shift deletion (Knuth, The Art of Computer
/// Programming, volume 3, section 6.4, algorithm R); buckets are found by number without hashing,
/// and freed as soon as they are empty. No order of the hash table is observable.
@safe
@usableFromInline
struct KeyBuckets<Key: Hashable> {
  @usableFromInline
  struct Bucket {
    @usableFromInline var key: Key?
    @usableFromInline var hash: UInt
    @usableFromInline var entities: ContiguousArray<Entity>

    @inlinable
    init(key: Key?, hash: UInt, entities: ContiguousArray<Entity>) {
      self.key = key
      self.hash = hash
      self.entities = entities
    }
  }

  /// Bucket numbers plus one; 0 in free places.
  @usableFromInline var slots: UnsafeMutablePointer<UInt32>
  @usableFromInline var shift: UInt
  @usableFromInline var buckets: UnsafeMutablePointer<Bucket>
  @usableFromInline var bucketCount = 0
  @usableFromInline var bucketCapacity = 0
  @usableFromInline var freeBuckets: ContiguousArray<BucketNumber> = []

  /// The number of keys that have entities.
  @usableFromInline var count = 0

  /// Keys of a hostile source must not be able to meet in one place.
  @usableFromInline let seed: UInt

  @inlinable
  init() {
    unsafe slots = UnsafeMutablePointer<UInt32>.allocate(capacity: 8)
    unsafe slots.initialize(repeating: 0, count: 8)
    shift = UInt(UInt.bitWidth - 3)
    unsafe buckets = UnsafeMutablePointer<Bucket>.allocate(capacity: 1)
    seed = UInt.random(in: .min ... .max)
  }

  @inlinable
  @unsafe func deallocate() {
    // SAFETY: buckets below `bucketCount` are initialized.
    unsafe buckets.deinitialize(count: bucketCount)
    unsafe buckets.deallocate()
    unsafe slots.deallocate()
  }

  @inlinable
  @inline(__always)
  var mask: Int { (1 &<< (UInt.bitWidth &- Int(shift))) &- 1 }

  /// Hashes a key; integers by one folded multiplication (as in wyhash), others as they say.
  @inlinable
  @inline(__always)
  func hash(_ key: Key) -> UInt {
    let bits: UInt
    if Key.self == Int.self {
      bits = UInt(bitPattern: unsafeBitCastToInt(key))
    } else {
      bits = UInt(bitPattern: key.hashValue)
    }
    let (high, low) = (bits ^ seed).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return high ^ low
  }

  @inlinable
  @inline(__always)
  func unsafeBitCastToInt(_ key: Key) -> Int {
    // SAFETY: called only if Key is Int.
    unsafe unsafeBitCast(key, to: Int.self)
  }

  /// The bucket of a key; nil if no entity has it.
  @inlinable
  @inline(__always)
  func find(_ key: Key) -> UnsafeMutablePointer<Bucket>? {
    let hash = hash(key)
    let mask = mask
    var place = Int(truncatingIfNeeded: hash &>> shift)
    while true {
      // SAFETY: places are masked; slots hold numbers of initialized buckets.
      let number = unsafe slots[place]
      if number == 0 { return nil }
      let bucket = unsafe buckets + Int(number &- 1)
      if unsafe bucket.pointee.hash == hash && bucket.pointee.key == key { return unsafe bucket }
      place = (place &+ 1) & mask
    }
  }

  /// Adds an entity to the bucket of a key, which is made if there is none.
  @inlinable
  @inline(__always)
  mutating func append(_ entity: Entity, to key: Key) -> BucketPlace {
    let bucket = unsafe find(key) ?? make(key)
    let position = unsafe bucket.pointee.entities.count
    unsafe bucket.pointee.entities.append(entity)
    return unsafe BucketPlace(bucket: BucketNumber(bucket - buckets), position: position)
  }

  /// Removes the entity at a place.
  ///
  /// Returns the entity that took the place, if one did.
  @inlinable
  @inline(__always)
  mutating func remove(at place: BucketPlace) -> Entity? {
    assert(
      place.bucket.index < bucketCount, "An entity was to leave a bucket that does not exist.")
    // SAFETY: places are those that `append` returned and `remove` kept up to date.
    let bucket = unsafe buckets + place.bucket.index
    let last = unsafe bucket.pointee.entities.count &- 1
    assert(Int(place.position) <= last, "An entity was to leave a place in a bucket that is empty.")
    let end = unsafe bucket.pointee.entities.removeLast()
    if last == 0 {
      unsafe free(bucket)
      return nil
    }
    guard Int(place.position) != last else { return nil }
    unsafe bucket.pointee.entities[Int(place.position)] = end
    return end
  }

  @inlinable
  @inline(never)
  mutating func make(_ key: Key) -> UnsafeMutablePointer<Bucket> {
    if (count + 1) * 4 > (mask + 1) * 3 { growSlots() }
    count += 1
    let hash = hash(key)
    let number: Int
    if let free = freeBuckets.popLast() {
      number = free.index
    } else {
      if bucketCount == bucketCapacity { growBuckets() }
      number = bucketCount
      bucketCount += 1
      // SAFETY: number < bucketCapacity.
      unsafe (buckets + number).initialize(to: Bucket(key: nil, hash: 0, entities: []))
    }
    unsafe buckets[number].key = key
    unsafe buckets[number].hash = hash
    fill(hash, UInt32(truncatingIfNeeded: number + 1))
    return unsafe buckets + number
  }

  @inlinable
  mutating func fill(_ hash: UInt, _ number: UInt32) {
    var place = Int(truncatingIfNeeded: hash &>> shift)
    while unsafe slots[place] != 0 { place = (place &+ 1) & mask }
    unsafe slots[place] = number
  }

  @inlinable
  @inline(never)
  mutating func free(_ bucket: UnsafeMutablePointer<Bucket>) {
    let number = unsafe UInt32(truncatingIfNeeded: bucket - buckets)
    let mask = mask
    var hole = unsafe Int(truncatingIfNeeded: bucket.pointee.hash &>> shift)
    while unsafe slots[hole] != number + 1 { hole = (hole + 1) & mask }
    var place = hole
    while true {
      place = (place + 1) & mask
      let other = unsafe slots[place]
      if other == 0 { break }
      let home = unsafe Int(truncatingIfNeeded: buckets[Int(other - 1)].hash &>> shift)
      // Whether `home` lies cyclically in (hole, place]: then the entry must stay.
      if (place &- home) & mask < (place &- hole) & mask { continue }
      unsafe slots[hole] = other
      hole = place
    }
    unsafe slots[hole] = 0
    count -= 1
    unsafe bucket.pointee.key = nil
    // Some free buckets keep a little room for their next keys; a load that has passed keeps none.
    if unsafe bucket.pointee.entities.capacity > 16 || freeBuckets.count > count / 4 + 16 {
      unsafe bucket.pointee.entities = []
    }
    freeBuckets.append(BucketNumber(Int(number)))
  }

  @inlinable
  @inline(never)
  mutating func growSlots() {
    let oldCount = mask + 1
    let old = unsafe slots
    unsafe slots = UnsafeMutablePointer<UInt32>.allocate(capacity: oldCount * 2)
    unsafe slots.initialize(repeating: 0, count: oldCount * 2)
    shift -= 1
    // SAFETY: all `oldCount` old places are initialized.
    for place in 0..<oldCount where unsafe old[place] != 0 {
      unsafe fill(buckets[Int(old[place] - 1)].hash, old[place])
    }
    unsafe old.deallocate()
  }

  @inlinable
  @inline(never)
  mutating func growBuckets() {
    let capacity = max(8, bucketCapacity * 2)
    let grown = UnsafeMutablePointer<Bucket>.allocate(capacity: capacity)
    // SAFETY: `bucketCount` buckets are initialized and fit.
    unsafe grown.moveInitialize(from: buckets, count: bucketCount)
    unsafe buckets.deallocate()
    unsafe buckets = grown
    bucketCapacity = capacity
  }
}
