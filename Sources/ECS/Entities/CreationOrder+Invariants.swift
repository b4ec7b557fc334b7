#if InternalChecks
  extension CreationOrder {
    /// Stops if the numbers contradict themselves.
    func checkInvariants() {
      require(
        limit == 0 || limit == .max,
        "Numbers below \(limit) are written down, which is neither none nor all.")
      // SAFETY: only compared.
      unsafe require(
        !isImplicit || numbers == Memory.allocate(UInt32.self, capacity: 0),
        "There is memory for numbers of which none is written down.")
    }
  }
#endif
