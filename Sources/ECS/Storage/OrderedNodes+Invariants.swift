#if InternalChecks
  extension OrderedNodes {
    /// How many nodes were ever made.
    var used: Int { state.pointee.used }

    /// Stops if the tree contradicts itself: links, counts, priorities, and the order.
    func checkInvariants(isBefore: (ID, ID) -> Bool) {
      require(
        root == Self.none || self[root].parent == Self.none, "The root of a view has a parent.")
      var (id, previous, count) = (first, Self.none, 0)
      while id != Self.none {
        count += 1
        require(count <= used, "The nodes of a view are linked in a circle.")
        checkNode(id)
        require(
          previous == Self.none || !isBefore(id, previous),
          "The nodes \(previous.index) and \(id.index) of a view are out of order.")
        (previous, id) = (id, next(after: id))
      }
      // SAFETY: places below `used` are initialized.
      let linked = (0..<used).count { unsafe state.pointee.nodes[$0].flags.contains(.isLinked) }
      require(linked == count, "A view has \(count) nodes, and \(linked) that say so.")
      var free = 0
      id = state.pointee.firstFree
      while id != Self.none {
        free += 1
        require(
          !self[id].flags.contains(.isLinked) && count + free <= used,
          "The node \(id.index) of a view is in use, or free twice.")
        id = self[id].parent
      }
    }

    private func checkNode(_ id: ID) {
      let node = self[id]
      var present: UInt32 = node.flags.contains(.isPresent) ? 1 : 0
      var earlier: UInt32 = node.flags.contains(.wasPresent) ? 1 : 0
      require(present + earlier > 0, "The node \(id.index) of a view is in no sequence.")
      for child in [node.left, node.right] where child != Self.none {
        require(self[child].parent == id, "The node \(child.index) of a view has another parent.")
        require(
          self[child].priority <= node.priority,
          "The node \(child.index) of a view is above its parent.")
        present += self[child].presentCount
        earlier += self[child].earlierCount
      }
      require(
        node.presentCount == present && node.earlierCount == earlier,
        "The node \(id.index) of a view counts \(node.presentCount) and \(node.earlierCount) nodes, of \(present) and \(earlier)."
      )
    }
  }
#endif
