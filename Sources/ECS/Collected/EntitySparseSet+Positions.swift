// Where the newest handle of a slot is: by slots while the log holds many of them, else by hash.
extension EntitySparseSet {
  func holds(_ handle: Handle, at position: Int) -> Bool {
    unsafe position >= first && position < first + count && handles[position] == handle
  }

  /// Where the newest handle of a slot is; anything if there is none.
  func position(ofSlot slot: UInt32) -> Int {
    // SAFETY: the index is below `positionCount`.
    unsafe Int(slot) < positionCount
      ? Int(positions[Int(slot)]) : sparse.find(slot).map(Int.init) ?? Int.max
  }

  mutating func setPosition(ofSlot slot: UInt32, _ position: Int) {
    assert(
      position >= first && position < room && (positionCount == 0 || Int(slot) < positionCount),
      "A log was to keep a position that it has no room for.")
    let position = UInt32(truncatingIfNeeded: position)
    if Int(slot) < positionCount {
      // SAFETY: the index is below `positionCount`.
      unsafe positions[Int(slot)] = position
    } else {
      sparse.set(slot, position)
    }
  }

  /// Makes room for the position of a slot whose handle is about to come.
  mutating func preparePosition(ofSlot slot: UInt32) {
    guard Int(slot) >= positionCount else { return }
    slotCount = max(slotCount, positionCount, Int(slot) + 1)
    if SlotDensity.isDense(slotCount, holding: count + 1) {
      makeDense(max(64, slotCount, positionCount * 2))
    } else if positionCount > 0 {
      makeSparse()
    }
  }

  private mutating func makeDense(_ newCount: Int) {
    unsafe Memory.resize(&positions, count: positionCount, from: positionCount, to: newCount)
    // SAFETY: `positionCount` positions are initialized, and there is room for `newCount`.
    unsafe (positions + positionCount).initialize(repeating: 0, count: newCount - positionCount)
    positionCount = newCount
    // SAFETY: all slots that have a position are below `slotCount`, which is not more.
    sparse.visit { unsafe positions[Int($0)] = $1 }
    unsafe sparse.deallocate()
    sparse = SlotHash()
    slotCount = 0
  }

  /// Puts the positions of what is there into a new hash table.
  mutating func makeSparse() {
    sparse.removeAll()
    slotCount = max(slotCount, positionCount)
    unsafe Memory.free(positions, capacity: positionCount)
    unsafe positions = Memory.allocate(UInt32.self, capacity: 0)
    positionCount = 0
    for unsafe(offset, handle) in unsafe elements.enumerated() {
      let other = sparse.find(handle.index).map { unsafe handles[Int($0)].generation }
      if other ?? 0 <= handle.generation {
        sparse.set(handle.index, UInt32(truncatingIfNeeded: first + offset))
      }
    }
  }
}
