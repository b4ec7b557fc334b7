// Many changes cost less together than one by one. So while nothing observes, a node whose entity
// has changed is only noted: it keeps its place and its keys, and the tree its order, until
// the view is asked or the outermost change ends.
extension LiveViewSink {
  /// Notes that an entity of the view has changed, if that can wait.
  // PERFORMANCE: V1: looks at where the entity's node is, and at its bit.
  func postpone(_ handle: Handle) -> Bool {
    guard !isObserved, !isReadOnce, core.sinks.allowsLateness else { return false }
    let id = places[handle.index]
    guard id != OrderedNodes.none else { return false }
    assert(nodes[id].handle == handle, "A view shows an entity that has gone.")
    guard nodes.markStale(id) else { return true }
    noteStale(id)
    core.sinks.settleAfterwards(self)
    return true
  }

  /// Lists a stale node while there are so few that they will be put into their places one by one.
  private func noteStale(_ id: ID) {
    // Nodes that came and went since may be listed, too.
    if areStaleListed, areFew(stale.count + 1) {
      stale.append(id)
      nodes.prefetch(id)
    } else {
      areStaleListed = false
    }
  }

  /// Whether it is better to put so many nodes into their places one by one.
  private func areFew(_ staleCount: Int) -> Bool {
    staleCount <= 16 || staleCount <= nodes.count / 40
  }

  /// Shows the entities that a function visits, in contents that are empty, unless a filter keeps
  /// them out.
  @inline(never)
  func fill(_ visit: ((Handle) -> Void) -> Void) {
    assert(nodes.count == 0 && !isObserved, "A view was to be filled that is not empty.")
    var placed: [ID] = []
    visit { handle in
      guard core.refusingChanges(.filtering, { accepts(handle) }) else { return }
      let id = nodes.make(handle)
      nodes[id].flags = [.isPresent, .wasPresent]
      places[handle.index] = id
      placed.append(id)
    }
    loadKeys(of: placed)
    rebuild([], and: placed)
  }

  /// Puts the nodes whose entities have changed into their places, or out of the view.
  func settleNodes() {
    // Listed, or too many to be: that may be said of nodes that have gone since.
    guard areStaleListed else {
      stale.removeAll(keepingCapacity: true)
      areStaleListed = true
      if nodes.staleCount > 0 { settleTogether() }
      return
    }
    // PERFORMANCE: V2: a look after each change finds one, and takes it off a list that stays.
    switch stale.count {
    case 0: return
    case 1: settle(stale.removeLast())
    default:
      var ids: [ID] = []
      swap(&ids, &stale)
      for id in ids { settle(id) }
      guard stale.isEmpty else { return }
      ids.removeAll(keepingCapacity: true)
      swap(&ids, &stale)
    }
  }

  /// Puts a node, if its entity has changed, into its place, or out of the view.
  private func settle(_ id: ID) {
    guard nodes.unmarkStale(id) else { return }
    let handle = nodes[id].handle
    nodes.prefetchLeaf(of: id)
    if core.refusingChanges(.filtering, { accepts(handle) }) { update(id) } else { remove(id) }
  }

  /// Makes the tree anew: most of it would be moved one by one otherwise.
  private func settleTogether() {
    let ids = nodes.staleNodes
    let kept = nodes.freshNodes
    for id in ids { nodes.unmarkStale(id) }
    let (placed, dropped) = core.refusingChanges(.filtering) { partition(ids) }
    loadKeys(of: placed)
    rebuild(kept, and: placed)
    for id in dropped {
      places[nodes[id].handle.index] = OrderedNodes.none
      nodes[id].flags = []
      free(id)
    }
  }

  /// The nodes whose entities the view shows, and the others.
  private func partition(_ ids: [ID]) -> (placed: [ID], dropped: [ID]) {
    var (placed, dropped): ([ID], [ID]) = ([], [])
    placed.reserveCapacity(ids.count)
    // PERFORMANCE: V1: most views have one filter, and that alone decides.
    if tests.count == 1, members == nil, !places.areOfLinked {
      let isAccepted = tests[0]
      for id in ids {
        if isAccepted(core, nodes[id].handle) { placed.append(id) } else { dropped.append(id) }
      }
    } else {
      for id in ids {
        if accepts(nodes[id].handle) { placed.append(id) } else { dropped.append(id) }
      }
    }
    return (placed, dropped)
  }
}
