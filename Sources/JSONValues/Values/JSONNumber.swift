public import Foundation

/// An exact decimal number: no digit of the data is lost.
///
/// Numbers are kept by value: `1`, `1.0` and `10e-1` are equal and written as `1`.
public struct JSONNumber: Sendable, Hashable {
  @usableFromInline
  enum Storage: Sendable, Hashable {
    case signed(Int64)
    /// Above the largest `Int64`.
    case unsigned(UInt64)
    /// At most 18 digits, of which the last one is not zero, and at most 18 of them behind the
    /// point.
    case decimal(ShortDecimal)
    /// Nothing of these; as ``DecimalText`` writes it.
    case text(String)
  }

  // INVARIANT: A value has one form only, so that equal numbers have equal storage.
  @usableFromInline let storage: Storage

  /// Makes a number from an integer.
  @inlinable
  public init(_ value: some BinaryInteger) {
    if let value = Int64(exactly: value) {
      self.init(storage: .signed(value))
    } else if let value = UInt64(exactly: value) {
      self.init(storage: .unsigned(value))
    } else {
      self.init(large: "\(value)")
    }
  }

  @usableFromInline
  init(large digits: String) {
    storage = DecimalText(scanning: Array(digits.utf8)[...])?.storage ?? .signed(0)
  }

  /// Makes a number from a floating-point value: the value itself if it is an integer of 64 bits,
  /// otherwise the shortest decimal number that gives it back.
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

  /// Makes a number from a floating-point value: the value itself if it is an integer of 64 bits,
  /// otherwise the shortest decimal number that gives it back.
  ///
  /// Nil if the value is infinite or no number.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    // PERFORMANCE: All of these fit, and `Int64(exactly:)` asks more than that (P3).
    if value.magnitude < 0x1p62 {
      let integer = Int64(value)
      if Double(integer) == value {
        self.init(storage: .signed(integer))
        return
      }
    } else if let integer = Int64(exactly: value) {
      self.init(storage: .signed(integer))
      return
    }
    if let storage = ShortDecimal.storage(ofFraction: value) {
      self.init(storage: storage)
      return
    }
    self.init(text: value.description)
  }

  /// Makes a number from a decimal value; nil if it is not a number.
  public init?(_ value: Decimal) {
    guard value.isFinite else { return nil }
    self.init(text: value.description)
  }

  /// Makes a number from text such as `-12.5e3`; nil if the text is not a number.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the text.
  public init?(text: String) {
    if let storage = ShortDecimal.storage(scanning: text) {
      self.storage = storage
      return
    }
    guard let scanned = DecimalText(scanning: Array(text.utf8)[...]) else { return nil }
    storage = scanned.storage
  }

  @usableFromInline
  init(storage: Storage) { self.storage = storage }

  /// The number as an integer; nil if it is not a whole number or does not fit.
  @inlinable
  public func integer<Integer: FixedWidthInteger>(_ type: Integer.Type = Integer.self) -> Integer? {
    switch storage {
    case .signed(let value): Integer(exactly: value)
    case .unsigned(let value): Integer(exactly: value)
    case .decimal: nil
    case .text(let text): Integer(text)
    }
  }

  /// The number as an `Int64`; nil if it is not an integer or does not fit.
  public var int64: Int64? { integer() }

  /// The number as a `UInt64`; nil if it is not an integer or does not fit.
  public var uint64: UInt64? { integer() }

  /// The number as an `Int`; nil if it is not an integer or does not fit.
  public var int: Int? { integer() }

  /// The nearest `Double`; nil if the number is too large for one.
  public var double: Double? {
    let nearest =
      switch storage {
      case .signed(let value): Double(value)
      case .unsigned(let value): Double(value)
      case .decimal(let value): value.exactDouble ?? Double(value.description) ?? .infinity
      case .text(let text): Double(text) ?? .infinity
      }
    return nearest.isFinite ? nearest : nil
  }

  /// Whether it is certainly the number that its nearest `Double` makes: up to 15 digits come back.
  package var isKeptByDouble: Bool {
    switch storage {
    case .signed(let value): value.magnitude <= 1 << 53
    case .decimal(let value): value.significand.magnitude < 1_000_000_000_000_000
    case .unsigned, .text: false
    }
  }

  /// The nearest `Float`; nil if the number is too large for one.
  public var float: Float? {
    // PERFORMANCE: Text of numbers takes longer than all else (N4).
    switch storage {
    case .signed(let value): return Float(value)
    case .unsigned(let value): return Float(value)
    case .decimal(let value): if let float = value.exactFloat { return float }
    case .text: break
    }
    guard let nearest = Float(description), nearest.isFinite else { return nil }
    return nearest
  }

  /// The number as a decimal value; nil if it has more digits than a `Decimal` can hold.
  public var decimal: Decimal? {
    switch storage {
    case .signed(let value): return Decimal(value)
    case .unsigned(let value): return Decimal(value)
    case .decimal(let value): return value.decimal
    case .text(let text):
      guard let value = Decimal(string: text), JSONNumber(value) == self else { return nil }
      return value
    }
  }
}

extension JSONNumber: CustomStringConvertible {
  /// The number in decimal digits, as written to JSON.
  public var description: String {
    switch storage {
    case .signed(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .decimal(let value): value.description
    case .text(let text): text
    }
  }
}

extension JSONNumber: ExpressibleByIntegerLiteral {
  /// Makes a number.
  public init(integerLiteral value: Int128) { self.init(value) }
}
