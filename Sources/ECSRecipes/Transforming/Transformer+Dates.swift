import Dispatch
public import Foundation
import JSONValues

extension Transformer where Value == Date {
  /// Takes ISO 8601 dates with time and zone, such as `2024-05-01T12:30:00Z`, with or without
  /// fractions of a second; writes milliseconds if there are any.
  ///
  /// A day that its month does not have is an error, and so is any other text in the string. Years
  /// have four digits.
  public static var iso8601: Transformer {
    Transformer("ISO 8601", expects: "string") { (value) throws(TransformFailure) in
      guard case .string(let text) = value else {
        throw .mismatch(expected: "string", found: value)
      }
      guard let date = ISO8601Text.date(from: text) else {
        throw .invalid("'\(text)' is not an ISO 8601 date")
      }
      return date
    } encode: { (date) throws(TransformFailure) in
      guard let text = ISO8601Text.text(of: date) else { throw .tooFarAway }
      return .string(text)
    }
  }

  /// Takes numbers: the seconds since 1970, UTC.
  public static var secondsSince1970: Transformer {
    .number(
      "seconds since 1970", { $0.double.map { Date(timeIntervalSince1970: $0) } },
      { JSONNumber($0.timeIntervalSince1970) })
  }

  /// Takes numbers: the milliseconds since 1970, UTC.
  public static var millisecondsSince1970: Transformer {
    .number(
      "milliseconds since 1970", { $0.double.map { Date(timeIntervalSince1970: $0 / 1000) } },
      { JSONNumber(($0.timeIntervalSince1970 * 1000).rounded()) }
    ).with(
      RowForm<Int64>.integer.mapped { (date) throws(TransformFailure) in
        guard let value = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) else {
          throw .tooFarAway
        }
        return value
      } read: {
        Date(timeIntervalSince1970: Double($0) / 1000)
      })
  }

  /// Takes dates in a custom format, such as `yyyy-MM-dd`, from the year 1 to 9999.
  ///
  /// - Parameters:
  ///   - format: A pattern of Unicode Technical Standard 35, as for `DateFormatter`.
  ///   - timeZone: The zone of dates that don't name one; UTC by default.
  /// - Returns: The transformer.
  public static func date(format: String, timeZone: TimeZone = .gmt) -> Transformer {
    let formatter = FixedDateFormatter(format: format, timeZone: timeZone)
    return Transformer("date \(format) \(timeZone.identifier)", expects: "string") {
      (value) throws(TransformFailure) in
      guard case .string(let text) = value else {
        throw .mismatch(expected: "string", found: value)
      }
      guard let date = formatter.date(from: text) else {
        throw .invalid("'\(text)' is not a date of the form \(format)")
      }
      return date
    } encode: { (date) throws(TransformFailure) in
      guard let text = formatter.string(from: date) else { throw .tooFarAway }
      return .string(text)
    }
  }
}

/// A `DateFormatter` that any thread may use.
// Guarded by `queue`: nothing else reaches the formatter.
private final class FixedDateFormatter: @unchecked Sendable {
  private let formatter = DateFormatter()
  private let queue = DispatchQueue(label: "FixedDateFormatter")

  init(format: String, timeZone: TimeZone) {
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.calendar = Calendar(identifier: .gregorian)
    formatter.timeZone = timeZone
    formatter.dateFormat = format
    formatter.isLenient = false
  }

  func date(from text: String) -> Date? { queue.sync { formatter.date(from: text) } }

  /// Nil for dates before the year 1 or after 9999: the formatter does not tell years before the
  /// first one from later ones, and has no text or worse for dates at the end of time.
  func string(from date: Date) -> String? {
    guard (-62_135_596_800..<253_402_300_800).contains(date.timeIntervalSince1970) else {
      return nil
    }
    return queue.sync { formatter.string(from: date) }
  }
}

extension TransformFailure {
  fileprivate static var tooFarAway: TransformFailure {
    .invalid("the date is too far away to be written")
  }
}
