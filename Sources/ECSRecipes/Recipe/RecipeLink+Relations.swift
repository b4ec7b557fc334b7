public import ECS

extension RecipeLink {
  /// A link through a relation: the nested entities are the targets of the entity.
  ///
  /// Not for a `Hierarchy`: data with identities may ask for a cycle there, which is refused. Give
  /// closures that call `setParent(_:in:)`, and decide what happens then.
  public static func targets<R: Relation>(of relation: R.Type) -> RecipeLink {
    RecipeLink("targets of \(relation)") {
      Array($0.targets(R.self).entities())
    } setTargets: {
      $0.targets(R.self).replaceAll(with: $1)
    }
  }

  /// A link through a relation: the nested entities are the sources, which have the entity as
  /// their target.
  ///
  /// Not for a `Hierarchy`: data with identities may ask for a cycle there.
  public static func sources<R: Relation>(of relation: R.Type) -> RecipeLink {
    RecipeLink("sources of \(relation)") {
      Array($0.sources(R.self).entities())
    } setTargets: {
      $0.sources(R.self).replaceAll(with: $1)
    }
  }

  /// Not available for hierarchies.
  @available(
    *, unavailable, message: "Data may ask for a cycle: give closures that call setParent(_:in:)."
  )
  public static func targets<R: Hierarchy>(of relation: R.Type) -> RecipeLink {
    fatalError("A hierarchy has no ready-made link: give closures instead.")
  }

  /// Not available for hierarchies.
  @available(
    *, unavailable, message: "Data may ask for a cycle: give closures that call setParent(_:in:)."
  )
  public static func sources<R: Hierarchy>(of relation: R.Type) -> RecipeLink {
    fatalError("A hierarchy has no ready-made link: give closures instead.")
  }
}
