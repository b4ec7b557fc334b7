#if SQLite
  /// A set of the numbers of columns, without memory of its own for the first 64.
  package struct ColumnSet: Sendable, Hashable, Sequence {
    private var low: UInt64 = 0
    private var high: Set<Int>?

    init() {}

    package init(_ columns: some Sequence<Int>) { for column in columns { insert(column) } }

    var isEmpty: Bool { low == 0 && high == nil }
    var count: Int { low.nonzeroBitCount + (high?.count ?? 0) }

    package func contains(_ column: Int) -> Bool {
      column < 64 ? low & (1 << UInt64(column)) != 0 : high?.contains(column) ?? false
    }

    mutating func insert(_ column: Int) {
      if column < 64 { low |= 1 << UInt64(column) } else { high = (high ?? []).union([column]) }
    }

    mutating func remove(_ column: Int) {
      if column < 64 {
        low &= ~(1 << UInt64(column))
      } else {
        high?.remove(column)
        if high?.isEmpty == true { high = nil }
      }
    }

    func union(_ other: ColumnSet) -> ColumnSet {
      var union = self
      union.low |= other.low
      if let others = other.high { union.high = (high ?? []).union(others) }
      return union
    }

    /// The columns in order.
    package var columns: [Int] { Array(self) }

    /// Visits the columns in order.
    package func makeIterator() -> Iterator { Iterator(low, high?.sorted() ?? []) }

    package struct Iterator: IteratorProtocol {
      private var low: UInt64
      private let high: [Int]
      private var index = 0

      fileprivate init(_ low: UInt64, _ high: [Int]) { (self.low, self.high) = (low, high) }

      package mutating func next() -> Int? {
        if low != 0 {
          defer { low &= low - 1 }
          return low.trailingZeroBitCount
        }
        guard index < high.count else { return nil }
        defer { index += 1 }
        return high[index]
      }
    }
  }
#endif
