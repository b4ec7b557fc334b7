#if InternalChecks
  extension Roster {
    /// Stops if the roster contradicts itself.
    func checkInvariants() {
      let members = members
      require(
        members.count == count && members.allSatisfy(contains),
        "One of \(members.count) listeners, of \(count), does not know its place.")
    }
  }
#endif
