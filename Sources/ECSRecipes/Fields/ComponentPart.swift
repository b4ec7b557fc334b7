import ECS
import JSONValues

/// A part that maps a component, as it was given: recipes are derived from parts.
protocol ComponentPart: Sendable {
  var cid: CID { get }

  /// Checks the part and makes what maps by it.
  func mapping(in recipe: String) throws(RecipeDefinitionError) -> any ComponentMapping

  /// The part without the fields at some paths; nil if nothing is left of it.
  func removing(_ paths: Set<JSONPath>, in recipe: String) throws(RecipeDefinitionError) -> Self?

  /// The part with fields at other paths.
  func moving(_ paths: [JSONPath: JSONPath], in recipe: String) throws(RecipeDefinitionError)
    -> Self

  /// The part with the fields of another one of the same component; nil if they can't be joined.
  func joined(with other: any ComponentPart) -> (any ComponentPart)?
}

extension ComponentPart {
  func joined(with other: any ComponentPart) -> (any ComponentPart)? { nil }
}

/// A part that reads and writes at one path.
protocol LocatedPart: ComponentPart {
  var location: PartLocation { get set }
}

extension LocatedPart {
  func removing(_ paths: Set<JSONPath>, in recipe: String) throws(RecipeDefinitionError) -> Self? {
    paths.contains(try location.path(in: recipe)) ? nil : self
  }

  func moving(
    _ paths: [JSONPath: JSONPath], in recipe: String
  ) throws(RecipeDefinitionError) -> Self {
    var part = self
    if let path = paths[try location.path(in: recipe)] { part.location = .path(path) }
    return part
  }
}

/// A path that is yet to be parsed, or is already.
enum PartLocation: Sendable {
  case text(String)
  case path(JSONPath)

  func path(in recipe: String) throws(RecipeDefinitionError) -> JSONPath {
    switch self {
    case .path(let path): return path
    case .text(let text):
      do throws(JSONPathError) {
        return try JSONPath(text)
      } catch {
        throw RecipeDefinitionError(recipe: recipe, path: text, reason: .badPath(error))
      }
    }
  }
}
