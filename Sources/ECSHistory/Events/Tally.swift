/// Counts what has a number and mostly nothing else that tells it apart.
struct Tally<Rest: Hashable> {
  private struct Key: Hashable {
    let number: UInt32
    let rest: Rest
  }

  // PERFORMANCE: mostly there is one of each number, which is found without hashing.
  private var first: [(rest: Rest, count: Int)?] = []
  private var others: [Key: Int] = [:]

  /// Counts one more.
  ///
  /// Numbers are not much larger than there are many.
  mutating func add(_ number: UInt32, _ rest: Rest) {
    let place = Int(number)
    if place >= first.count {
      first += [(rest: Rest, count: Int)?](
        repeating: nil, count: max(place + 1 - first.count, min(first.count, 1 << 20)))
    }
    guard let present = first[place] else {
      first[place] = (rest, 1)
      return
    }
    if present.rest == rest {
      first[place] = (rest, present.count + 1)
    } else {
      others[Key(number: number, rest: rest), default: 0] += 1
    }
  }

  /// What was counted, in no order.
  var all: [(number: UInt32, rest: Rest, count: Int)] {
    var all = others.map { (number: $0.number, rest: $0.rest, count: $1) }
    for (number, entry) in first.enumerated() {
      if let entry { all.append((UInt32(number), entry.rest, entry.count)) }
    }
    return all
  }
}
