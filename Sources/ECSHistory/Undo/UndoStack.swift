/// Steps, the newest last, of which the oldest are dropped.
struct UndoStack {
  // Nil below `first`.
  private var steps: [UndoStep?] = []
  private var first = 0

  var count: Int { steps.count - first }
  var isEmpty: Bool { count == 0 }
  var last: UndoStep? { count > 0 ? steps[steps.count - 1] : nil }

  /// The names, the newest first.
  var names: [String] { steps[first...].reversed().compactMap { $0?.name } }

  mutating func append(_ step: UndoStep) { steps.append(step) }

  mutating func popLast() -> UndoStep? {
    guard count > 0 else { return nil }
    return steps.removeLast()
  }

  /// Changes the newest step.
  mutating func updateLast(_ body: (inout UndoStep) -> Void) {
    guard var step = popLast() else { return }
    body(&step)
    append(step)
  }

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
