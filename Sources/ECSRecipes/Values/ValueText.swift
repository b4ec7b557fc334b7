import Foundation

/// The text of any value, for messages.
///
/// Foundation stops the process when it is asked for the text of a date that is not a number.
enum ValueText {
  static func text(of value: Any) -> String {
    if let date = value as? Date, isUnprintable(date) { return "the date of NaN seconds" }
    if holdsUnprintable(value, depth: 0) { return "\(type(of: value)) with a date of NaN seconds" }
    return "\(value)"
  }

  private static func isUnprintable(_ date: Date) -> Bool {
    date.timeIntervalSinceReferenceDate.isNaN
  }

  private static func holdsUnprintable(_ value: Any, depth: Int) -> Bool {
    if let date = value as? Date { return isUnprintable(date) }
    // Objects may lead back to themselves.
    guard depth < 16 else { return false }
    return Mirror(reflecting: value).children.contains {
      holdsUnprintable($0.value, depth: depth + 1)
    }
  }
}
