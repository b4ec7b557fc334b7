public import JSONValues

/// Why data could not be turned into entities, or entities into data.
///
/// Whenever it is thrown, nothing has changed and no observer was notified.
public struct RecipeError: Error, Sendable, Hashable {
  /// The same as `Recipe.maximumNesting`, for the text of an error.
  static let maximumNesting = 64

  /// A reason for an error.
  public enum Reason: Sendable, Hashable {
    /// A value or container is of the wrong type, which may be `null`.
    case typeMismatch(expected: String, found: JSONValue.Kind)

    /// A related entity should be an object, but the data seems to name it by its key; with what
    /// was found. ``Nested/Form/key`` maps such data.
    case keyInsteadOfObject(found: JSONValue.Kind)

    /// A value is of the right type but cannot be used; with the reason.
    case invalid(String)

    /// A key that is needed is absent.
    case missing

    /// A key that the recipe does not map, in a recipe that refuses such keys.
    case unknownKey

    /// A field that the recipe does not map was asked for.
    case unknownField(String)

    /// A field's transformer can only read; with its name.
    case oneWay(String)

    /// A field has no value but is in the middle of a list, where something must be written.
    case gap

    /// The data identifies an entity other than the one to update.
    case identityMismatch

    /// Another entity already has the identity.
    case duplicateIdentity

    /// The entity is dead or belongs to another context.
    case deadEntity

    /// Entities are nested deeper than ``Recipe/maximumNesting``, or related in a circle.
    case tooDeep

    /// An entity would be its own ancestor in a hierarchy.
    case cycle

    /// The data is not JSON.
    case syntax(JSONSyntaxError)

    /// A record of a stream is longer than allowed; with the limit in bytes.
    case recordTooLong(Int)
  }

  /// The name of the recipe.
  public let recipe: String

  /// Where in the data.
  public let path: JSONPath

  /// The reason for the error.
  public let reason: Reason

  /// Makes an error.
  public init(recipe: String, path: JSONPath, reason: Reason) {
    self.recipe = recipe
    self.path = path
    self.reason = reason
  }

  func below(_ path: JSONPath) -> RecipeError {
    RecipeError(recipe: recipe, path: path.appending(self.path), reason: reason)
  }
}

extension RecipeError: CustomStringConvertible {
  /// What is wrong, with the recipe and the path.
  public var description: String {
    recipe.isEmpty ? "\(path): \(reason)" : "\(recipe) at \(path): \(reason)"
  }
}

extension RecipeError.Reason {
  /// A key that does not equal itself.
  static var invalidKey: Self { .invalid("what is not a number identifies nothing") }
}

extension RecipeError.Reason: CustomStringConvertible {
  /// The error in words.
  public var description: String {
    switch self {
    case .typeMismatch(let expected, let found): "expected \(expected), found \(found)"
    case .keyInsteadOfObject(let found):
      "expected object, found \(found): if the data names the entity by its key, map it with 'as: .key'"
    case .invalid(let message): message
    case .missing: "a value is missing"
    case .unknownKey: "the key is unknown"
    case .unknownField(let field): "the field \(field) is not mapped"
    case .oneWay(let name): "the transformer \(name) can't write"
    case .gap: "a value is missing in the middle of a list"
    case .identityMismatch: "the data identifies another entity"
    case .duplicateIdentity: "another entity has the identity"
    case .deadEntity: "the entity is dead or belongs to another context"
    case .tooDeep: "entities are nested more than \(RecipeError.maximumNesting) deep"
    case .cycle: "the entity would be its own ancestor"
    case .syntax(let error): "not JSON: \(error)"
    case .recordTooLong(let limit): "the record is longer than \(limit) bytes"
    }
  }
}
