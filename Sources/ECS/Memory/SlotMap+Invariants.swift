#if InternalChecks
  extension SlotMap {
    /// Stops if the map contradicts itself.
    func checkInvariants() {
      sparse.checkInvariants()
      require(
        denseCount == 0 || sparse.count == 0,
        "A map of slots has both an array and \(sparse.count) values in a hash table.")
      // SAFETY: slot < denseCount.
      let inArray = (0..<denseCount).count { slot in unsafe dense[slot] != absent }
      require(
        inArray + sparse.count == count,
        "A map of slots has \(inArray + sparse.count) values and counts \(count).")
      sparse.visit { slot, value in
        require(
          Int(slot) < slotCount && value != absent,
          "A map of \(slotCount) slots has no value, or one it does not count, for \(slot).")
      }
    }
  }
#endif
