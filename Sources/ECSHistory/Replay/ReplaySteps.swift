import ECS

/// The steps that take the first items of a recording back, and make them again.
///
/// Eight items in a row are known as one as well, eight of these again, and so on. So a way across
/// many has few steps, and what was changed often on it is changed once.
struct ReplaySteps {
  private static let radix = 8

  /// The steps of items, of eight items each, and so on; of each as many as there are.
  private var levels: [[[UndoStep]]] = [[]]

  /// How many items are known.
  var count: Int { levels[0].count }

  /// What an item has changed, first what came first.
  subscript(index: Int) -> [UndoStep] { levels[0][index] }

  /// Adds what was changed to an item, the last known one or one behind it.
  mutating func add(_ steps: [UndoStep], to index: Int) {
    fill(index + 1)
    levels[0][index] += steps
  }

  /// Makes items up to an index known, without changes if nothing was added to them.
  private mutating func fill(_ end: Int) {
    if count < end { levels[0] += repeatElement([], count: end - count) }
  }

  /// Items up to an index have all that they are to have.
  mutating func complete(before end: Int, _ join: ([UndoStep]) -> UndoStep) {
    fill(end)
    var (level, size) = (1, ReplaySteps.radix)
    while true {
      if level == levels.count { levels.append([]) }
      if (levels[level].count + 1) * size > end { return }
      while (levels[level].count + 1) * size <= end {
        let first = levels[level].count * ReplaySteps.radix
        let steps = Array(levels[level - 1][first..<first + ReplaySteps.radix].joined())
        levels[level].append(steps.count > 1 ? [join(steps)].filter { !$0.isEmpty } : steps)
      }
      (level, size) = (level + 1, size * ReplaySteps.radix)
    }
  }

  /// Forgets items from an index on.
  ///
  /// - Returns: What they have changed.
  mutating func forget(from index: Int) -> [UndoStep] {
    let forgotten = Array(levels[0].dropFirst(index).joined())
    var size = 1
    for level in levels.indices {
      let excess = levels[level].count - index / size
      if excess > 0 { levels[level].removeLast(excess) }
      size *= ReplaySteps.radix
    }
    return forgotten
  }

  /// The longest step from a position of which is known what it changes, and that does not lead
  /// past a target, which is another position.
  ///
  /// - Returns: What is changed, first what came first, and where that leads; the next position and
  ///   no change if what is in between is not known.
  func step(from position: Int, to target: Int) -> (steps: [UndoStep], end: Int) {
    let isForward = target > position
    var found: (steps: [UndoStep], end: Int) = ([], position + (isForward ? 1 : -1))
    var size = 1
    for level in levels where position.isMultiple(of: size) {
      let end = isForward ? position + size : position - size
      let index = min(position, end) / size
      guard isForward ? end <= target : end >= target, index < level.count else { break }
      found = (level[index], end)
      size *= ReplaySteps.radix
    }
    return found
  }
}
