public import ECS

extension RecipeLink {
  /// A link through a relation: the nested entities are the targets of the entity, which is the
  /// source.
  ///
  /// - Precondition: Links of the relation have no values; for others, see
  ///   ``targets(of:at:values:default:)``.
  public static func targets<R: Relation>(of relation: R.Type) -> RecipeLink {
    checkNoValues(relation)
    // Where the type is not known to be one.
    if let hierarchy = relation as? any Hierarchy.Type { return targets(of: hierarchy) }
    var link = RecipeLink("targets of \(relation)") {
      Array($0.targets(R.self).entities())
    } setTargets: {
      $0.targets(R.self).replaceAll(with: $1)
    }
    link.relationKind = .targets(of: relation)
    link.insert = { $0.relate(R.self, to: $1) }
    return link
  }

  /// A link through a relation: the nested entities are the sources, which have the entity as
  /// their target.
  ///
  /// - Precondition: Links of the relation have no values; for others, see
  ///   ``sources(of:at:values:default:)``.
  public static func sources<R: Relation>(of relation: R.Type) -> RecipeLink {
    checkNoValues(relation)
    if let hierarchy = relation as? any Hierarchy.Type { return sources(of: hierarchy) }
    var link = RecipeLink("sources of \(relation)") {
      Array($0.sources(R.self).entities())
    } setTargets: {
      $0.sources(R.self).replaceAll(with: $1)
    }
    link.relationKind = .sources(of: relation)
    link.insert = { $1.relate(R.self, to: $0) }
    if R.deleteRule == .cascade {
      link.hasOtherOwner = { part, owner in
        part.targets(R.self).entities().contains { $0 != owner }
      }
    }
    return link
  }

  /// A link through a hierarchy: the nested entity is the parent of the entity.
  ///
  /// Data that makes an entity its own ancestor is refused with ``RecipeError/Reason/cycle``.
  ///
  /// - Precondition: Links of the hierarchy have no values; for others, see
  ///   ``targets(of:at:values:default:)``.
  public static func targets<R: Hierarchy>(of hierarchy: R.Type) -> RecipeLink {
    checkNoValues(hierarchy)
    var link = RecipeLink("targets of \(hierarchy)") {
      Array($0.targets(R.self).coming())
    } setTargets: { child, parents in
      // The plan has seen to it that there is no cycle.
      try? child.setParent(parents.first, in: R.self)
    }
    link.relationKind = .targets(of: hierarchy)
    link.hierarchy = HierarchyLink(R.self, nestsChildren: false)
    return link
  }

  /// A link through a hierarchy: the nested entities are the children of the entity.
  ///
  /// Data that makes an entity its own ancestor is refused with ``RecipeError/Reason/cycle``.
  ///
  /// - Precondition: Links of the hierarchy have no values; for others, see
  ///   ``sources(of:at:values:default:)``.
  public static func sources<R: Hierarchy>(of hierarchy: R.Type) -> RecipeLink {
    checkNoValues(hierarchy)
    var link = RecipeLink("sources of \(hierarchy)") {
      Array($0.sources(R.self).coming())
    } setTargets: {
      $0.sources(R.self).replaceAll(with: $1)
    }
    link.relationKind = .sources(of: hierarchy)
    link.hierarchy = HierarchyLink(R.self, nestsChildren: true)
    if R.deleteRule == .cascade {
      link.hasOtherOwner = { part, owner in
        part.targets(R.self).coming().contains { $0 != owner }
      }
    }
    return link
  }
}

extension RecipeLink {
  private static func checkNoValues<R: Relation>(_ relation: R.Type) {
    require(
      relation.valueIdentifier == nil,
      "A recipe nests entities through \(relation), whose links have values: say with \"values:\" how data has them, or with \"default:\" what new links have."
    )
  }

  /// The relation whose targets the nested entities are.
  var ofTargets: ObjectIdentifier? {
    if case .targets(let relation)? = relationKind { ObjectIdentifier(relation) } else { nil }
  }

  /// The relation whose sources the nested entities are.
  var ofSources: ObjectIdentifier? {
    if case .sources(let relation)? = relationKind { ObjectIdentifier(relation) } else { nil }
  }
}

/// The properties of a link through a hierarchy, so that data can't ask for a cycle.
struct HierarchyLink: Sendable {
  let relation: ObjectIdentifier

  /// Whether the nested entities are the children; otherwise one is the parent.
  let nestsChildren: Bool

  /// Whether an entity has at most one child.
  let isOneToOne: Bool
  let parent: @Sendable (Entity) -> Entity?
  let children: @Sendable (Entity) -> [Entity]
  let detach: @Sendable (Entity) -> Void

  init<R: Hierarchy>(_ hierarchy: R.Type, nestsChildren: Bool) {
    relation = ObjectIdentifier(R.self)
    self.nestsChildren = nestsChildren
    isOneToOne = hierarchy is any OneToOneRelation.Type
    parent = { $0.targets(R.self).coming().first }
    children = { Array($0.sources(R.self).coming()) }
    detach = { $0.unrelate(R.self) }
  }
}
