#if InternalChecks
  extension CreationOrder {
    /// Stops if the ordinals contradict themselves.
    func checkInvariants() {
      require(
        limit == 0 || limit == .max,
        "Ordinals below \(limit) are written down, which is neither none nor all.")
      // SAFETY: only compared.
      unsafe require(
        !isImplicit || ordinals == Memory.allocate(UInt32.self, capacity: 0),
        "There is memory for ordinals of which none is written down.")
    }
  }
#endif
