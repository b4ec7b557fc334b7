import ECS

/// The contents of a context at a moment, as far as two contexts can be compared.
struct ContextPicture {
  /// The name of a type, and what tells it from others of that name.
  struct TypeName: Hashable, Comparable {
    let short: String
    private let full: String

    init(_ type: Any.Type) {
      short = String(describing: type)
      full = String(reflecting: type)
    }

    static func < (left: TypeName, right: TypeName) -> Bool {
      (left.short, left.full) < (right.short, right.full)
    }
  }

  struct Member {
    /// The key that its user gave the entity, or its number in the order of creation.
    let label: String
    let entity: Entity
    var components: [TypeName: any Component] = [:]

    /// The links to targets by relation, in their order.
    var links: [TypeName: [Link]] = [:]
  }

  struct Link {
    /// The label of the target.
    let target: String

    /// The value; nil if links of the relation have none.
    let value: (any Component)?
  }

  /// The members in the order of their creation.
  private(set) var members: [Member] = []

  /// The unique components by type, each with the label of its holder if that is an entity of the
  /// user's, which has more than unique components.
  private(set) var uniques: [TypeName: (value: any Component, holder: String?)] = [:]

  /// The labels that several entities have.
  private(set) var repeated: [String] = []

  init(_ context: Context, label: (Entity) -> String?) {
    context.sectionToRead {
      let entities = context.entities()
      var labels: [Entity: String] = [:]
      var anonymous = 0
      for entity in entities where Self.isMember(entity) {
        if let label = label(entity) {
          labels[entity] = label
        } else {
          anonymous += 1
          labels[entity] = "entity \(anonymous)"
        }
      }
      for entity in entities { add(entity, labels) }
    }
    var seen: Set<String> = []
    for member in members where !seen.insert(member.label).inserted {
      if !repeated.contains(member.label) { repeated.append(member.label) }
    }
  }

  /// Whether an entity is one of the user's: not one that merely holds unique components.
  private static func isMember(_ entity: Entity) -> Bool {
    let components = entity.components()
    return components.isEmpty || components.contains { !($0 is any UniqueComponent) }
      || !entity.links().isEmpty
  }

  private mutating func add(_ entity: Entity, _ labels: [Entity: String]) {
    var member = Member(label: labels[entity] ?? "", entity: entity)
    for component in entity.components() {
      let name = TypeName(type(of: component))
      if component is any UniqueComponent {
        uniques[name] = (component, labels[entity])
      } else {
        member.components[name] = component
      }
    }
    guard labels[entity] != nil else { return }
    for link in entity.links() {
      let target = labels[link.target] ?? "the holder of unique components"
      member.links[TypeName(link.relation), default: []]
        .append(Link(target: target, value: link.value))
    }
    members.append(member)
  }
}
