#if InternalChecks
  extension StableList {
    /// Stops if the list contradicts itself.
    func checkInvariants() {
      let members = members
      require(
        members.count == count && members.allSatisfy(contains),
        "One of \(members.count) listeners, of \(count), does not know its index.")
    }
  }
#endif
