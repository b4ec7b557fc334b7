/// What a record without relations says about each component.
// PERFORMANCE: Without an array where there is one component (P1, P2, P4).
struct RecordPatches {
  private let first: (any Patch)?

  /// Those of the others; empty if there are none.
  private let others: [(any Patch)?]
  let count: Int

  /// Takes the patches of components one by one, in their order; nil if one of them can't be told.
  init?(count: Int, _ patch: (Int) -> LeafValues.Decoded) {
    self.count = count
    var (first, others): ((any Patch)?, [(any Patch)?]) = (nil, [])
    if count > 1 { others.reserveCapacity(count - 1) }
    for number in 0..<count {
      guard case .patch(let patch) = patch(number) else { return nil }
      if number == 0 { first = patch } else { others.append(patch) }
    }
    (self.first, self.others) = (first, others)
  }

  subscript(number: Int) -> (any Patch)? { number == 0 ? first : others[number - 1] }

  /// All of them, as plans want them.
  var list: [(any Patch)?] { count == 0 ? [] : [first] + others }
}
