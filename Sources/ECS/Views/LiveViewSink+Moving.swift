// How entities of a view come to other places in its order.
extension LiveViewSink {
  func update(_ id: ID) {
    let handle = nodes[id].handle
    // PERFORMANCE: V2: the number of an entity's creation lies elsewhere, and is still that of its
    // node.
    let order = places.areOfLinked ? order(of: handle) : nodes[id].creation
    assert(order == self.order(of: handle), "A view knows another order of creation.")
    loadKeys(trial, handle, order)
    // PERFORMANCE: V2: finds the new leaf before the old one is looked at, so that both are on
    // their way from memory at once.
    if !isObserved, isExact, nodes[trial].prefix != SortColumn.last {
      if nodes[trial].prefix == nodes[id].prefix { return moveKeys(from: trial, to: id) }
      return moveByPrefix(id, toKeysOf: trial)
    }
    let place = nodes.entry(of: id)
    if fits(trial, in: place, of: id) {
      moveKeys(from: trial, to: id)
      if isObserved { touch(id) }
      return
    }
    move(id, of: handle, from: place)
  }

  /// Puts an entity where its links say, after their order has changed.
  func reorder(_ slot: UInt32) {
    let id = places[slot]
    guard id != OrderedNodes.none else { return }
    let handle = nodes[id].handle
    loadKeys(trial, handle)
    if nodes[trial].creation != nodes[id].creation {
      move(id, of: handle, from: nodes.entry(of: id))
    }
  }

  /// A linked entity has another place among the others.
  func moveLinked(_ handle: Handle, between previous: Handle?, and next: Handle?) {
    noteForReturn()
    if !places.move(handle.index, between: previous?.index, and: next?.index) {
      places.renumber()
      creationsWereRenumbered()
      _ = places.move(handle.index, between: previous?.index, and: next?.index)
    }
    guard let id = node(of: handle) else { return }
    loadKeys(trial, handle)
    if isBetweenNeighbours(trial, at: id) { return moveKeys(from: trial, to: id) }
    move(id, of: handle, from: nodes.entry(of: id))
    markObservers()
  }

  /// Moves a node to where the keys of the trial belong.
  private func move(_ id: ID, of handle: Handle, from place: OrderedNodes.Entry) {
    guard isObserved, nodes[id].flags.contains(.wasPresent) else {
      return move(id, from: place, toKeysOf: trial)
    }
    leavePlace(id)
    let moved = nodes.make(handle)
    moveKeys(from: trial, to: moved)
    nodes[moved].flags = .isPresent
    insert(moved)
    places[handle.index] = moved
    touch(moved)
  }

  func touch(_ id: ID) {
    guard !nodes[id].flags.contains(.isTouched) else { return }
    nodes[id].flags.insert(.isTouched)
    touched.append(id)
  }
}
