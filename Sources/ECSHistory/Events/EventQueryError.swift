/// An error in the text of an ``EventQuery``.
public struct EventQueryError: Error, Hashable, Sendable {
  /// The reason for the error.
  public enum Reason: Hashable, Sendable {
    /// It does not begin with what is wanted; with what is there.
    case unknownSubject(String)

    /// Something is there that is no part of a query, or more than a query; with what.
    case unexpected(String)

    /// The text ends where something was expected; with what.
    case expected(String)

    /// A part is there twice; with its name.
    case repeated(String)

    /// A part has no terms; with its name.
    case empty(String)

    /// Nothing is known by the name of a term; with the name.
    case unknownTerm(String)

    /// A term has no value; with its name.
    case missingValue(String)

    /// A text in quotes does not end.
    case unterminatedText

    /// A number is none, or is too large; with its text.
    case invalidNumber(String)

    /// A range ends before it begins; with its text.
    case invalidRange(String)
  }

  /// What is wrong.
  public let reason: Reason

  /// Where, as the number of characters before it.
  public let position: Int
}

extension EventQueryError: CustomStringConvertible {
  /// What is wrong, and where.
  public var description: String {
    let what =
      switch reason {
      case .unknownSubject(let word):
        "'\(word)' cannot be asked for: begin with \(EventQuery.Subject.allCases.map(\.rawValue).joined(separator: ", "))"
      case .unexpected(let word): "'\(word)' is not expected here"
      case .expected(let what): "\(what) is missing"
      case .repeated(let name): "'\(name)' is there twice"
      case .empty(let name): "'\(name)' has no terms"
      case .unknownTerm(let name): "there is no term '\(name)'"
      case .missingValue(let name): "'\(name):' has no value"
      case .unterminatedText: "a text in quotes does not end"
      case .invalidNumber(let text): "'\(text)' is no number that can be meant here"
      case .invalidRange(let text): "the range '\(text)' ends before it begins"
      }
    return "at \(position): \(what)"
  }
}
