/// A decimal number taken apart: digits without zeros at either end, and a power of ten.
struct DecimalText {
  private var isNegative = false
  private var digits: [UInt8] = []
  private var exponent = 0

  /// The powers of ten that are kept; what is beyond is refused.
  private static let exponents = -1_000_000_000...1_000_000_000

  /// Reads all of the bytes as a number of the form `-1.5e+3`; nil if they are not a number.
  ///
  /// Also takes what only Swift writes: leading zeros and a plus sign.
  init?(scanning bytes: ArraySlice<UInt8>) {
    var rest = bytes
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isNegative = sign == UInt8(ascii: "-")
      rest.removeFirst()
    }
    let whole = DecimalText.takeDigits(&rest)
    digits = Array(whole)
    var count = whole.count
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      let fraction = DecimalText.takeDigits(&rest)
      digits += fraction
      exponent = -fraction.count
      count += fraction.count
    }
    guard count > 0, takeExponent(&rest), rest.isEmpty else { return nil }
    guard trimZeros() else { return nil }
  }

  private static func takeDigits(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    rest = rest[digits.endIndex...]
    return digits
  }

  private mutating func takeExponent(_ rest: inout ArraySlice<UInt8>) -> Bool {
    guard let mark = rest.first, mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") else {
      return true
    }
    rest.removeFirst()
    let sign = rest.first
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest.removeFirst() }
    let power = DecimalText.takeDigits(&rest)
    guard !power.isEmpty else { return false }
    // An exponent with more digits stays out of bounds, unless the number is zero.
    let bound = DecimalText.exponents.upperBound * 100
    var value = 0
    for digit in power where value < bound { value = value * 10 + Int(digit - UInt8(ascii: "0")) }
    exponent += sign == UInt8(ascii: "-") ? -value : value
    return true
  }

  private mutating func trimZeros() -> Bool {
    let zero = UInt8(ascii: "0")
    while digits.last == zero {
      digits.removeLast()
      exponent += 1
    }
    digits = Array(digits.drop { $0 == zero })
    if digits.isEmpty {
      isNegative = false
      exponent = 0
    }
    return DecimalText.exponents.contains(exponent)
  }

  /// The number in the one form that its value has.
  var storage: JSONNumber.Storage {
    if let integer = integerText {
      if let value = Int64(integer) { return .signed(value) }
      if let value = UInt64(integer) { return .unsigned(value) }
    }
    return short ?? .text(text)
  }

  private var short: JSONNumber.Storage? {
    let exponents = -ShortDecimal.maximumDigits..<0
    guard exponents.contains(exponent), digits.count <= ShortDecimal.maximumDigits,
      let significand = Int64(sign + String(decoding: digits, as: UTF8.self))
    else { return nil }
    return .decimal(ShortDecimal(significand: significand, fractionDigits: Int8(-exponent)))
  }

  private var sign: String { isNegative ? "-" : "" }

  /// The digits without an exponent, if the number is an integer of moderate length.
  private var integerText: String? {
    guard exponent >= 0, digits.count + exponent <= 40 else { return nil }
    let text = String(decoding: digits, as: UTF8.self) + String(repeating: "0", count: exponent)
    return sign + (text.isEmpty ? "0" : text)
  }

  private var text: String {
    if let integerText { return integerText }
    let text = String(decoding: digits, as: UTF8.self)
    guard exponent < 0, exponent > -100 else { return "\(sign)\(text)e\(exponent)" }
    let whole = digits.count + exponent
    guard whole > 0 else {
      return "\(sign)0." + String(repeating: "0", count: -whole) + text
    }
    return "\(sign)\(text.prefix(whole)).\(text.dropFirst(whole))"
  }
}
