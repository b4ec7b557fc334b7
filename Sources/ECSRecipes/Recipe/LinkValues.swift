public import ECS

/// A mapping of the values of links to data and back: ``Fields``, ``AutomaticFields`` or a
/// ``Whole``.
///
/// ```swift
/// Nested(
///   many: users, at: "members",
///   through: .sources(
///     of: MemberOf.self, at: "user",
///     values: Fields(of: Membership(role: .member)) {
///       Field(\.role, at: "role", as: .rawValue).required()
///       Field(\.since, at: "since")
///     }))
/// // {"members": [{"user": {"id": 7, "name": "Ada"}, "role": "admin", "since": 2021}]}
/// ```
///
/// Each element of a list, or the object of a relation to one, is the data of a link. See
/// ``RecipeLink/targets(of:at:values:default:)`` for its rules.
public protocol LinkValues<Value>: Sendable {
  /// The type of the values.
  associatedtype Value: Component

  /// The mapping, as a recipe of an entity with such a component would list it.
  var part: RecipePart { get }
}

extension Fields: LinkValues {
  /// The type of the values.
  public typealias Value = C

  /// The fields as a part of a recipe.
  public var part: RecipePart { RecipePart(content: .component(self)) }
}

extension AutomaticFields: LinkValues {
  /// The type of the values.
  public typealias Value = C

  /// The fields as a part of a recipe.
  public var part: RecipePart { RecipePart(content: .component(self)) }
}

extension Whole: LinkValues {
  /// The type of the values.
  public typealias Value = C

  /// The component as a part of a recipe.
  public var part: RecipePart { RecipePart(content: .component(self)) }
}

/// The values of the links that a relation of a recipe leads through, whatever their type.
final class LinkValueForm: Sendable {
  let relation: ObjectIdentifier

  /// Whether the nested entities are the sources.
  let nestsSources: Bool
  let cid: CID

  /// How data has them; nil if it has none.
  let part: RecipePart?

  /// Where the entity is in the data of a link; nil if all of that is the entity's.
  let location: PartLocation?

  /// What a link has of which data says nothing.
  let defaultValue: (any Component)?

  /// The value of a link; nil if there is none.
  let read: @Sendable (_ source: Entity, _ target: Entity) -> (any Component)?

  /// Replaces the value of a link, if there is one.
  let write: @Sendable (_ source: Entity, _ target: Entity, any Component) -> Void

  /// Sets what is linked to an entity, with values for links that are not there yet.
  let setLinks: @Sendable (Entity, [(entity: Entity, newValue: (any Component)?)]) -> Void

  /// The value of the link between an entity and one that it nests; nil if there is none.
  func value(from entity: Entity, to nested: Entity) -> (any Component)? {
    nestsSources ? read(nested, entity) : read(entity, nested)
  }

  init<R: Relation>(
    _ relation: R.Type, nestsSources: Bool, _ part: RecipePart?, at path: String?,
    default value: R.Value?
  ) where R.Value: Component {
    (self.relation, self.nestsSources) = (ObjectIdentifier(R.self), nestsSources)
    (self.part, location, defaultValue) = (part, path.map(PartLocation.text), value)
    cid = R.Value.cid
    read = { $0.value(of: R.self, to: $1) }
    write = { source, target, value in
      guard let value = value as? R.Value else { return }
      source.update(R.self, to: target) { $0 = value }
    }
    setLinks = { entity, others in
      let related = nestsSources ? entity.sources(R.self) : entity.targets(R.self)
      related.replaceAll(with: others.map { ($0.entity, $0.newValue as? R.Value) })
    }
  }
}
