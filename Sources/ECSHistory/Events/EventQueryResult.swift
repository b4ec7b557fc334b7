import ECS

/// The answer of an ``EventLog``.
public enum EventQueryResult: Hashable, Sendable {
  /// The events, the oldest first, and how many there are in all: the last ones if there are more
  /// than were asked for.
  case events([LoggedEvent], total: Int)

  /// The systems of each loop and how many events they have, those with most events first.
  case systems([EventCount])

  /// The components and relations and how many events they have, those with most events first.
  case components([EventCount])

  /// The entities of each context, as slots and generations, and how many events they have, those
  /// with most events first, and how many entities there are in all.
  case entities([EventCount], total: Int)

  /// How long systems of each loop took, those first that took most time.
  case durations([SystemDuration])
}

extension EventQueryResult: CustomStringConvertible {
  /// A line for each event, name or duration.
  public var description: String {
    let lines =
      switch self {
      case .events(let events, let total):
        (events.count < total ? ["... \(total - events.count) before"] : [])
          + events.map { "\($0)" }
      case .systems(let counts): counts.map { "\($0.count) " + name($0.name, of: $0.loop) }
      case .components(let counts): counts.map { "\($0.count) \($0.name)" }
      case .entities(let counts, let total):
        counts.map { "\($0.count) \($0.name)" + ($0.context.map { " in \($0)" } ?? "") }
          + (counts.count < total ? ["... \(total - counts.count) more"] : [])
      case .durations(let durations):
        durations.map {
          "\(name($0.system, of: $0.loop)) \($0.kind.rawValue): \($0.count) times, \($0.total), at most \($0.longest)"
        }
      }
    return lines.joined(separator: "\n")
  }

  private func name(_ system: String, of loop: String?) -> String {
    system + (loop.map { " of loop \($0)" } ?? "")
  }
}
