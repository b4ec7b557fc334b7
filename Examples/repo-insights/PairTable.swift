import Synchronization

/// How often numbers came together, two by two, in some bytes for each pair.
///
/// Most pairs of files never come again: an entity for each would take more memory than all others
/// together.
final class PairTable: Sendable {
  /// By the lower number of the pairs.
  private let rows = Mutex<[Row]>([])

  /// Counts each pair of different numbers once.
  func count(pairsOf numbers: [UInt32]) {
    let numbers = numbers.sorted()
    guard let last = numbers.last else { return }
    rows.withLock { rows in
      while rows.count <= Int(last) { rows.append(Row()) }
      for index in numbers.indices where index == 0 || numbers[index] != numbers[index - 1] {
        for other in numbers.indices[(index + 1)...] where numbers[other] != numbers[other - 1] {
          rows[Int(numbers[index])].count(numbers[other])
        }
      }
    }
  }

  /// The same counts, with other names for some numbers.
  func renamed(_ names: [UInt32: UInt32]) -> PairTable {
    let result = PairTable()
    visit(atLeast: 1) { lower, higher, count in
      let (one, other) = (names[lower] ?? lower, names[higher] ?? higher)
      if one != other { result.add(count, min(one, other), max(one, other)) }
    }
    return result
  }

  private func add(_ count: Int, _ lower: UInt32, _ higher: UInt32) {
    rows.withLock { rows in
      while rows.count <= Int(lower) { rows.append(Row()) }
      rows[Int(lower)].count(higher, times: UInt32(count))
    }
  }

  /// Visits the pairs that came at least so often.
  func visit(
    atLeast minimum: Int, _ body: (_ lower: UInt32, _ higher: UInt32, _ count: Int) -> Void
  ) {
    rows.withLock { rows in
      for (lower, row) in rows.enumerated() {
        row.visit { higher, count in
          if count >= minimum { body(UInt32(lower), higher, count) }
        }
      }
    }
  }

  /// A hash table of the numbers that are higher than one, with their counts.
  ///
  /// Zero is higher than no number, and so marks the places that are free.
  private struct Row {
    private var entries: [Entry] = []
    private var used = 0

    private struct Entry {
      var number: UInt32
      var count: UInt32
    }

    mutating func count(_ number: UInt32, times: UInt32 = 1) {
      if (used + 1) * 4 > entries.count * 3 { grow() }
      let place = place(of: number)
      if entries[place].number == 0 {
        entries[place].number = number
        used += 1
      }
      entries[place].count += times
    }

    func visit(_ body: (_ number: UInt32, _ count: Int) -> Void) {
      for entry in entries where entry.number != 0 { body(entry.number, Int(entry.count)) }
    }

    /// Where a number is, or may be put.
    private func place(of number: UInt32) -> Int {
      let mask = entries.count - 1
      var place = Int((number &* 2_654_435_769) >> 7) & mask
      while entries[place].number != 0, entries[place].number != number {
        place = (place + 1) & mask
      }
      return place
    }

    private mutating func grow() {
      let old = entries
      entries = Array(repeating: Entry(number: 0, count: 0), count: max(4, old.count * 2))
      for entry in old where entry.number != 0 { entries[place(of: entry.number)] = entry }
    }
  }
}
