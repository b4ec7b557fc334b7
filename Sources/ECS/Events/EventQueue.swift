/// A queue of what waits for the outermost change to end: single changes with their values, and
/// behind all of these the subscribers to be notified once that something changed; each oldest
/// first.
///
/// Values lie where they were copied to until all targets have been notified: nothing is boxed.
/// Memory is a chain of blocks that are filled one after the other and reused; nothing in them
/// moves.
///
/// What an observer causes belongs to the next round. Rounds are limited, and so is what they
/// deliver in comparison with what the change itself caused: observers that keep feeding each
/// other, or multiply, come to an end.
@safe
struct EventQueue {
  @safe
  private struct Block {
    let base: UnsafeMutableRawPointer
    let capacity: Int

    /// The bytes that records take.
    var used = 0
  }

  // INVARIANT: records from `readOffset` of the first block to `writeOffset` of the last one wait.
  private var blocks: [Block] = []
  private var spare: [Block] = []

  private var readBase: UnsafeMutableRawPointer
  private var readOffset = 0

  /// How far the first block is known to have been written.
  private var readEnd = 0
  private var writeBase: UnsafeMutableRawPointer
  private var writeOffset = 0
  private var writeCapacity = 0

  /// Whether a spare block was of use since the queue was empty.
  private var usedSpare = false

  /// The sequence numbers of the next change to be queued, and of the oldest one that waits.
  private(set) var nextSequence: UInt64 = 0
  private var firstSequence: UInt64 = 0

  private struct Mark {
    let target: EventSubscriber
    let round: UInt32
  }

  /// The targets that are to be notified once.
  private var marks = FirstInFirstOut<Mark>()

  /// The sequence number of the last mark of something that is observed as a whole.
  var lastMark: UInt64 = 0

  /// The values of the change that is being delivered, for those that keep it.
  private var values: ChangeValues?
  private(set) var hasValues = false

  /// The round of what is queued now; 0 while nothing is being delivered.
  private var round: UInt32 = 0

  /// How much was delivered of the changes of round 0, and of what followed.
  private var direct = 0
  private var following = 0

  var maximumRounds = 10_000

  init() {
    assert(MemoryLayout<ChangeEvent>.size <= ChangeEvent.headSize)
    assert(MemoryLayout<ChangeEvent.Target>.stride <= ChangeEvent.targetSize)
    unsafe readBase = EventQueue.nowhere
    unsafe writeBase = EventQueue.nowhere
  }

  // SAFETY: never read or written through, since it has no room; immortal.
  @safe nonisolated(unsafe) private static let nowhere =
    UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 64)

  private static var smallestBlock: Int { 4096 }
  private static var largestBlock: Int { 1 << 20 }
  private static var alignment: Int { 64 }

  /// What is left free at the end of a block, since more than a record may be written when it is
  /// made.
  private static var margin: Int { EventPrototype.excess }

  // MARK: Queueing

  /// Puts a change behind those that wait; its types and values are uninitialized.
  ///
  /// `valueSize` is the size of the values, with what their alignment may take.
  @inline(__always)
  mutating func append(
    _ handle: Handle, _ cause: CID?, _ flags: ChangeEvent.Flags,
    to entityTarget: Unmanaged<EventSubscriber>?, _ kind: ReactionKind,
    and list: NoticeListPointer?, typeCount: Int = 0, valueSize: Int
  ) -> ChangeEventPointer {
    let listed = unsafe list?.pointee.count ?? 0
    let targetCount = unsafe listed &+ (entityTarget == nil ? 0 : 1)
    let length = ChangeEvent.length(
      targetCount: targetCount, typeCount: typeCount, valueSize: valueSize)
    assert(length <= UInt32.max, "The values of an entity do not fit a record.")
    if writeOffset &+ length > writeCapacity { beginBlock(for: length) }
    // SAFETY: `length` bytes from here on are in the block and unused. They are aligned to 16, as
    // are blocks and lengths.
    let record = unsafe (writeBase + writeOffset).assumingMemoryBound(to: ChangeEvent.self)
    writeOffset &+= length
    nextSequence &+= 1
    unsafe record.initialize(
      to: ChangeEvent(
        handle: handle, cause: cause, length: UInt32(truncatingIfNeeded: length), round: round,
        targetCount: UInt32(truncatingIfNeeded: targetCount),
        typeCount: UInt16(truncatingIfNeeded: typeCount), flags: flags))
    var target = unsafe record.targets
    if let entityTarget = unsafe entityTarget {
      unsafe target.initialize(to: ChangeEvent.Target(target: entityTarget, kind: kind))
      unsafe target += 1
    }
    if let list = unsafe list {
      // Not all at once: nearly always it is one.
      var notice = unsafe list.pointee.targets
      let end = unsafe notice + listed
      while unsafe notice < end {
        unsafe target.initialize(to: notice.pointee)
        unsafe target += 1
        unsafe notice += 1
      }
    }
    return unsafe record
  }

  /// Puts a change behind those that wait which differs from a prototype in its entity; its values
  /// are uninitialized.
  @inline(__always)
  mutating func append(_ handle: Handle, like prototype: EventPrototype) -> ChangeEventPointer {
    let length = prototype.length
    if writeOffset &+ length > writeCapacity { beginBlock(for: length) }
    // SAFETY: as in `append`.
    let address = unsafe writeBase + writeOffset
    writeOffset &+= length
    nextSequence &+= 1
    unsafe prototype.copy(to: address)
    let record = unsafe address.assumingMemoryBound(to: ChangeEvent.self)
    unsafe record.pointee.handle = handle
    unsafe record.pointee.round = round
    return unsafe record
  }

  @inline(never)
  private mutating func beginBlock(for length: Int) {
    if !blocks.isEmpty { blocks[blocks.count - 1].used = writeOffset }
    let block: Block
    let needed = length + EventQueue.margin
    if let last = spare.last, last.capacity >= needed {
      spare.removeLast()
      usedSpare = true
      block = last
    } else {
      var capacity = max(
        EventQueue.smallestBlock,
        min((writeCapacity + EventQueue.margin) * 2, EventQueue.largestBlock))
      while capacity < needed { capacity *= 2 }
      block = unsafe Block(
        base: Memory.allocate(byteCount: capacity, alignment: EventQueue.alignment),
        capacity: capacity)
    }
    if blocks.isEmpty {
      unsafe readBase = block.base
      readOffset = 0
      readEnd = 0
    }
    blocks.append(block)
    unsafe writeBase = block.base
    writeOffset = 0
    writeCapacity = block.capacity - EventQueue.margin
  }

  /// Puts a target that is to be notified once behind those that wait.
  mutating func appendMark(of target: EventSubscriber) {
    marks.append(Mark(target: target, round: round))
  }

  // MARK: Delivering

  /// Takes out the oldest one of those that are to be notified once.
  mutating func popMark() -> (target: EventSubscriber, round: UInt32)? {
    marks.popFirst().map { ($0.target, $0.round) }
  }

  /// The oldest change that waits.
  @inline(__always)
  mutating func first() -> (record: ChangeEventPointer, sequence: UInt64)? {
    guard readOffset < readEnd || findFirst() else { return nil }
    // SAFETY: there is a record here, which waits.
    return unsafe ((readBase + readOffset).assumingMemoryBound(to: ChangeEvent.self), firstSequence)
  }

  /// The oldest changes that wait.
  var window: Window { unsafe Window(base: readBase, start: readOffset, end: readEnd) }

  /// Finds out how far the first block was written, and goes on to the next one at its end; false
  /// if nothing waits.
  @inline(never)
  private mutating func findFirst() -> Bool {
    while unsafe readBase != writeBase {
      readEnd = blocks[0].used
      if readOffset < readEnd { return true }
      goToNextBlock()
    }
    readEnd = writeOffset
    if readOffset < readEnd { return true }
    readOffset = 0
    readEnd = 0
    writeOffset = 0
    return false
  }

  private mutating func goToNextBlock() {
    var block = blocks.removeFirst()
    block.used = 0
    spare.append(block)
    unsafe readBase = blocks[0].base
    readOffset = 0
  }

  /// Forgets the oldest change, which has been delivered.
  @inline(__always)
  mutating func removeFirst() {
    // SAFETY: there is a record here, which nothing reads any more.
    let record = unsafe (readBase + readOffset).assumingMemoryBound(to: ChangeEvent.self)
    unsafe readOffset &+= Int(record.pointee.length)
    firstSequence &+= 1
  }

  /// Whether the changes of a round are delivered, however many they are: those that
  /// observers have not caused.
  ///
  /// They come before all others, so nothing of these has been delivered yet.
  @inline(__always)
  mutating func isUnlimited(_ itsRound: UInt32, targetCount: UInt32) -> Bool {
    guard itsRound == 0 else { return false }
    assert(following == 0, "What observers have caused was delivered before its cause.")
    round = 1
    direct &+= Int(targetCount)
    return true
  }

  /// Notes that something is about to be delivered; true if that is beyond the limit.
  mutating func noteDelivery(ofRound itsRound: UInt32) -> Bool {
    round = itsRound == .max ? .max : itsRound &+ 1
    if itsRound == 0 { direct &+= 1 } else { following &+= 1 }
    return following > 0 && isExcess(Int(itsRound))
  }

  @inline(never)
  private func isExcess(_ itsRound: Int) -> Bool {
    itsRound >= maximumRounds || following / max(100, direct) >= maximumRounds
  }

  // MARK: Runs

  /// Goes from the oldest change to the next one, if one and the same target is to be notified of
  /// each and of nothing else in between, and nothing is to be done about the values of the older
  /// one.
  // PERFORMANCE: O1, O3.
  @inline(__always)
  mutating func advance(for target: Unmanaged<EventSubscriber>) -> ChangeEventPointer? {
    // SAFETY: there is a record here, which has been delivered.
    let record = unsafe (readBase + readOffset).assumingMemoryBound(to: ChangeEvent.self)
    let next = unsafe readOffset &+ Int(record.pointee.length)
    guard unsafe record.pointee.targetCount == 1, next < readEnd, !hasValues,
      unsafe !record.pointee.flags.contains(.mustEnd)
    else { return nil }
    // SAFETY: there is a record here, which waits.
    let after = unsafe (readBase + next).assumingMemoryBound(to: ChangeEvent.self)
    guard unsafe after.pointee.targetCount == 1, unsafe after.pointee.round == 0,
      unsafe after.targets.pointee.target.toOpaque() == target.toOpaque()
    else { return nil }
    readOffset = next
    firstSequence &+= 1
    direct &+= 1
    return unsafe after
  }

  /// Lets what is queued from now on be what no observer has caused: the outermost change has
  /// ended, or observers were stopped.
  mutating func endRounds() {
    round = 0
    direct = 0
    following = 0
  }

  /// Lets nothing be notified of what is queued from now on, until the rounds end.
  mutating func stopRounds() {
    round = .max
    following = max(1, following)
  }

  /// Whether nothing is notified of what is queued now.
  var areRoundsStopped: Bool { round == .max }

  /// Notes that nothing waits any more.
  mutating func endDelivery() {
    // What a large change took is freed little by little, unless the next ones need it.
    if !usedSpare, let block = spare.popLast() { free(block) }
    usedSpare = false
  }

  // MARK: Taking back

  /// A position in the queue: how far it was written at a moment.
  @safe
  struct Position {
    fileprivate let base: UnsafeMutableRawPointer
    fileprivate let offset: Int
    fileprivate let markCount: Int

    /// The sequence number of the next change.
    fileprivate let sequence: UInt64

    /// Whether nothing waited.
    fileprivate let isAtStart: Bool
  }

  var position: Position {
    unsafe Position(
      base: writeBase, offset: writeOffset, markCount: marks.count, sequence: nextSequence,
      isAtStart: firstSequence == nextSequence)
  }

  /// Lets nothing be notified of what was queued since a moment.
  ///
  /// The changes keep their sequence numbers. A body is given those that have values to be taken
  /// out.
  mutating func void(from start: Position, _ takeValues: (ChangeEventPointer) -> Void) {
    marks.removeAll(beyond: start.markCount)
    guard nextSequence > start.sequence else { return }
    var index = blocks.firstIndex { unsafe $0.base == start.base } ?? 0
    var offset = unsafe blocks[index].base == start.base ? start.offset : 0
    while index < blocks.count {
      let isLast = index == blocks.count - 1
      let end = isLast ? writeOffset : blocks[index].used
      while offset < end {
        // SAFETY: there is a record here, which waits.
        let record = unsafe (blocks[index].base + offset).assumingMemoryBound(
          to: ChangeEvent.self)
        if unsafe record.pointee.flags.contains(.mustEnd) { unsafe takeValues(record) }
        unsafe record.pointee = unsafe ChangeEvent(
          handle: record.pointee.handle, cause: nil, length: record.pointee.length,
          round: record.pointee.round, targetCount: 0, typeCount: 0, flags: [])
        unsafe offset += Int(record.pointee.length)
      }
      index += 1
      offset = 0
    }
    guard start.isAtStart else { return }
    while unsafe first() != nil { removeFirst() }
  }

  // MARK: Values that are kept

  /// The values of the oldest change, for those that keep the change.
  mutating func keptValues(of record: ChangeEventPointer) -> ChangeValues? {
    guard unsafe record.pointee.flags.hasValues else { return nil }
    let kept = values ?? ChangeValues()
    if !hasValues {
      unsafe kept.fill(from: record)
      values = kept
      hasValues = true
    }
    return kept
  }

  /// Gives up the values, for use with the next change if nothing has kept them.
  @inline(never)
  mutating func endKeptValues() -> ChangeValues? {
    hasValues = false
    if isKnownUniquelyReferenced(&values) { return values }
    values = nil
    return nil
  }

  // MARK: End

  private func free(_ block: Block) { unsafe Memory.free(block.base, byteCount: block.capacity) }

  /// Gives back the memory that no change uses.
  mutating func compact() {
    for block in spare { free(block) }
    spare = []
  }

  /// Ends everything that waits, and frees all memory.
  mutating func endAll() {
    while let (record, _) = unsafe first() {
      if unsafe record.pointee.flags.contains(.mustEnd) { unsafe record.endValues() }
      removeFirst()
    }
    for block in blocks + spare { free(block) }
    self = EventQueue()
  }
}
