#if InternalChecks
  extension RelationLinks {
    /// How much `checkInvariants()` looks at.
    var walkLength: Int { links.count + count + targets.count / 16 }

    /// Stops if the links contradict themselves: both sides have the same ones.
    func checkInvariants() {
      require(targets.count == sources.count, "The sides of a relation cover different slots.")
      var byTarget: Set<ID> = []
      var bySource: Set<ID> = []
      var pairs: Set<UInt64> = []
      for slot in targets.indices {
        check(targets[slot], .targets, of: slot) { id in
          let link = links[id.index]
          byTarget.insert(id)
          require(
            pairs.insert(RelationLinks.pair(link.source, link.target)).inserted,
            "Slot \(link.source) is linked to slot \(link.target) twice.")
        }
        check(sources[slot], .sources, of: slot) { bySource.insert($0) }
      }
      require(
        byTarget == bySource && byTarget.count == count,
        "The sides of a relation have \(byTarget.count) and \(bySource.count) links, of \(count).")
      for (pair, id) in self.pairs ?? [:] {
        require(
          byTarget.contains(id)
            && RelationLinks.pair(links[id.index].source, links[id.index].target) == pair,
          "A relation finds the link \(id.index) between slots that it does not link.")
      }
      require(self.pairs.map { $0.count == count } ?? true, "A relation does not find all links.")
      var (id, free) = (firstFree, 0)
      while id != .none {
        free += 1
        require(
          !byTarget.contains(id) && free <= links.count,
          "The link \(id.index) of a relation is in use, or free twice.")
        id = links[id.index].nextTarget
      }
      require(count + free == links.count, "A relation lost links: \(count), \(free) free.")
    }

    private func check(
      _ list: List, _ side: RelationSide, of slot: Int, _ body: (ID) -> Void
    ) {
      var (id, previous, met) = (list.first, ID.none, 0)
      while id != .none {
        let link = links[id.index]
        let (end, before, next) =
          side == .targets
          ? (link.source, link.previousTarget, link.nextTarget)
          : (link.target, link.previousSource, link.nextSource)
        met += 1
        require(
          Int(end) == slot && before == previous && met <= list.count,
          "The \(side) of slot \(slot) are broken at the link \(id.index).")
        body(id)
        (previous, id) = (id, next)
      }
      require(
        list.last == previous && Int(list.count) == met,
        "Slot \(slot) has \(met) \(side) and counts \(list.count).")
    }

    /// Puts the ends of the younger of two links where those of the older are.
    mutating func plant(in slot: UInt32) {
      guard let older = first(slot, .targets), let younger = next(after: older, .targets) else {
        return
      }
      let link = self.link(older)
      remove(younger)
      revertRemoval(younger, of: link)
    }
  }
#endif
