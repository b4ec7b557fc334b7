public import ECSRecipes

/// The fields of a value of an earlier version, by their names, as data.
///
/// They have the forms that `Codable` gives them: dates are seconds since the beginning of 2001,
/// data is text in Base64; and entities are numbers, their positions in the order of creation, also
/// if they were read from text, which has names. Fields that have a transformer and are of no type
/// that snapshots support have the form that it gives them.
public struct StoredFields: Sendable {
  typealias Migration = @Sendable (inout StoredFields) -> Void

  var object: JSONObject

  /// A field; nil if there is none of the name.
  public subscript(name: String) -> JSONValue? {
    get { object[name] }
    set { object[name] = newValue }
  }

  /// The names of the fields.
  public var names: [String] { object.keys }
}
