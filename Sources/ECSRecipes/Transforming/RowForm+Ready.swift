import Foundation
import JSONValues

extension RowForm where Value: FixedWidthInteger {
  /// Whole numbers as they are.
  @inlinable
  static var integer: RowForm {
    RowForm(.integer, isPlain: true) { (value) throws(TransformFailure) in
      guard let integer = Int64(exactly: value) else {
        throw .invalid("\(value) is above 9223372036854775807, the largest that a column holds")
      }
      return .integer(integer)
    } read: { (value) throws(TransformFailure) in
      guard case .integer(let integer) = value else {
        throw .mismatch(expected: "integer", inColumn: value)
      }
      guard let result = Value(exactly: integer) else {
        throw .invalid("\(integer) does not fit in \(Value.self)")
      }
      return result
    }
  }
}

extension RowForm where Value == Double {
  /// Numbers as they are; whole ones are read as well.
  static var real: RowForm {
    RowForm(.real, isPlain: true) { (value) throws(TransformFailure) in
      if value.isNaN { throw .invalid("what is not a number has no form in a column") }
      return .real(value)
    } read: { (value) throws(TransformFailure) in
      switch value {
      case .real(let value): return value
      case .integer(let value): return Double(value)
      default: throw .mismatch(expected: "number", inColumn: value)
      }
    }
  }
}

extension RowForm where Value == Float {
  static var real: RowForm {
    RowForm<Double>.real.mapped {
      Double($0)
    } read: {
      Float($0)
    }
  }
}

extension RowForm where Value == Bool {
  /// 0 and 1.
  static var bool: RowForm {
    RowForm(.integer, isPlain: true) {
      .integer($0 ? 1 : 0)
    } read: {
      (value) throws(TransformFailure) in
      guard case .integer(let integer) = value, integer == 0 || integer == 1 else {
        throw value.kind == .integer
          ? .invalid("\(value) is neither 0 nor 1") : .mismatch(expected: "bool", inColumn: value)
      }
      return integer == 1
    }
  }
}

extension RowForm where Value == String {
  /// Texts as they are.
  static var text: RowForm {
    RowForm(.text, isPlain: true) {
      .text($0)
    } read: { (value) throws(TransformFailure) in
      guard case .text(let text) = value else { throw .mismatch(expected: "text", inColumn: value) }
      return text
    }
  }
}

extension RowForm where Value == Data {
  /// Bytes as they are.
  static var bytes: RowForm {
    RowForm(.bytes, isPlain: true) {
      .bytes($0)
    } read: { (value) throws(TransformFailure) in
      guard case .bytes(let bytes) = value else {
        throw .mismatch(expected: "bytes", inColumn: value)
      }
      return bytes
    }
  }
}

extension RowForm where Value == UUID {
  /// The 16 bytes; texts are read as well.
  static var uuid: RowForm {
    RowForm(.bytes) { (id) throws(TransformFailure) in
      let bytes = id.uuid
      return .bytes(
        Data([
          bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7, bytes.8, bytes.9,
          bytes.10, bytes.11, bytes.12, bytes.13, bytes.14, bytes.15,
        ]))
    } read: { (value) throws(TransformFailure) in
      switch value {
      case .bytes(let data) where data.count == 16:
        let b = [UInt8](data)
        return UUID(
          uuid: (
            b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
            b[14], b[15]
          ))
      case .bytes(let data): throw .invalid("\(data.count) bytes are not a UUID")
      case .text(let text):
        guard let id = UUID(uuidString: text) else { throw .invalid("'\(text)' is not a UUID") }
        return id
      default: throw .mismatch(expected: "UUID", inColumn: value)
      }
    }
  }
}

extension RowForm where Value == JSONNumber {
  /// Texts, since a column of numbers would round.
  static var exactNumber: RowForm {
    RowForm(.text) {
      .text($0.description)
    } read: { (value) throws(TransformFailure) in
      switch value {
      case .integer(let value): return JSONNumber(value)
      case .real(let value):
        if let number = JSONNumber(value) { return number }
      case .text(let text):
        if let number = JSONNumber(text: text) { return number }
      default: throw .mismatch(expected: "number", inColumn: value)
      }
      throw .invalid("\(value) is not a number")
    }
  }
}

extension RowForm where Value == Decimal {
  static var exactNumber: RowForm {
    RowForm<JSONNumber>.exactNumber.mapped { (value) throws(TransformFailure) in
      guard let number = JSONNumber(value) else { throw .invalid("\(value) is not a number") }
      return number
    } read: { (number) throws(TransformFailure) in
      guard let value = number.decimal else { throw .invalid("\(number) does not fit in Decimal") }
      return value
    }
  }
}
