/// Why bytes are not JSON, and where.
public struct JSONSyntaxError: Error, Sendable, Hashable {
  /// A reason for an error.
  public enum Reason: Sendable, Hashable {
    /// The data ends too early.
    case endOfData

    /// A byte that is not allowed here; with what was expected.
    case unexpected(UInt8, expected: String)

    /// Containers nested deeper than ``JSONValue/maximumDepth``.
    case tooDeep

    /// A number that is not written as JSON requires, or is too large to be kept.
    case badNumber

    /// An invalid escape in a string, or half of a surrogate pair.
    case badEscape

    /// A string that is not UTF-8.
    case notUTF8

    /// A key that its object already has.
    case duplicateKey(String)
  }

  /// The reason for the error.
  public let reason: Reason

  /// The number of bytes before the place.
  public let offset: Int

  /// The line, counted from 1.
  public let line: Int

  /// The byte in its line, counted from 1.
  public let column: Int

  /// Makes an error.
  public init(reason: Reason, offset: Int, line: Int, column: Int) {
    self.reason = reason
    self.offset = offset
    self.line = line
    self.column = column
  }

  /// Makes an error at a position of bytes that begin where places count from.
  init(_ reason: Reason, at position: Int, of bytes: ArraySlice<UInt8>) {
    let before = bytes[..<min(position, bytes.endIndex)]
    let newline = UInt8(ascii: "\n")
    let lineStart = before.lastIndex(of: newline).map { $0 + 1 } ?? bytes.startIndex
    self.init(
      reason: reason, offset: position - bytes.startIndex,
      line: 1 + before.count { $0 == newline }, column: 1 + before.endIndex - lineStart)
  }
}

extension JSONSyntaxError: CustomStringConvertible {
  /// What is wrong, and where.
  public var description: String {
    let what =
      switch reason {
      case .endOfData: "the data ends too early"
      case .unexpected(let byte, let expected):
        "expected \(expected), found \(JSONSyntaxError.name(of: byte))"
      case .tooDeep: "more than \(JSONValue.maximumDepth) nested containers"
      case .badNumber: "an invalid number, or one that is out of range"
      case .badEscape: "an invalid escape"
      case .notUTF8: "a string that is not UTF-8"
      case .duplicateKey(let key): "a second value for the key \(key)"
      }
    return "line \(line), column \(column): \(what)"
  }

  private static func name(of byte: UInt8) -> String {
    if byte > 0x20, byte < 0x7f { return "'\(Character(UnicodeScalar(byte)))'" }
    return "byte 0x" + String(byte, radix: 16)
  }
}
