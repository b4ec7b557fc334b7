/// Nodes in the order in which they were touched, each of them once.
// PERFORMANCE: V3: mostly there is one, which needs no array.
struct TouchedNodes: RandomAccessCollection {
  typealias ID = OrderedNodes.ID

  // INVARIANT: `none` if there are no nodes.
  private var head = OrderedNodes.none
  private var rest: [ID] = []

  init() {}

  var startIndex: Int { 0 }
  var endIndex: Int { head == OrderedNodes.none ? 0 : rest.count + 1 }

  subscript(index: Int) -> ID { index == 0 ? head : rest[index - 1] }

  mutating func append(_ id: ID) {
    if head == OrderedNodes.none { head = id } else { rest.append(id) }
  }

  mutating func popLast() -> ID? {
    if let id = rest.popLast() {
      if rest.isEmpty, rest.capacity > 1024 { rest = [] }
      return id
    }
    defer { head = OrderedNodes.none }
    return head == OrderedNodes.none ? nil : head
  }
}
