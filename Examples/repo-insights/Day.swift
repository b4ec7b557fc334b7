/// A day, counted from January 1, 1970, in UTC.
struct Day: Comparable {
  let number: Int

  init(number: Int) { self.number = number }

  /// The day of a moment, in seconds since January 1, 1970.
  init(seconds: Int) { number = Day.floor(seconds, 86_400) }

  /// The first day of a month in the Gregorian calendar; the year is not negative.
  init(year: Int, month: Int) {
    // As `date`, the other way round.
    let shifted = month > 2 ? year : year - 1
    let era = Day.floor(shifted, 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    number = era * 146_097 + dayOfEra - 719_468
  }

  /// The last Monday that was not after this day.
  var monday: Day {
    // January 1, 1970 was a Thursday.
    Day(number: Day.floor(number + 3, 7) * 7 - 3)
  }

  /// Year, month and day of the month in the Gregorian calendar.
  var date: (year: Int, month: Int, day: Int) {
    // Counted from March 1 of the year 0, so that leap days come last.
    let shifted = number + 719_468
    let era = Day.floor(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let isNextYear = month >= 10
    return (
      yearOfEra + era * 400 + (isNextYear ? 1 : 0), month + (isNextYear ? -9 : 3),
      dayOfYear - (153 * month + 2) / 5 + 1
    )
  }

  /// The day as in `2026-01-31`.
  var text: String {
    let (year, month, day) = date
    return "\(Day.padded(year, 4))-\(Day.padded(month, 2))-\(Day.padded(day, 2))"
  }

  static func < (left: Day, right: Day) -> Bool { left.number < right.number }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  private static func floor(_ number: Int, _ divisor: Int) -> Int {
    let quotient = number / divisor
    return number % divisor < 0 ? quotient - 1 : quotient
  }
}
