// Where nodes are, and what is at a position.
extension OrderedNodes {
  /// The number of nodes before a node, now.
  @inline(never)
  func position(_ id: ID) -> Int {
    rank(id, \.present) { $0.present }
  }

  /// The number of nodes that were before a node at the earlier moment.
  @inline(never)
  func earlierPosition(_ id: ID) -> Int {
    rank(id, \.earlier) { $0.earlier }
  }

  @inline(__always)
  private func rank(
    _ id: ID, _ mask: KeyPath<OrderedBlocks.Head, UInt32>,
    _ count: (OrderedBlocks.Counts) -> UInt32
  ) -> Int {
    assert(self[id].flags.contains(.isLinked), "A node is nowhere that is not in the tree.")
    let leaf = self[id].leaf
    let below: UInt32 = 1 &<< UInt32(slot(of: id)) &- 1
    var rank = UInt32((leaves[leaf][keyPath: mask] & below).nonzeroBitCount)
    var (block, slot) = parent(of: leaf)
    while block != OrderedBlocks.none {
      rank &+= count(inners.counts(block, before: slot))
      (block, slot) = parent(of: block)
    }
    return Int(rank)
  }

  /// The number of nodes of the sequence of now that come before a point in the order.
  ///
  /// Nodes with the prefix of the point are asked whether they do; those that do come first.
  func count(before prefix: UInt64, isBefore: (ID) -> Bool) -> Int {
    var block = state.pointee.root
    guard block != OrderedBlocks.none else { return 0 }
    var count: UInt32 = 0
    while block.isInner {
      let next = inners.firstEntry(after: prefix, in: block) { !isBefore($0) }
      let slot = max(0, next - 1)
      count &+= inners.counts(block, before: slot).present
      block = inners.child(block, slot)
    }
    let slot = leaves.firstEntry(after: prefix, in: block) { !isBefore($0) }
    let below = UInt32(truncatingIfNeeded: 1 << UInt64(slot) - 1)
    return Int(count) + (leaves[block].present & below).nonzeroBitCount
  }

  /// The node at a position of the sequence of now; `none` if there are not that many.
  func node(at position: Int) -> ID {
    guard position < count else { return Self.none }
    return node(at: position, \.present) { $0.present }
  }

  /// The node at a position of the sequence of the earlier moment; `none` if there were not that
  /// many.
  func earlierNode(at position: Int) -> ID {
    guard position < earlierCount else { return Self.none }
    return node(at: position, \.earlier) { $0.earlier }
  }

  @inline(__always)
  private func node(
    at position: Int, _ mask: KeyPath<OrderedBlocks.Head, UInt32>,
    _ count: (OrderedBlocks.Counts) -> UInt32
  ) -> ID {
    guard position >= 0 else { return Self.none }
    var before = UInt32(truncatingIfNeeded: position)
    var block = state.pointee.root
    while block.isInner {
      var slot = 0
      while case let below = count(inners.counts(block, slot)), below <= before {
        before &-= below
        slot += 1
      }
      block = inners.child(block, slot)
    }
    var bits = leaves[block][keyPath: mask]
    for _ in 0..<before { bits &= bits &- 1 }
    return leaves.node(block, bits.trailingZeroBitCount)
  }

  // MARK: One after another

  /// The first node of the tree, in whichever sequence.
  var first: ID {
    let leaf = firstLeaf
    return leaf == OrderedBlocks.none ? Self.none : leaves.node(leaf, 0)
  }

  /// The first leaf of the tree; `none` if there is none.
  var firstLeaf: Block {
    var block = state.pointee.root
    guard block != OrderedBlocks.none else { return block }
    while block.isInner { block = inners.child(block, 0) }
    return block
  }

  /// The next node of the tree, in whichever sequence.
  func next(after id: ID) -> ID {
    let leaf = self[id].leaf
    let slot = slot(of: id) + 1
    if slot < leaves[leaf].count { return leaves.node(leaf, slot) }
    let next = leaves[leaf].next
    return next == OrderedBlocks.none ? Self.none : leaves.node(next, 0)
  }

  /// The node of the tree before, in whichever sequence.
  func previous(before id: ID) -> ID {
    let leaf = self[id].leaf
    let slot = slot(of: id)
    if slot > 0 { return leaves.node(leaf, slot - 1) }
    let previous = leaves[leaf].previous
    guard previous != OrderedBlocks.none else { return Self.none }
    return leaves.node(previous, leaves[previous].count - 1)
  }

  /// Visits nodes of the sequence of now in order, from a position on.
  func visit(from position: Int, count: Int, _ body: (ID) -> Void) {
    let first = node(at: position)
    guard count > 0, first != Self.none else { return }
    var (leaf, left) = (self[first].leaf, count)
    var bits = leaves[leaf].present
    bits &= UInt32.max &<< UInt32(slot(of: first))
    while true {
      while bits != 0 {
        body(leaves.node(leaf, bits.trailingZeroBitCount))
        bits &= bits &- 1
        left -= 1
        if left == 0 { return }
      }
      leaf = leaves[leaf].next
      if leaf == OrderedBlocks.none { return }
      bits = leaves[leaf].present
    }
  }
}
