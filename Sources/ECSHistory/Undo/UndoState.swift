import ECS

/// The state of an ``UndoHistory``.
// Guarded by the lock of the context: all of it is called in sections of it.
final class UndoState: @unchecked Sendable {
  /// A mark of an outermost change: as a step, or as one that moves a step.
  struct Mark {
    /// The name of the step.
    let name: String

    /// Entities with these numbers of creation, and later ones, belong to the step.
    let firstCreation: UInt64

    /// Whether it may become a part of the step before; and when it was, and until when the next
    /// one may.
    let joins: (now: Duration, until: Duration)?

    /// To which side a step is moved; nil if this is a step.
    let side: UndoSide?
  }

  let holder: EntityRetainer
  let signal: SignalOwner
  let tracker: ValueTracker
  let listed: [CID]
  let relations: Set<ObjectIdentifier>
  private let limit: UndoHistory.Limit

  // PERFORMANCE: UN3: checks of exclusive access would take as long as adding a step does. No code
  // of the user's runs while it is being changed: what leaves it lives longer than that.
  @exclusivity(unchecked) @safe nonisolated(unsafe) private(set) var steps = UndoStacks()

  /// What the outermost change was marked as first, unless the holder has forgotten it.
  private var mark = Mark(name: "", firstCreation: 0, joins: nil, side: nil)

  /// Whether a move of a step is yet to be announced.
  private var isMoveUntold = false

  /// Makes a state without steps; without a list, of all components.
  init(
    _ context: Context, listed: [CID]?, relations: [any Relation.Type], limit: UndoHistory.Limit
  ) {
    tracker = ValueTracker(in: context, listed)
    holder = EntityRetainer(in: context)
    signal = SignalOwner(in: context, name: "undo history")
    self.listed = listed ?? []
    self.relations = Set(relations.map { ObjectIdentifier($0) })
    self.limit = limit
  }

  /// Marks the present outermost change as a step.
  func beginStep(_ name: String, joins: (now: Duration, until: Duration)?) {
    mark(
      Mark(name: name, firstCreation: holder.nextCreationNumber, joins: joins, side: nil))
  }

  /// Marks the present outermost change as one that takes a step back, or makes it again.
  func beginMove(_ side: UndoSide) {
    mark(Mark(name: "", firstCreation: 0, joins: nil, side: side))
  }

  /// Marks the present outermost change, until it has ended or is taken back.
  private func mark(_ mark: Mark) {
    if !isInStep { self.mark = mark }
    holder.mark()
  }

  /// Whether the present outermost change is a step that is made, taken back, or made again.
  var isInStep: Bool { holder.markCount > 0 }

  /// The bytes of steps, and of what is needed to find values again.
  var byteCount: Int { steps.byteCount + tracker.byteCount }

  // MARK: Commits

  func note(_ commit: Commit) {
    tellOfMove()
    if !isInStep {
      if steps.count > 0 { tracker.noteForeign(commit) }
    } else if let side = mark.side {
      settle(commit, side)
    } else {
      record(commit)
    }
  }

  /// Makes the step that a commit is.
  private func record(_ commit: Commit) {
    let step = NetChange.step(mark.name, commit, tracker, createdFrom: mark.firstCreation)
    guard !step.isEmpty else { return }
    while steps.canRedo, let step = steps.popLast() { drop(step) }
    if let (now, until) = mark.joins {
      join(consume step, now, until)
    } else {
      add(consume step)
    }
    while steps.isBeyond(limit, tracker.byteCount), let step = steps.popFirst() { drop(step) }
    signal.announce()
  }

  private func add(_ step: consuming UndoStep) {
    if step.isEmpty { return }
    step.forEachLife { _ = holder.keep($0.entity) }
    steps.append(step)
  }

  /// Adds a step, as a part of the one before if it may become one.
  private func join(_ step: consuming UndoStep, _ now: Duration, _ until: Duration) {
    let earlier = stepToJoin(step, at: now)
    if let earlier {
      let piece = consume step
      step = UndoStep.joined([earlier, piece], tracker, isKept: true)
      tracker.release(piece.values)
      retire(piece)
    }
    step.joinsUntil = until
    add(consume step)
    if let earlier { drop(earlier) }
  }

  /// Takes the last step out if another one is to become a part of it.
  private func stepToJoin(_ step: UndoStep, at now: Duration) -> UndoStep? {
    guard let last = steps.next(.before), last.name == step.name, let until = last.joinsUntil,
      now <= until
    else { return nil }
    return isUntouched(last, before: step) ? steps.popLast() : nil
  }

  /// Whether nothing else has changed what a step has left since then and before the next one,
  /// which has just been made.
  private func isUntouched(_ last: UndoStep, before next: UndoStep) -> Bool {
    var links: [UndoStep.Link: UndoStep.LinkChange] = [:]
    for change in next.links { links[change.link] = change }
    return tracker.isUntouched(last.values, before: next.values)
      && last.links.allSatisfy { change in
        guard let next = links[change.link] else { return isUnchanged(change, .after) }
        return next.wasLinked == change.isLinked
          && UndoState.isUnchanged(change.value(.after), next.value(.before))
      }
  }

  /// Notes what others have changed while a step was taken back, or made again: observers, and what
  /// relations do.
  ///
  /// What they have made of values of the step is what these are at that end of it: it has the
  /// version that is noted in the step, and in the one that begins or ends there.
  private func settle(_ commit: Commit, _ side: UndoSide) {
    tracker.noteForeign(commit)
    if let values = steps.nextValues(side.other) { tracker.note(values, are: side) }
  }

  // MARK: Steps

  /// The next step was taken back, or made again.
  func moveStep(_ side: UndoSide) {
    guard let values = steps.move(side) else { return }
    tracker.note(values, are: side)
    isMoveUntold = true
  }

  /// Announces that a step was moved, if it was: while journals are called for that, or after it if
  /// there was nothing to tell them.
  func tellOfMove() {
    guard isMoveUntold else { return }
    isMoveUntold = false
    signal.announce()
  }

  func endJoining() { steps.endJoining() }

  func removeAll() {
    guard steps.count > 0 else { return }
    while let step = steps.popFirst() { drop(step) }
    signal.announce()
  }

  private func drop(_ step: UndoStep) {
    tracker.release(step.values)
    step.forEachLife { holder.release($0.entity) }
    retire(step)
  }

  /// Keeps the values of a step until they may end.
  private func retire(_ step: UndoStep) {
    if let owner = step.values.owner { holder.retire(owner) }
    if let values = step.linkValues { holder.retire(values) }
  }
}
