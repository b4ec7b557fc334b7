// Many changes cost less together than one by one. So while nobody observes, a node whose entity has changed
// is only noted: it keeps its place and its keys, and the tree its order, until somebody asks or the
// outermost change ends.
extension LiveViewSink {
  /// Notes that an entity of the view has changed, if that can wait.
  func postpone(_ handle: Handle) -> Bool {
    guard observers == nil, !isReadOnce, core.allowsLateness, let id = node(of: handle) else {
      return false
    }
    guard !nodes[id].flags.contains(.isStale) else { return true }
    // Nodes that came and went since may be noted, too.
    if stale.count > 2 * nodes.count + 64 { settle() }
    nodes[id].flags.insert(.isStale)
    stale.append(id)
    core.settleAfterwards(self)
    return true
  }

  /// Shows the entities that a function visits, in contents that are empty, unless a filter keeps them
  /// out.
  func fill(_ visit: ((Handle) -> Void) -> Void) {
    assert(nodes.count == 0 && observers == nil, "A view was to be filled that is not empty.")
    var placed: [ID] = []
    visit { handle in
      guard core.refusingChanges(.filtering, { accepts(handle) }) else { return }
      let id = nodes.make(handle)
      loadKeys(id, handle)
      nodes[id].flags = [.isPresent, .wasPresent]
      places[handle.index] = id
      placed.append(id)
    }
    rebuild([], and: placed)
  }

  /// Puts the nodes whose entities have changed into their places, or out of the view.
  func settleNodes() {
    guard !stale.isEmpty else { return }
    let ids = stale
    stale.removeAll(keepingCapacity: stale.count < 1024)
    if ids.count > 16, ids.count > nodes.count / 40 { return settleTogether(ids) }
    for id in ids where nodes[id].flags.contains(.isStale) {
      nodes[id].flags.remove(.isStale)
      let handle = nodes[id].handle
      if core.refusingChanges(.filtering, { accepts(handle) }) { update(id) } else { remove(id) }
    }
  }

  /// Makes the tree anew: most of it would be moved one by one otherwise.
  private func settleTogether(_ ids: [ID]) {
    let kept = nodes.nodes(without: .isStale)
    var placed: [ID] = []
    var dropped: [ID] = []
    placed.reserveCapacity(ids.count)
    for id in ids where nodes[id].flags.contains(.isStale) {
      nodes[id].flags.remove(.isStale)
      let handle = nodes[id].handle
      if core.refusingChanges(.filtering, { accepts(handle) }) {
        loadKeys(id, handle)
        placed.append(id)
      } else {
        dropped.append(id)
      }
    }
    rebuild(kept, and: placed)
    for id in dropped {
      places[nodes[id].handle.index] = OrderedNodes.none
      nodes[id].flags = []
      free(id)
    }
  }
}
