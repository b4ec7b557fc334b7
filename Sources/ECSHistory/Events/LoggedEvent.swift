public import ECS

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

  /// The name of the context; nil of events of systems, and of notes that are about no entity of
  /// the contexts of the log.
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
