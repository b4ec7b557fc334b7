public import JSONValues

/// Why a recipe is not valid; thrown when it is built.
public struct RecipeDefinitionError: Error, Sendable, Hashable {
  /// A reason for an error.
  public enum Reason: Sendable, Hashable {
    /// The text of a path is not valid.
    case badPath(JSONPathError)

    /// One path treats a place as an object and another as a list.
    case conflictingContainers

    /// Another path leads through the value at this one.
    case pathIsPrefix(of: JSONPath)

    /// Two fields have the same path.
    case pathMappedTwice

    /// The path has more than `JSONValue.maximumDepth` steps, or an index above
    /// `JSONPath.maximumIndex`: the list could not be written.
    case pathTooLarge

    /// A field has two paths.
    case fieldMappedTwice(String)

    /// A transformer is given for a field that has no path.
    case transformerForUnmappedField(String)

    /// The identity is a field that has no path.
    case identityUnmapped(String)

    /// The identity is an optional field: all data without a value would be about one entity.
    case identityOptional(String)

    /// The identity's component has no other fields, and nothing says what a new one starts from.
    case identityWithoutTemplate(String)

    /// Entities are to be parts of another, but would not be destroyed with it; with the name of
    /// the link.
    case ownedWithoutCascade(String)

    /// Nothing is mapped at the path.
    case unknownPath

    /// There are two identities.
    case identityTwice

    /// The fields of a component are listed in two places.
    case componentTwice(String)

    /// A relation is mapped at two paths; with the name of its link.
    case relationMappedTwice(String)

    /// A relation is to be written as keys, but the other recipe has no identity.
    case keyWithoutIdentity

    /// A relation is to be written as keys, and its links have values, for which there is no place
    /// beside a key; with the name of the link.
    case valuesInKey(String)

    /// The values of links are mapped as another component than the relation has; with the name of
    /// the one that it has.
    case otherValues(String)

    /// The component can't be mapped automatically; with the reason.
    case notDerivable(String)

    /// A name is given for a field that the component does not have.
    case unknownField(String)
  }

  /// The name of the recipe.
  public let recipe: String

  /// The path, as it was given.
  public let path: String

  /// The reason for the error.
  public let reason: Reason

  /// Makes an error.
  public init(recipe: String, path: String, reason: Reason) {
    self.recipe = recipe
    self.path = path
    self.reason = reason
  }
}

extension RecipeDefinitionError {
  /// The error of what stands below a path.
  func below(_ base: JSONPath) -> RecipeDefinitionError {
    guard !path.isEmpty else {
      return RecipeDefinitionError(recipe: recipe, path: "\(base)", reason: reason)
    }
    let separator = path.hasPrefix("[") ? "" : "."
    return RecipeDefinitionError(recipe: recipe, path: "\(base)\(separator)\(path)", reason: reason)
  }
}

extension RecipeDefinitionError: CustomStringConvertible {
  /// What is wrong, with the recipe and the path.
  public var description: String { "Recipe \(recipe), path '\(path)': \(what)" }

  private var what: String {
    switch reason {
    case .badPath(let error): "\(error)"
    case .conflictingContainers: "it is used as an object and as a list"
    case .pathIsPrefix(let longer): "\(longer) leads through it"
    case .pathMappedTwice: "it is given to two fields"
    case .pathTooLarge: "it has too many steps or too large an index"
    case .fieldMappedTwice(let field): "\(field) already has another path"
    case .transformerForUnmappedField(let field): "\(field) has a transformer but no path"
    case .identityUnmapped(let field): "the identity \(field) has no path"
    case .identityOptional(let field): "the identity \(field) is optional"
    case .relationMappedTwice(let link): "\(link) already has another path"
    case .identityWithoutTemplate(let field):
      "there is no component for \(field) to start from: pass 'of: template', or list Fields of its component"
    case .ownedWithoutCascade(let link):
      "what it owns is not destroyed with its owner through \(link): use sources of a relation whose delete rule is cascade"
    case .unknownPath: "nothing is mapped to it"
    case .identityTwice: "there is already another identity"
    case .componentTwice(let name): "the fields of \(name) are listed twice"
    case .keyWithoutIdentity: "it is to be written as a key, but the other recipe has no identity"
    case .valuesInKey(let link):
      "\(link) have values, for which there is no place beside a key: say with 'at:' where the key is in the data of a link"
    case .otherValues(let name):
      "what maps the values of links is not about \(name), which they are"
    case .notDerivable(let why): "the component can't be mapped automatically: \(why)"
    case .unknownField(let name): "there is no field \(name)"
    }
  }
}
