public import ECS

/// What an ``EventLog`` answers.
public enum EventQueryResult: Hashable, Sendable {
  /// The events, the oldest first, and how many there are in all: the last ones if there are more than
  /// were asked for.
  case events([LoggedEvent], total: Int)

  /// The systems of each loop and how many events they have, those with most events first.
  case systems([EventCount])

  /// The components and relations and how many events they have, those with most events first.
  case components([EventCount])

  /// The entities of each context, as slots and generations, and how many events they have, those with
  /// most events first, and how many entities there are in all.
  case entities([EventCount], total: Int)

  /// How long systems of each loop took, those first that took most time.
  case durations([SystemDuration])
}

/// An event of an ``EventLog``.
public struct LoggedEvent: Hashable, Sendable {
  /// Its number in the log, from 0 on.
  public let number: UInt64

  /// The kind of event.
  public let kind: EventKind

  /// When it was, since the log began.
  public let time: Duration

  /// The pass of the loops in which it was, from 1 on; 0 before the first.
  public let tick: UInt64

  /// The name of the context; nil of events of systems, and of notes that are about no entity of the
  /// contexts of the log.
  public let context: String?

  /// The number of the commit; nil of events of systems, and of notes.
  public let commit: Int?

  /// The slot and the generation of the entity, such as `3.1`; nil if it is about none.
  public let entity: String?

  /// The key of the entity; nil if it has none.
  public let key: String?

  /// The name of the component or the relation; nil if it is about none.
  public let component: String?

  /// What kind of thing made the change, or that it is a system's event.
  public let causeKind: Cause.Kind

  /// The name of what made the change, or of the system; nil if it is unknown.
  public let cause: String?

  /// The loop of a system that is the cause; else nil.
  public let loop: String?

  /// The text of a note or an error; else nil.
  public let text: String?

  /// How long the system took; nil of other events.
  public let duration: Duration?
}

extension LoggedEvent: CustomStringConvertible {
  /// The event in a line.
  public var description: String {
    var parts = ["\(number)", "tick \(tick)", kind.rawValue]
    if let component { parts.append(component) }
    if let entity { parts.append("of \(entity)") }
    if let key { parts.append("'\(key)'") }
    if let context { parts.append("in \(context)") }
    if let commit { parts.append("commit \(commit)") }
    if let cause { parts.append("by \(causeKind) \(cause)") }
    if let loop { parts.append("of loop \(loop)") }
    if let text { parts.append("\"\(text)\"") }
    if let duration { parts.append("took \(duration)") }
    return parts.joined(separator: " ")
  }
}

/// Something, and how many events it has.
public struct EventCount: Hashable, Sendable {
  /// The name.
  public let name: String

  /// How many events it has.
  public let count: Int

  /// The name of the context of an entity; nil of what is no entity, and of entities of contexts that
  /// are not logged.
  public let context: String?

  /// The loop of a system; nil of what is no system, and of systems that are logged without a loop.
  public let loop: String?

  package init(name: String, count: Int, context: String? = nil, loop: String? = nil) {
    self.loop = loop
    self.name = name
    self.count = count
    self.context = context
  }
}

/// How long a system took.
public struct SystemDuration: Hashable, Sendable {
  /// The name of the system.
  public let system: String

  /// The name of its loop; nil if it is logged without one.
  public let loop: String?

  /// What it did: ``EventKind/didInit``, ``EventKind/didExec``, ``EventKind/didCleanup`` or
  /// ``EventKind/didTeardown``.
  public let kind: EventKind

  /// How often it did that.
  public let count: Int

  /// How long it took in all.
  public let total: Duration

  /// How long it took at most.
  public let longest: Duration

  package init(
    system: String, loop: String? = nil, kind: EventKind, count: Int, total: Duration,
    longest: Duration
  ) {
    self.system = system
    self.loop = loop
    self.kind = kind
    self.count = count
    self.total = total
    self.longest = longest
  }
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
