public import Foundation

/// A decimal number, exact: no digit of the data is lost.
///
/// Numbers are kept by value: `1`, `1.0` and `10e-1` are equal and written as `1`.
public struct JSONNumber: Sendable, Hashable {
  enum Storage: Sendable, Hashable {
    case signed(Int64)
    /// Above the largest `Int64`.
    case unsigned(UInt64)
    /// No 64-bit integer; as ``DecimalText`` writes it.
    case text(String)
  }

  // INVARIANT: A value has one form only, so that equal numbers have equal storage.
  let storage: Storage

  /// Makes a number from an integer.
  public init(_ value: some BinaryInteger) {
    if let value = Int64(exactly: value) {
      storage = .signed(value)
    } else if let value = UInt64(exactly: value) {
      storage = .unsigned(value)
    } else {
      storage = DecimalText(scanning: Array("\(value)".utf8)[...])?.storage ?? .signed(0)
    }
  }

  /// Makes a number from a floating-point value: the shortest decimal number that gives it back.
  ///
  /// Nil if the value is infinite or no number.
  public init?(_ value: some BinaryFloatingPoint & CustomStringConvertible) {
    guard value.isFinite else { return nil }
    if let integer = Int64(exactly: value) {
      self.init(storage: .signed(integer))
    } else {
      self.init(text: value.description)
    }
  }

  /// Makes a number from a decimal value; nil if it is no number.
  public init?(_ value: Decimal) {
    guard value.isFinite else { return nil }
    self.init(text: value.description)
  }

  /// Makes a number from text such as `-12.5e3`; nil if the text is not a number.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the text.
  public init?(text: String) {
    guard let scanned = DecimalText(scanning: Array(text.utf8)[...]) else { return nil }
    storage = scanned.storage
  }

  init(storage: Storage) { self.storage = storage }

  /// The number as an integer; nil if it is not a whole number or does not fit.
  public func integer<Integer: FixedWidthInteger>(_ type: Integer.Type = Integer.self) -> Integer? {
    switch storage {
    case .signed(let value): Integer(exactly: value)
    case .unsigned(let value): Integer(exactly: value)
    case .text(let text): Integer(text)
    }
  }

  /// The number as an `Int64`; nil if it is no integer or does not fit.
  public var int64: Int64? { integer() }

  /// The number as a `UInt64`; nil if it is no integer or does not fit.
  public var uint64: UInt64? { integer() }

  /// The number as an `Int`; nil if it is no integer or does not fit.
  public var int: Int? { integer() }

  /// The nearest `Double`; nil if the number is too large for one.
  public var double: Double? {
    let nearest =
      switch storage {
      case .signed(let value): Double(value)
      case .unsigned(let value): Double(value)
      case .text(let text): Double(text) ?? .infinity
      }
    return nearest.isFinite ? nearest : nil
  }

  /// The nearest `Float`; nil if the number is too large for one.
  public var float: Float? {
    guard let nearest = Float(description), nearest.isFinite else { return nil }
    return nearest
  }

  /// The number as a decimal value; nil if it has more digits than a `Decimal` can hold.
  public var decimal: Decimal? {
    switch storage {
    case .signed(let value): return Decimal(value)
    case .unsigned(let value): return Decimal(value)
    case .text(let text):
      guard let value = Decimal(string: text), JSONNumber(value) == self else { return nil }
      return value
    }
  }
}

extension JSONNumber: CustomStringConvertible {
  /// The number in decimal digits, as it is written to JSON.
  public var description: String {
    switch storage {
    case .signed(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .text(let text): text
    }
  }
}

extension JSONNumber: ExpressibleByIntegerLiteral {
  /// Makes a number.
  public init(integerLiteral value: Int128) { self.init(value) }
}
