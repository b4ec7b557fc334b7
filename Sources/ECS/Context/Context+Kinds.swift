extension Journal {
  /// How many kinds of entities there are; called within a section.
  package var kindCount: Int { core.graph.kindCount }

  /// The component types of each kind of entities from an index on; called within a section.
  package func kinds(from index: Int) -> [[CID]] { core.graph.kinds(from: index) }
}

extension Context {
  /// Lets kinds of entities come up, in an order; those that there are already stay where they are.
  package func makeKinds(_ kinds: [[CID]]) {
    core.section { for kind in kinds { core.graph.makeKind(Set(kind)) } }
  }
}
