private import CPlatform

/// Blocks of a counted B+tree, of at most 32 entries in ascending order: its leaves, whose entries
/// are nodes, or its inner blocks, whose entries are other blocks.
///
/// An entry has the prefix and the name of a node: its own, or that of the first one below it.
@safe
struct OrderedBlocks {
  /// Identifies a block of either kind.
  struct ID: Hashable, BitwiseCopyable {
    fileprivate let value: UInt32

    /// Whether its entries are other blocks.
    var isInner: Bool { value >> 31 != 0 }

    fileprivate var index: Int { Int(value & (UInt32.max >> 1)) }
  }

  /// No block.
  static var none: ID { ID(value: .max) }

  /// The number of entries that a block has room for.
  static var width: Int { 32 }

  /// The counts of nodes in the sequence of now, and in that of the earlier moment.
  struct Counts: Equatable, BitwiseCopyable {
    var present: UInt32 = 0
    var earlier: UInt32 = 0

    static func &+= (counts: inout Counts, more: Counts) {
      counts.present &+= more.present
      counts.earlier &+= more.earlier
    }
  }

  struct Head: BitwiseCopyable {
    /// The number of entries.
    var count = 0

    /// The block that has this one as an entry, and the slot of that entry; of a free one, the
    /// next free one.
    var parent = OrderedBlocks.none
    var parentSlot = 0

    /// The leaves beside this one, in the order of the tree.
    var previous = OrderedBlocks.none
    var next = OrderedBlocks.none

    /// A bit for each entry of a leaf: whether it is in the sequence of now, or in that of the
    /// earlier moment.
    var present: UInt32 = 0
    var earlier: UInt32 = 0
  }

  // First: where that is a Bool, the compiler (6.3) stops when it builds for the thread sanitizer,
  // at changes of a block's head.
  private var heads = unsafe Memory.allocate(Head.self, capacity: 0)
  private var prefixes = unsafe Memory.allocate(UInt64.self, capacity: 0)
  private var nodes = unsafe Memory.allocate(OrderedNodes.ID.self, capacity: 0)

  /// What the entries of inner blocks lead to, and how many nodes are below.
  private var children = unsafe Memory.allocate(ID.self, capacity: 0)
  private var presentCounts = unsafe Memory.allocate(UInt32.self, capacity: 0)
  private var earlierCounts = unsafe Memory.allocate(UInt32.self, capacity: 0)

  private let areInner: Bool
  private var capacity = 0
  private(set) var used = 0
  private var firstFree = OrderedBlocks.none

  init(areInner: Bool) { self.areInner = areInner }

  func deallocate() {
    // SAFETY: nothing has the blocks but their owner, which forgets them.
    unsafe Memory.free(heads, capacity: capacity)
    unsafe Memory.free(prefixes, capacity: capacity * Self.width)
    unsafe Memory.free(nodes, capacity: capacity * Self.width)
    guard areInner else { return }
    unsafe Memory.free(children, capacity: capacity * Self.width)
    unsafe Memory.free(presentCounts, capacity: capacity * Self.width)
    unsafe Memory.free(earlierCounts, capacity: capacity * Self.width)
  }

  // MARK: Making blocks

  /// A block without entries.
  mutating func make() -> ID {
    if firstFree != Self.none {
      let block = firstFree
      firstFree = self[block].parent
      self[block] = Head()
      return block
    }
    if used == capacity { grow() }
    // SAFETY: used < capacity; the memory is uninitialized, and what it gets is trivial.
    unsafe (heads + used).initialize(to: Head())
    unsafe (prefixes + used * Self.width).initialize(repeating: .max, count: Self.width)
    unsafe (nodes + used * Self.width).initialize(
      repeating: OrderedNodes.none, count: Self.width)
    let block = ID(value: UInt32(used) | (areInner ? 1 << 31 : 0))
    used += 1
    return block
  }

  /// Gives back a block without entries.
  mutating func free(_ block: ID) {
    assert(self[block].count == 0, "A block was given back that has entries.")
    self[block].parent = firstFree
    firstFree = block
  }

  /// Forgets all blocks, and keeps the memory for others.
  mutating func removeAll() {
    used = 0
    firstFree = Self.none
  }

  private mutating func grow() {
    let larger = max(1, capacity * 2)
    let (old, new) = (capacity * Self.width, larger * Self.width)
    let count = used * Self.width
    unsafe Memory.resize(&heads, count: used, from: capacity, to: larger)
    unsafe Memory.resize(&prefixes, count: count, from: old, to: new)
    unsafe Memory.resize(&nodes, count: count, from: old, to: new)
    if areInner {
      unsafe Memory.resize(&children, count: count, from: old, to: new)
      unsafe Memory.resize(&presentCounts, count: count, from: old, to: new)
      unsafe Memory.resize(&earlierCounts, count: count, from: old, to: new)
    }
    capacity = larger
  }

  // MARK: Entries

  // SAFETY: callers pass blocks that `make` returned, which are below `used`.
  subscript(block: ID) -> Head {
    unsafeAddress {
      assert(block.isInner == areInner && block.index < used, "There is no such block.")
      return unsafe UnsafePointer(heads + block.index)
    }
    nonmutating unsafeMutableAddress {
      assert(block.isInner == areInner && block.index < used, "There is no such block.")
      return unsafe heads + block.index
    }
  }

  @inline(__always)
  private func offset(_ block: ID, _ slot: Int) -> Int {
    assert(block.index < used && slot < Self.width, "There is no such entry.")
    return block.index &* Self.width &+ slot
  }

  // SAFETY, of all below: offsets of blocks are below `used` times the width, to which there is
  // memory.

  @inline(__always)
  func prefix(_ block: ID, _ slot: Int) -> UInt64 { unsafe prefixes[offset(block, slot)] }

  @inline(__always)
  func node(_ block: ID, _ slot: Int) -> OrderedNodes.ID { unsafe nodes[offset(block, slot)] }

  @inline(__always)
  func child(_ block: ID, _ slot: Int) -> ID { unsafe children[offset(block, slot)] }

  func counts(_ block: ID, _ slot: Int) -> Counts {
    let offset = offset(block, slot)
    return unsafe Counts(present: presentCounts[offset], earlier: earlierCounts[offset])
  }

  func setPrefix(_ block: ID, _ slot: Int, _ prefix: UInt64) {
    unsafe prefixes[offset(block, slot)] = prefix
  }

  @inline(__always)
  func set(_ block: ID, _ slot: Int, _ prefix: UInt64, _ node: OrderedNodes.ID) {
    let offset = offset(block, slot)
    unsafe prefixes[offset] = prefix
    unsafe nodes[offset] = node
  }

  func setChild(_ block: ID, _ slot: Int, _ child: ID) {
    unsafe children[offset(block, slot)] = child
  }

  func setCounts(_ block: ID, _ slot: Int, _ counts: Counts) {
    let offset = offset(block, slot)
    unsafe presentCounts[offset] = counts.present
    unsafe earlierCounts[offset] = counts.earlier
  }

  @inline(__always)
  func add(_ counts: Counts, _ block: ID, _ slot: Int) {
    let offset = offset(block, slot)
    unsafe presentCounts[offset] &+= counts.present
    unsafe earlierCounts[offset] &+= counts.earlier
  }

  /// The entry of a node with a prefix in its leaf.
  // PERFORMANCE: V2: there are few with the same prefix, mostly.
  @inline(__always)
  func slot(of node: OrderedNodes.ID, _ prefix: UInt64, in leaf: ID) -> Int {
    var slot = firstEntry(notBelow: prefix, in: leaf)
    while slot < Self.width {
      if self.node(leaf, slot) == node { return slot }
      slot &+= 1
    }
    return self.slot(of: node, in: leaf)
  }

  /// The entry of a node whose prefix is not that of its entry, as while one is being changed.
  @inline(never)
  private func slot(of node: OrderedNodes.ID, in leaf: ID) -> Int {
    (0..<Self.width).first { self.node(leaf, $0) == node } ?? 0
  }

  /// How many nodes are below the entries before one.
  func counts(_ block: ID, before slot: Int) -> Counts {
    let first = offset(block, 0)
    var counts = Counts()
    for offset in first..<first + slot {
      unsafe counts.present &+= presentCounts[offset]
      unsafe counts.earlier &+= earlierCounts[offset]
    }
    return counts
  }

  /// Makes room for an entry.
  @inline(__always)
  func openGap(_ block: ID, at slot: Int) {
    let count = self[block].count
    assert(count < Self.width && slot <= count, "There is no room for an entry.")
    let (from, length) = (offset(block, slot), count - slot)
    unsafe (prefixes + from + 1).update(from: prefixes + from, count: length)
    unsafe (nodes + from + 1).update(from: nodes + from, count: length)
    if areInner {
      unsafe (children + from + 1).update(from: children + from, count: length)
      unsafe (presentCounts + from + 1).update(from: presentCounts + from, count: length)
      unsafe (earlierCounts + from + 1).update(from: earlierCounts + from, count: length)
    }
    self[block].count = count + 1
  }

  /// Puts an entry behind the others.
  @inline(__always)
  func append(_ prefix: UInt64, _ node: OrderedNodes.ID, to block: ID) {
    let count = self[block].count
    set(block, count, prefix, node)
    self[block].count = count + 1
  }

  /// Drops an entry.
  @inline(__always)
  func closeGap(_ block: ID, at slot: Int) {
    let count = self[block].count - 1
    assert(slot <= count, "There is no such entry to drop.")
    let (to, length) = (offset(block, slot), count - slot)
    unsafe (prefixes + to).update(from: prefixes + to + 1, count: length)
    unsafe (nodes + to).update(from: nodes + to + 1, count: length)
    unsafe prefixes[to + length] = .max
    unsafe nodes[to + length] = OrderedNodes.none
    if areInner {
      unsafe (children + to).update(from: children + to + 1, count: length)
      unsafe (presentCounts + to).update(from: presentCounts + to + 1, count: length)
      unsafe (earlierCounts + to).update(from: earlierCounts + to + 1, count: length)
    }
    self[block].count = count
  }

  /// Puts the entries of a block, from one on, behind those of another block.
  func moveEntries(of block: ID, from slot: Int, to other: ID) {
    let (length, end) = (self[block].count - slot, self[other].count)
    assert(end + length <= Self.width, "There is no room for so many entries.")
    guard length > 0 else { return }
    let (from, to) = (offset(block, slot), offset(other, end))
    unsafe (prefixes + to).update(from: prefixes + from, count: length)
    unsafe (nodes + to).update(from: nodes + from, count: length)
    unsafe (prefixes + from).update(repeating: .max, count: length)
    unsafe (nodes + from).update(repeating: OrderedNodes.none, count: length)
    if areInner {
      unsafe (children + to).update(from: children + from, count: length)
      unsafe (presentCounts + to).update(from: presentCounts + from, count: length)
      unsafe (earlierCounts + to).update(from: earlierCounts + from, count: length)
    }
    self[other].count = end + length
    self[block].count = slot
  }

  /// Lets the processor fetch what is read and written when an entry of a leaf comes or goes.
  @inline(__always)
  func prefetch(_ leaf: ID) {
    let first = offset(leaf, 0)
    unsafe c_prefetch(heads + leaf.index)
    for offset in stride(from: first, to: first &+ Self.width, by: 16) {
      unsafe c_prefetch(nodes + offset)
    }
    for offset in stride(from: first, to: first &+ Self.width, by: 8) {
      unsafe c_prefetch(prefixes + offset)
    }
  }

  // MARK: Searching

  /// The first entry whose prefix is not less than one.
  ///
  /// Entries that are not in use have the highest prefix, so that a search need not ask how many
  /// are.
  // PERFORMANCE: V2: the last prefixes of cache lines tell which line it is in, and then all of
  // that line are compared: two steps that wait for memory instead of five, without branches that
  // could not be foreseen.
  @inline(__always)
  func firstEntry(notBelow prefix: UInt64, in block: ID) -> Int {
    let prefixes = unsafe prefixes + offset(block, 0)
    func isBelow(_ slot: Int) -> Int { unsafe prefixes[slot] < prefix ? 1 : 0 }
    let line = (isBelow(7) &+ isBelow(15) &+ isBelow(23)) &* 8
    // Written out, for loops would end at the first one that is not below.
    let first = isBelow(line) &+ isBelow(line &+ 1) &+ isBelow(line &+ 2) &+ isBelow(line &+ 3)
    let half = line &+ 4
    let second = isBelow(half) &+ isBelow(half &+ 1) &+ isBelow(half &+ 2) &+ isBelow(half &+ 3)
    return line &+ first &+ second
  }

  /// The first entry that a node with a prefix comes before; nodes with the same prefix are
  /// compared by the closure.
  @inline(__always)
  func firstEntry(
    after prefix: UInt64, in block: ID, comesBefore: (OrderedNodes.ID) -> Bool
  ) -> Int {
    var low = firstEntry(notBelow: prefix, in: block)
    guard low < Self.width, self.prefix(block, low) == prefix else { return low }
    var high = prefix == .max ? self[block].count : firstEntry(notBelow: prefix + 1, in: block)
    while low < high {
      let middle = (low + high) / 2
      if comesBefore(node(block, middle)) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
