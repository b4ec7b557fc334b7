/// Nodes in an order of the caller's, counted, so that positions are found and taken in logarithmic
/// time: a treap (Seidel and Aragon, "Randomized Search Trees", 1996) with subtree counts.
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

    /// Where the node is, and where others may keep something for it.
    @inlinable var index: Int { Int(value) }
  }

  /// No node.
  static var none: ID { ID(value: .max) }

  /// In which sequences a node is, and whether someone remembers it.
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
    var prefix: UInt64

    /// Orders nodes that are equal in everything else.
    var creation: UInt32
    fileprivate(set) var left = OrderedNodes.none
    fileprivate(set) var right = OrderedNodes.none
    fileprivate(set) var parent = OrderedNodes.none
    fileprivate(set) var priority: UInt32 = 0
    fileprivate(set) var presentCount: UInt32 = 0
    fileprivate(set) var earlierCount: UInt32 = 0
    var flags: Flags = []
  }

  // PERFORMANCE: V1: state behind a constant pointer is reached without exclusivity checks.
  // SAFETY: the state is initialized as long as the nodes are there.
  @safe let state: UnsafeMutablePointer<State>

  @safe
  struct State {
    var nodes = unsafe Memory.allocate(Node.self, capacity: 0)
    var capacity = 0
    var used = 0
    var root = OrderedNodes.none
    var firstFree = OrderedNodes.none
    var lastPriority: UInt32 = 1
  }

  init() {
    state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    unsafe state.initialize(to: State())
  }

  deinit {
    // SAFETY: nobody has the nodes but their owner.
    unsafe Memory.free(state.pointee.nodes, capacity: state.pointee.capacity)
    unsafe state.deallocate()
  }

  /// Forgets all nodes.
  func removeAll() {
    unsafe Memory.free(state.pointee.nodes, capacity: state.pointee.capacity)
    state.pointee = State()
  }

  private(set) var root: ID {
    get { state.pointee.root }
    nonmutating set { state.pointee.root = newValue }
  }

  /// The number of nodes in the sequence of now.
  var count: Int { Int(presentCount(root)) }

  /// The number of nodes in the sequence of the earlier moment.
  var earlierCount: Int { Int(earlierCount(root)) }

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
      state.pointee.firstFree = self[id].parent
      self[id] = node
      return id
    }
    if state.pointee.used == state.pointee.capacity { grow() }
    let id = ID(value: UInt32(truncatingIfNeeded: state.pointee.used))
    // SAFETY: used < capacity; the place is uninitialized, and nodes are trivial.
    unsafe (state.pointee.nodes + id.index).initialize(to: node)
    state.pointee.used += 1
    return id
  }

  /// Gives back a node that is not in the tree.
  func free(_ id: ID) {
    assert(!self[id].flags.contains(.isLinked), "A node was given back that is in the tree.")
    self[id].parent = state.pointee.firstFree
    state.pointee.firstFree = id
  }

  private func grow() {
    let capacity = max(16, state.pointee.capacity * 2)
    unsafe Memory.resize(
      &state.pointee.nodes, count: state.pointee.used, from: state.pointee.capacity, to: capacity)
    state.pointee.capacity = capacity
  }

  // MARK: The tree

  /// Puts a node in its place.
  func insert(_ id: ID, isBefore: (ID, ID) -> Bool) {
    assert(!self[id].flags.contains(.isLinked), "A node was to come that is in the tree.")
    let priority = state.pointee.lastPriority &* 1_664_525 &+ 1_013_904_223
    state.pointee.lastPriority = priority
    self[id].priority = priority
    self[id].left = Self.none
    self[id].right = Self.none
    let flags = self[id].flags
    let present = Self.change(.isPresent, [], flags)
    let earlier = Self.change(.wasPresent, [], flags)
    self[id].flags = flags.union(.isLinked)
    self[id].presentCount = present
    self[id].earlierCount = earlier
    var parent = Self.none
    var next = root
    var isLeft = false
    while next != Self.none {
      parent = next
      self[next].presentCount &+= present
      self[next].earlierCount &+= earlier
      isLeft = isBefore(id, next)
      next = isLeft ? self[next].left : self[next].right
    }
    self[id].parent = parent
    if parent == Self.none {
      root = id
    } else if isLeft {
      self[parent].left = id
    } else {
      self[parent].right = id
    }
    while self[id].parent != Self.none, self[self[id].parent].priority < self[id].priority {
      rotateUp(id)
    }
  }

  /// Takes a node out; its flags stay.
  func remove(_ id: ID) {
    assert(self[id].flags.contains(.isLinked), "A node was to go that is not in the tree.")
    while true {
      let (left, right) = (self[id].left, self[id].right)
      if left == Self.none && right == Self.none { break }
      let isLeft =
        right == Self.none || (left != Self.none && self[left].priority > self[right].priority)
      rotateUp(isLeft ? left : right)
    }
    let flags = self[id].flags
    setFlags(id, [])
    let parent = self[id].parent
    if parent == Self.none {
      root = Self.none
    } else if self[parent].left == id {
      self[parent].left = Self.none
    } else {
      self[parent].right = Self.none
    }
    self[id].flags = flags.subtracting(.isLinked)
  }

  /// Changes in which sequences a node of the tree is.
  func setFlags(_ id: ID, _ flags: Flags) {
    assert(
      self[id].flags.contains(.isLinked), "A node was to be counted that is not in the tree.")
    let before = self[id].flags
    let flags = flags.union(.isLinked)
    self[id].flags = flags
    let present = Self.change(.isPresent, before, flags)
    let earlier = Self.change(.wasPresent, before, flags)
    guard present != 0 || earlier != 0 else { return }
    var next = id
    while next != Self.none {
      self[next].presentCount &+= present
      self[next].earlierCount &+= earlier
      next = self[next].parent
    }
  }

  private static func change(_ flag: Flags, _ before: Flags, _ after: Flags) -> UInt32 {
    (after.contains(flag) ? 1 : 0) &- (before.contains(flag) ? 1 : 0)
  }

  private func rotateUp(_ id: ID) {
    let parent = self[id].parent
    let grandparent = self[parent].parent
    let inner: ID
    if self[parent].left == id {
      inner = self[id].right
      self[parent].left = inner
      self[id].right = parent
    } else {
      inner = self[id].left
      self[parent].right = inner
      self[id].left = parent
    }
    if inner != Self.none { self[inner].parent = parent }
    self[parent].parent = id
    self[id].parent = grandparent
    if grandparent == Self.none {
      root = id
    } else if self[grandparent].left == parent {
      self[grandparent].left = id
    } else {
      self[grandparent].right = id
    }
    let (present, earlier) = (self[parent].presentCount, self[parent].earlierCount)
    self[parent].presentCount = present &- self[id].presentCount &+ presentCount(inner)
    self[parent].earlierCount = earlier &- self[id].earlierCount &+ earlierCount(inner)
    self[id].presentCount = present
    self[id].earlierCount = earlier
  }

  @inline(__always)
  private func presentCount(_ id: ID) -> UInt32 {
    id == Self.none ? 0 : self[id].presentCount
  }

  @inline(__always)
  private func earlierCount(_ id: ID) -> UInt32 {
    id == Self.none ? 0 : self[id].earlierCount
  }

  // MARK: Positions

  /// The number of nodes before a node, now.
  func position(_ id: ID) -> Int { rank(id, .isPresent) { presentCount($0) } }

  /// The number of nodes that were before a node at the earlier moment.
  func earlierPosition(_ id: ID) -> Int { rank(id, .wasPresent) { earlierCount($0) } }

  private func rank(_ id: ID, _ flag: Flags, count: (ID) -> UInt32) -> Int {
    var rank = Int(count(self[id].left))
    var node = id
    while self[node].parent != Self.none {
      let parent = self[node].parent
      if self[parent].right == node {
        rank += Int(count(self[parent].left))
        rank += self[parent].flags.contains(flag) ? 1 : 0
      }
      node = parent
    }
    return rank
  }

  /// The node at a position of the sequence of now; `none` if there are not that many.
  func node(at position: Int) -> ID { node(at: position, .isPresent) { presentCount($0) } }

  /// The node at a position of the sequence of the earlier moment; `none` if there were not that many.
  func earlierNode(at position: Int) -> ID {
    node(at: position, .wasPresent) { earlierCount($0) }
  }

  @inline(__always)
  private func node(at position: Int, _ flag: Flags, count: (ID) -> UInt32) -> ID {
    guard position >= 0 else { return Self.none }
    var position = UInt32(truncatingIfNeeded: position)
    var id = root
    while id != Self.none {
      let left = self[id].left
      let before = count(left)
      if position < before {
        id = left
        continue
      }
      position &-= before
      if self[id].flags.contains(flag) {
        if position == 0 { return id }
        position &-= 1
      }
      id = self[id].right
    }
    return Self.none
  }

  /// The first node of the tree, in whichever sequence.
  var first: ID {
    var id = root
    while id != Self.none, self[id].left != Self.none { id = self[id].left }
    return id
  }

  /// The next node of the tree, in whichever sequence.
  func next(after id: ID) -> ID {
    if self[id].right != Self.none {
      var next = self[id].right
      while self[next].left != Self.none { next = self[next].left }
      return next
    }
    var node = id
    while self[node].parent != Self.none, self[self[node].parent].right == node {
      node = self[node].parent
    }
    return self[node].parent
  }

  /// The node of the tree before, in whichever sequence.
  func previous(before id: ID) -> ID {
    if self[id].left != Self.none {
      var previous = self[id].left
      while self[previous].right != Self.none { previous = self[previous].right }
      return previous
    }
    var node = id
    while self[node].parent != Self.none, self[self[node].parent].left == node {
      node = self[node].parent
    }
    return self[node].parent
  }
}
