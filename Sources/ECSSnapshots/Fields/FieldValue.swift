import ECS
import ECSRecipes
import Foundation

/// A value that snapshots have a form of their own for.
///
/// Values of a field are written together, as a column: for some types in several parts, such as
/// first all lengths, and then all texts.
protocol FieldValue: Sendable {
  static var type: FieldType { get }

  /// The fewest bytes that a value takes in a column.
  static var width: Int { get }

  static func write(
    _ count: Int, to block: ByteBlock, _ positions: borrowing EntityPositions,
    _ value: (Int) -> Self)

  /// Reads a column.
  ///
  /// The closure is given each value that is there: not entities that were dead.
  @_lifetime(reader: copy reader)
  static func read(
    _ count: Int, from reader: inout ByteReader, _ arrivals: Arrivals,
    _ body: (Int, Self) throws(SnapshotError) -> Void
  ) throws(SnapshotError)

  /// Writes a property of values as a column.
  static func write(
    from fields: FieldAddresses, to block: ByteBlock, _ positions: borrowing EntityPositions)

  /// Reads a column into a property of values.
  static func read(
    _ column: FieldColumn, into fields: FieldAddresses, _ arrivals: Arrivals) throws(SnapshotError)

  /// Whether the value means something in a snapshot.
  func isThere(_ positions: borrowing EntityPositions) -> Bool

  /// The value as data, in the form that `Codable` gives it; entities are numbers.
  func data(_ positions: borrowing EntityPositions) -> JSONValue

  /// The value that ``data(_:)`` gives such data; nil if there is none.
  static func make(_ data: JSONValue) -> Self?

  /// Whether it is, or contains, an entity.
  static var isReference: Bool { get }

  /// Whether ``FieldType`` can say what it is.
  static var hasType: Bool { get }
}

extension FieldValue {
  static var isReference: Bool { false }
  static var hasType: Bool { true }
  func isThere(_ positions: borrowing EntityPositions) -> Bool { true }

  // PERFORMANCE: N5: compiled for each type, without a look at that of the component.
  static func write(
    from fields: FieldAddresses, to block: ByteBlock, _ positions: borrowing EntityPositions
  ) {
    write(fields.count, to: block, positions) { fields.get($0, as: Self.self) }
  }

  static func read(
    _ column: FieldColumn, into fields: FieldAddresses, _ arrivals: Arrivals
  ) throws(SnapshotError) {
    try column.read(Self.self, arrivals) { (row, value) in fields.set(value, at: row) }
  }
}

/// A value that always takes the same bytes.
protocol FixedFieldValue: FieldValue {
  associatedtype Bits: FixedWidthInteger & BitwiseCopyable

  var bits: Bits { get }

  /// Nil if no value has these bits.
  init?(bits: Bits)
}

extension FixedFieldValue {
  static var width: Int { MemoryLayout<Bits>.size }

  static func write(
    _ count: Int, to block: ByteBlock, _ positions: borrowing EntityPositions,
    _ value: (Int) -> Self
  ) {
    block.reserve(count * width)
    for index in 0..<count { block.append(value(index).bits) }
  }

  @_lifetime(reader: copy reader)
  static func read(
    _ count: Int, from reader: inout ByteReader, _ arrivals: Arrivals,
    _ body: (Int, Self) throws(SnapshotError) -> Void
  ) throws(SnapshotError) {
    try reader.check(count, of: width)
    for index in 0..<count {
      guard let value = Self(bits: reader.take(Bits.self)) else {
        throw reader.malformed("No \(Self.self) has these bits")
      }
      try body(index, value)
    }
  }
}

extension FixedFieldValue where Self: FixedWidthInteger & BitwiseCopyable {
  var bits: Self { self }
  init?(bits: Self) { self = bits }
  func data(_ positions: borrowing EntityPositions) -> JSONValue { .number(JSONNumber(self)) }
  static func make(_ data: JSONValue) -> Self? { data.number?.integer() }
}

extension Int8: FixedFieldValue { static var type: FieldType { .init(.int8) } }
extension Int16: FixedFieldValue { static var type: FieldType { .init(.int16) } }
extension Int32: FixedFieldValue { static var type: FieldType { .init(.int32) } }
extension Int64: FixedFieldValue { static var type: FieldType { .init(.int64) } }
extension UInt8: FixedFieldValue { static var type: FieldType { .init(.uint8) } }
extension UInt16: FixedFieldValue { static var type: FieldType { .init(.uint16) } }
extension UInt32: FixedFieldValue { static var type: FieldType { .init(.uint32) } }
extension UInt64: FixedFieldValue { static var type: FieldType { .init(.uint64) } }

// They have 64 bits on all platforms that the package is for.
extension Int: FixedFieldValue { static var type: FieldType { .init(.int64) } }
extension UInt: FixedFieldValue { static var type: FieldType { .init(.uint64) } }

extension Float: FixedFieldValue {
  static var type: FieldType { .init(.float) }
  var bits: UInt32 { bitPattern }
  init?(bits: UInt32) { self.init(bitPattern: bits) }
  func data(_ positions: borrowing EntityPositions) -> JSONValue { .floating(self) }
  static func make(_ data: JSONValue) -> Float? {
    data.number?.float ?? data.string.flatMap(Float.init)
  }
}

extension Double: FixedFieldValue {
  static var type: FieldType { .init(.double) }
  var bits: UInt64 { bitPattern }
  init?(bits: UInt64) { self.init(bitPattern: bits) }
  func data(_ positions: borrowing EntityPositions) -> JSONValue { .floating(self) }
  static func make(_ data: JSONValue) -> Double? {
    data.number?.double ?? data.string.flatMap(Double.init)
  }
}

extension Bool: FixedFieldValue {
  static var type: FieldType { .init(.bool) }
  var bits: UInt8 { self ? 1 : 0 }
  init?(bits: UInt8) {
    guard bits < 2 else { return nil }
    self = bits == 1
  }
  func data(_ positions: borrowing EntityPositions) -> JSONValue { .bool(self) }
  static func make(_ data: JSONValue) -> Bool? { data.bool }
}

extension Date: FixedFieldValue {
  static var type: FieldType { .init(.date) }
  var bits: UInt64 { timeIntervalSinceReferenceDate.bitPattern }
  init?(bits: UInt64) { self.init(timeIntervalSinceReferenceDate: Double(bitPattern: bits)) }
  func data(_ positions: borrowing EntityPositions) -> JSONValue {
    timeIntervalSinceReferenceDate.data(positions)
  }
  static func make(_ data: JSONValue) -> Date? {
    Double.make(data).map(Date.init(timeIntervalSinceReferenceDate:))
  }
}

extension UUID: FixedFieldValue {
  static var type: FieldType { .init(.uuid) }

  var bits: UInt128 {
    let bytes = uuid
    let low = [
      bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7, bytes.8, bytes.9,
      bytes.10, bytes.11, bytes.12, bytes.13, bytes.14, bytes.15,
    ]
    return low.reversed().reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
  }

  init?(bits: UInt128) {
    func byte(_ number: UInt128) -> UInt8 { UInt8(truncatingIfNeeded: bits >> (number * 8)) }
    self.init(
      uuid: (
        byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7), byte(8), byte(9),
        byte(10), byte(11), byte(12), byte(13), byte(14), byte(15)
      ))
  }

  func data(_ positions: borrowing EntityPositions) -> JSONValue { .string(uuidString) }
  static func make(_ data: JSONValue) -> UUID? { data.string.flatMap(UUID.init) }
}

extension JSONValue {
  /// A number, or the name of one for which JSON has none: infinities, no number, and minus zero.
  fileprivate static func floating(
    _ value: some BinaryFloatingPoint & CustomStringConvertible
  ) -> JSONValue {
    if value.isZero, value.sign == .minus { return .string("-0.0") }
    return JSONNumber(value).map(JSONValue.number) ?? .string(value.description)
  }
}
