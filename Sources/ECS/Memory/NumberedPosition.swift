/// The position of an element, and the number that says where it comes in an order.
struct NumberedPosition {
  let number: UInt64
  let position: Int

  @inline(never)
  static func sort(_ positions: inout [NumberedPosition]) {
    positions.sort { ($0.number, $0.position) < ($1.number, $1.position) }
  }
}

extension Sequence {
  /// The elements in the order of a number of each, which is asked for once; those with the same
  /// number stay in their order.
  ///
  /// The standard library's sort is machine code anew for each type and closure that it sorts by.
  /// So this sorts numbers and positions, by code that is there once.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of elements.
  func sorted(byNumber number: (Element) -> UInt64) -> [Element] {
    let elements = Array(self)
    if elements.count < 2 { return elements }
    var positions = elements.indices.map {
      NumberedPosition(number: number(elements[$0]), position: $0)
    }
    NumberedPosition.sort(&positions)
    return positions.map { elements[$0.position] }
  }
}
