/// Nodes in an order of the caller's, counted, so that positions are found and taken in logarithmic
/// time: a B+tree (Bayer and McCreight, "Organization and Maintenance of Large Ordered Indices",
/// 1972) whose inner blocks count what is below them.
///
/// It keeps two sequences at once, that of now and that of an earlier moment: a node can be part of
/// either or of both. That is how a view tells at which positions things were before a change.
@safe
@usableFromInline
struct OrderedNodes: ~Copyable {
  /// Names a node.
  @usableFromInline
  struct ID: Hashable, BitwiseCopyable {
    @usableFromInline let value: UInt32

    fileprivate init(value: UInt32) { self.value = value }

    init(index: Int) { value = UInt32(truncatingIfNeeded: index) }

    /// Where the node is, and where others may keep something for it.
    @inlinable var index: Int { Int(value) }
  }

  /// No node.
  static var none: ID { ID(value: .max) }

  /// In which sequences a node is, and whether it is remembered.
  struct Flags: OptionSet {
    let rawValue: UInt8

    /// It is in the sequence of now.
    static let isPresent = Flags(rawValue: 1)

    /// It was in the sequence of the earlier moment.
    static let wasPresent = Flags(rawValue: 2)

    /// What it stands for has changed since.
    static let isTouched = Flags(rawValue: 4)

    /// It is in the tree.
    static let isLinked = Flags(rawValue: 8)
  }

  struct Node {
    var handle: Handle

    /// Orders nodes, except for those with equal ones.
    ///
    /// That of a node in the tree is changed by ``setPrefix(_:_:)``.
    var prefix: UInt64

    /// Orders nodes that are equal in everything else.
    var creation: UInt32

    /// The leaf that the node is in; of a free one, the next free one.
    var leaf = OrderedBlocks.none
    fileprivate(set) var nextFree = OrderedNodes.none
    var flags: Flags = []
  }

  // PERFORMANCE: V1: state behind a constant pointer is reached without exclusivity checks.
  // SAFETY: the state is initialized as long as the nodes are there.
  @safe let state: UnsafeMutablePointer<State>

  @safe
  struct State {
    // PERFORMANCE: V3: what each change needs comes first, so that it lies together.

    var nodes = unsafe Memory.allocate(Node.self, capacity: 0)
    var firstFree = OrderedNodes.none
    var root = OrderedBlocks.none

    /// How many nodes of the tree are in the sequence of now, and in that of the earlier moment.
    var counts = OrderedBlocks.Counts()

    var leaves = OrderedBlocks(areInner: false)
    var used = 0
    var capacity = 0
    var inners = OrderedBlocks(areInner: true)

    /// A bit for each node that there is memory for.
    var staleBits = unsafe Memory.allocate(UInt64.self, capacity: 0)
    var staleCount = 0
  }

  init() {
    state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    unsafe state.initialize(to: State())
  }

  deinit {
    freeMemory()
    unsafe state.deallocate()
  }

  /// Forgets all nodes.
  func removeAll() {
    freeMemory()
    state.pointee = State()
  }

  private func freeMemory() {
    // SAFETY: nothing has the nodes but their owner.
    unsafe Memory.free(state.pointee.nodes, capacity: state.pointee.capacity)
    unsafe Memory.free(state.pointee.staleBits, capacity: (state.pointee.capacity + 63) / 64)
    state.pointee.leaves.deallocate()
    state.pointee.inners.deallocate()
  }

  /// The number of nodes in the sequence of now.
  var count: Int { Int(state.pointee.counts.present) }

  /// The number of nodes in the sequence of the earlier moment.
  var earlierCount: Int { Int(state.pointee.counts.earlier) }

  // SAFETY: callers pass names that `make` returned, which are below `used`, and so are the links.
  subscript(id: ID) -> Node {
    unsafeAddress {
      assert(id.index < state.pointee.used, "A node was asked for that does not exist.")
      return unsafe UnsafePointer(state.pointee.nodes + id.index)
    }
    nonmutating unsafeMutableAddress {
      assert(id.index < state.pointee.used, "A node was asked for that does not exist.")
      return unsafe state.pointee.nodes + id.index
    }
  }

  // MARK: Making nodes

  func make(_ handle: Handle) -> ID {
    let node = Node(handle: handle, prefix: 0, creation: 0)
    if state.pointee.firstFree != Self.none {
      let id = state.pointee.firstFree
      state.pointee.firstFree = self[id].nextFree
      self[id] = node
      return id
    }
    if state.pointee.used == state.pointee.capacity { grow() }
    let id = ID(index: state.pointee.used)
    // SAFETY: used < capacity; its memory is uninitialized, and nodes are trivial.
    unsafe (state.pointee.nodes + id.index).initialize(to: node)
    state.pointee.used += 1
    return id
  }

  /// Gives back a node that is not in the tree.
  func free(_ id: ID) {
    assert(!self[id].flags.contains(.isLinked), "A node was given back that is in the tree.")
    unmarkStale(id)
    self[id].nextFree = state.pointee.firstFree
    state.pointee.firstFree = id
  }

  private func grow() {
    let capacity = max(16, state.pointee.capacity * 2)
    unsafe Memory.resize(
      &state.pointee.nodes, count: state.pointee.used, from: state.pointee.capacity, to: capacity)
    growBits(from: (state.pointee.capacity + 63) / 64, to: (capacity + 63) / 64)
    state.pointee.capacity = capacity
  }

  private func growBits(from words: Int, to more: Int) {
    guard more > words else { return }
    unsafe Memory.resize(&state.pointee.staleBits, count: words, from: words, to: more)
    // SAFETY: the block has room for so many words.
    unsafe (state.pointee.staleBits + words).initialize(repeating: 0, count: more - words)
  }
}
