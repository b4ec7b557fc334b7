#if InternalChecks
  extension KeyBuckets {
    /// Stops if the table contradicts itself.
    func checkInvariants() {
      require(
        count * 4 <= (mask + 1) * 3 && bucketCount <= bucketCapacity
          && count + freeBuckets.count == bucketCount,
        "An index has \(count) keys, \(mask + 1) places, \(freeBuckets.count) free buckets of \(bucketCount)."
      )
      var found = 0
      for place in 0...mask {
        // SAFETY: place <= mask.
        let slot = unsafe slots[place]
        if slot == 0 { continue }
        let number = number(slot)
        found += 1
        require(number < bucketCount, "A key of an index leads to the unknown bucket \(number).")
        // SAFETY: number < bucketCount.
        let bucket = unsafe buckets + number
        guard let key = unsafe bucket.pointee.key else {
          stop("A key of an index leads to the bucket \(number), which is free.")
        }
        unsafe require(
          UInt64(bucket.pointee.hash) == hash(key) >> 32 && self.slot(hash(key), number) == slot
            && find(key) == bucket,
          "The key \(key) of an index is where nobody looks for it.")
      }
      require(found == count, "An index has \(found) keys and counts \(count).")
      require(
        Set(freeBuckets).count == freeBuckets.count, "A bucket of an index is free twice.")
      for number in freeBuckets {
        // SAFETY: numbers of buckets are below `bucketCount`.
        unsafe require(
          buckets[number.index].key == nil && buckets[number.index].several.isEmpty,
          "The bucket \(number.index) of an index is in use and free.")
      }
    }

    /// Calls a body with each entity of a core under a key, and where it is.
    func visit(_ core: Core, _ body: (Entity, BucketPosition) -> Void) {
      for number in 0..<bucketCount {
        // SAFETY: number < bucketCount.
        let bucket = unsafe buckets + number
        if unsafe bucket.pointee.key == nil { continue }
        for position in unsafe 0..<bucket.pointee.count {
          let entity =
            unsafe bucket.pointee.several.isEmpty
            ? Entity(core: core, handle: bucket.pointee.only) : bucket.pointee.several[position]
          body(entity, BucketPosition(bucket: BucketNumber(number), position: position))
        }
      }
    }
  }
#endif
