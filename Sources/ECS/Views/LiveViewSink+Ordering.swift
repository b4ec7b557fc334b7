// Which entity comes before which.
extension LiveViewSink {
  /// What decides between entities that are equal in all keys.
  func order(of handle: Handle) -> UInt32 {
    places.arrival(handle.index) ?? core.creationNumber(handle)
  }

  func loadKeys(_ id: ID, _ handle: Handle) {
    nodes[id].creation = order(of: handle)
    guard !columns.isEmpty else {
      nodes[id].prefix = UInt64(nodes[id].creation)
      return
    }
    core.refusingChanges(.sorting) {
      for (number, column) in columns.enumerated() {
        let prefix = column.load(id, core, handle, number > 0)
        if number == 0 { nodes[id].prefix = prefix }
      }
    }
  }

  func moveKeys(from id: ID, to other: ID) {
    nodes[other].creation = nodes[id].creation
    nodes.setPrefix(other, nodes[id].prefix)
    for column in columns { column.move(id, other) }
  }

  func free(_ id: ID) {
    for column in columns { column.clear(id) }
    nodes.free(id)
  }

  func insert(_ id: ID) {
    comparing { nodes.insert(id, isBefore: isBefore) }
  }

  /// Makes the tree anew, of nodes that are in order, and of others.
  func rebuild(_ kept: [OrderedNodes.Keyed], and others: [ID]) {
    comparing { nodes.rebuild(kept, and: others, isBefore: isBefore) }
  }

  /// Runs what compares keys, whose `==` and `<` are code of the user's, unless their prefixes say it all.
  func comparing<Result>(_ body: () -> Result) -> Result {
    isExact ? body() : core.refusingChanges(.sorting, body)
  }

  func isBefore(_ one: ID, _ other: ID) -> Bool {
    let (left, right) = (nodes[one].prefix, nodes[other].prefix)
    if left != right { return left < right }
    if !isExact || left == SortColumn.last {
      for (number, column) in columns.enumerated() {
        // Its keys are not even stored: the prefix says it all.
        if number == 0, column.isExact, left != SortColumn.last { continue }
        let order = column.compare(one, other)
        if order != 0 { return order < 0 }
      }
    }
    return nodes[one].creation < nodes[other].creation
  }

  /// Whether a node's keys may take the place of another node.
  func fits(_ id: ID, at place: ID) -> Bool {
    if nodes[id].prefix == nodes[place].prefix, isExact, nodes[id].prefix != SortColumn.last {
      return true
    }
    return isBetweenNeighbours(id, at: place)
  }

  /// Whether a node's keys are between those of the nodes beside a place.
  func isBetweenNeighbours(_ id: ID, at place: ID) -> Bool {
    let (previous, next) = (nodes.previous(before: place), nodes.next(after: place))
    return comparing {
      (previous == OrderedNodes.none || isBefore(previous, id))
        && (next == OrderedNodes.none || isBefore(id, next))
    }
  }
}
