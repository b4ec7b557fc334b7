import JSONValues

/// A record, and those nested in it.
enum RecordTree {
  /// One of the records.
  struct Node {
    /// The number of its kind, in the layout of the outermost recipe.
    let kind: Int

    /// The number of the relation of the record around it.
    let relation: Int

    /// Whether it only names an entity by its key.
    let isReference: Bool
    var patches: RecordPatches

    /// The relations about which it says something.
    var mentioned: UInt64 = 0

    /// The number of records that it and those nested in it are.
    var size = 1

    func mentions(_ relation: Int) -> Bool {
      mentioned & (1 << UInt64(truncatingIfNeeded: relation)) != 0
    }

    mutating func mention(_ relation: Int) {
      mentioned |= 1 << UInt64(truncatingIfNeeded: relation)
    }
  }

  /// A record of a recipe without relations, by what it says about each component.
  // PERFORMANCE: As most records are, which takes no memory of its own (P4).
  case one(RecordPatches)

  /// The records, each followed by those nested in it, in the order of its relations.
  case many([Node])
}

extension DecodedRecord {
  /// The record as plans want it.
  convenience init(_ tree: RecordTree, of recipe: Recipe) {
    switch tree {
    case .one(let patches):
      self.init(recipe, at: .root, patches.list, [], isReference: false)
    case .many(let nodes): self.init(nodes, 0, recipe, at: .root)
    }
  }

  private convenience init(
    _ nodes: [RecordTree.Node], _ index: Int, _ recipe: Recipe, at path: JSONPath
  ) {
    let node = nodes[index]
    var targets = recipe.nested.indices.map { node.mentions($0) ? [DecodedRecord]() : nil }
    var next = index + 1
    while next < index + node.size {
      let relation = recipe.nested[nodes[next].relation]
      var records = targets[nodes[next].relation] ?? []
      let fullPath = path.appending(relation.path)
      records.append(
        DecodedRecord(
          nodes, next, relation.recipe(in: recipe),
          at: relation.nested.isMany ? fullPath.appending(index: records.count) : fullPath))
      targets[nodes[next].relation] = records
      next += nodes[next].size
    }
    self.init(
      recipe, at: node.isReference ? .root : path, node.patches.list, targets,
      isReference: node.isReference)
  }
}
