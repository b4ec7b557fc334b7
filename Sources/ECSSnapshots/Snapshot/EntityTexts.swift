import Foundation

/// The names of entities in JSON: by their keys, or by `#` and their positions.
struct EntityTexts {
  /// By position, and all different; nil if no entity has a key.
  let keys: [String?]?

  /// The name of an entity that has a key; none begins as those of positions do.
  ///
  /// Descriptions of data and dates don't say all, so they have the form that they have as values.
  static func name(ofKey key: AnyHashable) -> String {
    let text =
      switch key.base {
      case let data as Data: data.base64EncodedString()
      case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
      default: "\(key.base)"
      }
    return text.hasPrefix("#") ? "#" + text : text
  }
}
