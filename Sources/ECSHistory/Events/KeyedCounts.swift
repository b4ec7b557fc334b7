/// Counts of things that an ID mostly tells apart, and the rest else.
struct KeyedCounts<Rest: Hashable> {
  private struct Key: Hashable {
    let id: UInt32
    let rest: Rest
  }

  // PERFORMANCE: mostly there is one of each ID, which is found without hashing.
  private var first: [(rest: Rest, count: Int)?] = []
  private var others: [Key: Int] = [:]

  /// Counts one more.
  ///
  /// IDs are not much larger than there are many.
  mutating func add(_ id: UInt32, _ rest: Rest) {
    let index = Int(id)
    if index >= first.count {
      first += [(rest: Rest, count: Int)?](
        repeating: nil, count: max(index + 1 - first.count, min(first.count, 1 << 20)))
    }
    guard let present = first[index] else {
      first[index] = (rest, 1)
      return
    }
    if present.rest == rest {
      first[index] = (rest, present.count + 1)
    } else {
      others[Key(id: id, rest: rest), default: 0] += 1
    }
  }

  /// What was counted, in no order.
  var all: [(id: UInt32, rest: Rest, count: Int)] {
    var all = others.map { (id: $0.id, rest: $0.rest, count: $1) }
    for (id, entry) in first.enumerated() {
      if let entry { all.append((UInt32(id), entry.rest, entry.count)) }
    }
    return all
  }
}
