public import JSONValues

/// Why a transformer could not convert a value.
///
/// Throw it from your own transformer to say what was expected.
public struct TransformFailure: Error, Sendable, Hashable {
  /// What is wrong.
  public var reason: RecipeError.Reason

  /// The path from the transformed value to the part of it that is wrong.
  public var path: JSONPath

  /// Makes a failure.
  public init(_ reason: RecipeError.Reason, at path: JSONPath = .root) {
    self.reason = reason
    self.path = path
  }

  /// The value is of another type.
  public static func mismatch(expected: String, found value: JSONValue) -> TransformFailure {
    TransformFailure(.typeMismatch(expected: expected, found: value.kind))
  }

  /// The value is of the right type, but cannot be used.
  public static func invalid(_ message: String) -> TransformFailure {
    TransformFailure(.invalid(message))
  }

  @usableFromInline
  func below(_ path: JSONPath) -> TransformFailure {
    TransformFailure(reason, at: path.appending(self.path))
  }
}
