// Which entity comes before which.
extension LiveViewSink {
  /// What decides between entities that are equal in all keys.
  func order(of handle: Handle) -> UInt32 {
    places.arrival(handle.index) ?? core.creationOrdinal(handle)
  }

  func loadKeys(_ id: ID, _ handle: Handle) { loadKeys(id, handle, order(of: handle)) }

  /// Loads the keys of an entity of which is known what decides if all keys are equal.
  func loadKeys(_ id: ID, _ handle: Handle, _ creation: UInt32) {
    nodes[id].creation = creation
    guard let loadFirst else {
      nodes[id].prefix = UInt64(creation)
      return
    }
    let mode = core.beginRefusingChanges(.sorting)
    // PERFORMANCE: V2: columns that are taken from the array would be retained with all their
    // closures.
    nodes[id].prefix = loadFirst(id, core, handle, false)
    if furtherColumnCount > 0 {
      for column in columns.dropFirst() { _ = column.load(id, core, handle, true) }
    }
    core.endRefusingChanges(mode)
  }

  /// Loads the keys of many nodes, one column after the other.
  func loadKeys(of ids: [ID]) {
    guard !columns.isEmpty else {
      for id in ids { loadKeys(id, nodes[id].handle) }
      return
    }
    for id in ids { nodes[id].creation = order(of: nodes[id].handle) }
    core.refusingChanges(.sorting) {
      for (number, column) in columns.enumerated() {
        let load = column.load
        for id in ids {
          let prefix = load(id, core, nodes[id].handle, number > 0)
          if number == 0 { nodes[id].prefix = prefix }
        }
      }
    }
  }

  func moveKeys(from id: ID, to other: ID) {
    nodes[other].creation = nodes[id].creation
    nodes.setPrefix(other, nodes[id].prefix)
    if hasKeysInPrefixes, nodes[id].prefix != SortColumn.last { return }
    for column in columns { column.move(id, other) }
  }

  func free(_ id: ID) {
    for column in columns { column.clear(id) }
    nodes.free(id)
  }

  func insert(_ id: ID) {
    comparing { nodes.insert(id) { isBefore($0, $1) } }
  }

  /// Gives a node of the tree the keys of another one that is ordered by its prefix and its
  /// creation, and the place where these belong.
  // PERFORMANCE: V2: retains nothing for a closure: the view's own order is that of nodes.
  func moveByPrefix(_ id: ID, toKeysOf other: ID) {
    let leaf = nodes.leaf(for: other)
    let place = nodes.entry(of: id)
    if leaf == place.leaf, nodes.fits(nodes[other].prefix, at: place) == true {
      return moveKeys(from: other, to: id)
    }
    let remains = nodes.remove(id, at: place)
    moveKeys(from: other, to: id)
    nodes.insert(id, in: remains ? leaf : nodes.leaf(for: id))
  }

  /// Moves a node of the tree from its place to where the keys of another one belong, which it
  /// gets.
  func move(_ id: ID, from place: OrderedNodes.Entry, toKeysOf other: ID) {
    let leaf = comparing { nodes.leaf(for: other) { isBefore($0, $1) } }
    let remains = nodes.remove(id, at: place)
    moveKeys(from: other, to: id)
    guard remains else { return insert(id) }
    comparing { nodes.insert(id, in: leaf) { isBefore($0, $1) } }
  }

  /// Makes the tree anew, of nodes that are in order, and of others.
  func rebuild(_ kept: [OrderedNodes.Keyed], and others: [ID]) {
    comparing { nodes.rebuild(kept, and: others, isBefore: isBefore) }
  }

  /// Runs what compares keys, whose `==` and `<` are code of the user's, unless their prefixes say
  /// it all.
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

  /// Whether a node's keys may take the place of another node, which is known.
  func fits(_ id: ID, in place: OrderedNodes.Entry, of other: ID) -> Bool {
    let prefix = nodes[id].prefix
    if prefix == nodes[other].prefix, isExact, prefix != SortColumn.last { return true }
    return nodes.fits(prefix, at: place) ?? isBetweenNeighbours(id, at: other)
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
