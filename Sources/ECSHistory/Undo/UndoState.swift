import ECS

/// The state of an ``UndoHistory``.
// Guarded by the lock of the context: all of it is called in sections of it.
final class UndoState: @unchecked Sendable {
  /// Marks an outermost change as a step.
  struct Group: Sendable {
    let name: String

    /// Entities with these numbers of creation, and later ones, belong to it.
    let firstCreation: UInt64

    /// Whether it may become a part of the step before; and when it was, and until when the next
    /// one may.
    let joins: (now: Duration, until: Duration)?
  }

  /// Marks an outermost change as one that takes a step back, or makes it again.
  struct Application: Sendable {
    let side: UndoSide
  }

  /// The version of the value that a place has, and the number of steps that refer to it.
  private struct Track {
    var version: UInt64
    var steps = 0
  }

  /// Keeps steps until values may end.
  private final class Dropped: Sendable {
    let steps: [UndoStep]
    init(_ steps: [UndoStep]) { self.steps = steps }
  }

  let holder: EntityRetainer
  let signal: SignalOwner
  let listed: [CID]
  let relations: Set<ObjectIdentifier>
  private let limit: UndoHistory.Limit

  private(set) var undoSteps = UndoStack()
  private(set) var redoSteps = UndoStack()
  private(set) var byteCount = 0

  /// Whether a move of a step is yet to be announced.
  private var isMoveUntold = false

  private var tracks: [UndoStep.Place: Track] = [:]
  private var lastVersion: UInt64 = 0

  init(
    _ context: Context, listed: [CID], relations: [any Relation.Type], limit: UndoHistory.Limit
  ) {
    holder = EntityRetainer(in: context)
    signal = SignalOwner(in: context, name: "undo history")
    self.listed = listed
    self.relations = Set(relations.map { ObjectIdentifier($0) })
    self.limit = limit
  }

  /// Whether the present outermost change is a step that is made, taken back, or made again.
  var isInStep: Bool { holder.marks.contains { $0 is Application || $0 is Group } }

  // MARK: Commits

  func note(_ commit: Commit) {
    tellOfMove()
    if let application = holder.marks.first as? Application {
      settle(commit, application)
    } else if let group = holder.marks.first as? Group {
      record(commit, group)
    } else if !tracks.isEmpty {
      for change in commit { noteForeign(change) }
    }
  }

  private func record(_ commit: Commit, _ group: Group) {
    var net = NetChange(name: group.name)
    for change in commit { net.add(change) }
    var step = net.finished(createdFrom: group.firstCreation)
    guard !step.isEmpty else { return }
    for number in step.values.indices {
      let place = step.values[number].place
      step.values[number].before.version = tracks[place]?.version ?? newVersion()
      step.values[number].after.version = newVersion()
    }
    drop(takeAll(&redoSteps))
    let piece = step
    let earlier = stepToJoin(piece, group)
    if let earlier {
      step = earlier
      step.append(piece)
      step.simplify()
    }
    step.joinsUntil = group.joins?.until
    if !step.isEmpty {
      register(step)
      undoSteps.append(step)
    }
    for change in piece.values { tracks[change.place]?.version = change.after.version }
    if let earlier { drop([earlier]) }
    enforceLimit()
    signal.announce()
  }

  /// Takes the last step out if another one is to become a part of it.
  private func stepToJoin(_ step: UndoStep, _ group: Group) -> UndoStep? {
    guard let joins = group.joins, let last = undoSteps.last, last.name == step.name,
      let until = last.joinsUntil, joins.now <= until
    else { return nil }
    return isUntouched(last, before: step) ? undoSteps.popLast() : nil
  }

  /// Whether nothing else has changed what a step has left since then and before the next one,
  /// which has just been made.
  private func isUntouched(_ last: UndoStep, before next: UndoStep) -> Bool {
    var values: [UndoStep.Place: UndoStep.Value] = [:]
    for change in next.values { values[change.place] = change.before }
    var links: [UndoStep.Link: Bool] = [:]
    for change in next.links { links[change.link] = change.wasLinked }
    return last.values.allSatisfy { change in
      values[change.place]?.isKnownSame(as: change.after) ?? isUnchanged(change.place, change.after)
    }
      && last.links.allSatisfy { change in
        (links[change.link] ?? isLinked(change)) == change.isLinked
      }
  }

  private func noteForeign(_ change: CommittedChange) {
    forEachPlace(of: change) { place in
      if tracks[place] != nil { tracks[place]?.version = newVersion() }
    }
  }

  private func forEachPlace(of change: CommittedChange, _ body: (UndoStep.Place) -> Void) {
    switch change.kind {
    case .linked, .unlinked, .moved: break
    case .added, .replaced, .removed:
      if let cid = change.component { body(UndoStep.Place(entity: change.entity, cid: cid)) }
    case .created, .destroyed:
      for cid in listed { body(UndoStep.Place(entity: change.entity, cid: cid)) }
    }
  }

  /// Notes what others have changed while a step was taken back, or made again: observers, and what
  /// relations do.
  ///
  /// What they have made of values of the step is what these are at that end of it: it has the
  /// version that is noted in the step, and in the one that begins or ends there.
  private func settle(_ commit: Commit, _ application: Application) {
    let stack = application.side == .before ? redoSteps : undoSteps
    guard let step = stack.last else { return }
    let places = Set(step.values.map(\.place))
    for change in commit {
      forEachPlace(of: change) { place in
        if tracks[place] != nil, !places.contains(place) { tracks[place]?.version = newVersion() }
      }
    }
  }

  // MARK: Steps

  /// The next step to undo, or to redo.
  func nextStep(_ side: UndoSide) -> UndoStep? {
    side == .before ? undoSteps.last : redoSteps.last
  }

  /// The next step was taken back, or made again.
  func moveStep(_ side: UndoSide) {
    guard var step = side == .before ? undoSteps.popLast() : redoSteps.popLast() else { return }
    step.joinsUntil = nil
    for change in step.values { tracks[change.place]?.version = change.value(side).version }
    if side == .before { redoSteps.append(step) } else { undoSteps.append(step) }
    endJoining()
    isMoveUntold = true
  }

  /// Announces that a step was moved, if it was: while journals are called for that, or after it if
  /// there was nothing to tell them.
  func tellOfMove() {
    guard isMoveUntold else { return }
    isMoveUntold = false
    signal.announce()
  }

  func version(_ place: UndoStep.Place) -> UInt64? { tracks[place]?.version }

  func endJoining() { undoSteps.updateLast { $0.joinsUntil = nil } }

  func removeAll() {
    guard !undoSteps.isEmpty || !redoSteps.isEmpty else { return }
    drop(takeAll(&undoSteps) + takeAll(&redoSteps))
    signal.announce()
  }

  private func newVersion() -> UInt64 {
    lastVersion += 1
    return lastVersion
  }

  private func register(_ step: UndoStep) {
    for change in step.values {
      tracks[change.place, default: Track(version: change.after.version)].steps += 1
    }
    for life in step.lives { _ = holder.keep(life.entity) }
    byteCount += step.byteCount
  }

  private func takeAll(_ stack: inout UndoStack) -> [UndoStep] {
    var steps: [UndoStep] = []
    while let step = stack.popFirst() { steps.append(step) }
    return steps
  }

  private func drop(_ steps: [UndoStep]) {
    guard !steps.isEmpty else { return }
    for step in steps {
      for change in step.values {
        guard let track = tracks[change.place] else { continue }
        if track.steps > 1 {
          tracks[change.place]?.steps -= 1
        } else {
          tracks[change.place] = nil
        }
      }
      for life in step.lives { holder.release(life.entity) }
      byteCount -= step.byteCount
    }
    holder.retire(Dropped(steps))
  }

  private func enforceLimit() {
    while isOverLimit {
      guard let step = undoSteps.popFirst() ?? redoSteps.popFirst() else { break }
      drop([step])
    }
  }

  private var isOverLimit: Bool {
    switch limit.kind {
    case .bytes(let bytes): byteCount > bytes
    case .steps(let steps): undoSteps.count + redoSteps.count > steps
    }
  }
}
