#if InternalChecks
  extension IndexStorage {
    @usableFromInline
    var walkLength: Int {
      let links = hasManyKeys ? state.pointee.links.count : state.pointee.positions.count
      return links + state.pointee.buckets.bucketCount
    }

    @usableFromInline
    func checkInvariants(_ core: Core, of cid: CID) {
      require(
        steps.isEmpty && noted == nil && notedEntries.isEmpty,
        "An index notes changes although nobody asked it to.")
      state.pointee.buckets.checkInvariants()
      state.pointee.positions.checkInvariants()
      state.pointee.links.checkInvariants()
      let set = core.setOfTables(with: cid)
      var count = 0
      state.pointee.buckets.visit(core) { entity, position in
        count += 1
        require(
          entity.core == core && core.isMember(entity.handle, of: set),
          "An index of \(cid.name) has \(entity), which does not have the component.")
        require(
          isLinked(entity.handle.index, to: position),
          "An index of \(cid.name) does not know where \(entity) is.")
        require(
          !isPrimary || position.offset == 0,
          "A key of the primary index of \(cid.name) has more than one entity.")
      }
      let known = hasManyKeys ? state.pointee.links.count : state.pointee.positions.count
      require(known == count, "An index has \(count) entities and knows where \(known) are.")
      // Keys that don't equal themselves are not in the index.
      let isLacking = count < set.count && !Key.alwaysEqualsItself
      require(
        hasManyKeys || count == set.count || isLacking,
        "An index of \(cid.name) has \(count) entities, of \(set.count) that have the component.")
    }

    private func isLinked(_ slot: UInt32, to position: BucketPosition) -> Bool {
      guard hasManyKeys else { return state.pointee.positions[slot] == position }
      let links = state.pointee.links
      guard position.bucket.index < links.buckets.count,
        Int(position.offset) < links.buckets[position.bucket.index].count
      else { return false }
      let id = links.buckets[position.bucket.index][Int(position.offset)]
      return links.links[id.index].slot == slot
    }

    @usableFromInline
    func plant(_ contradiction: PlantedCorruption) {
      guard hasManyKeys == (contradiction == .linkToKey) else { return }
      switch contradiction {
      case .positionInIndex:
        let slot = state.pointee.buckets.anyEntity.index
        state.pointee.positions.update(slot, BucketPosition(bucket: BucketID(0), offset: 7))
      case .countOfKeys: state.pointee.buckets.count += 1
      case .entityInIndex:
        let position = state.pointee.positions[state.pointee.buckets.anyEntity.index]
        // SAFETY: positions of entities in the index are valid.
        let bucket = unsafe state.pointee.buckets.buckets + position.bucket.index
        _ = unsafe bucket.pointee.entities(of: core)
        unsafe bucket.pointee.several[Int(position.offset)] = Entity(core: core, handle: .dead)
      case .linkToKey: state.pointee.links.exchange(0, 1, inBucket: BucketID(0))
      default: return
      }
    }
  }

  extension Hashable {
    fileprivate static var alwaysEqualsItself: Bool {
      Core.isOfStandardLibrary(Self.self) && !(Self.self is any FloatingPoint.Type)
    }
  }

  extension KeyBuckets {
    /// An entity of the first bucket.
    fileprivate var anyEntity: Handle {
      // SAFETY: the caller has put an entity into the index.
      unsafe buckets[0].first
    }
  }
#endif
