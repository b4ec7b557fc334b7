extension TextOutput {
  /// Appends text in quotes, of which it is certain that it is UTF-8.
  mutating func appendQuoted(_ text: RawSpan) {
    append(UInt8(ascii: "\""))
    var start = 0
    for offset in 0..<text.byteCount {
      let byte = text.load(UInt8.self, at: offset)
      if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { continue }
      append(text.extracting(start..<offset))
      appendEscape(byte)
      start = offset + 1
    }
    append(text.extracting(start..<text.byteCount))
    append(UInt8(ascii: "\""))
  }

  private mutating func appendEscape(_ byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case 0x0a: append(UInt8(ascii: "n"))
    case 0x0d: append(UInt8(ascii: "r"))
    case 0x09: append(UInt8(ascii: "t"))
    case 0..<0x20:
      let digits = Array("0123456789abcdef".utf8)
      append(Array("u00".utf8))
      append(digits[Int(byte >> 4)])
      append(digits[Int(byte & 15)])
    default: append(byte)
    }
  }

  /// Appends a number: as an integer if it is one of 64 bits, otherwise as the shortest decimal
  /// number that gives it back, and as text if JSON has none.
  mutating func append<Value: BinaryFloatingPoint & CustomStringConvertible>(floating value: Value)
  {
    if value.magnitude < 0x1p24, value.rounded(.towardZero) == value,
      !(value.isZero && value.sign == .minus)
    {
      append(number: Int32(value))
    } else if value.magnitude >= 0x1p24, let integer = Int64(exactly: value) {
      // All digits, as `JSONNumber` has them: the shortest number would be another integer.
      append(number: integer)
    } else if value.isFinite, !value.isZero {
      append(value.description)
    } else {
      appendQuoted(value.isZero ? "-0.0" : value.description)
    }
  }
}
