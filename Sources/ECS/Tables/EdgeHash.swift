/// The position where the search for a component type begins in a table's map of edges: at some
/// bits, which suit the table's types, of the key's product with the golden ratio (Knuth, The Art
/// of Computer Programming, volume 3, section 6.4).
// PERFORMANCE: S1, A1, A2: the keys are addresses, so which types meet is up to the linker. It is
// the bits that are chosen for a table and not the factor, so that nothing waits for a table before
// multiplying.
@usableFromInline
struct EdgeHash {
  /// The number of lower bits of the product that don't count.
  @usableFromInline let shift: UInt64

  /// How far from the first edge a search begins, in bytes, if the last one is so far from the
  /// first.
  @inlinable
  @inline(__always)
  func offset(of key: ComponentKey, last: Int) -> Int {
    Int(truncatingIfNeeded: key.product &>> shift) & last
  }

  /// With more positions no bits are chosen.
  static var greatestCapacity: Int { 64 }

  /// A hash function by which no two of some types begin at the same position; if none is found,
  /// that which suits most.
  ///
  /// - Complexity: O(*n*), where *n* is the number of types.
  static func suiting(_ keys: [ComponentKey], capacity: Int) -> EdgeHash {
    let bits = (capacity * MemoryLayout<Edge>.stride).trailingZeroBitCount
    let highest = EdgeHash(shift: UInt64(64 - bits))
    guard capacity <= greatestCapacity else { return highest }
    for shift in stride(from: highest.shift, through: 6, by: -1) {
      let hash = EdgeHash(shift: shift)
      if hash.separates(keys, capacity: capacity) { return hash }
    }
    return highest
  }

  private func separates(_ keys: [ComponentKey], capacity: Int) -> Bool {
    let stride = MemoryLayout<Edge>.stride
    var taken: UInt64 = 0
    return keys.allSatisfy { key in
      let bit = UInt64(1) &<< UInt64(offset(of: key, last: (capacity - 1) * stride) / stride)
      defer { taken |= bit }
      return taken & bit == 0
    }
  }
}
