import ECS

/// The state of an ``UndoHistory``.
// Guarded by the lock of the context: all of it is called in sections of it.
final class UndoState: @unchecked Sendable {
  /// Marks an outermost change as a step.
  struct Group {
    let name: String

    /// Entities with these numbers of creation, and later ones, belong to it.
    let firstCreation: UInt64

    /// Whether it may become a part of the step before; and when it was, and until when the next
    /// one may.
    let joins: (now: Duration, until: Duration)?
  }

  /// A mark of an outermost change.
  enum Mark {
    case group(Group)

    /// It takes a step back, or makes it again.
    case application(UndoSide)
  }

  let holder: EntityRetainer
  let signal: SignalOwner
  let tracker: ValueTracker
  let listed: [CID]
  let relations: Set<ObjectIdentifier>
  private let limit: UndoHistory.Limit

  private(set) var steps = UndoStacks()

  /// What the outermost change was marked as first, unless the holder has forgotten it.
  private var mark: Mark?

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

  /// Marks the present outermost change, until it has ended or is taken back.
  func mark(_ mark: Mark) {
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
    switch isInStep ? mark : nil {
    case .application(let side): settle(commit, side)
    case .group(let group): record(commit, group)
    case nil: if steps.count > 0 { tracker.noteForeign(commit) }
    }
  }

  private func record(_ commit: Commit, _ group: Group) {
    let net = NetChange(commit, tracker)
    var step = net.finished(group.name, createdFrom: group.firstCreation)
    guard !step.isEmpty else { return }
    while let step = steps.popNext(.after) { drop(step) }
    let earlier = stepToJoin(step, group)
    if let earlier {
      let piece = step
      step = UndoStep.joined([earlier, piece], tracker, isKept: true)
      tracker.release(piece.values)
      retire(piece)
    }
    step.joinsUntil = group.joins?.until
    if !step.isEmpty {
      for life in step.lives { _ = holder.keep(life.entity) }
      steps.append(step)
    }
    if let earlier { drop(earlier) }
    while let step = steps.popOldest(beyond: limit, tracker.byteCount) { drop(step) }
    signal.announce()
  }

  /// Takes the last step out if another one is to become a part of it.
  private func stepToJoin(_ step: UndoStep, _ group: Group) -> UndoStep? {
    guard let joins = group.joins, let last = steps.next(.before), last.name == step.name,
      let until = last.joinsUntil, joins.now <= until
    else { return nil }
    return isUntouched(last, before: step) ? steps.popNext(.before) : nil
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
    if let step = steps.next(side.other) { tracker.note(step.values, are: side) }
  }

  // MARK: Steps

  /// The next step was taken back, or made again.
  func moveStep(_ side: UndoSide) {
    guard let step = steps.move(side) else { return }
    step.joinsUntil = nil
    tracker.note(step.values, are: side)
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

  func endJoining() { steps.next(.before)?.joinsUntil = nil }

  func removeAll() {
    guard steps.count > 0 else { return }
    while let step = steps.popNext(.before) ?? steps.popNext(.after) { drop(step) }
    signal.announce()
  }

  private func drop(_ step: UndoStep) {
    tracker.release(step.values)
    for life in step.lives { holder.release(life.entity) }
    retire(step)
  }

  /// Keeps the values of a step until they may end.
  private func retire(_ step: UndoStep) {
    if !step.values.isTrivial { holder.retire(step.values) }
  }
}
