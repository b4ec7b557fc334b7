public import ECS

/// The last changes of a context, as many as fit into some memory, with their causes, their times,
/// and the values before and after.
///
/// ```swift
/// let flight = FlightRecorder(context, memory: 16 << 20)
/// for entry in flight.why(player, Score.self) { print(entry) }
/// // commit 812 at 2025-03-01 12:00:07.300: replaced Score of 3.1: Score(points: 7) -> Score(points: 8), by system Referee of loop game
/// ```
///
/// It keeps the commits of a `Journal`, the newest ones. When they take more memory than they may,
/// the oldest go. Values are copied as components are: an object that a value refers to lives as
/// long as a commit that has the value.
///
/// Of a change whose cause has no name, as that of a plain call, a recorder can keep which
/// functions made it: see ``FlightEntry/callers``.
///
/// Asking reads all that is kept, so it is meant for asking now and then. What was recorded can be
/// written to a file, see ``write(to:)``, and stays readable when the context is gone.
public final class FlightRecorder: Sendable {
  private let journal: Journal
  private let flight: FlightState
  private let subscription: Subscription

  /// Begins to record all changes of a context.
  ///
  /// - Parameters:
  ///   - context: The context.
  ///   - memory: How many bytes commits may take; 16 MB unless given.
  ///   - callers: How many functions to tell that made a change of unknown cause; none unless
  ///     given, since each such commit takes about 3 µs and 300 bytes for it. See
  ///     ``FlightEntry/callers``.
  public convenience init(_ context: Context, memory: Int = 16 << 20, callers: Int = 0) {
    self.init(context.journal(), memory: memory, callers: callers)
  }

  /// Begins to record what a journal tells.
  ///
  /// - Parameters:
  ///   - journal: The journal, which may be one of some components and relations.
  ///   - memory: How many bytes commits may take; 16 MB unless given.
  ///   - callers: As above.
  public init(_ journal: Journal, memory: Int = 16 << 20, callers: Int = 0) {
    self.journal = journal
    let flight = FlightState(journal, memory: memory, callers: min(max(callers, 0), 256))
    // The C library loads what it needs the first time, which is not to happen within a section.
    if callers > 0 { _ = CallStack.addresses(limit: 1) }
    self.flight = flight
    subscription = journal.observe(name: "flight recorder") { flight.append($0) }
  }

  // MARK: Asking

  /// The last changes of a component of an entity, the latest first, its creation and destruction
  /// with the component included.
  ///
  /// - Complexity: O(*n*), where *n* is the number of changes that are kept.
  public func why<C: Component>(_ entity: Entity, _ type: C.Type) -> [FlightEntry] {
    let cid = C.cid
    return entries(about: cid) { change in
      guard change.entity == entity else { return false }
      return switch change.kind {
      case .added, .replaced, .removed: change.component == cid
      case .created: change.new(type) != nil
      case .destroyed: change.old(type) != nil
      case .linked, .unlinked, .moved: false
      }
    }
  }

  /// The last changes of an entity, the latest first: its creation and destruction, its components,
  /// and links that lead from it or to it.
  ///
  /// - Complexity: O(*n*), where *n* is the number of changes that are kept.
  public func why(_ entity: Entity) -> [FlightEntry] {
    entries(about: nil) { $0.entity == entity || $0.target == entity }
  }

  /// All changes that are kept, the latest first.
  ///
  /// - Complexity: O(*n*), where *n* is their number.
  public func entries() -> [FlightEntry] { entries(about: nil) { _ in true } }

  private func entries(
    about component: CID?, _ isWanted: (CommittedChange) -> Bool
  ) -> [FlightEntry] {
    FlightRecorder.entries(
      of: journal.section { flight.records }, about: component, isWanted)
  }

  private static func entries(
    of records: [FlightRecord], about component: CID?, _ isWanted: (CommittedChange) -> Bool
  ) -> [FlightEntry] {
    var entries: [FlightEntry] = []
    for record in records.reversed() {
      let wanted = record.commit.filter(isWanted)
      for change in wanted.reversed() {
        entries.append(FlightEntry(change, of: record, about: component))
      }
    }
    return entries
  }

  /// The commits that are kept, the oldest first.
  ///
  /// - Complexity: O(*n*), where *n* is their number.
  public var commits: [Commit] { journal.section { flight.records }.map(\.commit) }

  /// What is recorded at this moment, in words.
  ///
  /// - Complexity: O(*n*), where *n* is the number of changes that are kept.
  public func recording() -> FlightRecording {
    let (records, dropped) = journal.section { (flight.records, flight.dropped) }
    let entries = FlightRecorder.entries(of: records, about: nil) { _ in true }
    return FlightRecording(entries.reversed().map(\.line), droppedCommits: dropped)
  }

  /// How many commits were recorded and are gone by now.
  public var droppedCommits: Int { journal.section { flight.dropped } }

  /// The bytes that commits take; never more than they may.
  public var byteCount: Int { journal.section { flight.byteCount } }

  /// Forgets all commits.
  public func removeAll() { journal.section { flight.removeAll() } }
}

/// A commit that a ``FlightRecorder`` has kept.
struct FlightRecord: Sendable {
  let commit: Commit

  /// Where the functions return to that made it, the innermost first; empty if they are not kept.
  let addresses: [UInt]

  /// How many callers to tell.
  let callerCount: Int
}

/// The contents of a ``FlightRecorder``.
// Guarded by the lock of the context.
private final class FlightState: @unchecked Sendable {
  /// Keeps commits until values may end.
  private final class Dropped: Sendable {
    let commits: [Commit]
    init(_ commits: [Commit]) { self.commits = commits }
  }

  private let journal: Journal
  private let memory: Int
  private let callerCount: Int

  // INVARIANT: nil below `first` only.
  private var kept: [(record: FlightRecord, bytes: Int)?] = []
  private var first = 0

  private(set) var dropped = 0
  private(set) var byteCount = 0

  init(_ journal: Journal, memory: Int, callers callerCount: Int) {
    self.journal = journal
    self.memory = memory
    self.callerCount = callerCount
  }

  var records: [FlightRecord] { kept[first...].compactMap { $0?.record } }

  func append(_ commit: Commit) {
    var addresses: [UInt] = []
    if callerCount > 0, commit.contains(where: { $0.cause.kind == .unknown }) {
      addresses = CallStack.addresses(limit: callerCount + CallerNames.depth)
    }
    let record = FlightRecord(commit: commit, addresses: addresses, callerCount: callerCount)
    let bytes =
      commit.byteCount + MemoryLayout<(FlightRecord, Int)?>.stride * 2
      + (addresses.isEmpty ? 0 : 32 + addresses.capacity * MemoryLayout<UInt>.stride)
    kept.append((record, bytes))
    byteCount += bytes
    guard byteCount > memory else { return }
    var gone: [Commit] = []
    // Some more at once, so that most commits come without any that go.
    while byteCount > memory - memory / 16, first < kept.count {
      if let (record, bytes) = kept[first] {
        gone.append(record.commit)
        byteCount -= bytes
      }
      kept[first] = nil
      first += 1
    }
    if first > 16, first * 2 > kept.count {
      kept.removeFirst(first)
      first = 0
    }
    dropped += gone.count
    journal.retire(Dropped(gone))
  }

  func removeAll() {
    let gone = records.map(\.commit)
    dropped += gone.count
    (kept, first, byteCount) = ([], 0, 0)
    journal.retire(Dropped(gone))
  }
}
