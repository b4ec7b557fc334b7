/// An ordered set of handles with O(1) insertion: a dense array of handles in the order of
/// arrival, and for slots of the core the position of their newest handle.
///
/// A sparse set after Briggs and Torczon, "An Efficient Representation for Sparse Sets" (1993):
/// emptying it is O(1), positions are never cleared. A log that holds few of many slots keeps their
/// positions in a hash table, so that its memory is proportional to what it holds.
@safe
struct EntitySparseSet {
  let core: Core

  var count = 0
  var first = 0

  // INVARIANT: `handles` is that of `block`, and `room` is not more than its capacity.
  private(set) var block = HandleBlock.empty
  private(set) var handles = unsafe HandleBlock.empty.handles

  /// The offset before which the next handle may be put without further ado.
  private(set) var room = 0

  /// What was drained last, to be reused when nothing reads it any longer.
  private var spare = HandleBlock.empty

  /// The capacity that the next block had better have.
  private var usualCount = 0

  // PERFORMANCE: R1, R2: in a hash table there are no positions here, so one comparison tells both
  // where positions are and whether they reach to a slot.
  var positions = unsafe Memory.allocate(UInt32.self, capacity: 0)
  var positionCount = 0
  var sparse = SlotHash<UInt32>()

  /// The number of slots up to the highest one that came while positions are in a hash table.
  var slotCount = 0

  var isPaused = false { didSet { close() } }

  /// How many bodies run whose changes do not count.
  var ignoredCount = 0 { didSet { close() } }

  /// Whether changes do not count any more.
  var isFinished = false { didSet { close() } }

  private mutating func close() { isClosed = isPaused || ignoredCount > 0 || isFinished }

  // PERFORMANCE: R1, R2: one flag for all reasons.
  /// Whether changes do not count at present.
  private(set) var isClosed = false

  /// Whether handles of dead entities are of no use.
  var dropsDead = false

  /// With so many handles the log looks for dead ones.
  var nextSweep = EntitySparseSet.firstSweep

  static var firstSweep: Int { 32 }

  /// How many handles it holds at most: then the first one goes for each that comes.
  var limit = Int.max

  /// How many handles went because of the limit.
  var lostCount = 0

  /// Called, once the change has ended, after an arrival for which `awaited` says so.
  var wake: (@Sendable () -> Void)?

  /// What the next arrival, of a new handle or of one that is there, means to tasks that wait.
  var awaited = Awaited.all

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
  /// Returns whether a task is to be woken.
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
    let end = first &+ count
    unsafe handles[end] = handle
    unsafe positions[index] = UInt32(truncatingIfNeeded: end)
    count &+= 1
    return noteArrival()
  }

  /// Adds a handle unless it is there, if that is all there is to it: changes count, no task is to
  /// be woken or waits for news, and there is room where positions are known by slot.
  ///
  /// False, having done nothing, if it is not.
  @inline(__always)
  mutating func insertAtOnce(_ handle: Handle) -> Bool {
    assert(handle.generation % 2 == 1, "A log was to take what never was an entity.")
    let index = Int(handle.index)
    guard index < positionCount, !isClosed, awaited.isEmpty else { return false }
    // SAFETY: as in `insert`.
    let position = unsafe Int(positions[index])
    if unsafe position &- first < count && position >= first && handles[position] == handle {
      return true
    }
    let end = first &+ count
    guard end != room else { return false }
    unsafe handles[end] = handle
    unsafe positions[index] = UInt32(truncatingIfNeeded: end)
    count &+= 1
    return true
  }

  @inline(never)
  private mutating func insertSparsely(_ handle: Handle) -> Bool {
    if holds(handle, at: position(ofSlot: handle.index)) { return noteArrival() }
    if first + count == room { makeRoom() }
    preparePosition(ofSlot: handle.index)
    let end = first + count
    // SAFETY: end < room <= capacity.
    unsafe handles[end] = handle
    setPosition(ofSlot: handle.index, end)
    count += 1
    return noteArrival()
  }

  @inline(__always)
  private mutating func noteArrival() -> Bool {
    if awaited.isEmpty { return false }
    let afterUnlock = awaited.contains(.wake)
    awaited = []
    return afterUnlock
  }

  func contains(_ handle: Handle) -> Bool {
    let position = position(ofSlot: handle.index)
    guard position >= first && position < first + count else { return false }
    if unsafe handles[position] == handle { return true }
    // A newer entity of the slot has come since: positions have only that one.
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
    nextSweep = EntitySparseSet.firstSweep
    sparse.removeAll()
    slotCount = 0
    setRoom()
  }

  /// Whether there is nothing to drain, and no room that draining would give back.
  var isIdle: Bool {
    count == 0 && max(block.capacity, spare.capacity) <= EntitySparseSet.keptRoom
  }

  /// For how many handles there is room, however few there are.
  private static var keptRoom: Int { 1024 }

  /// Takes all handles out, oldest first, apart from unwanted ones.
  ///
  /// They are not copied, and nothing is allocated if the handles that were taken out the time
  /// before are no longer in use.
  mutating func drain(
    where isWanted: ((Handle) -> Bool)?
  ) -> (entities: DrainedEntities, count: Int) {
    if first > 0 { compact(into: block) }
    if let isWanted {
      var kept = 0
      // SAFETY: kept <= offset < count.
      for offset in 0..<count where unsafe isWanted(handles[offset]) {
        unsafe handles[kept] = handles[offset]
        kept += 1
      }
      count = kept
    }
    let drained = (entities: DrainedEntities(core: core, block: block), count: count)
    // A few handles do not keep the room of many.
    let isTooLarge = count < block.capacity / 8 && block.capacity > EntitySparseSet.keptRoom
    use(isKnownUniquelyReferenced(&spare) && !isTooLarge ? spare : .empty)
    spare = isTooLarge ? .empty : drained.entities.block
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
    if usual < block.capacity / 8 && block.capacity > EntitySparseSet.keptRoom { use(.empty) }
    slotCount = 0
    setRoom()
  }

  private mutating func use(_ other: HandleBlock) {
    block = other
    unsafe handles = other.handles
  }

  mutating func setRoom() {
    room = min(block.capacity, first + min(nextSweep, limit))
  }

  // MARK: Room

  @inline(never)
  mutating func makeRoom() {
    if count >= nextSweep {
      if dropsDead { sweep() }
      nextSweep = max(EntitySparseSet.firstSweep, count * 2)
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
    // PERFORMANCE: E1: mostly the first half of them is alive, and then nothing more is to be
    // known.
    var alive = 0
    for unsafe(handle) in unsafe elements where core.isAlive(handle) {
      alive += 1
      if alive * 2 > count { return }
    }
    var kept = first
    for position in first..<first + count where unsafe core.isAlive(handles[position]) {
      // SAFETY: kept <= position < first + count.
      unsafe handles[kept] = handles[position]
      if positionCount > 0 { unsafe setPosition(ofSlot: handles[kept].index, kept) }
      kept += 1
    }
    count = kept - first
    if positionCount == 0 { makeSparse() }
  }

  private mutating func compact(into other: HandleBlock) {
    let target = unsafe other.handles
    // SAFETY: `update(from:)` allows overlap; `count` handles are initialized.
    unsafe target.update(from: handles + first, count: count)
    let shift = first
    use(other)
    first = 0
    setRoom()
    guard shift > 0 else { return }
    if positionCount == 0 { return makeSparse() }
    for position in 0..<count {
      let index = unsafe Int(target[position].index)
      if unsafe Int(positions[index]) == position + shift {
        unsafe positions[index] = UInt32(truncatingIfNeeded: position)
      }
    }
  }
}
