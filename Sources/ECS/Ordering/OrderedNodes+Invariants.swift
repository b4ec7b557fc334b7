#if InternalChecks
  extension OrderedNodes {
    /// How many nodes were ever made.
    var used: Int { state.pointee.used }

    /// Stops if the tree contradicts itself: entries, counts, slots, and the order.
    func checkInvariants(isBefore: (ID, ID) -> Bool) {
      let root = state.pointee.root
      require(
        root == OrderedBlocks.none || parent(of: root).block == OrderedBlocks.none,
        "The root of a view has a parent.")
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
      if root != OrderedBlocks.none {
        let leafCount = checkBlock(root)
        require(
          counts(of: root) == state.pointee.counts && leafCount <= state.pointee.leaves.used,
          "A view counts \(self.count) nodes, of \(counts(of: root).present).")
      }
      // SAFETY: nodes below `used` are initialized.
      let linked = (0..<used).count { unsafe state.pointee.nodes[$0].flags.contains(.isLinked) }
      require(linked == count, "A view has \(count) nodes, and \(linked) that say so.")
      var free = 0
      id = state.pointee.firstFree
      while id != Self.none {
        free += 1
        require(
          !self[id].flags.contains(.isLinked) && count + free <= used,
          "The node \(id.index) of a view is in use, or free twice.")
        id = self[id].nextFree
      }
    }

    private func checkNode(_ id: ID) {
      let (node, leaf) = (self[id], self[id].leaf)
      require(
        !node.flags.isDisjoint(with: [.isPresent, .wasPresent]),
        "The node \(id.index) of a view is in no sequence.")
      let slot = slot(of: id)
      let bit: UInt32 = 1 << UInt32(slot)
      require(
        leaves.node(leaf, slot) == id && leaves.prefix(leaf, slot) == node.prefix,
        "The node \(id.index) of a view is not where it should be, or out of order.")
      require(
        (leaves[leaf].present & bit != 0) == node.flags.contains(.isPresent)
          && (leaves[leaf].earlier & bit != 0) == node.flags.contains(.wasPresent),
        "The node \(id.index) of a view counts in other sequences than it says.")
    }

    /// Checks what is below a block, and returns the number of leaves.
    private func checkBlock(_ block: Block) -> Int {
      if !block.isInner {
        let head = leaves[block]
        require(head.count > 0, "A view has an empty block.")
        for slot in head.count..<OrderedBlocks.width {
          require(
            leaves.node(block, slot) == Self.none && leaves.prefix(block, slot) == .max,
            "A view has a node behind a block.")
        }
        return 1
      }
      require(inners[block].count > 0, "A view has an empty block.")
      for slot in inners[block].count..<OrderedBlocks.width {
        require(inners.prefix(block, slot) == .max, "A view has a block behind the others.")
      }
      var leafCount = 0
      for slot in 0..<inners[block].count {
        let child = inners.child(block, slot)
        require(
          parent(of: child) == (block, slot), "A block of a view has another parent, or slot.")
        let first =
          child.isInner
          ? (inners.prefix(child, 0), inners.node(child, 0))
          : (leaves.prefix(child, 0), leaves.node(child, 0))
        require(
          (inners.prefix(block, slot), inners.node(block, slot)) == first,
          "A view looks for a block by another node than its first one.")
        require(
          inners.counts(block, slot) == counts(of: child),
          "A view counts other nodes below a block than there are.")
        leafCount += checkBlock(child)
      }
      return leafCount
    }
  }
#endif
