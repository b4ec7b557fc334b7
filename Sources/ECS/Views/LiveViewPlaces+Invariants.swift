#if InternalChecks
  extension LiveViewPlaces {
    /// How many entities have nodes.
    var count: Int { linked?.values.count { $0.node != OrderedNodes.none } ?? nodes.count }

    /// Stops if the places contradict themselves.
    func checkInvariants() {
      nodes.checkInvariants()
      let arrivals = (linked ?? [:]).values.map(\.arrival)
      require(
        Set(arrivals).count == arrivals.count && arrivals.allSatisfy { $0 < nextArrival },
        "Linked entities of a view have the same place in the order of links, or one to come.")
    }
  }
#endif
