/// A set of the positions of fields, without memory of its own for the first 64.
@usableFromInline
struct FieldSet: Sendable {
  @usableFromInline var low: UInt64 = 0
  // PERFORMANCE: None if it is empty, so that no references to it are counted.
  @usableFromInline var high: Set<Int>?

  @inlinable
  init() {}

  @inlinable var isEmpty: Bool { low == 0 && high == nil }

  @inlinable
  @inline(__always)
  func contains(_ position: Int) -> Bool {
    position < 64 ? low & (1 << UInt64(truncatingIfNeeded: position)) != 0 : isHigh(position)
  }

  @inlinable
  @inline(__always)
  mutating func insert(_ position: Int) {
    if position < 64 {
      low |= 1 << UInt64(truncatingIfNeeded: position)
    } else {
      insertHigh(position)
    }
  }

  @usableFromInline
  func isHigh(_ position: Int) -> Bool { high?.contains(position) ?? false }

  @usableFromInline
  mutating func insertHigh(_ position: Int) { high = (high ?? []).union([position]) }

  /// Whether all positions are in another set, too.
  func isSubset(of other: FieldSet) -> Bool {
    low & ~other.low == 0 && (high.map { $0.isSubset(of: other.high ?? []) } ?? true)
  }

  func union(_ other: FieldSet) -> FieldSet {
    var union = self
    union.formUnion(other)
    return union
  }

  mutating func formUnion(_ other: FieldSet) {
    low |= other.low
    if let others = other.high { high = (high ?? []).union(others) }
  }
}
