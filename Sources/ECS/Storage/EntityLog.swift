/// An ordered set of handles with O(1) insertion: a dense array of handles in the order of
/// arrival, and for slots of the core the position of their newest handle.
///
/// A sparse set after Briggs and Torczon, "An Efficient Representation for Sparse Sets" (1993):
/// emptying it is O(1), positions are never cleared. A log that holds few of many slots keeps their
/// positions in a hash table, so that its memory is proportional to what it holds.
@safe
struct EntityLog {
  let core: Core

  private(set) var count = 0
  private(set) var first = 0

  // INVARIANT: `handles` is that of `block`, and `room` is not more than its capacity.
  private(set) var block = HandleBlock.empty
  private(set) var handles = unsafe HandleBlock.empty.handles

  /// The place before which the next handle may be put without further ado.
  private(set) var room = 0

  /// What was drained last, to be reused when nobody reads it any longer.
  private var spare = HandleBlock.empty

  /// The capacity that the next block had better have.
  private var usualCount = 0

  // PERFORMANCE: R1, R2: in a hash table there are no positions here, so one comparison tells both
  // where positions are and whether they reach to a slot.
  private var positions = unsafe Memory.allocate(UInt32.self, capacity: 0)
  private(set) var positionCount = 0
  private(set) var sparse = SlotHash<UInt32>()

  /// The number of slots up to the highest one that came while positions are in a hash table.
  private var slotCount = 0

  var isPaused = false {
    didSet { isClosed = isPaused || ignoredCount > 0 }
  }

  /// How many bodies run whose changes do not count.
  var ignoredCount = 0 {
    didSet { isClosed = isPaused || ignoredCount > 0 }
  }

  // PERFORMANCE: R1, R2: one flag for all reasons.
  /// Whether changes do not count at present.
  private(set) var isClosed = false

  /// Whether handles of dead entities are of no use.
  var dropsDead = false

  /// With so many handles the log looks for dead ones.
  private var nextSweep = EntityLog.firstSweep

  static var firstSweep: Int { 32 }

  /// How many handles it holds at most: then the first one goes for each that comes.
  var limit = Int.max

  /// How many handles went because of the limit.
  private(set) var lostCount = 0

  /// Called, once the change has ended, after an arrival for which `awaited` says so.
  var wake: (@Sendable () -> Void)?

  /// What the next arrival, of a new handle or of one that is there, means to those who wait.
  private var awaited = Awaited.all

  /// The last note that a transaction keeps of it; negative if there is none.
  var lastNote = -1

  init(core: Core) {
    self.core = core
  }

  /// Whether something arrived since the log was emptied last, restored handles apart.
  var hasNews: Bool { count > 0 && !awaited.contains(.news) }

  /// Makes the next arrival wake even if the log is not empty.
  mutating func awaitArrival() { awaited.insert(.wake) }

  struct Awaited: OptionSet {
    let rawValue: UInt8

    /// The next arrival wakes.
    static let wake = Awaited(rawValue: 1)

    /// Nothing arrived yet.
    static let news = Awaited(rawValue: 2)

    static let all: Awaited = [.wake, .news]
  }

  @unsafe func deallocate() {
    unsafe Memory.free(positions, capacity: positionCount)
    unsafe sparse.deallocate()
  }

  /// The handles, oldest first.
  var elements: UnsafeBufferPointer<Handle> {
    // SAFETY: `first ..< first + count` is initialized.
    unsafe UnsafeBufferPointer(start: handles + first, count: count)
  }

  /// Adds a handle unless it is there.
  ///
  /// Returns whether someone is to be woken.
  @inline(__always)
  mutating func insert(_ handle: Handle) -> Bool {
    assert(handle.generation % 2 == 1, "A log was to take what never was an entity.")
    let index = Int(handle.index)
    if index >= positionCount { return insertSparsely(handle) }
    // SAFETY: index < positionCount, and positions are initialized; a position is trusted only
    // within the dense part, and only if the handle there is this one.
    let position = unsafe Int(positions[index])
    if unsafe position &- first < count && position >= first && handles[position] == handle {
      return noteArrival()
    }
    if first &+ count == room { makeRoom() }
    let place = first &+ count
    unsafe handles[place] = handle
    unsafe positions[index] = UInt32(truncatingIfNeeded: place)
    count &+= 1
    return noteArrival()
  }

  @inline(never)
  private mutating func insertSparsely(_ handle: Handle) -> Bool {
    if holds(handle, at: position(ofSlot: handle.index)) { return noteArrival() }
    if first + count == room { makeRoom() }
    preparePosition(ofSlot: handle.index)
    let place = first + count
    // SAFETY: place < room <= capacity.
    unsafe handles[place] = handle
    setPosition(ofSlot: handle.index, place)
    count += 1
    return noteArrival()
  }

  @inline(__always)
  private mutating func noteArrival() -> Bool {
    if awaited.isEmpty { return false }
    let wakes = awaited.contains(.wake)
    awaited = []
    return wakes
  }

  func contains(_ handle: Handle) -> Bool {
    let position = position(ofSlot: handle.index)
    guard position >= first && position < first + count else { return false }
    if unsafe handles[position] == handle { return true }
    // A newer entity of the slot has come since: positions know only that one.
    return unsafe handles[position].index == handle.index && elements.contains(handle)
  }

  mutating func popFirst() -> Handle? {
    guard count > 0 else { return nil }
    // SAFETY: first < first + count <= capacity.
    let handle = unsafe handles[first]
    first += 1
    count -= 1
    if count == 0 { removeAll() }
    return handle
  }

  mutating func removeAll() {
    count = 0
    first = 0
    awaited = .all
    nextSweep = EntityLog.firstSweep
    sparse.removeAll()
    slotCount = 0
    setRoom()
  }

  /// Takes all handles out, oldest first, apart from unwanted ones.
  ///
  /// They are not copied, and nothing is allocated if the handles that were taken out the time
  /// before are no longer in use.
  mutating func drain(where isWanted: ((Handle) -> Bool)?) -> DrainedEntities {
    if first > 0 { compact(into: block) }
    if let isWanted {
      var kept = 0
      // SAFETY: kept <= place < count.
      for place in 0..<count where unsafe isWanted(handles[place]) {
        unsafe handles[kept] = handles[place]
        kept += 1
      }
      count = kept
    }
    let drained = DrainedEntities(core: core, block: block, count: count)
    // A few handles do not keep the room of many.
    let isTooLarge = count < block.capacity / 8 && block.capacity > 1024
    use(isKnownUniquelyReferenced(&spare) && !isTooLarge ? spare : .empty)
    spare = isTooLarge ? .empty : drained.block
    empty()
    return drained
  }

  /// Takes all handles out, which were seen.
  mutating func empty() {
    let taken = count
    removeAll()
    guard taken > 0 else { return }
    let usual = max(taken, usualCount)
    usualCount = taken
    if SlotDensity.isWaste(positionCount, holding: usual) { makeSparse() }
    if sparse.capacity > 64 && usual * 16 < sparse.capacity {
      unsafe sparse.deallocate()
      sparse = SlotHash()
    }
    if usual < block.capacity / 8 && block.capacity > 1024 { use(.empty) }
    slotCount = 0
    setRoom()
  }

  private mutating func use(_ other: HandleBlock) {
    block = other
    unsafe handles = other.handles
  }

  private mutating func setRoom() {
    room = min(block.capacity, first + min(nextSweep, limit))
  }

  /// Puts handles that were taken out earlier before those that arrived since.
  ///
  /// Nobody is woken for them, and the next arrival wakes as if they were not there. Of more than
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

  private mutating func append(_ handles: some Sequence<Handle>) {
    for handle in handles {
      // Not `insert`: an older handle of a slot must not hide behind a newer one.
      if first + count == room { makeRoom() }
      preparePosition(ofSlot: handle.index)
      let place = first + count
      let other = position(ofSlot: handle.index)
      unsafe self.handles[place] = handle
      count += 1
      let isNewest =
        unsafe other < first || other >= place || self.handles[other].index != handle.index
        || self.handles[other].generation < handle.generation
      if isNewest { setPosition(ofSlot: handle.index, place) }
    }
  }

  // MARK: Taking back

  /// What a log was at a moment.
  struct State {
    let count: Int
    fileprivate let lostCount: Int
    fileprivate let isPaused: Bool
    fileprivate let awaited: Awaited
    fileprivate let nextSweep: Int

    /// Its handles; nil while others have come behind them only.
    var handles: [Handle]?
  }

  var state: State {
    State(
      count: count, lostCount: lostCount, isPaused: isPaused, awaited: awaited,
      nextSweep: nextSweep)
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
      nextSweep = max(state.nextSweep, EntityLog.firstSweep)
      setRoom()
      append(handles)
    } else if state.count == 0 {
      removeAll()
    } else {
      count = state.count
    }
    lostCount = state.lostCount
    isPaused = state.isPaused
    awaited = state.awaited
    nextSweep = state.nextSweep
    setRoom()
  }

  // MARK: Room

  @inline(never)
  private mutating func makeRoom() {
    if count >= nextSweep {
      if dropsDead { sweep() }
      nextSweep = max(EntityLog.firstSweep, count * 2)
    }
    if count >= limit {
      first += 1
      count -= 1
      lostCount += 1
    }
    guard first + count == block.capacity else { return setRoom() }
    if first > block.capacity / 2 { return compact(into: block) }
    let newCapacity = max(16, usualCount, block.capacity * 2)
    if !block.extend(to: newCapacity) { compact(into: HandleBlock(capacity: newCapacity)) }
    setRoom()
  }

  /// Drops dead handles if at least half of all are dead, so that they do not make the log grow.
  private mutating func sweep() {
    let alive = unsafe elements.count { core.isAlive($0) }
    guard alive * 2 <= count else { return }
    var kept = first
    for place in first..<first + count where unsafe core.isAlive(handles[place]) {
      // SAFETY: kept <= place < first + count.
      unsafe handles[kept] = handles[place]
      if positionCount > 0 { unsafe setPosition(ofSlot: handles[kept].index, kept) }
      kept += 1
    }
    count = kept - first
    if positionCount == 0 { makeSparse() }
  }

  private mutating func compact(into other: HandleBlock) {
    let place = unsafe other.handles
    // SAFETY: `update(from:)` allows overlap; `count` handles are initialized.
    unsafe place.update(from: handles + first, count: count)
    let shift = first
    use(other)
    first = 0
    setRoom()
    guard shift > 0 else { return }
    if positionCount == 0 { return makeSparse() }
    for position in 0..<count {
      let index = unsafe Int(place[position].index)
      if unsafe Int(positions[index]) == position + shift {
        unsafe positions[index] = UInt32(truncatingIfNeeded: position)
      }
    }
  }

  // MARK: Positions

  private func holds(_ handle: Handle, at position: Int) -> Bool {
    unsafe position >= first && position < first + count && handles[position] == handle
  }

  /// Where the newest handle of a slot is; anything if there is none.
  func position(ofSlot slot: UInt32) -> Int {
    // SAFETY: the index is below `positionCount`.
    unsafe Int(slot) < positionCount
      ? Int(positions[Int(slot)]) : sparse.find(slot).map(Int.init) ?? Int.max
  }

  private mutating func setPosition(ofSlot slot: UInt32, _ position: Int) {
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
  private mutating func preparePosition(ofSlot slot: UInt32) {
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
    // SAFETY: `positionCount` places are initialized, and there is room for `newCount`.
    unsafe (positions + positionCount).initialize(repeating: 0, count: newCount - positionCount)
    positionCount = newCount
    // SAFETY: all slots that have a position are below `slotCount`, which is not more.
    sparse.visit { unsafe positions[Int($0)] = $1 }
    unsafe sparse.deallocate()
    sparse = SlotHash()
    slotCount = 0
  }

  /// Puts the positions of what is there into a new hash table.
  private mutating func makeSparse() {
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
