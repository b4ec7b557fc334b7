/// A rule for making keys from the names of properties.
public enum RecipeKeys: Sendable, Hashable {
  /// The names as they are: `fontSize`.
  case asNamed

  /// Lowercase, with an underscore between words: `font_size`.
  case snakeCase

  /// The key of a property.
  public func key(for name: String) -> String {
    guard self == .snakeCase else { return name }
    let letters = Array(name)
    var key = ""
    for (position, letter) in letters.enumerated() {
      // A capital begins a word, unless it goes on or ends an abbreviation: userID, urlPath.
      let follows = position > 0 && !letters[position - 1].isUppercase
      let precedes = position + 1 < letters.count && letters[position + 1].isLowercase
      if letter.isUppercase, position > 0, follows || precedes { key += "_" }
      key += letter.lowercased()
    }
    return key
  }
}
