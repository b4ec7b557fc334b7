public import ECS

/// A log of what happens in contexts and loops, event by event, to be asked with a query language.
///
/// ```swift
/// let log = EventLog([context, other], capacity: 1_000_000)
/// let loop = ReactiveLoop(ctx: context, systems: systems, logger: log)
/// print(try log.query("events where all(system:Referee component:Score) none(added)"))
/// ```
///
/// The language is that of EntitasKit's logger; see ``EventQuery``. A log gets the commits of
/// its contexts from journals, and, as their logger, what the systems of loops do. It keeps names,
/// not values: a ``FlightRecorder`` has those. Its memory is bounded: when there are more events
/// than it may have, the oldest are overwritten, and names go with the last event that has them. Of
/// each name, key and text the first 1,024 bytes of UTF-8 are kept.
///
/// Ticks are passes of loops: one begins when a system executes that has executed in the present
/// one, or when 4,096 others have.
///
/// Groups that a query may name are matchers, which are asked when a commit has ended; an entity
/// that was destroyed is in none. Keys of entities are computed then, too, in the critical section.
public final class EventLog: Sendable {
  private struct Source {
    weak let context: Context?
  }

  private let sources: [Source]
  private let contextNames: [String]
  private let groupNames: [String]
  let state: EventLogState
  private let subscriptions: [Subscription]

  /// Begins to record.
  ///
  /// - Parameters:
  ///   - contexts: The contexts whose commits are recorded.
  ///   - capacity: How many events are kept; 72 bytes each, and their names.
  ///   - groups: Matchers that queries may name, at most 64.
  ///   - clock: The time of events.
  ///   - key: Returns the key of an entity. It is called in the critical section of its context,
  ///     and must not change it.
  public init(
    _ contexts: [Context], capacity: Int = 1_000_000,
    groups: KeyValuePairs<String, Matcher> = [:], clock: LoopClock = .dispatch,
    key: (@Sendable (Entity) -> String?)? = nil
  ) {
    require(capacity > 0, "An event log needs room for an event; \(capacity) is none.")
    require(
      groups.count <= 64, "An event log has at most 64 groups; \(groups.count) were named.")
    require(
      contexts.count < Int(UInt16.max), "An event log has at most \(UInt16.max - 1) contexts.")
    sources = contexts.map { Source(context: $0) }
    contextNames = contexts.map(\.name)
    groupNames = groups.map(\.key)
    let state = EventLogState(capacity, clock)
    self.state = state
    let matchers = groups.map(\.value)
    subscriptions = contexts.enumerated().map { number, context in
      context.journal().observe(name: "event log") { commit in
        var rows = LastRows(capacity: capacity)
        EventLog.addRows(of: commit, context: UInt16(number), matchers, key, to: &rows)
        state.append(rows)
      }
    }
  }

  // MARK: Asking

  /// Asks the log.
  ///
  /// - Parameters:
  ///   - text: The query; see ``EventQuery``.
  ///   - limit: How many events or entities are returned: the last ones, or those with most events.
  /// - Returns: What was asked for. Names that no event has are no errors: nothing is found.
  /// - Throws: ``EventQueryError`` if the text is no query.
  /// - Complexity: O(*n* · *t*), where *n* is the number of events that are kept and *t* that of
  ///   terms.
  public func query(
    _ text: String, limit: Int = 1_000
  ) throws(EventQueryError) -> EventQueryResult {
    query(try EventQuery(text), limit: limit)
  }

  /// Asks the log.
  ///
  /// - Complexity: O(*n* · *t*), where *n* is the number of events that are kept and *t* that of
  ///   terms.
  public func query(_ query: EventQuery, limit: Int = 1_000) -> EventQueryResult {
    state.read { [contextNames, groupNames] columns in
      columns.answer(
        query, limit: max(0, limit), contextNames: contextNames, groupNames: groupNames)
    }
  }

  /// The number of events that are kept.
  public var count: Int { state.read { $0.count } }

  /// The number of events that were recorded and are overwritten by now.
  public var droppedEvents: UInt64 { state.read { $0.total - UInt64($0.count) } }

  /// The bytes that events take, names apart.
  package var byteCount: Int { state.read { $0.byteCount } }

  /// The number of names that are kept.
  package var nameCount: Int { state.read { $0.names.count } }

  // MARK: Notes

  /// Records a text.
  ///
  /// - Parameters:
  ///   - text: The text, of which at most 1,024 bytes of UTF-8 are kept.
  ///   - entity: What it is about; nil if it is about no entity.
  public func info(_ text: String, entity: Entity? = nil) {
    state.append(note(.infoLog, text, entity))
  }

  /// Records the text of an error.
  ///
  /// - Parameters:
  ///   - text: The text, of which at most 1,024 bytes of UTF-8 are kept.
  ///   - entity: What it is about; nil if it is about no entity.
  public func error(_ text: String, entity: Entity? = nil) {
    state.append(note(.errorLog, text, entity))
  }

  func note(_ kind: EventKind, _ text: String, _ entity: Entity?) -> EventColumns.Row {
    var row = EventColumns.Row(kind: kind, text: text, entity: entity?.numbers)
    if let entity,
      let number = sources.firstIndex(where: { $0.context.map(entity.belongs) ?? false })
    {
      row.context = UInt16(number)
    }
    return row
  }

  private static func addRows(
    of commit: Commit, context: UInt16, _ matchers: [Matcher],
    _ key: (@Sendable (Entity) -> String?)?, to rows: inout LastRows
  ) {
    for change in commit {
      let (entity, cause) = (change.entity, change.cause)
      var row = EventColumns.Row(kind: .created, context: context)
      row.causeKind = cause.kind
      row.cause = cause.kind == .unknown ? nil : cause.name
      row.loop = cause.loop
      row.key = key?(entity)
      row.entity = entity.numbers
      row.commit = UInt64(commit.number)
      for (number, matcher) in matchers.enumerated() where matcher.matches(entity) {
        row.groups |= 1 << UInt64(number)
      }
      func add(_ kind: EventKind, _ component: String?) {
        row.kind = kind
        row.component = component
        rows.append(row)
      }
      switch change.kind {
      case .created:
        add(.created, nil)
        for component in change.newComponents() { add(.added, type(of: component).cid.name) }
      case .destroyed:
        for component in change.oldComponents() { add(.removed, type(of: component).cid.name) }
        add(.destroyed, nil)
      case .added: add(.added, change.component?.name)
      case .replaced: add(.replaced, change.component?.name)
      case .removed: add(.removed, change.component?.name)
      case .linked: add(.linked, change.relation.map { "\($0)" })
      case .unlinked: add(.unlinked, change.relation.map { "\($0)" })
      case .linkUpdated: add(.linkUpdated, change.relation.map { "\($0)" })
      case .moved: add(.moved, change.relation.map { "\($0)" })
      }
    }
  }
}
