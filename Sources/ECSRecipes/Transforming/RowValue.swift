public import Foundation
import JSONValues

/// A value in a column of a table, as databases have it.
public enum RowValue: Sendable, Hashable {
  /// No value.
  case null

  /// A whole number.
  case integer(Int64)

  /// A floating-point number.
  case real(Double)

  /// A text, which may contain U+0000.
  case text(String)

  /// Bytes.
  case bytes(Data)

  /// The kind of value that a column holds.
  public enum Kind: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// Whole numbers.
    case integer

    /// Floating-point numbers.
    case real

    /// Texts.
    case text

    /// Bytes.
    case bytes

    /// The name.
    public var description: String { rawValue }
  }

  /// What it is; nil for ``null``.
  public var kind: Kind? {
    switch self {
    case .null: nil
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .bytes: .bytes
    }
  }

  /// Whether there is no value.
  public var isNull: Bool { if case .null = self { true } else { false } }
}

extension RowValue {
  /// Whether both are the same to a database: of one kind, and texts byte by byte.
  public static func == (left: RowValue, right: RowValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.text(let left), .text(let right)):
      left == right && left.utf8.elementsEqual(right.utf8)
    case (.bytes(let left), .bytes(let right)): left == right
    default: false
    }
  }
}

extension RowValue: CustomStringConvertible {
  /// The value as text, for messages: `7`, `'Ada'`, `3 bytes`.
  public var description: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value): "'\(value)'"
    case .bytes(let value): "\(value.count) bytes"
    }
  }
}

extension RowValue {
  /// A JSON-like value in a column of a kind.
  ///
  /// Strings, numbers and Booleans stand in columns of their kind as they are; anything else, and
  /// anything that is not of the column's kind, is JSON in a column of texts.
  ///
  /// - Parameters:
  ///   - json: The value.
  ///   - kind: What the column holds.
  ///   - isJSON: Whether a column of texts holds JSON, not the strings themselves.
  /// - Throws: ``TransformFailure`` if the column can't hold the value.
  public init(_ json: JSONValue, as kind: Kind, isJSON: Bool = false) throws(TransformFailure) {
    switch (json, kind) {
    case (.null, _): self = .null
    case (_, .text) where isJSON: self = .text(json.json())
    case (.string(let text), .text): self = .text(text)
    case (.bool(let value), .integer): self = .integer(value ? 1 : 0)
    case (.number(let number), .integer):
      guard let integer = number.int64 else { throw .invalid("\(number) fits no column") }
      self = .integer(integer)
    case (.number(let number), .real):
      guard let value = number.double, JSONNumber(value) == number else {
        throw .invalid("\(number) has more digits than a column holds")
      }
      self = .real(value)
    default: throw .invalid("\(json.json()) fits no column of kind \(kind)")
    }
  }

  /// The value as a JSON-like value: bytes in base64, infinities as strings.
  ///
  /// - Parameter isJSON: Whether texts are JSON.
  /// - Returns: The value.
  /// - Throws: ``TransformFailure`` if the text is no JSON.
  public func json(isJSON: Bool = false) throws(TransformFailure) -> JSONValue {
    switch self {
    case .null: return .null
    case .integer(let value): return .number(JSONNumber(value))
    case .real(let value): return JSONNumber(value).map(JSONValue.number) ?? .string("\(value)")
    case .bytes(let value): return .string(value.base64EncodedString())
    case .text(let text):
      guard isJSON else { return .string(text) }
      do throws(JSONSyntaxError) {
        return try JSONValue(json: text)
      } catch {
        throw .invalid("the text is not JSON: \(error)")
      }
    }
  }
}

extension TransformFailure {
  /// A column holds something that no value is made of.
  public static func mismatch(expected: String, inColumn value: RowValue) -> TransformFailure {
    .invalid("expected \(expected), found \(value.kind.map { "\($0)" } ?? "NULL")")
  }
}
