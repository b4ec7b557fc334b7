#if InternalChecks
  extension LiveViewSink {
    /// Stops if the view contradicts itself, or shows what is not there.
    func checkContents() {
      core.refusingChanges(.sorting) { nodes.checkInvariants(isBefore: isBefore) }
      places.checkInvariants()
      require(
        places.count == nodes.count,
        "A view has \(nodes.count) entities, and knows where \(places.count) are.")
      var ghosts = 0
      var id = nodes.first
      while id != OrderedNodes.none {
        check(id)
        if !nodes[id].flags.contains(.isPresent) { ghosts += 1 }
        id = nodes.next(after: id)
      }
      require(
        ghosts <= touched.count && touched.allSatisfy { nodes[$0].flags.contains(.isTouched) }
          && Set(touched).count == touched.count && (isObserved || touched.isEmpty),
        "A view has \(touched.count) changes to tell and \(ghosts) entities that left.")
      require(
        nodes.staleCount == 0 || isDirty,
        "A view has \(nodes.staleCount) changes to make, and will not be asked to.")
      if let candidates = unfilteredCount {
        require(
          nodes.count == candidates, "A view has \(nodes.count) entities, of \(candidates).")
      }
    }

    private func check(_ id: ID) {
      let (flags, handle) = (nodes[id].flags, nodes[id].handle)
      require(
        flags.contains(.isTouched) || flags.isSuperset(of: [.isPresent, .wasPresent]),
        "A view forgot that \(entity(id)) came or went.")
      guard flags.contains(.isPresent) else { return }
      require(node(of: handle) == id, "A view does not know where \(entity(id)) is.")
      // A stale node may be on its way out.
      require(
        core.isAlive(handle) && (nodes.isStale(id) || isCandidate(handle)),
        "A view shows \(entity(id)), which does not belong to it.")
    }

    /// How many entities the view has if no filter keeps any out; nil if one may.
    private var unfilteredCount: Int? {
      guard tests.isEmpty, members == nil, !isRouted else { return nil }
      return tables?.count ?? places.linked?.count
    }

    private func isCandidate(_ handle: Handle) -> Bool {
      if let tables { return core.isMember(handle, of: tables) }
      return places.isCandidate(handle.index)
        && members.map { core.isMember(handle, of: $0) } != false
    }

    /// The slots of linked entities, in the order in which the view was notified of them.
    var slotsByArrival: [UInt32] { places.order }

    /// Puts something wrong.
    func plantHere(_ contradiction: PlantedCorruption) {
      let id = nodes.first
      switch contradiction {
      case .orderOfView: nodes.setPrefix(id, .max - 1)
      case .countOfView: nodes[id].flags.remove(.isPresent)
      case .entityOfView: places[nodes[id].handle.index] = nodes.next(after: id)
      default: return
      }
    }
  }
#endif
