public import ECS

/// A change in words, which means the same in another process.
public struct FlightLine: Hashable, Sendable {
  /// A value in words.
  public struct Value: Hashable, Sendable {
    /// The name of the component.
    public let component: String

    /// The value, as it describes itself.
    public let text: String
  }

  /// The number of the commit.
  public let commit: Int

  /// When the commit ended, since January 1, 1970, UTC.
  public let time: Duration

  /// The kind of the change.
  public let kind: CommittedChange.Kind

  /// The slot and the generation of the entity, such as `3.1`; of a link, those of its source.
  public let entity: String

  /// The name of the component; nil of changes of entities with several, and of links.
  public let component: String?

  /// The name of the relation of a link; else nil.
  public let relation: String?

  /// The slot and the generation of the target of a link; else nil.
  public let target: String?

  /// The values before the change.
  public let old: [Value]

  /// The values after the change.
  public let new: [Value]

  /// The cause of the change.
  public let cause: Cause

  /// The functions that made the change, the innermost first; see ``FlightEntry/callers``.
  public let callers: [String]
}

extension FlightLine: CustomStringConvertible {
  /// The change as a sentence of a log.
  public var description: String {
    let what =
      if let relation {
        "\(relation) of \(entity) \(kind == .unlinked ? "from" : "to") \(target ?? "")"
      } else if let component, kind != .created, kind != .destroyed {
        "\(component) of \(entity)"
      } else {
        entity
      }
    let maker = callers.isEmpty ? "\(cause)" : callers.joined(separator: ", called by ")
    let texts = [old, new].map { $0.map(\.text).joined(separator: ", ") }.filter { !$0.isEmpty }
    let values = texts.isEmpty ? "" : ": \(texts.joined(separator: " -> "))"
    return "commit \(commit) at \(FlightLine.text(of: time)): \(kind) \(what)\(values), by \(maker)"
  }

  /// A time as a date and a time of day, UTC.
  static func text(of time: Duration) -> String {
    var (seconds, attoseconds) = time.components
    if attoseconds < 0 {
      // Before 1970, both are negative.
      seconds -= 1
      attoseconds += 1_000_000_000_000_000_000
    }
    let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
    let second = seconds - days * 86_400
    let (year, month, day) = civil(days)
    func pad(_ number: Int64, _ width: Int = 2) -> String {
      let digits = "\(number)"
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let date = "\(pad(year, 4))-\(pad(month))-\(pad(day))"
    let clock = "\(pad(second / 3600)):\(pad(second / 60 % 60)):\(pad(second % 60))"
    return "\(date) \(clock).\(pad(attoseconds / 1_000_000_000_000_000, 3))"
  }

  /// The date of a day since January 1, 1970, in the Gregorian calendar.
  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    // Years begin in March here, so that leap days are the last ones; an era has 400 years.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}
