/// The marks of an axis of days, at the beginnings of years, months or weeks, or at each day: as close to
/// each other as their texts allow.
struct DateAxis {
  /// A day with what is written at it.
  struct Mark {
    let day: Day
    let text: String
  }

  let marks: [Mark]

  private enum Step {
    case days(Int)
    case months(Int)
    case years(Int)

    var days: Double {
      switch self {
      case .days(let count): Double(count)
      case .months(let count): Double(count) * 30.4
      case .years(let count): Double(count) * 365.2
      }
    }

    /// As much of a date as tells one mark from the next: `01-31`, `2026-01` or `2026`.
    func text(_ day: Day) -> String {
      switch self {
      case .days: String(day.text.suffix(5))
      case .months: String(day.text.prefix(7))
      case .years: String(day.text.prefix(4))
      }
    }
  }

  /// - Parameters:
  ///   - first: The day at which the axis begins.
  ///   - last: The last day.
  ///   - width: How long the axis is.
  ///   - advance: The width of a digit.
  init(from first: Day, to last: Day, width: Double, advance: Double) {
    let widthOfDay = width / Double(last.number - first.number + 1)
    func fits(_ step: Step) -> Bool {
      step.days * widthOfDay >= Double(step.text(first).count + 2) * advance
    }
    let steps: [Step] = [
      .days(1), .days(7), .days(14), .months(1), .months(3), .months(6), .years(1), .years(2),
      .years(5),
    ]
    var years = 10
    while !fits(.years(years)) { years *= 10 }
    let step = steps.first(where: fits) ?? .years(years)
    let found = DateAxis.days(from: first, to: last, by: step).map { day in
      Mark(day: day, text: step.text(day))
    }
    marks = found.isEmpty ? [Mark(day: first, text: first.text)] : found
  }

  private static func days(from first: Day, to last: Day, by step: Step) -> [Day] {
    switch step {
    case .days(1): return (first.number...last.number).map { Day(number: $0) }
    case .days(let count):
      let start = first == first.monday ? first : Day(number: first.monday.number + 7)
      return stride(from: start.number, through: last.number, by: count).map { Day(number: $0) }
    case .months(let count): return months(from: first, to: last, by: count)
    case .years(let count): return months(from: first, to: last, by: 12 * count)
    }
  }

  private static func months(from first: Day, to last: Day, by count: Int) -> [Day] {
    // Counted from January of the year 0, of which each step takes a multiple.
    let start = first.date.year * 12 + first.date.month - 1
    let end = last.date.year * 12 + last.date.month - 1
    return (start...end).filter { $0.isMultiple(of: count) }
      .map { Day(year: $0 / 12, month: $0 % 12 + 1) }
      .filter { $0 >= first && $0 <= last }
  }
}
