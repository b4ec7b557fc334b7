#if InternalChecks
  extension SlotHash {
    /// Stops if the table contradicts itself.
    func checkInvariants() {
      require(
        capacity & (capacity - 1) == 0 && count * 4 <= capacity * 3,
        "A hash table of slots has \(count) values in \(capacity) places.")
      var found = 0
      for place in 0..<capacity where unsafe entries[place].filling == filling {
        // SAFETY: place < capacity.
        let slot = unsafe entries[place].slot
        found += 1
        require(
          self.place(slot) == place, "A hash table has the slot \(slot) where nobody looks for it.")
      }
      require(found == count, "A hash table has \(found) slots and counts \(count).")
    }
  }
#endif
