import ECS
import ECSRecipes

/// The components that random recipes map.
enum ModelComponents {
  struct Key: Component { var value = 0 }

  struct Listed: Component {
    enum State: String, Sendable { case on, off }

    var count = 5
    var label = "l"
    var code = 9
    var state = State.off
    var note: String? = "n"
    var rank: Int?
    var flags = [1]
  }

  struct Automatic: Component, Codable {
    var fontSize = 12
    var theme: String?
    var sizes: [Int] = []
  }

  struct Partner: Component { var entity: Entity? }
  struct Members: Component { var entities: [Entity] = [] }
  enum Owner: ToOneRelation {}
  enum Parts: Relation {}
  enum Next: ToOneRelation {}
  enum Children: Relation {}

  static let kinds: [CID] = [Key.cid, Listed.cid, Automatic.cid]

  private static func field(_ field: RecipeSpec.Field, at path: String) -> Field<Listed> {
    switch field {
    case .count: Field(\.count, at: path)
    case .label: Field(\.label, at: path)
    case .code: Field(\.code, at: path, as: .fromString)
    case .state: Field(\.state, at: path, as: .rawValue)
    case .note: Field(\.note, at: path)
    case .rank: Field(\.rank, at: path)
    default: Field(\.flags, at: path)
    }
  }

  static func keyPath(_ field: RecipeSpec.Field) -> AnyKeyPath {
    switch field {
    case .count: \Listed.count
    case .label: \Listed.label
    case .code: \Listed.code
    case .state: \Listed.state
    case .note: \Listed.note
    case .rank: \Listed.rank
    default: \Listed.flags
    }
  }

  private static func link(_ slot: Slot) -> RecipeLink {
    switch slot {
    case .owner: .targets(of: Owner.self)
    case .parts: .targets(of: Parts.self)
    case .partner: .toOne(\Partner.entity, of: Partner())
    case .members: .toMany(\Members.entities, of: Members())
    case .next: .targets(of: Next.self)
    case .children: .targets(of: Children.self)
    }
  }

  static func targets(_ slot: Slot, of entity: Entity) -> [Entity] {
    switch slot {
    case .owner: entity.target(Owner.self).map { [$0] } ?? []
    case .parts: Array(entity.targets(Parts.self).entities())
    case .partner: (entity.get(Partner.self)?.entity).map { [$0] } ?? []
    case .members: entity.get(Members.self)?.entities ?? []
    case .next: entity.target(Next.self).map { [$0] } ?? []
    case .children: Array(entity.targets(Children.self).entities())
    }
  }

  static func recipe(_ spec: RecipeSpec) throws(RecipeDefinitionError) -> Recipe {
    let listed = spec.fields.filter { RecipeSpec.Field.listed.contains($0.field) }
    var nested: [Nested] = []
    for link in spec.links {
      let (recipe, path) = (try recipe(link.recipe), "\(link.path)")
      let form: Nested.Form = link.isKey ? .key : .object
      nested.append(
        link.slot.isMany
          ? Nested(many: recipe, at: path, as: form, through: self.link(link.slot))
          : Nested(one: recipe, at: path, as: form, through: self.link(link.slot)))
    }
    return try Recipe(spec.name, unknownKeys: spec.unknownKeysAreErrors ? .refuse : .ignore) {
      if let path = spec.key {
        Identity(\Key.value)
        Fields(of: Key()) { Field(\.value, at: path) }
      }
      if !listed.isEmpty {
        Fields(of: Listed()) {
          for (field, path) in listed {
            if spec.required.contains(field) {
              Self.field(field, at: "\(path)").required()
            } else {
              Self.field(field, at: "\(path)")
            }
          }
        }
      }
      if let base = spec.automaticBase {
        AutomaticFields(of: Automatic(), keys: .snakeCase, at: "\(base)")
      }
      for nested in nested { nested }
    }
  }

  // MARK: Reading

  static func key(of entity: Entity) -> JSONValue? {
    entity.get(Key.self).map { .number(JSONNumber($0.value)) }
  }

  static func listed(of entity: Entity) -> RecipeModel.Fields? {
    guard let listed = entity.get(Listed.self) else { return nil }
    return [
      .count: number(listed.count), .label: .string(listed.label), .code: .string("\(listed.code)"),
      .state: .string(listed.state.rawValue), .note: listed.note.map { .string($0) } ?? .null,
      .rank: listed.rank.map(number) ?? .null, .flags: .array(listed.flags.map(number)),
    ]
  }

  static func automatic(of entity: Entity) -> RecipeModel.Fields? {
    guard let automatic = entity.get(Automatic.self) else { return nil }
    return [
      .fontSize: number(automatic.fontSize), .theme: automatic.theme.map { .string($0) } ?? .null,
      .sizes: .array(automatic.sizes.map(number)),
    ]
  }

  private static func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
}
