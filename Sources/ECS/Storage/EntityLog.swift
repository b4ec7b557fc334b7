/// An ordered set of handles with O(1) insertion: a dense array of handles in the order of
/// arrival, and for each slot of the core the position of its newest handle.
///
/// A sparse set after Briggs and Torczon, "An Efficient Representation for Sparse Sets" (1993):
/// emptying it is O(1), positions are never cleared.
struct EntityLog {
  private(set) var count = 0
  private var first = 0

  // INVARIANT: `handles` and `capacity` are those of `block`.
  private var block = HandleBlock.empty
  private var handles = HandleBlock.empty.handles
  private var capacity = 0

  /// What was drained last, to be used again when nobody reads it any longer.
  private var spare = HandleBlock.empty

  /// The capacity that the next block had better have.
  private var usualCount = 0

  private var positions = Memory.allocate(UInt32.self, capacity: 0)
  private var positionCount = 0

  var isPaused = false

  /// Called, once the change has ended, after an arrival for which `awaited` says so.
  var wake: (@Sendable () -> Void)?

  /// What the next arrival, of a new handle or of one that is there, means to those who wait.
  private var awaited = Awaited.all

  /// Whether something arrived since the log was emptied last, restored handles apart.
  var hasNews: Bool { count > 0 && !awaited.contains(.news) }

  /// Makes the next arrival wake even if the log is not empty.
  mutating func awaitArrival() { awaited.insert(.wake) }

  private struct Awaited: OptionSet {
    let rawValue: UInt8

    /// The next arrival wakes.
    static let wake = Awaited(rawValue: 1)

    /// Nothing arrived yet.
    static let news = Awaited(rawValue: 2)

    static let all: Awaited = [.wake, .news]
  }

  func deallocate() {
    Memory.free(positions, capacity: positionCount)
  }

  /// The handles, oldest first.
  var elements: UnsafeBufferPointer<Handle> {
    // SAFETY: `first ..< first + count` is initialised.
    UnsafeBufferPointer(start: handles + first, count: count)
  }

  /// Adds a handle unless it is there.
  ///
  /// Returns whether the log was empty before.
  @inline(__always)
  mutating func insert(_ handle: Handle) -> Bool {
    let index = Int(handle.index)
    if index >= positionCount { growPositions(to: index + 1) }
    // SAFETY: index < positionCount, and positions are initialised; a position is trusted only
    // within the dense part, and only if the handle there is this one.
    let position = Int(positions[index])
    if position &- first < count && position >= first && handles[position] == handle {
      return noteArrival()
    }
    let end = first &+ count
    if end == capacity { makeRoom() }
    let place = first &+ count
    handles[place] = handle
    positions[index] = UInt32(truncatingIfNeeded: place)
    count &+= 1
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
    let index = Int(handle.index)
    guard index < positionCount else { return false }
    let position = Int(positions[index])
    guard position >= first && position < first + count else { return false }
    if handles[position] == handle { return true }
    // A newer entity of the slot has come since: positions know only that one.
    return handles[position].index == handle.index && elements.contains(handle)
  }

  mutating func popFirst() -> Handle? {
    guard count > 0 else { return nil }
    // SAFETY: first < first + count <= capacity.
    let handle = handles[first]
    first += 1
    count -= 1
    if count == 0 { removeAll() }
    return handle
  }

  mutating func removeAll() {
    count = 0
    first = 0
    awaited = .all
  }

  /// Takes all handles out, oldest first, apart from unwanted ones.
  ///
  /// They are not copied, and nothing is allocated if the handles that were taken out the time
  /// before are no longer in use.
  mutating func drain(of core: CoreReference, where isWanted: ((Handle) -> Bool)?)
    -> DrainedEntities
  {
    if first > 0 { compact(into: block) }
    if let isWanted {
      var kept = 0
      // SAFETY: kept <= place < count.
      for place in 0..<count where isWanted(handles[place]) {
        handles[kept] = handles[place]
        kept += 1
      }
      count = kept
    }
    let drained = DrainedEntities(core: core, block: block, count: count)
    usualCount = count
    // A few handles do not keep the room of many.
    let isTooLarge = count < capacity / 8 && capacity > 1024
    use(isKnownUniquelyReferenced(&spare) && !isTooLarge ? spare : .empty)
    spare = isTooLarge ? .empty : drained.block
    removeAll()
    return drained
  }

  private mutating func use(_ other: HandleBlock) {
    block = other
    handles = other.handles
    capacity = other.capacity
  }

  /// Puts handles that were taken out earlier before those that arrived since.
  ///
  /// Nobody is woken for them, and the next arrival wakes as if they were not there.
  mutating func restore(_ earlier: [Handle]) {
    let awaitedBefore = awaited
    defer { awaited = awaitedBefore }
    var seen = Set(earlier)
    var all = earlier
    for handle in elements where seen.insert(handle).inserted { all.append(handle) }
    removeAll()
    for handle in all {
      // Not `insert`: an older handle of a slot must not hide behind a newer one.
      if handle.index >= positionCount { growPositions(to: Int(handle.index) + 1) }
      if count == capacity { makeRoom() }
      handles[count] = handle
      let other = Int(positions[Int(handle.index)])
      let isNewest =
        other >= count || handles[other].index != handle.index
        || handles[other].generation < handle.generation
      if isNewest { positions[Int(handle.index)] = UInt32(truncatingIfNeeded: count) }
      count += 1
    }
  }

  @inline(never)
  private mutating func makeRoom() {
    if first > capacity / 2 { return compact(into: block) }
    let newCapacity = max(16, usualCount, capacity * 2)
    if block.extend(to: newCapacity) {
      capacity = newCapacity
    } else {
      compact(into: HandleBlock(capacity: newCapacity))
    }
  }

  private mutating func compact(into other: HandleBlock) {
    let place = other.handles
    // SAFETY: `update(from:)` allows overlap; `count` handles are initialised.
    place.update(from: handles + first, count: count)
    if first > 0 {
      for position in 0..<count {
        let index = Int(place[position].index)
        if Int(positions[index]) == position + first {
          positions[index] = UInt32(truncatingIfNeeded: position)
        }
      }
    }
    use(other)
    first = 0
  }

  @inline(never)
  private mutating func growPositions(to needed: Int) {
    let newCount = max(64, needed, positionCount * 2)
    Memory.resize(&positions, count: positionCount, from: positionCount, to: newCount)
    // SAFETY: `positionCount` places are initialised, and there is room for `newCount`.
    (positions + positionCount).initialize(repeating: 0, count: newCount - positionCount)
    positionCount = newCount
  }
}

/// Owns a log at a stable address.
// Guarded by the lock of the core whose reactions point to the log.
final class EntityLogBox: @unchecked Sendable {
  fileprivate let log: UnsafeMutablePointer<EntityLog>

  init() {
    log = UnsafeMutablePointer<EntityLog>.allocate(capacity: 1)
    log.initialize(to: EntityLog())
  }

  deinit {
    log.pointee.deallocate()
    log.deinitialize(count: 1)
    log.deallocate()
  }
}

extension EntityLogBox {
  var count: Int { log.pointee.count }

  var isPaused: Bool {
    get { log.pointee.isPaused }
    set {
      log.pointee.isPaused = newValue
      if newValue { log.pointee.removeAll() }
    }
  }

  /// Called, once a change has ended that put an entity into the log, if it is the first one since
  /// the log was emptied, or since `awaitArrival()`.
  var wake: (@Sendable () -> Void)? {
    get { log.pointee.wake }
    set { log.pointee.wake = newValue }
  }

  var hasNews: Bool { log.pointee.hasNews }

  func awaitArrival() { log.pointee.awaitArrival() }

  /// The handles, oldest first.
  var handles: [Handle] { Array(log.pointee.elements) }

  func contains(_ handle: Handle) -> Bool { log.pointee.contains(handle) }

  func popFirst() -> Handle? { log.pointee.popFirst() }

  func restore(_ earlier: [Handle]) { log.pointee.restore(earlier) }

  /// Takes all handles out, oldest first, apart from unwanted ones.
  func drain(of core: CoreReference, where isWanted: ((Handle) -> Bool)? = nil) -> DrainedEntities {
    log.pointee.drain(of: core, where: isWanted)
  }

  /// Takes all handles out, oldest first, calling a body with each.
  @inline(__always)
  func drain(_ body: (Handle) -> Void) {
    for handle in log.pointee.elements { body(handle) }
    log.pointee.removeAll()
  }
}

extension TableSet {
  /// Lets changes of the given kinds be logged.
  func attach(_ box: EntityLogBox, _ kinds: [ReactionKind]) {
    logs.append(Log(log: box.log, kinds: kinds))
  }

  func detach(_ box: EntityLogBox) {
    logs.removeAll { $0.log == box.log }
  }
}
