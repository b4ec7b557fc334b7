import ECS

/// The links of a relation in a snapshot, by the positions of entities.
struct LoadedLinks {
  typealias Pair = (source: Int, target: Int)

  let codec: any LinkCodec

  /// The links, in the order in which they are to be made.
  let pairs: [Pair]

  /// The links whose sources are to become the last ones of their targets then, one after the
  /// other.
  ///
  /// No order of making links gives both of their ends the orders that they had, if links were
  /// moved in certain ways. Then all links of some targets are there a second time, behind all
  /// others.
  let moves: ArraySlice<Pair>

  /// The values of the links, if they have some, and the one that all have in a file without them.
  var values: (any LoadedRows)?
  var defaultValue: (any Component)?

  /// The values of the links, by their indices, with the entities that they refer to.
  func resolvedValues(_ arrivals: Arrivals) -> (Int) -> (any Component)? {
    let (rows, value) = (values?.resolved(arrivals), defaultValue)
    return { rows?.component($0) ?? value }
  }

  /// Throws if there is a link twice.
  ///
  /// The closure returns the offset of an entity, for the error.
  init(
    _ codec: any LinkCodec, _ pairs: [Pair], _ offset: (Int) -> Int?
  ) throws(SnapshotError) {
    func fail(_ pair: Pair) -> SnapshotError {
      SnapshotError(
        .badLinks("entity \(pair.source) is linked to \(pair.target) twice"), name: codec.name,
        offset: offset(pair.source))
    }
    func key(_ pair: Pair) -> UInt64 { UInt64(pair.source) << 32 | UInt64(pair.target) }
    self.codec = codec
    var seen: Set<UInt64> = []
    guard let first = pairs.firstIndex(where: { !seen.insert(key($0)).inserted }) else {
      (self.pairs, moves) = (pairs, [])
      return
    }
    (self.pairs, moves) = (Array(pairs[..<first]), pairs[first...])
    var counts: [Int: (all: Int, moved: Int)] = [:]
    for pair in moves { counts[pair.target, default: (0, 0)].moved += 1 }
    for pair in self.pairs { counts[pair.target]?.all += 1 }
    for pair in moves {
      guard let count = counts[pair.target], count.all == count.moved, count.all > 1,
        seen.remove(key(pair)) != nil
      else { throw fail(pair) }
    }
  }
}
