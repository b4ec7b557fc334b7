// Handles that come back: those that were taken out, and those that a transaction takes back to.
extension EntitySparseSet {
  /// Puts handles that were taken out earlier before those that arrived since.
  ///
  /// No task is woken for them, and the next arrival wakes as if they were not there. Of more than
  /// the limit, the last ones stay.
  mutating func restore(_ earlier: [Handle]) {
    let awaitedBefore = awaited
    defer { awaited = awaitedBefore }
    var seen = Set(earlier)
    var all = earlier
    for unsafe(handle) in unsafe elements where seen.insert(handle).inserted { all.append(handle) }
    let excess = max(0, all.count - limit)
    lostCount += excess
    removeAll()
    append(all.dropFirst(excess))
  }

  mutating func append(_ handles: some Sequence<Handle>) {
    for handle in handles {
      // Not `insert`: an older handle of a slot must not hide behind a newer one.
      if first + count == room { makeRoom() }
      preparePosition(ofSlot: handle.index)
      let end = first + count
      let other = position(ofSlot: handle.index)
      unsafe self.handles[end] = handle
      count += 1
      let isNewest =
        unsafe other < first || other >= end || self.handles[other].index != handle.index
        || self.handles[other].generation < handle.generation
      if isNewest { setPosition(ofSlot: handle.index, end) }
    }
  }

  // MARK: Taking back

  /// The contents of a sparse set at a moment.
  struct State {
    private(set) var count: Int
    fileprivate let lostCount: Int
    fileprivate var awaited: Awaited
    fileprivate var nextSweep: Int

    /// Its handles; nil while others have come behind them only.
    var handles: [Handle]?

    /// Lets it be that of a log that was emptied.
    mutating func empty() {
      (count, awaited, nextSweep) = (0, .all, EntitySparseSet.firstSweep)
      handles = nil
    }
  }

  var state: State {
    State(count: count, lostCount: lostCount, awaited: awaited, nextSweep: nextSweep)
  }

  /// Whether an entity that comes does more than to be put behind the others.
  func willDoMore(thanAppend handle: Handle) -> Bool {
    let position = position(ofSlot: handle.index)
    if position >= first, position < first + count, unsafe handles[position].index == handle.index {
      // An earlier entity of the slot is not found any more.
      return unsafe handles[position] != handle
    }
    return first + count == room && (count >= limit || (dropsDead && count >= nextSweep))
  }

  /// Makes the log what it was at a moment.
  mutating func restore(_ state: State) {
    if let handles = state.handles {
      // With the room that it is known to need.
      removeAll()
      nextSweep = max(state.nextSweep, EntitySparseSet.firstSweep)
      setRoom()
      append(handles)
    } else if state.count == 0 {
      removeAll()
    } else {
      count = state.count
    }
    lostCount = state.lostCount
    awaited = state.awaited
    nextSweep = state.nextSweep
    setRoom()
  }
}
