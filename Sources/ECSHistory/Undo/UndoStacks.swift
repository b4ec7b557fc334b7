import ECS

/// The steps of a history: those that can be taken back, and those that can be made again.
// PERFORMANCE: UN1: one value, since each access to a variable of an object is checked.
struct UndoStacks {
  /// The newest last, of which the oldest are dropped.
  private struct Stack {
    // Nil below `first`.
    private var steps: [UndoStep?] = []
    private var first = 0

    var count: Int { steps.count - first }
    var last: UndoStep? { count > 0 ? steps[steps.count - 1] : nil }

    /// The names, the newest first.
    var names: [String] { steps[first...].reversed().compactMap { $0?.name } }

    mutating func append(_ step: UndoStep) { steps.append(step) }

    mutating func popLast() -> UndoStep? { count > 0 ? steps.removeLast() : nil }

    mutating func popFirst() -> UndoStep? {
      guard count > 0 else { return nil }
      let step = steps[first]
      steps[first] = nil
      first += 1
      if first > 16, first * 2 > steps.count {
        steps.removeFirst(first)
        first = 0
      }
      return step
    }
  }

  private var undo = Stack()
  private var redo = Stack()

  /// The bytes of all steps.
  private(set) var byteCount = 0

  var count: Int { undo.count + redo.count }

  /// The step that is next to be taken back, or to be made again.
  func next(_ side: UndoSide) -> UndoStep? { side == .before ? undo.last : redo.last }

  /// The names of steps, the next one first.
  func names(_ side: UndoSide) -> [String] { side == .before ? undo.names : redo.names }

  mutating func append(_ step: UndoStep) {
    byteCount += step.byteCount
    undo.append(step)
  }

  /// Takes out the next step to take back, or to make again.
  mutating func popNext(_ side: UndoSide) -> UndoStep? {
    let step = side == .before ? undo.popLast() : redo.popLast()
    if let step { byteCount -= step.byteCount }
    return step
  }

  /// Takes out the oldest step if there is more than there may be.
  mutating func popOldest(
    beyond limit: UndoHistory.Limit, _ otherBytes: Int
  ) -> UndoStep? {
    let isOver =
      switch limit.kind {
      case .bytes(let bytes): byteCount + otherBytes > bytes
      case .steps(let steps): count > steps
      }
    guard isOver, let step = undo.popFirst() ?? redo.popFirst() else { return nil }
    byteCount -= step.byteCount
    return step
  }

  /// The next step was taken back, or made again.
  mutating func move(_ side: UndoSide) -> UndoStep? {
    if side == .before {
      undo.popLast().map { redo.append($0) }
    } else {
      redo.popLast().map { undo.append($0) }
    }
    return side == .before ? redo.last : undo.last
  }
}
