extension RelationLinks {
  /// Visits all links in an order in which making them again gives each slot its targets as they
  /// are, and its sources too, if there is an order that does both.
  ///
  /// There is one unless links were moved: then there is always one that is the first of both of
  /// its lists among those that were not visited.
  ///
  /// - Parameters:
  ///   - body: Called with each link.
  ///   - moved: If there is none, called afterwards with all links of each target that would have
  ///     its sources in another order, in the order that they have: each in turn is to become the
  ///     last one.
  func visitAll(
    _ body: (_ link: ID, _ source: UInt32, _ target: UInt32) -> Void,
    moved: (_ source: UInt32, _ target: UInt32) -> Void
  ) {
    var waits = [UInt8](repeating: 0, count: links.count)
    var ready: [ID] = []
    ready.reserveCapacity(count)
    for slot in targets.indices {
      var next = targets[slot].first
      while next != .none {
        let link = links[next.index]
        waits[next.index] =
          (link.previousTarget == .none ? 0 : 1) + (link.previousSource == .none ? 0 : 1)
        if waits[next.index] == 0 { ready.append(next) }
        next = link.nextTarget
      }
    }
    var visited = 0
    while visited < ready.count {
      let id = ready[visited]
      let link = links[id.index]
      visited += 1
      body(id, link.source, link.target)
      for next in [link.nextTarget, link.nextSource] where next != .none {
        waits[next.index] -= 1
        if waits[next.index] == 0 { ready.append(next) }
      }
    }
    guard visited < count else { return }
    // Of each list of targets, a part from its beginning was visited.
    for slot in targets.indices {
      var next = targets[slot].first
      while next != .none {
        if waits[next.index] > 0 { body(next, links[next.index].source, links[next.index].target) }
        next = links[next.index].nextTarget
      }
    }
    for slot in sources.indices {
      guard let last = last(UInt32(slot), .sources), last != sources[slot].first,
        waits[last.index] > 0
      else { continue }
      var next = sources[slot].first
      while next != .none {
        moved(links[next.index].source, UInt32(slot))
        next = links[next.index].nextSource
      }
    }
  }
}
