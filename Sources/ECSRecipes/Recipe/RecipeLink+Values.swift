public import ECS

extension RecipeLink {
  /// A link through a relation whose links have values: the nested entities are the targets of the
  /// entity, which is the source.
  ///
  /// ```swift
  /// let membership = Fields(of: Membership(role: .member)) {
  ///   Field(\.role, at: "role", as: .rawValue)
  /// }
  /// // {"teams": [{"team": {"id": 1, "name": "Core"}, "role": "admin"}]}
  /// Nested(
  ///   many: teams, at: "teams", through: .targets(of: MemberOf.self, at: "team", values: membership))
  /// // {"teams": [{"teamId": 1, "role": "admin"}]}
  /// Nested(
  ///   many: teams, at: "teams", as: .key,
  ///   through: .targets(of: MemberOf.self, at: "teamId", values: membership))
  /// // {"teams": [{"id": 1, "name": "Core", "role": "admin"}]}
  /// Nested(many: teams, at: "teams", through: .targets(of: MemberOf.self, values: membership))
  /// ```
  ///
  /// A new link starts from the value that the mapping starts from, and gets what the data says. A
  /// link that is there already keeps its value but for what the data says about it, and is not
  /// made anew. If there is nothing to start from, or a required field is absent, a new link is
  /// refused with ``RecipeError/Reason/missing``. `null` in place of a whole value is an error:
  /// a link without a value can't be.
  ///
  /// Keys in the data of a link that nothing is mapped to are an error if the recipe of the owner
  /// refuses such keys; if the value stands in the data of the entity, that of the nested recipe
  /// counts.
  ///
  /// - Parameters:
  ///   - relation: The relation. Data that makes an entity its own ancestor in a hierarchy is
  ///     refused with ``RecipeError/Reason/cycle``.
  ///   - path: Where the entity, or its key, is in the data of a link; by default that is an object
  ///     with the fields of the entity and of the value.
  ///   - values: The mapping of the values, with paths in the data of a link.
  ///   - value: What a new link starts from; by default what the mapping starts from.
  /// - Returns: The link.
  public static func targets<R: Relation>(
    of relation: R.Type, at path: String? = nil, values: some LinkValues<R.Value>,
    default value: R.Value? = nil
  ) -> RecipeLink where R.Value: Component {
    targets(
      of: relation,
      LinkValueForm(relation, nestsSources: false, values.part, at: path, default: value))
  }

  /// A link through a relation whose links have values that data says nothing about: the nested
  /// entities are the targets of the entity, which is the source.
  ///
  /// Links that are there already keep their values.
  ///
  /// - Parameters:
  ///   - relation: The relation.
  ///   - path: Where the entity, or its key, is in the data of a link; by default that is nothing
  ///     but the entity or its key, as in links without values.
  ///   - value: The value of a new link.
  /// - Returns: The link.
  public static func targets<R: Relation>(
    of relation: R.Type, at path: String? = nil, default value: R.Value
  ) -> RecipeLink where R.Value: Component {
    targets(
      of: relation, LinkValueForm(relation, nestsSources: false, nil, at: path, default: value))
  }

  /// A link through a relation whose links have values: the nested entities are the sources, which
  /// have the entity as their target.
  ///
  /// Otherwise as ``targets(of:at:values:default:)``.
  ///
  /// - Parameters:
  ///   - relation: The relation.
  ///   - path: Where the entity, or its key, is in the data of a link; by default that is an object
  ///     with the fields of the entity and of the value.
  ///   - values: The mapping of the values, with paths in the data of a link.
  ///   - value: What a new link starts from; by default what the mapping starts from.
  /// - Returns: The link.
  public static func sources<R: Relation>(
    of relation: R.Type, at path: String? = nil, values: some LinkValues<R.Value>,
    default value: R.Value? = nil
  ) -> RecipeLink where R.Value: Component {
    sources(
      of: relation,
      LinkValueForm(relation, nestsSources: true, values.part, at: path, default: value))
  }

  /// A link through a relation whose links have values that data says nothing about: the nested
  /// entities are the sources, which have the entity as their target.
  ///
  /// Otherwise as ``targets(of:at:default:)``.
  ///
  /// - Parameters:
  ///   - relation: The relation.
  ///   - path: Where the entity, or its key, is in the data of a link; by default that is nothing
  ///     but the entity or its key, as in links without values.
  ///   - value: The value of a new link.
  /// - Returns: The link.
  public static func sources<R: Relation>(
    of relation: R.Type, at path: String? = nil, default value: R.Value
  ) -> RecipeLink where R.Value: Component {
    sources(
      of: relation, LinkValueForm(relation, nestsSources: true, nil, at: path, default: value))
  }

  private static func targets<R: Relation>(
    of relation: R.Type, _ values: LinkValueForm
  ) -> RecipeLink {
    let hierarchy = (relation as? any Hierarchy.Type).map {
      HierarchyLink($0, nestsChildren: false)
    }
    var link = RecipeLink("targets of \(relation)") { entity in
      hierarchy.map { $0.parent(entity).map { [$0] } ?? [] }
        ?? Array(entity.targets(R.self).entities())
    } setTargets: { entity, targets in
      values.setLinks(entity, targets.map { ($0, nil) })
    }
    link.relationKind = .targets(of: relation)
    (link.hierarchy, link.values) = (hierarchy, values)
    return link
  }

  private static func sources<R: Relation>(
    of relation: R.Type, _ values: LinkValueForm
  ) -> RecipeLink {
    let hierarchy = (relation as? any Hierarchy.Type).map { HierarchyLink($0, nestsChildren: true) }
    var link = RecipeLink("sources of \(relation)") { entity in
      hierarchy.map { $0.children(entity) } ?? Array(entity.sources(R.self).entities())
    } setTargets: { entity, sources in
      values.setLinks(entity, sources.map { ($0, nil) })
    }
    link.relationKind = .sources(of: relation)
    (link.hierarchy, link.values) = (hierarchy, values)
    if R.deleteRule == .cascade {
      link.hasOtherOwner = { part, owner in
        let owners =
          hierarchy.map { $0.parent(part).map { [$0] } ?? [] }
          ?? Array(part.targets(R.self).entities())
        return owners.contains { $0 != owner }
      }
    }
    return link
  }
}
