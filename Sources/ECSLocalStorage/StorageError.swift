public import ECSRecipes

/// Why a value could not be kept or read.
///
/// What was kept before still is.
public enum StorageError: Error, Sendable, Hashable {
  /// The place where values are kept can't be made or used; with why.
  case unavailable(String)

  /// A text can't be a key, since it is empty; with the text.
  case badKey(String)

  /// What is kept is not a value; with why.
  case unreadable(key: String, reason: String)

  /// A value could not be kept or taken out; with why.
  case notWritten(key: String, reason: String)

  /// An entity could not be written as its recipe says, or what is kept does not fit the recipe.
  case recipe(RecipeError)

  /// The key under which an entity is kept can't be derived: the recipe has no name or no identity,
  /// or the entity lacks it.
  case missingKey(recipe: String)
}

extension StorageError: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .unavailable(let reason): reason
    case .badKey(let key): "'\(key)' can't be a key"
    case .unreadable(let key, let reason): "the value of '\(key)' can't be read: \(reason)"
    case .notWritten(let key, let reason): "the value of '\(key)' can't be written: \(reason)"
    case .recipe(let error): error.description
    case .missingKey(let recipe): "no key follows from the recipe '\(recipe)': give one"
    }
  }
}
