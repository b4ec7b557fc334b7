public import ECS

/// A relation of entities: reads and sets the targets of an entity.
///
/// Ready-made for relations and for components that hold handles; for anything else pass
/// closures, which run in the context's critical section.
public struct RecipeLink: Sendable {
  /// A name, for messages; two links with the same name count as equal.
  public let name: String

  /// The means that a link leads through.
  public enum Kind: Sendable {
    /// A relation, whose targets the nested entities are.
    case targets(of: any Relation.Type)

    /// A relation, whose sources the nested entities are.
    case sources(of: any Relation.Type)

    /// A field of a component, which holds one handle or a list of them.
    case field(any AnyKeyPath & Sendable, of: CID)

    /// Closures.
    case custom
  }

  /// What the link leads through.
  public var kind: Kind {
    relationKind ?? component.map { .field($0.field, of: $0.cid) } ?? .custom
  }

  let targets: @Sendable (Entity) -> [Entity]
  let writing: Writing
  var hierarchy: HierarchyLink?
  var relationKind: Kind?

  /// Adds a target, as the last one, to those of an entity that has no others; nil if that takes
  /// more.
  var insert: (@Sendable (Entity, _ target: Entity) -> Void)?

  /// Whether a nested entity belongs to another entity as well; nil if nested ones do not end with
  /// the entity that they belong to.
  var hasOtherOwner: (@Sendable (Entity, _ owner: Entity) -> Bool)?

  /// The values of the links; nil if they have none.
  var values: LinkValueForm?

  /// The way in which other targets are set.
  enum Writing: Sendable {
    /// By a closure, when all components are written.
    case closure(@Sendable (Entity, [Entity]) -> Void)

    /// With the other fields of a component.
    case component(LinkedComponent)
  }

  /// Makes a link from closures that read and set all targets.
  ///
  /// - Parameters:
  ///   - name: Distinguishes it from other links.
  ///   - targets: The living targets of an entity, in order.
  ///   - setTargets: Sets the targets of an entity. It is only called with targets that differ from
  ///     the present ones.
  public init(
    _ name: String, targets: @escaping @Sendable (Entity) -> [Entity],
    setTargets: @escaping @Sendable (Entity, [Entity]) -> Void
  ) {
    self.name = name
    self.targets = targets
    writing = .closure(setTargets)
  }

  /// Makes a link from closures that link and unlink one target at a time.
  ///
  /// Targets are linked in the order in which they are to be set. Targets that stay are left alone,
  /// if their order stays the same.
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
  /// - Returns: The link. A dead target counts as none.
  public static func toOne<C: Component>(
    _ field: any WritableKeyPath<C, Entity?> & Sendable, of template: C
  ) -> RecipeLink {
    RecipeLink("\(C.self)\(field)", of: template, FieldAccess(field), isMany: false) { component in
      component[keyPath: field].map { [$0] } ?? []
    } setTargets: { component, targets in
      component[keyPath: field] = targets.first
    }
  }

  /// A link through a component's field that holds a list of handles.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - template: What the component starts from if the entity has none.
  /// - Returns: The link. Dead targets do not count.
  public static func toMany<C: Component>(
    _ field: any WritableKeyPath<C, [Entity]> & Sendable, of template: C
  ) -> RecipeLink {
    RecipeLink("\(C.self)\(field)", of: template, FieldAccess(field), isMany: true) { component in
      component[keyPath: field]
    } setTargets: { component, targets in
      component[keyPath: field] = targets
    }
  }

  /// Makes a link through a field of a component.
  private init<C: Component, Value>(
    _ name: String, of template: C, _ access: FieldAccess<C, Value>, isMany: Bool,
    targets: @escaping @Sendable (C) -> [Entity],
    setTargets: @escaping @Sendable (inout C, [Entity]) -> Void
  ) {
    self.name = name
    self.targets = { $0.get(C.self).map(targets)?.filter(\.isAlive) ?? [] }
    writing = .component(
      LinkedComponent(
        cid: C.cid, field: access.keyPath, isMany: isMany, access: access, template: template
      ) {
        LinkPatch(template, $0, targets, setTargets)
      })
  }
}

extension RecipeLink {
  /// The component that it leads through: the value that one starts from, and a `FieldAccess` of
  /// the field; nil if it leads through none.
  public var linkedField: (template: any Component, access: any Sendable)? {
    component.map { ($0.template, $0.access) }
  }

  /// The component of which this is a field, if it is one.
  var component: LinkedComponent? {
    if case .component(let component) = writing { component } else { nil }
  }
}
