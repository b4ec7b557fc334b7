#if InternalChecks
  extension Freezing {
    /// Stops if tables ask for other pictures than is said.
    func checkInvariants() {
      var count = 0
      for unsafe(table) in unsafe core.pointer.pointee.tables.all {
        unsafe count += table.pointee.frozen.count
        unsafe require(
          table.pointee.frozen.allSatisfy { unsafe $0.table == table },
          "A picture is asked for by another table than its own.")
      }
      let counted = core.pointer.pointee.journaling.frozenCount
      require(
        count == counted && core.isFreezing == (counted > 0),
        "Tables ask for \(count) pictures, and \(counted) are counted.")
    }
  }
#endif
