extension LiveViewSink {
  var hasChanges: Bool { !touched.isEmpty || earlierEntities != nil }

  /// How the contents differ from what was reported last; from here on, they count as reported.
  func takeDifference() -> LiveViewDifference {
    defer { forgetChanges() }
    if let earlierEntities { return .replacing(earlierEntities, with: entities) }
    var difference = LiveViewDifference()
    // PERFORMANCE: V3: not the iterator, which retains the nodes.
    for index in touched.indices { note(touched[index], in: &difference) }
    if limit < .max { noteCrossings(in: &difference) }
    difference.sort()
    return difference
  }

  private func isShown(_ position: Int) -> Bool { position < limit }

  private func note(_ id: ID, in difference: inout LiveViewDifference) {
    let flags = nodes[id].flags
    guard flags.contains(.isLinked) else { return }
    let entity = entity(id)
    switch (flags.contains(.wasPresent), flags.contains(.isPresent)) {
    case (true, true):
      let position = nodes.position(id)
      let earlier = limit == .max ? position : nodes.earlierPosition(id)
      switch (isShown(earlier), isShown(position)) {
      case (true, true): difference.updates.append(.init(offset: position, entity: entity))
      case (true, false): difference.removals.append(.init(offset: earlier, entity: entity))
      case (false, true): difference.newcomers.append(.init(offset: position, entity: entity))
      case (false, false): return
      }
    case (true, false):
      let earlier = nodes.earlierPosition(id)
      // What comes up is noted as a newcomer where it is now.
      guard isShown(earlier) else { return }
      guard let moved = node(of: nodes[id].handle), case let position = nodes.position(moved),
        isShown(position)
      else {
        difference.removals.append(.init(offset: earlier, entity: entity))
        return
      }
      if nodes.next(after: id) == moved || nodes.next(after: moved) == id {
        difference.updates.append(.init(offset: position, entity: entity))
      } else {
        difference.moves.append(.init(from: earlier, to: position, entity: entity))
      }
    case (false, true):
      let position = nodes.position(id)
      if isShown(position) {
        difference.newcomers.append(.init(offset: position, entity: entity))
      }
    case (false, false): return
    }
  }

  /// Notes what has not changed, and yet come up or been driven out since others did.
  ///
  /// These are all together before the limit, but for what has changed: the first one that is on
  /// the same side as before ends the search.
  private func noteCrossings(in difference: inout LiveViewDifference) {
    var id = nodes.node(at: count - 1)
    while id != OrderedNodes.none {
      if nodes[id].flags.isSuperset(of: [.isPresent, .wasPresent]), !isTouched(id) {
        guard !isShown(nodes.earlierPosition(id)) else { break }
        difference.newcomers.append(.init(offset: nodes.position(id), entity: entity(id)))
      }
      id = nodes.previous(before: id)
    }
    id = nodes.earlierNode(at: min(nodes.earlierCount, limit) - 1)
    while id != OrderedNodes.none {
      if nodes[id].flags.isSuperset(of: [.isPresent, .wasPresent]), !isTouched(id) {
        guard !isShown(nodes.position(id)) else { break }
        difference.removals.append(
          .init(offset: nodes.earlierPosition(id), entity: entity(id)))
      }
      id = nodes.previous(before: id)
    }
  }

  private func isTouched(_ id: ID) -> Bool { nodes[id].flags.contains(.isTouched) }

  /// What was reported last.
  func sequenceBefore() -> [Entity] {
    if let earlierEntities { return earlierEntities }
    var entities: [Entity] = []
    var id = nodes.first
    while id != OrderedNodes.none, isShown(entities.count) {
      if nodes[id].flags.contains(.wasPresent) { entities.append(entity(id)) }
      id = nodes.next(after: id)
    }
    return entities
  }
}
