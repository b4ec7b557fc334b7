/// A conversion of ordinals in the order of creation, of which there are four billion and which are
/// given out afresh when they run out, to creation numbers, which count the entities that were
/// created before.
struct CreationNumbers {
  /// What to add to an ordinal that was given out since they ran out last.
  private var offset: UInt64 = 0

  /// The entities that were alive then have the ordinals below the count of these.
  private var older: [UInt64] = []

  /// The number of entities that were created before the one with an ordinal.
  subscript(ordinal: UInt32) -> UInt64 {
    Int(ordinal) < older.count ? older[Int(ordinal)] : UInt64(ordinal) + offset
  }

  /// What to add to any ordinal; nil if that depends on the ordinal.
  var commonOffset: UInt64? { older.isEmpty ? offset : nil }

  /// The ordinals were given out afresh, from 0 on, to entities that had these, in their order.
  ///
  /// The last entity may have the ordinal already that was to be given out next.
  mutating func renumber(_ ordinals: [UInt32], next: UInt32) {
    let created = self[next] + (ordinals.last == next ? 1 : 0)
    older = ordinals.map { self[$0] }
    offset = created - UInt64(older.count)
  }
}
