/// Nodes in the order in which they were touched, each of them once.
// PERFORMANCE: V3: mostly there is one, or the place that it left and the one where it is, which
// need no array.
struct TouchedNodes: RandomAccessCollection {
  typealias ID = OrderedNodes.ID

  // INVARIANT: each of these is `none` where there are not so many nodes.
  private var first = OrderedNodes.none
  private var second = OrderedNodes.none
  private var rest: [ID] = []

  init() {}

  var startIndex: Int { 0 }

  var endIndex: Int {
    if second == OrderedNodes.none { return first == OrderedNodes.none ? 0 : 1 }
    return rest.count + 2
  }

  subscript(index: Int) -> ID {
    switch index {
    case 0: first
    case 1: second
    default: rest[index - 2]
    }
  }

  mutating func append(_ id: ID) {
    if first == OrderedNodes.none {
      first = id
    } else if second == OrderedNodes.none {
      second = id
    } else {
      rest.append(id)
    }
  }

  mutating func popLast() -> ID? {
    if second == OrderedNodes.none {
      defer { first = OrderedNodes.none }
      return first == OrderedNodes.none ? nil : first
    }
    if let id = rest.popLast() {
      if rest.isEmpty, rest.capacity > 1024 { rest = [] }
      return id
    }
    defer { second = OrderedNodes.none }
    return second
  }
}
