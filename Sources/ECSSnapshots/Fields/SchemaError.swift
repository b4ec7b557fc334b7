/// Why a schema is not valid; thrown when it is made.
public struct SchemaError: Error, Sendable, Hashable {
  /// A reason for an error.
  public enum Reason: Sendable, Hashable {
    /// A name is empty.
    case emptyName

    /// Two components or relations have one name, present or former.
    case nameTwice

    /// A name, present or former, is `@`, which stands for the names of entities in text.
    case reservedName

    /// A component type is listed twice; with its name.
    case typeTwice(String)

    /// Two fields of a component have one name.
    case fieldTwice(String)

    /// A field has no name: it only gives a transformer to another.
    case fieldWithoutName(String)

    /// A field can't be written, since its transformer only reads; with the field.
    case oneWay(String)

    /// Bytes of the component belong to no field that is listed: there is a stored property that
    /// would not be saved. List it, or say that it is left out with ``Stored/leaving(_:)``; with
    /// where the bytes are in a value.
    case unaccountedBytes(Range<Int>)

    /// A type has no stored properties that fields could account for, as classes and enumerations:
    /// make it `Codable`.
    case noStoredProperties

    /// A version is below 1, or a migration is not from one before.
    case badVersion(Int)

    /// Two components identify entities.
    case identityTwice(String)

    /// Recipes map one component in two ways; with its name. List it by itself.
    case mappedTwice(String)

    /// A component is described that the recipe does not map; with its name.
    case unmapped(String)

    /// A link of a recipe leads through closures, which say nothing of what is to be kept; with its
    /// name.
    case customLink(String)

    /// A recipe nests entities by this link, a field of a component that is kept as a whole.
    case linkOfWhole(String)

    /// Recipes nest entities through a relation whose links have values, and none says how these
    /// are mapped; with its name. List it by itself, as ``Links``.
    case valuesUnmapped(String)
  }

  /// The reason for the error.
  public let reason: Reason

  /// The name of the schema.
  public let schema: String

  /// The name of the component or relation.
  public let name: String

  /// Makes an error.
  public init(_ reason: Reason, schema: String, name: String) {
    (self.reason, self.schema, self.name) = (reason, schema, name)
  }
}

extension SchemaError: CustomStringConvertible {
  /// What is wrong, and where.
  public var description: String {
    let text =
      switch reason {
      case .emptyName: "a name is empty"
      case .nameTwice: "the name is given twice"
      case .reservedName: "'@' stands for the names of entities"
      case .typeTwice(let type): "the type \(type) is listed twice"
      case .fieldTwice(let field): "two fields are called '\(field)'"
      case .fieldWithoutName(let field): "\(field) has no name: give it one with at:"
      case .oneWay(let field): "\(field) can only be read: its transformer can't write it"
      case .unaccountedBytes(let range):
        "bytes \(range.lowerBound) to \(range.upperBound - 1) belong to no listed field: list it, or leave it out with leaving(_:)"
      case .noStoredProperties: "the type has no stored properties to list: make it Codable"
      case .badVersion(let version): "\(version) is no version that could be meant"
      case .identityTwice(let other): "\(other) identifies entities already"
      case .mappedTwice(let type): "recipes map \(type) in two ways: list it by itself"
      case .unmapped(let type): "\(type) is described, but the recipe does not map it"
      case .linkOfWhole(let link):
        "the link \(link) is a field of a component that is kept as a whole: list that by itself"
      case .customLink(let link):
        "the link \(link) leads through closures: list what it is made of, and take the path out of the recipe"
      case .valuesUnmapped(let relation):
        "links of \(relation) have values, which no recipe maps: list it by itself, with Links(_:as:values:)"
      }
    return "schema '\(schema)', '\(name)': \(text)"
  }
}
