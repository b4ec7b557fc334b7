import Foundation

/// A number with a few digits behind the point, kept without text.
// PERFORMANCE: Making text of digits and digits of text takes longer than all else that is done
// with a field (P1, P3, P4).
@usableFromInline
struct ShortDecimal: Sendable, Hashable {
  /// All digits, with the sign; the last one is not zero.
  let significand: Int64

  /// The number of digits behind the point, from 1 to ``maximumDigits``.
  let fractionDigits: Int8

  /// The number of digits that fit into any case.
  static let maximumDigits = 18

  /// The storage of digits, of which the last ones stand behind the point; at most
  /// ``maximumDigits`` in all.
  static func storage(_ digits: Int64, fractionDigits: Int) -> JSONNumber.Storage {
    var (significand, count) = (digits, fractionDigits)
    while count > 0 {
      let (quotient, digit) = significand.quotientAndRemainder(dividingBy: 10)
      if digit != 0 { break }
      (significand, count) = (quotient, count - 1)
    }
    if count == 0 { return .signed(significand) }
    return .decimal(ShortDecimal(significand: significand, fractionDigits: Int8(count)))
  }

  /// The storage of a number such as `-12.5`; nil if the text is anything else, or too long.
  static func storage(scanning text: String) -> JSONNumber.Storage? {
    var (digits, count, fractionDigits): (Int64, Int, Int?) = (0, 0, nil)
    var (isNegative, isFirst) = (false, true)
    for byte in text.utf8 {
      let digit = byte &- UInt8(ascii: "0")
      if digit < 10 {
        guard count < maximumDigits else { return nil }
        digits = digits * 10 + Int64(digit)
        count += 1
        if let number = fractionDigits { fractionDigits = number + 1 }
      } else if byte == UInt8(ascii: "."), count > 0, fractionDigits == nil {
        fractionDigits = 0
      } else if byte == UInt8(ascii: "-"), isFirst {
        isNegative = true
      } else {
        return nil
      }
      isFirst = false
    }
    guard count > 0, fractionDigits != 0 else { return nil }
    return storage(isNegative ? -digits : digits, fractionDigits: fractionDigits ?? 0)
  }

  /// The storage of the number that begins at a position; nil, without taking it, if that is
  /// anything else than such as `-12.5`, or too long.
  static func storage(
    scanning bytes: [UInt8], at position: inout Int, before end: Int
  ) -> JSONNumber.Storage? {
    var next = position
    let isNegative = next < end && bytes[next] == UInt8(ascii: "-")
    if isNegative { next += 1 }
    let first = next
    var (digits, fractionDigits): (Int64, Int) = (0, 0)
    takeDigits(bytes, &next, before: min(end, first + maximumDigits), &digits)
    guard next > first, next == first + 1 || bytes[first] != UInt8(ascii: "0") else { return nil }
    if next < end, bytes[next] == UInt8(ascii: ".") {
      let point = next
      next += 1
      takeDigits(bytes, &next, before: min(end, first + maximumDigits + 1), &digits)
      fractionDigits = next - point - 1
      guard fractionDigits > 0 else { return nil }
    }
    if next < end {
      // Either there is more than that, or nothing that can follow.
      let byte = bytes[next]
      if byte &- UInt8(ascii: "0") < 10 || byte | 0x20 == UInt8(ascii: "e") { return nil }
    }
    position = next
    return storage(isNegative ? -digits : digits, fractionDigits: fractionDigits)
  }

  private static func takeDigits(
    _ bytes: [UInt8], _ next: inout Int, before end: Int, _ digits: inout Int64
  ) {
    while next < end {
      let digit = bytes[next] &- UInt8(ascii: "0")
      guard digit < 10 else { return }
      digits = digits * 10 + Int64(digit)
      next += 1
    }
  }

  /// The storage of the shortest number that gives a value back, which is no integer; nil if that
  /// has more than a few digits.
  // PERFORMANCE: Most numbers that people write have few (H2, P3).
  static func storage(ofFraction value: Double) -> JSONNumber.Storage? {
    // No two numbers of up to 15 digits give the same value. So the first one found is the
    // shortest, and its last digit is not zero.
    var power = 1.0
    for count in 1...6 {
      power *= 10
      let digits = (value * power).rounded()
      guard digits.magnitude < 1_000_000_000_000_000 else { return nil }
      // Both are exact, so that the quotient is rounded once, as text is when it is read.
      if digits / power == value {
        return .decimal(
          ShortDecimal(significand: Int64(digits), fractionDigits: Int8(truncatingIfNeeded: count)))
      }
    }
    return nil
  }

  /// The nearest `Double`, if it follows from one division; nil otherwise.
  var exactDouble: Double? {
    // Up to here integers and powers of ten are exact, so that only the quotient is rounded.
    guard significand.magnitude <= 1 << 53 else { return nil }
    var power = 1.0
    for _ in 0..<fractionDigits { power *= 10 }
    return Double(significand) / power
  }

  /// The nearest `Float`, if it follows from the nearest `Double`; nil otherwise.
  var exactFloat: Float? {
    guard let double = exactDouble, double.magnitude >= Double(Float.leastNormalMagnitude),
      // In the middle of two, the rest that the first rounding took would decide.
      double.bitPattern & 0x1fff_ffff != 0x1000_0000
    else { return nil }
    return Float(double)
  }

  var decimal: Decimal {
    Decimal(
      sign: significand < 0 ? .minus : .plus, exponent: -Int(fractionDigits),
      significand: Decimal(significand.magnitude))
  }
}

extension ShortDecimal: CustomStringConvertible {
  /// The number as ``DecimalText`` writes it.
  @usableFromInline var description: String {
    let digits = String(significand.magnitude)
    let sign = significand < 0 ? "-" : ""
    let whole = digits.utf8.count - Int(fractionDigits)
    guard whole > 0 else { return "\(sign)0." + String(repeating: "0", count: -whole) + digits }
    return "\(sign)\(digits.prefix(whole)).\(digits.dropFirst(whole))"
  }
}
