// Many nodes at once: the tree is made anew, which takes a few nanoseconds for each node.
extension OrderedNodes {
  /// A node beside what orders it.
  struct Keyed {
    let prefix: UInt64
    let id: ID
  }

  /// The nodes of the tree that are not stale, in order.
  var freshNodes: [Keyed] {
    var kept: [Keyed] = []
    guard staleCount < count else { return kept }
    kept.reserveCapacity(count - staleCount)
    var leaf = firstLeaf
    while leaf != OrderedBlocks.none {
      for slot in 0..<leaves[leaf].count {
        let id = leaves.node(leaf, slot)
        if isStale(id) { continue }
        kept.append(Keyed(prefix: leaves.prefix(leaf, slot), id: id))
      }
      leaf = leaves[leaf].next
    }
    return kept
  }

  /// Makes a tree of nodes that are in order, and of others, whose keys may all be new.
  ///
  /// Every node that was in the tree and is among neither is in it no longer; its flags stay.
  ///
  /// - Complexity: O(*n* + *k* log *k*), where *n* is the number of nodes and *k* that of the
  ///   others; where prefixes differ, they are sorted by as many passes as it takes to look at
  ///   eleven bits each.
  func rebuild(_ kept: [Keyed], and others: [ID], isBefore: (ID, ID) -> Bool) {
    var others = others.map { Keyed(prefix: self[$0].prefix, id: $0) }
    Self.sort(&others, isBefore: isBefore)
    func comesBefore(_ one: Keyed, _ other: Keyed) -> Bool {
      one.prefix != other.prefix ? one.prefix < other.prefix : isBefore(one.id, other.id)
    }
    state.pointee.leaves.removeAll()
    state.pointee.inners.removeAll()
    state.pointee.counts = OrderedBlocks.Counts()
    // A look-up meanwhile, as by a comparison, finds nothing.
    state.pointee.root = OrderedBlocks.none
    var builder = LeafBuilder()
    var (next, other) = (0, 0)
    while next < kept.count || other < others.count {
      let isKept =
        other == others.count || (next < kept.count && comesBefore(kept[next], others[other]))
      append(isKept ? kept[next] : others[other], &builder)
      if isKept { next += 1 } else { other += 1 }
    }
    state.pointee.root = connect(builder.leaves)
  }

  // MARK: Building

  private struct LeafBuilder {
    var leaves: [Block] = []
    var last = OrderedBlocks.none
    var count = OrderedNodes.filling
  }

  /// How many entries new blocks get: some more fit in.
  private static var filling: Int { OrderedBlocks.width * 7 / 8 }

  private func append(_ node: Keyed, _ builder: inout LeafBuilder) {
    if builder.count == Self.filling {
      let leaf = state.pointee.leaves.make()
      leaves[leaf].previous = builder.last
      if builder.last != OrderedBlocks.none { leaves[builder.last].next = leaf }
      builder.leaves.append(leaf)
      builder.last = leaf
      builder.count = 0
    }
    let (leaf, slot) = (builder.last, builder.count)
    leaves.append(node.prefix, node.id, to: leaf)
    let flags = self[node.id].flags
    let bit: UInt32 = 1 &<< UInt32(slot)
    if flags.contains(.isPresent) {
      leaves[leaf].present |= bit
      state.pointee.counts.present &+= 1
    }
    if flags.contains(.wasPresent) {
      leaves[leaf].earlier |= bit
      state.pointee.counts.earlier &+= 1
    }
    self[node.id].flags = flags.union(.isLinked)
    self[node.id].leaf = leaf
    builder.count += 1
  }

  /// Makes the inner blocks above others; returns the root.
  private func connect(_ blocks: [Block]) -> Block {
    var level = blocks
    while level.count > 1 {
      var above: [Block] = []
      var start = 0
      while start < level.count {
        let children = level[start..<min(start + Self.filling, level.count)]
        let block = state.pointee.inners.make()
        for child in children { appendChild(child, to: block) }
        above.append(block)
        start += Self.filling
      }
      level = above
    }
    return level.first ?? OrderedBlocks.none
  }

  // MARK: Sorting

  /// Sorts nodes by their prefixes, eleven bits at a time from the lowest of those in which they
  /// differ (Knuth, "The Art of Computer Programming", volume 3, 5.2.5), and those with equal ones
  /// by a closure.
  private static func sort(_ nodes: inout [Keyed], isBefore: (ID, ID) -> Bool) {
    var (all, common) = (UInt64(0), UInt64.max)
    for node in nodes {
      all |= node.prefix
      common &= node.prefix
    }
    let differing = all & ~common
    if nodes.count < 64 {
      nodes.sort { $0.prefix < $1.prefix }
    } else {
      var shift = UInt64(differing.trailingZeroBitCount)
      while shift < 64, differing >> shift != 0 {
        sort(&nodes, byBitsFrom: shift)
        shift += 11
      }
    }
    var first = 0
    while first < nodes.count {
      var end = first + 1
      while end < nodes.count, nodes[end].prefix == nodes[first].prefix { end += 1 }
      if end > first + 1 { nodes[first..<end].sort { isBefore($0.id, $1.id) } }
      first = end
    }
  }

  private static func sort(_ nodes: inout [Keyed], byBitsFrom shift: UInt64) {
    var ends = [Int](repeating: 0, count: 1 << 11)
    for node in nodes { ends[Int((node.prefix >> shift) & 2047)] += 1 }
    var total = 0
    for bits in ends.indices { (ends[bits], total) = (total, total + ends[bits]) }
    nodes = unsafe [Keyed](unsafeUninitializedCapacity: nodes.count) { sorted, count in
      for node in nodes {
        let bits = Int((node.prefix >> shift) & 2047)
        // SAFETY: the indices are those of all nodes, each once.
        unsafe sorted.initializeElement(at: ends[bits], to: node)
        ends[bits] += 1
      }
      count = nodes.count
    }
  }
}
