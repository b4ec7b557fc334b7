import Dispatch
public import Foundation

extension Transformer where Value == Date {
  /// Takes ISO 8601 dates with time and zone, such as `2024-05-01T12:30:00Z`, with or without
  /// fractions of a second; writes milliseconds if there are any.
  public static var iso8601: Transformer {
    let whole = Date.ISO8601FormatStyle()
    let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    return Transformer("ISO 8601") { (value) throws(TransformFailure) in
      guard case .string(let text) = value else {
        throw .mismatch(expected: "string", found: value)
      }
      guard let date = (try? whole.parse(text)) ?? (try? fractional.parse(text)) else {
        throw .invalid("'\(text)' is no ISO 8601 date")
      }
      return date
    } encode: { (date) throws(TransformFailure) in
      guard abs(date.timeIntervalSince1970) < 1e11 else {
        throw .invalid("a date that far away can't be written")
      }
      // The platform's style cuts fractions off and thereby loses a millisecond now and then.
      let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
      let seconds = (milliseconds / 1000).rounded(.down)
      let text = whole.format(Date(timeIntervalSince1970: seconds))
      let rest = Int(milliseconds - seconds * 1000)
      if rest == 0 { return .string(text) }
      return .string("\(text.dropLast()).\("\(1000 + rest)".dropFirst())Z")
    }
  }

  /// Takes numbers: the seconds since 1970, UTC.
  public static var secondsSince1970: Transformer {
    .number(
      "seconds since 1970", { $0.double.map { Date(timeIntervalSince1970: $0) } },
      { JSONNumber($0.timeIntervalSince1970) })
  }

  /// Takes dates in a format of your own, such as `yyyy-MM-dd`.
  ///
  /// - Parameters:
  ///   - format: A pattern of Unicode Technical Standard 35, as `DateFormatter` takes it.
  ///   - timeZone: The zone of dates that name none; UTC by default.
  /// - Returns: The transformer.
  public static func date(format: String, timeZone: TimeZone = .gmt) -> Transformer {
    let formatter = FixedDateFormatter(format: format, timeZone: timeZone)
    return Transformer("date \(format) \(timeZone.identifier)") {
      (value) throws(TransformFailure) in
      guard case .string(let text) = value else {
        throw .mismatch(expected: "string", found: value)
      }
      guard let date = formatter.date(from: text) else {
        throw .invalid("'\(text)' is no date like \(format)")
      }
      return date
    } encode: {
      .string(formatter.string(from: $0))
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

  func string(from date: Date) -> String { queue.sync { formatter.string(from: date) } }
}
