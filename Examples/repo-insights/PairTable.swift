import Synchronization

/// How often numbers came together, two by two, in some bytes for each pair.
///
/// Most pairs of files never come again: an entity for each would take more memory than all others
/// together.
final class PairTable: Sendable {
  /// By the lower number of the pairs.
  private let rows = Mutex<[Row]>([])

  /// Counts each pair of numbers once; they are different and ascend.
  func count(pairsOf numbers: [UInt32]) {
    guard numbers.count > 1, let last = numbers.last else { return }
    rows.withLock { rows in
      while rows.count <= Int(last) { rows.append(Row()) }
      for (index, lower) in numbers.enumerated() {
        for higher in numbers[(index + 1)...] { rows[Int(lower)].count(higher) }
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
    private var numbers: [UInt32] = []
    private var counts: [UInt32] = []
    private var used = 0

    mutating func count(_ number: UInt32, times: UInt32 = 1) {
      if (used + 1) * 4 > numbers.count * 3 { grow() }
      let place = place(of: number)
      if numbers[place] == 0 {
        numbers[place] = number
        used += 1
      }
      counts[place] += times
    }

    func visit(_ body: (_ number: UInt32, _ count: Int) -> Void) {
      for (number, count) in zip(numbers, counts) where number != 0 { body(number, Int(count)) }
    }

    /// Where a number is, or may be put.
    private func place(of number: UInt32) -> Int {
      let mask = numbers.count - 1
      var place = Int((number &* 2_654_435_769) >> 7) & mask
      while numbers[place] != 0, numbers[place] != number { place = (place + 1) & mask }
      return place
    }

    private mutating func grow() {
      let (oldNumbers, oldCounts) = (numbers, counts)
      numbers = Array(repeating: 0, count: max(4, oldNumbers.count * 2))
      counts = Array(repeating: 0, count: numbers.count)
      for (number, count) in zip(oldNumbers, oldCounts) where number != 0 {
        let place = place(of: number)
        (numbers[place], counts[place]) = (number, count)
      }
    }
  }
}
