import ECS

/// The steps of a history, in the order in which they were made: those that can be taken back, and
/// behind them those that were, and can be made again.
// PERFORMANCE: UN1: one value, since each access to a variable of an object is checked.
struct UndoStacks {
  // Nil below `first`.
  private var steps: ContiguousArray<UndoStep?> = []
  private var first = 0

  /// Where the next step is to make again.
  private var position = 0

  /// The bytes of all steps.
  private(set) var byteCount = 0

  var count: Int { steps.count - first }

  /// Whether there are steps to make again.
  var canRedo: Bool { position < steps.count }

  /// The step that is next to be taken back, or to be made again.
  func next(_ side: UndoSide) -> UndoStep? {
    if side == .before { return position > first ? steps[position - 1] : nil }
    return canRedo ? steps[position] : nil
  }

  /// The values of that step.
  func nextValues(_ side: UndoSide) -> StepValues? {
    if side == .before { return position > first ? steps[position - 1]?.values : nil }
    return canRedo ? steps[position]?.values : nil
  }

  /// The names of steps, the next one first.
  func names(_ side: UndoSide) -> [String] {
    side == .before
      ? steps[first..<position].reversed().compactMap { $0?.name }
      : steps[position...].compactMap { $0?.name }
  }

  /// Adds a step that was made, as the next one to be taken back, when none can be made again.
  mutating func append(_ step: consuming UndoStep) {
    assert(!canRedo, "A step was made before others that can be made again.")
    byteCount += step.byteCount
    steps.append(step)
    position += 1
  }

  /// Takes out the step that was made last, whether or not it was taken back.
  mutating func popLast() -> UndoStep? {
    guard count > 0, let step = steps.removeLast() else { return nil }
    position = min(position, steps.count)
    byteCount -= step.byteCount
    return step
  }

  /// Whether there is more than there may be.
  func isBeyond(_ limit: UndoHistory.Limit, _ otherBytes: Int) -> Bool {
    guard count > 0 else { return false }
    return switch limit.kind {
    case .bytes(let bytes): byteCount + otherBytes > bytes
    case .steps(let steps): count > steps
    }
  }

  /// Takes out the oldest step.
  mutating func popFirst() -> UndoStep? {
    guard count > 0, let step = steps[first].take() else { return nil }
    first += 1
    position = max(position, first)
    byteCount -= step.byteCount
    if first > 16, first * 2 > steps.count {
      steps.removeFirst(first)
      position -= first
      first = 0
    }
    return step
  }

  /// The next step was taken back, or made again; returns its values.
  mutating func move(_ side: UndoSide) -> StepValues? {
    guard let values = nextValues(side) else { return nil }
    position += side == .before ? -1 : 1
    endJoining()
    return values
  }

  /// Lets no further step become a part of the one that is next to be taken back.
  mutating func endJoining() {
    if position > first { steps[position - 1]?.joinsUntil = nil }
  }
}
