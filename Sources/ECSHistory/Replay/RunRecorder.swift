public import ECS
public import ECSSnapshots

/// Records everything that happens to a context, to be replayed: what there was, each commit, and
/// when loops ran.
///
/// ```swift
/// let recorder = try RunRecorder(context, schema)
/// let loop = Loop(name: "game", systems: [Move(context)], logger: recorder)
/// loop.execute()
/// try recorder.recording().write(to: URL(fileURLWithPath: "run.ecsrun"))
/// ```
///
/// What is recorded is what the schema names. Loops tell a recorder of their passes as their
/// logger; a loop in another one is a part of that. Changes that are made on the thread of a pass
/// are the loop's. Begin when loops have nothing left to do: what collectors hold is not recorded.
/// See <doc:History>.
///
/// A recorder keeps commits, with values as components are copied, until it is released: a
/// recording has no end that could be dropped, so its memory grows with what happens.
public final class RunRecorder: Sendable {
  private let schema: Schema
  private let snapshot: Snapshot
  private let entities: [Entity]
  private let kinds: [[CID]]
  private let journal: Journal
  private let run: RunState
  private let subscription: Subscription

  /// Begins to record.
  ///
  /// - Parameters:
  ///   - context: The context.
  ///   - schema: What of it is recorded.
  /// - Throws: `SnapshotError` if a value can't be written; see `Context.snapshot(_:)`.
  /// - Precondition: Not called inside a closure or chunk iteration, or in the closure of an
  ///   update.
  /// - Complexity: That of a snapshot.
  public init(_ context: Context, _ schema: Schema) throws(SnapshotError) {
    self.schema = schema
    let journal = context.journal()
    self.journal = journal
    let run = RunState(journal)
    self.run = run
    var subscription: Subscription?
    var kinds: [[CID]] = []
    (snapshot, entities) = try context.snapshot(schema) {
      subscription = journal.observe(name: "run recorder") { run.append($0) }
      kinds = run.takeKinds()
    }
    self.kinds = kinds
    self.subscription = subscription ?? journal.observe { run.append($0) }
  }

  /// What was recorded until this moment.
  ///
  /// - Throws: `SnapshotError` if a `Codable` conformance or a transformer does not take a value.
  /// - Complexity: O(*n*), where *n* is the number of changes.
  public func recording() throws(SnapshotError) -> RunRecording {
    let items = journal.read { run.items }
    var encoder = CommitEncoder(try SchemaArchive(schema), entities)
    var recorded: [RecordedItem] = []
    func numbers(_ kinds: [[CID]], _ archive: SchemaArchive) -> [[UInt32]] {
      kinds.map { kind in kind.compactMap { archive.number(of: $0).map { UInt32($0) } } }
        .filter { !$0.isEmpty }
    }
    for item in items {
      switch item {
      case .commit(let commit, let held, let kinds, let pass):
        let (direct, responses) = try encoder.encode(commit, held: held)
        if direct.isEmpty, responses.isEmpty { continue }
        recorded.append(
          .commit(
            RecordedCommit(
              number: commit.number, time: nanoseconds(commit.time), pass: pass,
              kinds: numbers(kinds, encoder.archive), direct: direct, responses: responses)))
      case .begin(let pass, let loop, let phase):
        recorded.append(.begin(pass: pass, loop: loop, phase: phase))
      case .end(let pass): recorded.append(.end(pass: pass))
      }
    }
    return RunRecording(
      snapshot: snapshot, directory: encoder.archive.directory,
      kinds: numbers(kinds, encoder.archive), causes: encoder.causes, items: recorded)
  }

  private func nanoseconds(_ time: Duration) -> Int64 {
    let (seconds, attoseconds) = time.components
    return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
  }

  /// The bytes that commits take.
  public var byteCount: Int { journal.read { run.byteCount } }

  fileprivate func begin(_ phase: LoopFailure.Phase, _ loop: String) {
    journal.section { run.begin(phase, loop, on: Journal.currentThread) }
  }

  fileprivate func end() { journal.section { run.end(on: Journal.currentThread) } }
}

extension RunRecorder: SystemLogger {
  /// A logger that notes the passes of a loop.
  public func logger(ofLoop name: String) -> any SystemLogger {
    PassLogger(recorder: self, loop: name)
  }
}

/// Notes the passes of one loop.
private struct PassLogger: SystemLogger {
  let recorder: RunRecorder
  let loop: String

  func willBegin(_ phase: LoopFailure.Phase) { recorder.begin(phase, loop) }
  func didEnd(_ phase: LoopFailure.Phase) { recorder.end() }
}

/// The notes of a ``RunRecorder``.
// Guarded by the lock of the context.
private final class RunState: @unchecked Sendable {
  enum Item {
    case commit(Commit, held: Set<Int>, kinds: [[CID]], pass: UInt32)
    case begin(pass: UInt32, loop: String, phase: LoopFailure.Phase)
    case end(pass: UInt32)
  }

  private(set) var items: [Item] = []
  private(set) var byteCount = 0
  private let journal: Journal
  private var kindCount = 0
  private var passCount: UInt32 = 0

  /// The pass that each thread is in, and how many of loops in it.
  private var passes: [UInt: (pass: UInt32, depth: Int)] = [:]

  init(_ journal: Journal) { self.journal = journal }

  /// The kinds of entities that have come up since this was asked.
  func takeKinds() -> [[CID]] {
    let count = journal.kindCount
    defer { kindCount = count }
    // Fewer: there were so many that some were forgotten.
    return count > kindCount ? journal.kinds(from: kindCount) : []
  }

  func append(_ commit: Commit) {
    byteCount += commit.byteCount
    items.append(
      .commit(
        commit, held: commit.heldIndices(), kinds: takeKinds(),
        pass: passes[Journal.currentThread]?.pass ?? 0))
  }

  func begin(_ phase: LoopFailure.Phase, _ loop: String, on thread: UInt) {
    guard passes[thread] == nil else {
      passes[thread]?.depth += 1
      return
    }
    passCount += 1
    passes[thread] = (passCount, 1)
    items.append(.begin(pass: passCount, loop: loop, phase: phase))
  }

  func end(on thread: UInt) {
    guard let (pass, depth) = passes[thread] else { return }
    guard depth == 1 else {
      passes[thread]?.depth -= 1
      return
    }
    passes[thread] = nil
    items.append(.end(pass: pass))
  }
}
