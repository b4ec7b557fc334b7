private import CPlatform

// How nodes come into the tree, and leave it.
extension OrderedNodes {
  typealias Block = OrderedBlocks.ID

  var leaves: OrderedBlocks {
    @inline(__always) get { state.pointee.leaves }
  }

  var inners: OrderedBlocks {
    @inline(__always) get { state.pointee.inners }
  }

  /// An entry of a leaf.
  struct Entry {
    let leaf: Block
    let slot: Int
  }

  /// The entry of a node of the tree.
  func entry(of id: ID) -> Entry {
    assert(self[id].flags.contains(.isLinked), "A node is nowhere that is not in the tree.")
    let leaf = self[id].leaf
    return Entry(leaf: leaf, slot: slot(of: id))
  }

  /// The entry of a node of the tree in its leaf.
  @inline(__always)
  func slot(of id: ID) -> Int { leaves.slot(of: id, self[id].prefix, in: self[id].leaf) }

  /// Lets the processor fetch what each look at nodes begins with.
  @inline(__always)
  func prefetch() { unsafe c_prefetch(state) }

  /// Lets the processor fetch the root, if it is the only leaf.
  @inline(__always)
  func prefetchRoot() {
    let root = state.pointee.root
    if root != OrderedBlocks.none, !root.isInner { leaves.prefetch(root) }
  }

  /// Lets the processor fetch a node that is about to be looked at.
  func prefetch(_ id: ID) { unsafe c_prefetch(state.pointee.nodes + id.index) }

  /// Lets the processor fetch the leaf of a node of the tree, which is about to leave it.
  func prefetchLeaf(of id: ID) { leaves.prefetch(self[id].leaf) }

  /// Whether a node with a prefix may have the entry of another one, as far as those beside it in
  /// its leaf can tell by their prefixes alone; nil if they can't.
  func fits(_ prefix: UInt64, at entry: Entry) -> Bool? {
    let (leaf, slot) = (entry.leaf, entry.slot)
    let (hasPrevious, hasNext) = (slot > 0, slot + 1 < leaves[leaf].count)
    let previous = hasPrevious ? leaves.prefix(leaf, slot - 1) : 0
    let next = hasNext ? leaves.prefix(leaf, slot + 1) : .max
    if prefix < previous || prefix > next { return false }
    return hasPrevious && hasNext && prefix != previous && prefix != next ? true : nil
  }

  /// The leaf in which a node belongs, which need not be in the tree; fetched early.
  func leaf(for id: ID, isBefore: (ID, ID) -> Bool) -> Block {
    let prefix = self[id].prefix
    if state.pointee.root == OrderedBlocks.none {
      state.pointee.root = state.pointee.leaves.make()
    }
    var block = state.pointee.root
    while block.isInner {
      let next = inners.firstEntry(after: prefix, in: block) { isBefore(id, $0) }
      block = inners.child(block, max(0, next - 1))
    }
    leaves.prefetch(block)
    return block
  }

  /// The leaf in which a node belongs if prefixes and the order of creation decide.
  func leaf(for id: ID) -> Block { leaf(for: id) { self[$0].creation < self[$1].creation } }

  /// Puts a node, as above, into the leaf in which it belongs.
  func insert(_ id: ID, in leaf: Block) {
    insert(id, in: leaf) { self[$0].creation < self[$1].creation }
  }

  /// Puts a node into the tree.
  func insert(_ id: ID, isBefore: (ID, ID) -> Bool) {
    insert(id, in: leaf(for: id, isBefore: isBefore), isBefore: isBefore)
  }

  /// Puts a node into the leaf in which it belongs.
  func insert(_ id: ID, in leaf: Block, isBefore: (ID, ID) -> Bool) {
    assert(!self[id].flags.contains(.isLinked), "A node was to come that is in the tree.")
    let prefix = self[id].prefix
    var block = leaf
    var slot = leaves.firstEntry(after: prefix, in: block) { isBefore(id, $0) }
    if leaves[block].count == OrderedBlocks.width { (block, slot) = split(block, for: slot) }
    leaves.openGap(block, at: slot)
    leaves.set(block, slot, prefix, id)
    let flags = self[id].flags
    leaves[block].present.insertBit(flags.contains(.isPresent), at: slot)
    leaves[block].earlier.insertBit(flags.contains(.wasPresent), at: slot)
    self[id].flags = flags.union(.isLinked)
    self[id].leaf = block
    if slot == 0 { firstEntryChanged(of: block) }
    add(Self.change([], flags), to: block)
  }

  /// Takes a node out; its flags stay.
  func remove(_ id: ID) { _ = remove(id, at: entry(of: id)) }

  /// Takes a node out of its entry, which is given; its flags stay.
  ///
  /// Returns whether all leaves are still there, and every node that isn't in the tree still
  /// belongs in the one in which it belonged.
  func remove(_ id: ID, at entry: Entry) -> Bool {
    assert(self[id].flags.contains(.isLinked), "A node was to go that is not in the tree.")
    let (leaf, slot) = (entry.leaf, entry.slot)
    assert(leaves.node(leaf, slot) == id, "A node was to leave an entry that is not its own.")
    leaves.closeGap(leaf, at: slot)
    leaves[leaf].present.removeBit(at: slot)
    leaves[leaf].earlier.removeBit(at: slot)
    add(Self.change(self[id].flags, []), to: leaf)
    self[id].flags.remove(.isLinked)
    if slot == 0, leaves[leaf].count > 0 { firstEntryChanged(of: leaf) }
    if leaves[leaf].count >= Self.leastCount { return true }
    entryLeft(leaf)
    return false
  }

  /// Changes in which sequences a node of the tree is.
  func setFlags(_ id: ID, _ flags: Flags) {
    assert(
      self[id].flags.contains(.isLinked), "A node was to be counted that is not in the tree.")
    let before = self[id].flags
    self[id].flags = flags.union(.isLinked)
    let change = Self.change(before, flags)
    guard change != OrderedBlocks.Counts() else { return }
    let leaf = self[id].leaf
    let bit: UInt32 = 1 &<< UInt32(slot(of: id))
    if change.present != 0 { leaves[leaf].present ^= bit }
    if change.earlier != 0 { leaves[leaf].earlier ^= bit }
    add(change, to: leaf)
  }

  /// Changes the prefix of a node that keeps its position.
  func setPrefix(_ id: ID, _ prefix: UInt64) {
    guard self[id].prefix != prefix else { return }
    guard self[id].flags.contains(.isLinked) else {
      self[id].prefix = prefix
      return
    }
    let (leaf, slot) = (self[id].leaf, slot(of: id))
    self[id].prefix = prefix
    leaves.setPrefix(leaf, slot, prefix)
    if slot == 0 { firstEntryChanged(of: leaf) }
  }

  // MARK: Counts

  private static func change(_ before: Flags, _ after: Flags) -> OrderedBlocks.Counts {
    func change(_ flag: Flags) -> UInt32 {
      (after.contains(flag) ? 1 : 0) &- (before.contains(flag) ? 1 : 0)
    }
    return OrderedBlocks.Counts(present: change(.isPresent), earlier: change(.wasPresent))
  }

  private func add(_ counts: OrderedBlocks.Counts, to leaf: Block) {
    state.pointee.counts &+= counts
    var (block, slot) = (leaves[leaf].parent, leaves[leaf].parentSlot)
    while block != OrderedBlocks.none {
      inners.add(counts, block, slot)
      (block, slot) = (inners[block].parent, inners[block].parentSlot)
    }
  }

  /// How many nodes are below a block.
  func counts(of block: Block) -> OrderedBlocks.Counts {
    if block.isInner { return inners.counts(block, before: inners[block].count) }
    let head = leaves[block]
    return OrderedBlocks.Counts(
      present: UInt32(head.present.nonzeroBitCount), earlier: UInt32(head.earlier.nonzeroBitCount))
  }

  // MARK: Blocks and their entries

  /// The block that has another one as an entry, and the slot of the entry.
  func parent(of block: Block) -> (block: Block, slot: Int) {
    let head = block.isInner ? inners[block] : leaves[block]
    return (head.parent, head.parentSlot)
  }

  private func entryCount(_ block: Block) -> Int {
    block.isInner ? inners[block].count : leaves[block].count
  }

  private func setParent(of child: Block, _ parent: Block, _ slot: Int) {
    if child.isInner {
      inners[child].parent = parent
      inners[child].parentSlot = slot
    } else {
      leaves[child].parent = parent
      leaves[child].parentSlot = slot
    }
  }

  /// Brings the parent slots of the blocks below some entries up to date.
  private func slotsChanged(in block: Block, from first: Int) {
    for slot in first..<max(first, inners[block].count) {
      setParent(of: inners.child(block, slot), block, slot)
    }
  }

  private func firstEntry(of block: Block) -> (UInt64, ID) {
    block.isInner
      ? (inners.prefix(block, 0), inners.node(block, 0))
      : (leaves.prefix(block, 0), leaves.node(block, 0))
  }

  /// Tells all for which a block is the first one below them what its first entry is.
  private func firstEntryChanged(of block: Block) {
    let (prefix, node) = firstEntry(of: block)
    var (block, slot) = parent(of: block)
    while block != OrderedBlocks.none {
      inners.set(block, slot, prefix, node)
      if slot > 0 { return }
      (block, slot) = (inners[block].parent, inners[block].parentSlot)
    }
  }

  /// Brings the entries above a block up to date.
  private func contentsChanged(of block: Block) {
    var block = block
    while case (let above, let slot) = parent(of: block), above != OrderedBlocks.none {
      let (prefix, node) = firstEntry(of: block)
      inners.set(above, slot, prefix, node)
      inners.setCounts(above, slot, counts(of: block))
      block = above
    }
  }

  /// Puts a block behind the entries of another one.
  func appendChild(_ child: Block, to block: Block) {
    let slot = inners[block].count
    let (prefix, node) = firstEntry(of: child)
    inners.append(prefix, node, to: block)
    inners.setChild(block, slot, child)
    inners.setCounts(block, slot, counts(of: child))
    setParent(of: child, block, slot)
  }

  // MARK: More and fewer blocks

  /// Makes room in a leaf that is full.
  ///
  /// Returns where the entry that there was no room for belongs.
  private func split(_ leaf: Block, for slot: Int) -> (Block, Int) {
    let next = leaves[leaf].next
    // What comes in ascending order fills its leaves.
    let isEnd = slot == OrderedBlocks.width && next == OrderedBlocks.none
    let kept = isEnd ? OrderedBlocks.width : OrderedBlocks.width / 2
    let new = state.pointee.leaves.make()
    moveEntries(of: leaf, from: kept, to: new)
    leaves[leaf].next = new
    leaves[new].previous = leaf
    leaves[new].next = next
    if next != OrderedBlocks.none { leaves[next].previous = new }
    attach(new, behind: leaf)
    return slot > kept || isEnd ? (new, slot - kept) : (leaf, slot)
  }

  /// Puts a block into the tree, behind its neighbor.
  private func attach(_ new: Block, behind old: Block) {
    var (block, slot) = parent(of: old)
    if block == OrderedBlocks.none {
      block = state.pointee.inners.make()
      state.pointee.root = block
      inners.openGap(block, at: 0)
      inners.setChild(block, 0, old)
      setParent(of: old, block, 0)
      slot = 0
    }
    slot += 1
    if inners[block].count == OrderedBlocks.width {
      let kept =
        slot == OrderedBlocks.width ? OrderedBlocks.width : OrderedBlocks.width / 2
      let more = state.pointee.inners.make()
      moveEntries(of: block, from: kept, to: more)
      attach(more, behind: block)
      if slot > kept || slot == OrderedBlocks.width {
        (block, slot) = (more, slot - kept)
      }
    }
    inners.openGap(block, at: slot)
    inners.setChild(block, slot, new)
    slotsChanged(in: block, from: slot)
    if entryCount(old) > 0 { contentsChanged(of: old) }
    contentsChanged(of: new)
  }

  /// Puts the entries of a block, from one on, behind those of another block.
  private func moveEntries(of block: Block, from slot: Int, to other: Block) {
    if block.isInner {
      let end = inners[other].count
      inners.moveEntries(of: block, from: slot, to: other)
      slotsChanged(in: other, from: end)
      return
    }
    let (head, end) = (leaves[block], leaves[other].count)
    leaves.moveEntries(of: block, from: slot, to: other)
    for moved in end..<leaves[other].count { self[leaves.node(other, moved)].leaf = other }
    guard slot < head.count else { return }
    let kept: UInt32 = 1 &<< UInt32(slot) &- 1
    leaves[other].present |= (head.present &>> UInt32(slot)) &<< UInt32(end)
    leaves[other].earlier |= (head.earlier &>> UInt32(slot)) &<< UInt32(end)
    leaves[block].present = head.present & kept
    leaves[block].earlier = head.earlier & kept
  }

  /// A block that has fewer entries is given up, if others have room for them.
  private static var leastCount: Int { OrderedBlocks.width / 4 }

  /// Gives up a block that has too few entries, if another one has room for them.
  private func entryLeft(_ block: Block) {
    let count = entryCount(block)
    if count == 0 { return detach(block) }
    let (parent, slot) = parent(of: block)
    if parent == OrderedBlocks.none { return lowerRoot() }
    guard count < Self.leastCount else { return }
    // A block that is made of two has room for some more.
    let most = OrderedBlocks.width * 3 / 4
    if slot + 1 < inners[parent].count,
      case let next = inners.child(parent, slot + 1), count + entryCount(next) <= most
    {
      unite(block, next)
    } else if slot > 0,
      case let previous = inners.child(parent, slot - 1), entryCount(previous) + count <= most
    {
      unite(previous, block)
    }
  }

  private func unite(_ block: Block, _ next: Block) {
    moveEntries(of: next, from: 0, to: block)
    let (parent, slot) = parent(of: block)
    inners.setCounts(parent, slot, counts(of: block))
    detach(next)
  }

  /// Takes a block without entries out of the tree.
  private func detach(_ block: Block) {
    let (parent, slot) = parent(of: block)
    if block.isInner {
      state.pointee.inners.free(block)
    } else {
      let (previous, next) = (leaves[block].previous, leaves[block].next)
      if previous != OrderedBlocks.none { leaves[previous].next = next }
      if next != OrderedBlocks.none { leaves[next].previous = previous }
      state.pointee.leaves.free(block)
    }
    guard parent != OrderedBlocks.none else {
      state.pointee.root = OrderedBlocks.none
      return
    }
    inners.closeGap(parent, at: slot)
    slotsChanged(in: parent, from: slot)
    if slot == 0, inners[parent].count > 0 { firstEntryChanged(of: parent) }
    entryLeft(parent)
  }

  /// Drops inner blocks at the root that lead to one block only.
  private func lowerRoot() {
    while case let root = state.pointee.root, root.isInner, inners[root].count == 1 {
      let child = inners.child(root, 0)
      setParent(of: child, OrderedBlocks.none, 0)
      inners.closeGap(root, at: 0)
      state.pointee.inners.free(root)
      state.pointee.root = child
    }
  }
}

extension UInt32 {
  /// Moves the bits from an index on one up, and puts one there.
  fileprivate mutating func insertBit(_ bit: Bool, at slot: Int) {
    let below: UInt32 = 1 &<< UInt32(slot) &- 1
    self = self & below | (self & ~below) << 1 | (bit ? 1 &<< UInt32(slot) : 0)
  }

  /// Drops a bit, and moves those above it one down.
  fileprivate mutating func removeBit(at slot: Int) {
    let below: UInt32 = 1 &<< UInt32(slot) &- 1
    self = self & below | (self >> 1) & ~below
  }
}
