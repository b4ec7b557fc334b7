#if InternalChecks
  extension SlotHash {
    /// Stops if the table contradicts itself.
    func checkInvariants() {
      require(
        capacity & (capacity - 1) == 0 && count * 4 <= capacity * 3,
        "A hash table of slots has \(count) values in \(capacity) entries.")
      var found = 0
      for index in 0..<capacity where unsafe entries[index].epoch == epoch {
        // SAFETY: index < capacity.
        let slot = unsafe entries[index].slot
        found += 1
        require(
          self.index(of: slot) == index,
          "A hash table has the slot \(slot) where nobody looks for it.")
      }
      require(found == count, "A hash table has \(found) slots and counts \(count).")
    }
  }
#endif
