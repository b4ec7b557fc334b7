// The kinds of entities by their components, in the order in which they came up: that in which
// groups go through them.
extension Core {
  /// How many kinds there are.
  var kindCount: Int { unsafe pointer.pointee.tables.all.count }

  /// The component types of each kind from an index on.
  func kinds(from index: Int) -> [[CID]] {
    unsafe pointer.pointee.tables.all.dropFirst(index).map { unsafe $0.pointee.signature }
  }

  /// Lets a kind come up, unless there is such a kind.
  func makeKind(_ types: Set<CID>) {
    _ = unsafe findTable(types.sorted { $0.id < $1.id }, keeping: pointer.pointee.tables.root)
  }
}
