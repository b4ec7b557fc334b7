import Foundation

/// Dates as ISO 8601 writes them: `2024-05-01T12:30:00.250Z`, in the Gregorian calendar at all
/// times.
///
/// The platform's style takes February 30 for March 1, and does not mind what follows a date.
struct ISO8601Text {
  private let bytes: [UInt8]
  private var position = 0

  private init(_ text: String) { bytes = Array(text.utf8) }

  private var isAtEnd: Bool { position == bytes.count }

  // MARK: Reading

  /// The date that a text stands for; nil if the text is not a date.
  static func date(from text: String) -> Date? {
    var parser = ISO8601Text(text)
    guard let date = parser.date(), parser.isAtEnd else { return nil }
    return date
  }

  private mutating func date() -> Date? {
    guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
      (1...12).contains(month), (1...ISO8601Text.length(of: month, year)).contains(day),
      take("T"), let hour = number(2), take(":"), let minute = number(2), take(":"),
      // Leap seconds are the first second of the next minute.
      let second = number(2), hour < 24, minute < 60, second <= 60,
      let fraction = fraction(), let offset = offset()
    else { return nil }
    let days = ISO8601Text.days(year, month, day)
    let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second - offset
    return Date(timeIntervalSince1970: Double(seconds) + fraction)
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func number(_ count: Int) -> Int? {
    guard position + count <= bytes.count else { return nil }
    var number = 0
    for byte in bytes[position..<position + count] {
      guard isDigit(byte) else { return nil }
      number = number * 10 + Int(byte - 0x30)
    }
    position += count
    return number
  }

  private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private mutating func fraction() -> Double? {
    guard take(".") else { return 0 }
    let digits = bytes[position...].prefix(while: isDigit)
    position = digits.endIndex
    return digits.isEmpty ? nil : Double("0.\(String(decoding: digits, as: UTF8.self))")
  }

  /// The seconds by which the zone is ahead: `Z`, `+02`, `+0200` or `+02:00`.
  private mutating func offset() -> Int? {
    if take("Z") { return 0 }
    let isBehind = take("-")
    guard isBehind || take("+"), let hours = number(2), hours < 24 else { return nil }
    var minutes = 0
    if take(":") || !isAtEnd {
      guard let number = number(2), number < 60 else { return nil }
      minutes = number
    }
    return (isBehind ? -60 : 60) * (hours * 60 + minutes)
  }

  // MARK: Writing

  /// A date as text, with milliseconds if there are any; nil if its year has not four digits.
  static func text(of date: Date) -> String? {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    guard abs(milliseconds) < 1e15 else { return nil }
    let (days, time) = divided(Int(milliseconds), by: 86_400_000)
    let (year, month, day) = calendarDate(days)
    guard (0...9999).contains(year) else { return nil }
    let (seconds, rest) = divided(time, by: 1000)
    let fraction = rest == 0 ? "" : "." + padded(rest, 3)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
      + "T\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
      + "\(fraction)Z"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  // MARK: The calendar

  // Days and dates are made of each other as Hinnant does it in "chrono-Compatible Low-Level Date
  // Algorithms": in eras of 400 years that begin with March.

  private static func divided(_ number: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  private static func length(of month: Int, _ year: Int) -> Int {
    let isLeapYear =
      year.isMultiple(of: 400) || (year.isMultiple(of: 4) && !year.isMultiple(of: 100))
    return switch month {
    case 2: isLeapYear ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The days since January 1, 1970.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let (era, yearOfEra) = divided(shifted, by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func calendarDate(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = divided(days + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    return (
      yearOfEra + era * 400 + (month >= 10 ? 1 : 0), month + (month >= 10 ? -9 : 3),
      dayOfYear - (153 * month + 2) / 5 + 1
    )
  }
}
