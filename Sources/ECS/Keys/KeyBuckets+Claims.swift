private import CPlatform

/// The buckets of keys that were put into an index together, for entities that are not there yet.
@usableFromInline
struct KeyClaim {
  /// The buckets of the first keys, which were free.
  @usableFromInline let reused: ContiguousArray<BucketID>

  /// The bucket of the next key, behind which those of the others follow.
  @usableFromInline let first: Int
  @usableFromInline let count: Int

  @inlinable
  init(reused: ContiguousArray<BucketID>, first: Int, count: Int) {
    (self.reused, self.first, self.count) = (reused, first, count)
  }

  /// The index of a key's bucket.
  @inlinable
  @inline(__always)
  func bucket(_ key: Int) -> Int {
    key < reused.count ? reused[key].index : first &+ key &- reused.count
  }
}

/// The number of keys that are looked for together.
@usableFromInline
enum KeyBlock {
  @inlinable static var count: Int { 64 }

  /// Lets the slots be fetched in which the search for some hashes begins.
  ///
  /// Tables are larger than caches, and the keys of a block are looked for by and by: so memory is
  /// waited for once and not for each (group prefetching, as of Chen, Ailamaki, Gibbons and Mowry,
  /// "Improving hash join performance through prefetching", 2004).
  // PERFORMANCE: N6: not inlinable, since clients do not see the C module.
  @usableFromInline
  static func prefetch(
    _ slots: UnsafeMutablePointer<UInt64>, _ shift: UInt64,
    _ hashes: UnsafeMutableBufferPointer<UInt64>, _ count: Int
  ) {
    for offset in 0..<count {
      // SAFETY: nothing is read; there are so many hashes.
      unsafe c_prefetch(slots + Int(truncatingIfNeeded: hashes[offset] &>> shift))
    }
  }
}

extension KeyBuckets {
  /// Puts keys into the table that are to be there once, for entities to come: all of them, or
  /// none.
  ///
  /// Until they have entities, they must not be looked for.
  ///
  /// - Returns: Nil if one of them is there already, comes twice, or does not equal itself.
  /// - Complexity: O(*n*), where *n* is the number of keys.
  @inlinable
  mutating func claim(_ keys: [Key]) -> KeyClaim? {
    let limit = keys.count
    // Where everything is there already, no room is made for it.
    for key in keys.prefix(KeyBlock.count) where unsafe find(key) != nil { return nil }
    if (count + limit) * 4 > (mask + 1) * 3 { growSlots(toHold: count + limit) }
    let reused = ContiguousArray(freeBuckets.suffix(min(freeBuckets.count, limit)))
    freeBuckets.removeLast(reused.count)
    let wanted = bucketCount + limit - reused.count
    if wanted > bucketCapacity { growBuckets(toHold: wanted) }
    let claim = KeyClaim(reused: reused, first: bucketCount, count: limit)
    let made = unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: KeyBlock.count) {
      unsafe put(keys, claim, $0)
    }
    count += made
    if made == limit { return claim }
    freeBuckets.append(contentsOf: reused.dropFirst(made))
    for key in (0..<made).reversed() { unsafe free(buckets + claim.bucket(key)) }
    return nil
  }

  /// Puts keys into the table until one is there; gives how many.
  @inlinable
  @inline(__always)
  mutating func put(
    _ keys: [Key], _ claim: KeyClaim, _ hashes: UnsafeMutableBufferPointer<UInt64>
  ) -> Int {
    let mask = mask
    var start = 0
    while start < keys.count {
      let end = unsafe prepareBlock(of: keys, from: start, hashes)
      for offset in start..<end {
        let (key, hash) = unsafe (keys[offset], hashes[offset &- start])
        // It would never be found again.
        if key != key { return offset }
        var index = home(hash)
        while true {
          // SAFETY: indices are masked, and there is a free slot; slots hold indices of buckets in
          // use.
          let slot = unsafe slots[index]
          if slot == 0 { break }
          if (slot ^ hash) &>> 32 == 0, unsafe buckets[bucketIndex(slot)].isOf(key) {
            return offset
          }
          index = (index &+ 1) & mask
        }
        let bucket = claim.bucket(offset)
        occupy(bucket, key, hash, .dead)
        unsafe slots[index] = slot(hash, bucket)
      }
      start = end
    }
    return start
  }

  /// Hashes a block of keys, and lets the slots be fetched in which they are looked for; returns
  /// the end of the block.
  @inlinable
  @inline(__always)
  func prepareBlock(
    of keys: [Key], from start: Int, _ hashes: UnsafeMutableBufferPointer<UInt64>
  ) -> Int {
    let end = min(start &+ KeyBlock.count, keys.count)
    for offset in start..<end { unsafe hashes[offset &- start] = hash(keys[offset]) }
    unsafe KeyBlock.prefetch(slots, shift, hashes, end &- start)
    return end
  }

  /// Calls a body with the offset of each key that is there, and its first entity.
  @inlinable
  func find(_ keys: [Key], _ body: (Int, Handle) -> Void) {
    unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: KeyBlock.count) { hashes in
      var start = 0
      while start < keys.count {
        let end = unsafe prepareBlock(of: keys, from: start, hashes)
        for offset in start..<end {
          if let bucket = unsafe find(keys[offset], hashes[offset &- start]) {
            unsafe body(offset, bucket.pointee.first)
          }
        }
        start = end
      }
    }
  }
}
