#if InternalChecks
  extension KeyBuckets {
    /// Stops if the table contradicts itself.
    func checkInvariants() {
      require(
        count * 4 <= (mask + 1) * 3 && bucketCount <= bucketCapacity
          && count + freeBuckets.count == bucketCount,
        "An index has \(count) keys, \(mask + 1) slots, \(freeBuckets.count) free buckets of \(bucketCount)."
      )
      var found = 0
      for index in 0...mask {
        // SAFETY: index <= mask.
        let slot = unsafe slots[index]
        if slot == 0 { continue }
        let bucketIndex = bucketIndex(slot)
        found += 1
        require(
          bucketIndex < bucketCount, "A key of an index leads to the unknown bucket \(bucketIndex)."
        )
        // SAFETY: bucketIndex < bucketCount.
        let bucket = unsafe buckets + bucketIndex
        guard let key = unsafe bucket.pointee.key else {
          stop("A key of an index leads to the bucket \(bucketIndex), which is free.")
        }
        unsafe require(
          UInt64(bucket.pointee.hash) == hash(key) >> 32
            && self.slot(hash(key), bucketIndex) == slot
            && find(key) == bucket,
          "The key \(key) of an index is where nobody looks for it.")
      }
      require(found == count, "An index has \(found) keys and counts \(count).")
      require(
        Set(freeBuckets).count == freeBuckets.count, "A bucket of an index is free twice.")
      for id in freeBuckets {
        // SAFETY: IDs of buckets are below `bucketCount`.
        unsafe require(
          buckets[id.index].key == nil && buckets[id.index].several.isEmpty,
          "The bucket \(id.index) of an index is in use and free.")
      }
    }

    /// Calls a body with each entity of a core under a key, and its position.
    func visit(_ core: Core, _ body: (Entity, BucketPosition) -> Void) {
      for bucketIndex in 0..<bucketCount {
        // SAFETY: bucketIndex < bucketCount.
        let bucket = unsafe buckets + bucketIndex
        if unsafe bucket.pointee.key == nil { continue }
        for offset in unsafe 0..<bucket.pointee.count {
          let entity =
            unsafe bucket.pointee.several.isEmpty
            ? Entity(core: core, handle: bucket.pointee.only) : bucket.pointee.several[offset]
          body(entity, BucketPosition(bucket: BucketID(bucketIndex), offset: offset))
        }
      }
    }
  }
#endif
