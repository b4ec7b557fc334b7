public import ECS

/// How entities are related: reads and sets the targets of an entity.
///
/// Ready-made for relations and for components that hold handles; for anything else give the
/// closures, which run in the context's critical section.
public struct RecipeLink: Sendable {
  /// A name, for messages; two links of one name count as equal.
  public let name: String

  let targets: @Sendable (Entity) -> [Entity]
  let setTargets: @Sendable (Entity, [Entity]) -> Void
  var hierarchy: HierarchyLink?

  /// Makes a link of closures that read and set all targets.
  ///
  /// - Parameters:
  ///   - name: Tells it from others.
  ///   - targets: The living targets of an entity, in order.
  ///   - setTargets: Sets the targets of an entity. It is only called with other targets than the
  ///     present ones.
  public init(
    _ name: String, targets: @escaping @Sendable (Entity) -> [Entity],
    setTargets: @escaping @Sendable (Entity, [Entity]) -> Void
  ) {
    self.name = name
    self.targets = targets
    self.setTargets = setTargets
  }

  /// Makes a link of closures that link and unlink one target at a time.
  ///
  /// What comes first in the targets to set is linked first. Targets that stay are left alone, if
  /// their order stays too.
  public init(
    _ name: String, targets: @escaping @Sendable (Entity) -> [Entity],
    link: @escaping @Sendable (Entity, _ target: Entity) -> Void,
    unlink: @escaping @Sendable (Entity, _ target: Entity) -> Void
  ) {
    self.init(name, targets: targets) { entity, wanted in
      let old = targets(entity)
      let kept = zip(old, wanted).prefix { $0 == $1 }.count
      // Those that go first, then those whose place changes, so that each is linked in order.
      for target in old[kept...] { unlink(entity, target) }
      for target in wanted[kept...] { link(entity, target) }
    }
  }

  /// A link through a component's field that holds one handle.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - template: What the component starts from if the entity has none.
  /// - Returns: The link. A target that is dead counts as none.
  public static func toOne<C: Component>(
    _ field: any WritableKeyPath<C, Entity?> & Sendable, of template: C
  ) -> RecipeLink {
    RecipeLink("\(C.self)\(field)") { entity in
      let target = entity.get(C.self)?[keyPath: field]
      return target.map { $0.isAlive ? [$0] : [] } ?? []
    } setTargets: { entity, targets in
      var component = entity.get(C.self) ?? template
      component[keyPath: field] = targets.first
      entity.set(component)
    }
  }

  /// A link through a component's field that holds a list of handles.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - template: What the component starts from if the entity has none.
  /// - Returns: The link. Targets that are dead do not count.
  public static func toMany<C: Component>(
    _ field: any WritableKeyPath<C, [Entity]> & Sendable, of template: C
  ) -> RecipeLink {
    RecipeLink("\(C.self)\(field)") { entity in
      (entity.get(C.self)?[keyPath: field] ?? []).filter(\.isAlive)
    } setTargets: { entity, targets in
      var component = entity.get(C.self) ?? template
      component[keyPath: field] = targets
      entity.set(component)
    }
  }
}
