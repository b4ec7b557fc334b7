// Which nodes stand for something that has changed, while they have the position and the keys of
// before.
// PERFORMANCE: V1: a bit each, so that noting many doesn't touch the nodes.
extension OrderedNodes {
  /// The number of stale nodes.
  var staleCount: Int { state.pointee.staleCount }

  func isStale(_ id: ID) -> Bool {
    // SAFETY: there is a bit for each node.
    unsafe state.pointee.staleBits[id.index >> 6] & (1 &<< UInt64(id.index & 63)) != 0
  }

  /// Notes that a node is stale; returns whether it wasn't.
  func markStale(_ id: ID) -> Bool {
    if isStale(id) { return false }
    // SAFETY: as above.
    unsafe state.pointee.staleBits[id.index >> 6] |= 1 &<< UInt64(id.index & 63)
    state.pointee.staleCount &+= 1
    return true
  }

  /// Notes that a node is not stale; returns whether it was.
  @discardableResult
  func unmarkStale(_ id: ID) -> Bool {
    if !isStale(id) { return false }
    // SAFETY: as above.
    unsafe state.pointee.staleBits[id.index >> 6] &= ~(1 &<< UInt64(id.index & 63))
    state.pointee.staleCount &-= 1
    return true
  }

  /// The stale nodes, in the order in which they lie in memory.
  ///
  /// - Complexity: O(*n*/64 + *k*), where *n* is the number of nodes and *k* that of stale ones.
  var staleNodes: [ID] {
    var stale: [ID] = []
    stale.reserveCapacity(staleCount)
    for word in 0..<(state.pointee.used + 63) / 64 {
      // SAFETY: as above.
      var bits = unsafe state.pointee.staleBits[word]
      while bits != 0 {
        stale.append(ID(index: word * 64 + bits.trailingZeroBitCount))
        bits &= bits - 1
      }
    }
    return stale
  }
}
