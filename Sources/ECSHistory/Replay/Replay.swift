public import ECS
public import ECSSnapshots

/// Replays a recorded run in a context: goes to any moment of it, and lets loops do again what they
/// did.
///
/// ```swift
/// let recording = try RunRecording(contentsOf: URL(fileURLWithPath: "run.ecsrun"))
/// let replay = try Replay(recording, into: Context(), schema)
/// try replay.seek(to: .commit(812))
/// let loop = Loop(name: "game", systems: [Move(context)])
/// try replay.run(loop)
/// ```
///
/// Entities of the recording are those of the context: each has one handle, by which it lives again
/// when a replay goes back and forth. The context is to have no observers that change it: what
/// those of the recorded run changed is part of the recording. Nothing else may change what the
/// schema names.
///
/// A replay belongs to the thread, or the actor, that uses it.
public final class Replay {
  /// A moment of a recording.
  public enum Position: Hashable, Sendable {
    /// When it began.
    case start

    /// After a commit, and those before it; by its number.
    case commit(Int)

    /// When it ended.
    case end
  }

  /// The recording.
  public let recording: RunRecording

  private weak let context: Context?
  private let state: ReplayState
  private let subscriptions: [Subscription]

  /// Puts what there was when the recording began into a context.
  ///
  /// - Parameters:
  ///   - recording: The recording.
  ///   - context: Where to replay it. It may have entities with components that the schema does not
  ///     keep, such as services, but no others.
  ///   - schema: What components and relations are called, of this version of the program or a
  ///     later one.
  /// - Throws: ``ReplayError``; the context is as before.
  public init(
    _ recording: RunRecording, into context: Context, _ schema: Schema
  ) throws(ReplayError) {
    self.recording = recording
    self.context = context
    let archive: SchemaArchive
    let entities: NewEntities
    do throws(SnapshotError) {
      archive = try SchemaArchive(schema, directory: recording.directory)
      try recording.checkNumbers(archive)
      context.makeKinds(archive.kinds(recording.kinds))
      entities = try recording.snapshot.restoreEntities(into: context, schema)
    } catch {
      throw ReplayError(.snapshot(error))
    }
    let state = ReplayState(context, recording, archive, entities)
    self.state = state
    subscriptions = [
      context.journal().observe(name: "replay") { state.note($0) },
      state.observeAfterwards { state.settle() },
    ]
  }

  /// The number of the last commit before this moment; nil before the first.
  public var commit: Int? { recording.lastCommit(before: state.position) }

  /// Goes to a moment, forwards or backwards.
  ///
  /// Changes are announced as any are: those of a commit that is made for the first time as one,
  /// and many commits that are made again, or taken back, as what they come to in all. What comes
  /// back on the way back is the same, but for the order of rows in groups and of links.
  ///
  /// - Throws: ``ReplayError``. What came before it has been done; the commit that can't be made
  ///   has changed nothing.
  /// - Complexity: O(*k*), where *k* is the number of changes in between that are made for the
  ///   first time; else O(*m* log *k* + *l*), where *m* is the number of values that they concern,
  ///   and *l* that of the links that they made, moved and ended.
  public func seek(to position: Position) throws(ReplayError) {
    let target = index(of: position)
    guard let context else { return }
    while state.position != target { try state.step(to: target, in: context) }
  }

  /// Makes the next item; nil at the end, or if the context is gone.
  func makeNext() throws(ReplayError) -> RecordedItem? {
    guard let context, state.position < recording.items.count else { return nil }
    let position = state.position
    try state.step(to: position + 1, in: context)
    return recording.items[position]
  }

  /// Lets a loop do again, from here on, what a loop of its name did, and compares.
  ///
  /// What others did is made as it was recorded: changes of other threads and code, those of other
  /// loops, and what observers changed in response. Each time the recorded loop initialized,
  /// executed, cleaned up or tore down its systems, this one does; whatever it changes has to be
  /// what was recorded, commit by commit, change by change. What it reads besides the context, such
  /// as time and random numbers, has to be the same for that: if it is not, here is where that
  /// shows.
  ///
  /// Make the loop when the replay is where it is to begin, so that its collectors are empty, as
  /// they were when the recording began. A `ReactiveLoop` is replayed by a `Loop` with its systems.
  ///
  /// What other threads changed while a system ran is made at the same point between its commits;
  /// what the system had read by then is not known. Loops that were run inside of a section can't
  /// be distinguished from the rest of it.
  ///
  /// - Parameters:
  ///   - loop: The loop.
  ///   - end: Where to stop; passes that have begun by then are finished.
  /// - Throws: ``ReplayError``, with the first ``ReplayDifference`` if there is one. The loop has
  ///   then finished what it was doing, and ``seek(to:)`` leads back to what was before.
  /// - Precondition: Not called inside a section of the context.
  public func run(_ loop: Loop, until end: Position = .end) throws(ReplayError) {
    let target = index(of: end)
    guard let context else { return }
    require(
      !state.holder.isInSection,
      "run(_:until:) was called inside a section of the context, where commits do not end: call it outside of perform(_:), transactions, iterations and observers."
    )
    let hasPass = recording.items[state.position...].contains {
      if case .begin(_, loop.name, _) = $0 { true } else { false }
    }
    guard hasPass else { throw ReplayError(.noPass(loop.name)) }
    while state.position < target {
      if case .begin(let pass, loop.name, let phase) = recording.items[state.position],
        let last = state.end(of: pass)
      {
        try state.run(until: last, pass, in: context) {
          switch phase {
          case .initialise: loop.initialise()
          case .execute: loop.execute()
          case .cleanup: loop.cleanup()
          case .teardown: loop.teardown()
          }
        }
      } else {
        try state.step(to: state.position + 1, in: context)
      }
    }
  }

  private func index(of position: Position) -> Int {
    switch position {
    case .start: 0
    case .end: recording.items.count
    case .commit(let number): recording.index(behind: number)
    }
  }
}

extension SchemaArchive {
  /// Kinds of entities by the types of their components.
  func kinds(_ kinds: [[UInt32]]) -> [[CID]] { kinds.map { $0.map { cid(Int($0)) } } }

  fileprivate func check(_ kinds: [[UInt32]]) throws(SnapshotError) {
    guard kinds.allSatisfy({ $0.allSatisfy { $0 < componentCount } }) else {
      throw SnapshotError(.malformed("A kind of entities has a component that there is not"))
    }
  }
}

/// It belongs to the code that uses it.
@available(*, unavailable)
extension Replay: Sendable {}

extension RunRecording {
  /// Makes sure that components and relations are known.
  fileprivate func checkNumbers(_ archive: SchemaArchive) throws(SnapshotError) {
    try archive.check(kinds)
    for case .commit(let commit) in items {
      try archive.check(commit.kinds)
      for batch in commit.direct.batches + commit.responses.batches {
        for change in batch.changes where change.kind.hasNumber {
          let count = change.kind.isLink ? archive.relationCount : archive.componentCount
          guard change.number < count else {
            throw SnapshotError(.malformed("There is no part \(change.number) of \(count)"))
          }
        }
        for column in batch.columns
        where column.lengths.count != archive.blockCount(of: Int(column.component)) {
          throw SnapshotError(.malformed("Values have \(column.lengths.count) blocks"))
        }
      }
    }
  }
}
