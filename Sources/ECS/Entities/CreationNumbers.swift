/// A conversion of the numbers by which storage keeps entities in the order of their creation, of
/// which there are four billion and which are given out afresh when they run out, to the number of
/// entities that were created before.
struct CreationNumbers {
  /// What to add to a number that was given out since they ran out last.
  private var offset: UInt64 = 0

  /// The entities that were alive then have the numbers below the count of these.
  private var older: [UInt64] = []

  /// The number of entities that were created before the one with a number.
  subscript(number: UInt32) -> UInt64 {
    Int(number) < older.count ? older[Int(number)] : UInt64(number) + offset
  }

  /// What to add to any number; nil if that depends on the number.
  var commonOffset: UInt64? { older.isEmpty ? offset : nil }

  /// The numbers were given out afresh, from 0 on, to entities that had these, in their order.
  ///
  /// The last entity may have the number already that was to be given out next.
  mutating func renumber(_ numbers: [UInt32], next: UInt32) {
    let created = self[next] + (numbers.last == next ? 1 : 0)
    older = numbers.map { self[$0] }
    offset = created - UInt64(older.count)
  }
}
