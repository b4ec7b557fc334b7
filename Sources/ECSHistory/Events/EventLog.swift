import Dispatch
public import ECS

/// What happens in contexts and loops, event by event, to be asked with a query language.
///
/// ```swift
/// let log = EventLog([context, other], capacity: 1_000_000)
/// let loop = ReactiveLoop(ctx: context, systems: systems, logger: log)
/// print(try log.query("events where all(system:Referee component:Score) none(added)"))
/// ```
///
/// The language is that of EntitasKit's logger; see ``EventQuery``. A log is told the commits of its
/// contexts by journals, and, as their logger, what the systems of loops do. It keeps names, not values:
/// a ``FlightRecorder`` has those. Its memory is bounded: when there are more events than it may have,
/// the oldest are overwritten, and names go with the last event that has them. Of each name, key and
/// text the first 1,024 bytes of UTF-8 are kept.
///
/// Ticks are passes of loops: one begins when a system executes that has executed in the one before.
///
/// Groups that a query may name are matchers, which are asked when a commit has ended; an entity that was
/// destroyed is in none. Keys of entities are computed then, too, in the critical section.
public final class EventLog: Sendable {
  private struct Source {
    weak let context: Context?
  }

  private let sources: [Source]
  private let contextNames: [String]
  private let groupNames: [String]
  private let state: EventLogState
  private let subscriptions: [Subscription]

  /// Begins to record.
  ///
  /// - Parameters:
  ///   - contexts: The contexts whose commits are recorded.
  ///   - capacity: How many events are kept; 64 bytes each, and their names.
  ///   - groups: Matchers that queries may name, at most 64.
  ///   - clock: The time of events.
  ///   - key: Returns the key of an entity. It is called in the critical section of its context, and
  ///     must not change it.
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
  /// - Complexity: O(*n* · *t*), where *n* is the number of events that are kept and *t* that of terms.
  public func query(
    _ text: String, limit: Int = 1_000
  ) throws(EventQueryError) -> EventQueryResult {
    query(try EventQuery(text), limit: limit)
  }

  /// Asks the log.
  ///
  /// - Complexity: O(*n* · *t*), where *n* is the number of events that are kept and *t* that of terms.
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

  private func note(_ kind: EventKind, _ text: String, _ entity: Entity?) -> EventColumns.Row {
    var row = EventColumns.Row(kind: kind, text: text, entity: entity?.numbers)
    if let entity,
      let number = sources.firstIndex(where: { $0.context.map(entity.isPlaced) ?? false })
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
      }
    }
  }
}

extension EventLog: SystemLogger {
  /// Records it.
  public func willInit(_ name: String) { state.begin(.willInit, name) }

  /// Records it, with how long it took.
  public func didInit(_ name: String) { state.end(.didInit, name, of: .willInit) }

  /// Records it; a tick begins if the system has executed in the present one.
  public func willExecute(_ name: String) { state.begin(.willExec, name) }

  /// Records it, with how long it took.
  public func didExecute(_ name: String) { state.end(.didExec, name, of: .willExec) }

  /// Records it.
  public func willCleanup(_ name: String) { state.begin(.willCleanup, name) }

  /// Records it, with how long it took.
  public func didCleanup(_ name: String) { state.end(.didCleanup, name, of: .willCleanup) }

  /// Records it.
  public func willTeardown(_ name: String) { state.begin(.willTeardown, name) }

  /// Records it, with how long it took.
  public func didTeardown(_ name: String) { state.end(.didTeardown, name, of: .willTeardown) }

  /// Records the error as a text.
  public func didFail(_ name: String, _ error: any Error) {
    var row = note(.errorLog, "\(error)", nil)
    row.causeKind = .system
    row.cause = name
    state.append(row)
  }
}

/// What an ``EventLog`` knows.
// Guarded by its queue, which calls nothing of others.
private final class EventLogState: @unchecked Sendable {
  private struct Run: Equatable {
    let kind: EventKind
    let system: String
  }

  private let queue = DispatchQueue(label: "ECSHistory.EventLog")
  private let clock: LoopClock
  private let start: Duration
  private var columns: EventColumns
  private var tick: UInt64 = 0

  /// The systems that have executed in the present tick.
  private var executed: Set<String> = []

  /// The last runs that have begun and not ended, and when; others are taken never to end.
  private var begun: [(run: Run, time: Duration)] = []

  init(_ capacity: Int, _ clock: LoopClock) {
    self.clock = clock
    start = clock.now()
    columns = EventColumns(capacity: capacity)
  }

  func read<Value>(_ body: (borrowing EventColumns) -> Value) -> Value {
    queue.sync { body(columns) }
  }

  func append(_ row: EventColumns.Row) {
    let now = clock.now()
    queue.sync { append(row, now) }
  }

  func append(_ rows: LastRows) {
    let now = clock.now()
    queue.sync { columns.append(rows) { complete(&$0, now) } }
  }

  private func append(_ row: EventColumns.Row, _ now: Duration) {
    var row = row
    complete(&row, now)
    columns.append(row)
  }

  private func complete(_ row: inout EventColumns.Row, _ now: Duration) {
    row.tick = tick
    row.time = nanoseconds(now - start)
  }

  func begin(_ kind: EventKind, _ system: String) {
    let now = clock.now()
    queue.sync {
      if kind == .willExec, tick == 0 || !executed.insert(system).inserted {
        tick += 1
        executed = [system]
      }
      if begun.count == 1_024 { begun.removeFirst() }
      begun.append((Run(kind: kind, system: EventNames.cut(system)), now))
      var row = EventColumns.Row(kind: kind)
      row.causeKind = .system
      row.cause = system
      append(row, now)
    }
  }

  func end(_ kind: EventKind, _ system: String, of beginning: EventKind) {
    let now = clock.now()
    queue.sync {
      let run = Run(kind: beginning, system: EventNames.cut(system))
      let before = begun.lastIndex { $0.run == run }.map { begun.remove(at: $0).time }
      var row = EventColumns.Row(kind: kind)
      row.causeKind = .system
      row.cause = system
      if let before { row.duration = max(0, nanoseconds(now - before)) }
      append(row, now)
    }
  }

  private func nanoseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
  }
}
