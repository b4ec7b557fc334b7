/// The components of entities that are made again and again, with their children.
///
/// ```swift
/// let orc = Template("orc") {
///   Health(points: 80)
///   Sprite(.orc)
///   Child { Weapon(.axe) }
/// }
/// let chief = Template(orc, "chief") { Health(points: 200) }
///
/// let boss = context.createEntity(from: chief)
/// context.createEntities(1000, from: orc) { index, entity in
///   entity.set(Position(x: index, y: 0))
/// }
/// ```
///
/// A template is a value that belongs to no context: it can be made once, kept in a constant, and
/// used in any context by any thread. Entities keep what they were made with, whatever becomes of
/// the template. Those of a template with a name have a component ``InstanceOf`` with the name.
public struct Template: Sendable {
  /// An entity that comes of it.
  struct Node: Sendable {
    let values: PrototypeValues

    /// The index of the entity that it is linked to, and the relation; nil for the first one.
    let parent: Parent?
  }

  struct Parent: Sendable {
    let index: Int
    let relation: any Relation.Type

    /// The value of the link; nil if it has none.
    let value: (any Component)?
  }

  /// The name; nil if it has none.
  public let name: TemplateName?

  /// The entities, each followed by those that are linked to it.
  let nodes: [Node]

  /// Makes a template.
  ///
  /// - Parameters:
  ///   - name: What entities are said to be made from; nil if that is not to be known.
  ///   - parts: The components, and a ``Child`` for each entity that is to be linked to it.
  /// - Precondition: No two components have the same type, and none is or requires a
  ///   ``UniqueComponent``, since several entities are made.
  /// - Complexity: O(*c* log *c*), where *c* is the number of components of all its entities.
  public init(_ name: TemplateName? = nil, @TemplateBuilder _ parts: () -> [TemplatePart]) {
    self.init(name, base: nil, parts())
  }

  /// Makes a template of another one.
  ///
  /// - Parameters:
  ///   - base: What it has the components and children of, besides its own.
  ///   - name: Its own name; nil if it has none.
  ///   - parts: Components, which replace those of the same types, and further children.
  /// - Precondition: No two of these components have the same type, and none is or requires a
  ///   ``UniqueComponent``.
  /// - Complexity: O(*c* log *c*), where *c* is the number of components of all its entities.
  public init(
    _ base: Template, _ name: TemplateName? = nil, @TemplateBuilder _ parts: () -> [TemplatePart]
  ) {
    self.init(name, base: base, parts())
  }

  private init(_ name: TemplateName?, base: Template?, _ parts: [TemplatePart]) {
    self.name = name
    var values: [CID: any Component] = [:]
    var children: [Child] = []
    for part in parts {
      switch part.content {
      case .child(let child): children.append(child)
      case .component(let component):
        let cid = component.cid
        require(
          cid != InstanceOf.cid,
          "A template has an InstanceOf component: give the template that name instead.")
        require(
          !cid.isUnique,
          "A template has \(cid.name), which only one entity can hold: set it on that entity.")
        require(
          values.updateValue(component, forKey: cid) == nil,
          "A template has two \(cid.name) components: an entity holds at most one of each type.")
      }
    }
    for value in base?.nodes[0].values.values(row: 0) ?? [] where values[value.cid] == nil {
      values[value.cid] = value
    }
    for required in ComponentRequirements.missing(from: Array(values.keys)) {
      require(
        !required.cid.isUnique,
        "A template has a component that requires \(required.cid.name), which only one entity can hold."
      )
      values[required.cid] = required.part.make()
    }
    values[InstanceOf.cid] = name.map { InstanceOf($0) }
    var nodes = [Node(values: PrototypeValues(Array(values.values)), parent: nil)]
    nodes += base?.nodes.dropFirst() ?? []
    for child in children {
      let first = nodes.count
      for node in child.template.nodes {
        let parent = node.parent.map {
          Parent(index: $0.index + first, relation: $0.relation, value: $0.value)
        }
        let root = Parent(index: 0, relation: child.relation, value: child.value)
        nodes.append(Node(values: node.values, parent: parent ?? root))
      }
    }
    self.nodes = nodes
    requireSingleChildren()
  }

  /// Stops if there are two children by a relation in which an entity has one.
  private func requireSingleChildren() {
    struct Link: Hashable {
      let parent: Int
      let relation: ObjectIdentifier
    }
    var found: Set<Link> = []
    for case let parent? in nodes.map(\.parent) where parent.relation is any OneToOneRelation.Type {
      require(
        found.insert(Link(parent: parent.index, relation: ObjectIdentifier(parent.relation)))
          .inserted,
        "A template has two children by \(parent.relation), in which an entity has one.")
    }
  }

  /// A component of the entities; nil if they do not have it.
  ///
  /// - Complexity: O(*c*), where *c* is the number of their components.
  public func get<C: Component>(_ type: C.Type = C.self) -> C? {
    nodes[0].values.value(of: ComponentKey(type), row: 0)?.value(of: type)
  }

  /// The number of entities that come of it: one, and its children with theirs.
  public var entityCount: Int { nodes.count }
}
