public import ECS
public import JSONValues

/// A component that a recipe maps.
public struct RecipeComponent: Sendable {
  /// The way in which a component is mapped.
  public enum Kind: Sendable, Hashable {
    /// By ``Fields``, or by a key that it is made from.
    case fields

    /// By ``AutomaticFields``.
    case automatic

    /// As a ``Flag``.
    case flag

    /// As a ``Whole``.
    case whole
  }

  /// The component.
  public let component: CID

  /// How it is mapped.
  public let kind: Kind

  /// What a new one starts from; nil if it is made only from data.
  public let template: (any Component)?

  /// The object that it comes and goes with; nil if there is none.
  public let presence: JSONPath?

  /// Its fields.
  public let fields: [RecipeField]

  /// How it is put into columns of a table, one for each field: a ``ComponentRows`` of its type.
  public let rows: any Sendable

  /// How it is kept by what has a place for each of its fields, or for its data: a
  /// ``ComponentForm`` of its type.
  public let form: any Sendable

  var signature: [String] { ["\(kind)", component.name, presence.map { "\($0)" } ?? ""] }
}
