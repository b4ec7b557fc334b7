/// A set of the positions of fields, without memory of its own for the first 64.
@usableFromInline
struct FieldSet {
  @usableFromInline var low: UInt64 = 0
  @usableFromInline var high: Set<Int> = []

  var isEmpty: Bool { low == 0 && high.isEmpty }

  @inlinable
  func contains(_ position: Int) -> Bool {
    position < 64 ? low & (1 << UInt64(position)) != 0 : high.contains(position)
  }

  mutating func insert(_ position: Int) {
    if position < 64 { low |= 1 << UInt64(position) } else { high.insert(position) }
  }

  func union(_ other: FieldSet) -> FieldSet {
    var union = self
    union.formUnion(other)
    return union
  }

  mutating func formUnion(_ other: FieldSet) {
    low |= other.low
    if !other.high.isEmpty { high.formUnion(other.high) }
  }
}
