/// Why a text is not a path, and where.
public struct JSONPathError: Error, Sendable, Hashable {
  /// A reason for an error.
  public enum Reason: String, Sendable, Hashable {
    /// The text is empty.
    case empty = "the path is empty"

    /// A key is missing; the empty key is written `""`.
    case missingKey = "a key is missing"

    /// The brackets contain something other than a number that is at least 0.
    case badIndex = "an index must be a number that is at least 0"

    /// A bracket is not closed.
    case openBracket = "a bracket is not closed"

    /// A quotation mark is not closed.
    case openQuote = "a quotation mark is not closed"

    /// A backslash ends the text.
    case openEscape = "nothing follows the backslash"

    /// A character other than `.` or `[` where only these may follow.
    case unexpected = "only '.' or '[' is allowed here"
  }

  /// The reason for the error.
  public let reason: Reason

  /// The text.
  public let text: String

  /// The number of Unicode scalars before the place.
  public let position: Int

  /// Makes an error.
  public init(reason: Reason, text: String, position: Int) {
    self.reason = reason
    self.text = text
    self.position = position
  }
}

extension JSONPathError: CustomStringConvertible {
  /// What is wrong, and where.
  public var description: String {
    "'\(text)' is not a path: \(reason.rawValue), at position \(position)"
  }
}
