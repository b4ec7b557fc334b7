// The kinds of entities by their components, in the order in which they came up: that in which
// groups go through them.
extension ArchetypeGraph {
  /// How many kinds there are.
  var kindCount: Int { unsafe core.pointer.pointee.tables.all.count }

  /// The component types of each kind from an index on.
  func kinds(from index: Int) -> [[CID]] {
    unsafe core.pointer.pointee.tables.all.dropFirst(index).map { unsafe $0.pointee.signature }
  }

  /// Lets a kind come up, unless there is such a kind.
  func makeKind(_ types: Set<CID>) {
    _ = unsafe findTable(types.ascending(), keeping: core.pointer.pointee.tables.root)
  }
}
