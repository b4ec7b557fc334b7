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
/// It keeps the commits of a `Journal`, the newest ones, as copies in blocks of many. When these
/// take more memory than they may, the oldest go. Values are copied as components are: an object
/// that a value refers to lives as long as a commit that has the value.
///
/// Of a change whose cause has no name, as that of a plain call, a recorder can keep which
/// functions made it: see ``FlightEntry/callers``.
///
/// Asking reads all that is kept, so it is meant for asking now and then. What was recorded can be
/// written to a file, see ``write(to:)``, and stays readable when the context is gone.
public final class FlightRecorder: Sendable {
  private let journal: Journal
  private let log: CommitLog
  private let callerCount: Int
  private let subscription: Subscription

  /// Begins to record all changes of a context.
  ///
  /// - Parameters:
  ///   - context: The context.
  ///   - memory: How many bytes commits may take; 16 MB unless given. They are kept in blocks of at
  ///     least a kilobyte, so that less than two may keep none.
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
  ///   - memory: How many bytes commits may take; 16 MB unless given. They are kept in blocks of at
  ///     least a kilobyte, so that less than two may keep none.
  ///   - callers: As above.
  public init(_ journal: Journal, memory: Int = 16 << 20, callers: Int = 0) {
    self.journal = journal
    let callerCount = min(max(callers, 0), 256)
    self.callerCount = callerCount
    let log = CommitLog(journal, memory: memory)
    self.log = log
    // The C library loads what it needs the first time, which is not to happen within a section.
    if callers > 0 { _ = CallStack.addresses(limit: 1) }
    subscription = journal.observe(name: "flight recorder") { commit in
      var addresses: [UInt] = []
      if callerCount > 0, commit.contains(where: { $0.cause.kind == .unknown }) {
        addresses = CallStack.addresses(limit: callerCount + CallerNames.depth)
      }
      log.append(commit, addresses)
    }
  }

  /// The context that it records; nil if that is gone.
  package var context: Context? { log.context }

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
      case .linked, .unlinked, .moved, .linkUpdated: false
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
    var entries: [FlightEntry] = []
    log.visitNewestFirst { commit, addresses in
      append(commit, addresses, to: &entries, about: component, isWanted)
    }
    return entries
  }

  /// Appends what is wanted of a commit, the newest first.
  private func append(
    _ commit: Commit, _ addresses: [UInt], to entries: inout [FlightEntry], about component: CID?,
    _ isWanted: (CommittedChange) -> Bool
  ) {
    let wanted = commit.filter(isWanted)
    if wanted.isEmpty { return }
    let record = FlightRecord(commit: commit, addresses: addresses, callerCount: callerCount)
    for change in wanted.reversed() {
      entries.append(FlightEntry(change, of: record, about: component))
    }
  }

  /// The commits that are kept, the oldest first.
  ///
  /// - Complexity: O(*n*), where *n* is their number.
  public var commits: [Commit] {
    var commits: [Commit] = []
    log.visitNewestFirst { commit, _ in commits.append(commit) }
    return commits.reversed()
  }

  /// What is recorded at this moment, in words.
  ///
  /// - Complexity: O(*n*), where *n* is the number of changes that are kept.
  public func recording() -> FlightRecording {
    var entries: [FlightEntry] = []
    let droppedCount = log.visitNewestFirst { commit, addresses in
      append(commit, addresses, to: &entries, about: nil) { _ in true }
    }
    return FlightRecording(entries.reversed().map(\.line), droppedCommits: droppedCount)
  }

  /// How many commits were recorded and are gone by now.
  public var droppedCommits: Int { journal.read { log.droppedCount } }

  /// The bytes that commits take; never more than they may.
  public var byteCount: Int { journal.read { log.byteCount } }

  /// Forgets all commits.
  public func removeAll() { journal.section { log.removeAll() } }
}

/// A commit that a ``FlightRecorder`` has kept.
struct FlightRecord: Sendable {
  let commit: Commit

  /// Where the functions return to that made it, the innermost first; empty if they are not kept.
  let addresses: [UInt]

  /// How many callers to tell.
  let callerCount: Int
}
