import Dispatch
import ECS

/// The state of an ``EventLog``.
// Guarded by its queue, which calls nothing of others.
final class EventLogState: @unchecked Sendable {
  /// The origin of calls of a logger: a loop, or, without a name, calls of the log itself.
  struct Loop: Hashable {
    let number: Int
    let name: String?

    static var none: Loop { Loop(number: 0, name: nil) }
  }

  private struct Run: Hashable {
    let kind: EventKind
    let system: String
    let loop: Loop
  }

  private let queue = DispatchQueue(label: "ECSHistory.EventLog")
  private let clock: LoopClock
  private let start: Duration
  private var columns: EventColumns
  private var tick: UInt64 = 0

  /// The systems that have executed in the present tick.
  private var executed: Set<Run> = []

  /// How many loops there have been.
  private var loopCount = 0

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

  /// A loop begins to log.
  func newLoop(_ name: String) -> Loop {
    queue.sync {
      loopCount += 1
      return Loop(number: loopCount, name: name)
    }
  }

  func begin(_ kind: EventKind, _ system: String, _ loop: Loop) {
    let now = clock.now()
    queue.sync {
      let run = Run(kind: kind, system: EventNames.cut(system), loop: loop)
      if kind == .willExec, tick == 0 || executed.count == 4_096 || executed.contains(run) {
        tick += 1
        executed = []
      }
      if kind == .willExec { executed.insert(run) }
      if begun.count == 1_024 { begun.removeFirst() }
      begun.append((run, now))
      append(row(kind, run), now)
    }
  }

  func end(_ kind: EventKind, _ system: String, of beginning: EventKind, _ loop: Loop) {
    let now = clock.now()
    queue.sync {
      let run = Run(kind: beginning, system: EventNames.cut(system), loop: loop)
      let before = begun.lastIndex { $0.run == run }.map { begun.remove(at: $0).time }
      var row = row(kind, run)
      if let before { row.duration = max(0, nanoseconds(now - before)) }
      append(row, now)
    }
  }

  private func row(_ kind: EventKind, _ run: Run) -> EventColumns.Row {
    var row = EventColumns.Row(kind: kind)
    row.causeKind = .system
    row.cause = run.system
    row.loop = run.loop.name
    return row
  }

  private func nanoseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, sumOverflows) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    guard overflows || sumOverflows else { return sum }
    return seconds < 0 ? .min : .max
  }
}
