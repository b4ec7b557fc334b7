#if InternalChecks
  extension RelationStore {
    /// Stops if the links contradict themselves, storage, or what the relation promises.
    func checkInvariants() {
      links.checkInvariants()
      require(
        values.map { $0.count == links.count } ?? true,
        "\(name) has \(links.count) links, and \(values?.count ?? 0) values of them.")
      require(returns.isEmpty, "\(name) notes changes although nobody asked it to.")
      var rooted: Set<UInt32> = []
      for slot in links.targets.indices {
        let slot = UInt32(slot)
        let (targets, sources) = (links.count(slot, .targets), links.count(slot, .sources))
        guard targets + sources > 0 else { continue }
        require(
          core.isAlive(core.lastHandle(ofSlot: slot)),
          "Slot \(slot) has links of \(name), and is not alive.")
        require(
          (targets <= 1 || !isToOne) && (sources <= 1 || !isOneToOne),
          "Slot \(slot) has \(targets) targets and \(sources) sources of \(name).")
        if isHierarchy { checkAncestors(of: slot, &rooted) }
      }
    }

    /// Stops if there is a cycle above a slot, unless it is known that there is none.
    private func checkAncestors(of slot: UInt32, _ rooted: inout Set<UInt32>) {
      var path: Set<UInt32> = []
      var next: UInt32? = slot
      while let current = next, !rooted.contains(current) {
        require(path.insert(current).inserted, "Slot \(current) is above itself in \(name).")
        next = links.first(current, .targets).map { links.slot(of: $0, .targets) }
      }
      rooted.formUnion(path)
    }

    func plant(_ contradiction: PlantedCorruption) {
      for slot in links.targets.indices {
        let slot = UInt32(slot)
        guard let link = links.first(slot, .targets) else { continue }
        let target = links.slot(of: link, .targets)
        switch contradiction {
        case .linkOfRelation where !isToOne: return links.plant(in: slot)
        case .cycleOfRelation where isHierarchy: return links.insert(source: target, target: slot)
        case .secondTarget where isToOne: return links.insert(source: slot, target: slot)
        case .linkOfView where views != nil: return links.insert(source: target, target: target)
        default: return
        }
      }
    }
  }
#endif
