#if InternalChecks
  extension EntitySparseSet {
    /// How much there is to look at.
    var walkLength: Int { count + positionCount / 16 }

    /// Stops if the log contradicts itself.
    func checkInvariants() {
      require(
        first >= 0 && count >= 0 && first + count <= room && room <= block.capacity,
        "A log has \(count) entities from \(first) on, in room for \(room) of \(block.capacity).")
      unsafe require(handles == block.handles, "A log does not have the handles of its block.")
      require(count <= limit, "A log has \(count) entities, of \(limit) at most.")
      sparse.checkInvariants()
      require(
        positionCount == 0 || sparse.count == 0, "A log has positions both by slot and by hash.")
      unsafe require(Set(elements).count == count, "A log has an entity twice.")
      for unsafe(handle) in unsafe elements {
        let position = position(ofSlot: handle.index)
        require(
          position >= first && position < first + count,
          "A log has no position for slot \(handle.index).")
        // SAFETY: the position was just checked.
        let newest = unsafe handles[position]
        require(
          newest.index == handle.index && newest.generation >= handle.generation,
          "A log has the newest entity of slot \(handle.index) at another position than \(position)."
        )
      }
    }

    /// Puts an entity where another one is.
    mutating func plant() {
      // SAFETY: the caller has put two entities into the log.
      unsafe handles[first] = handles[first + 1]
    }
  }
#endif
