/// The newest commits that a journal has delivered, as many as fit into some memory: copies of what
/// was noted of them, in blocks of many, of which the oldest are dropped.
@safe
// Guarded by the lock of the core.
package final class CommitLog: @unchecked Sendable {
  let core: Core
  let incarnation: Int
  let choice: JournalFilter
  private let memory: Int
  private var blocks: [CommitBlock] = []

  // PERFORMANCE: FL1: the last of the blocks, without a look at the array.
  private var last: CommitBlock?

  /// The bytes that commits take, without what values refer to; never more than they may.
  package private(set) var byteCount = 0

  /// How many commits were dropped.
  package private(set) var droppedCount = 0

  init(_ core: Core, _ choice: JournalFilter, memory: Int) {
    self.core = core
    incarnation = core.incarnation
    self.choice = choice
    self.memory = memory
  }

  /// The size of a block, if no commit in it is larger.
  private var usualCapacity: Int { min(max(memory / 64, 1 << 10), 1 << 16) }

  /// Keeps a copy of what a commit has behind a position, and return addresses with it.
  func append(_ commit: CommitRecord, behind start: UndoLog.Position, _ addresses: [UInt]) {
    let size = commit.size(choice, behind: start)
    if let last, last.append(commit, choice, behind: start, size) {
      if addresses.isEmpty, !commit.hasCauses { return }
      noteMore(commit, addresses, in: last)
    } else {
      let block = CommitBlock(core, incarnation, capacity: max(size, usualCapacity))
      _ = block.append(commit, choice, behind: start, size)
      blocks.append(block)
      last = block
      byteCount += block.byteCount
      noteMore(commit, addresses, in: block)
    }
    guard byteCount > memory else { return }
    var count = 0
    var bytes = byteCount
    while bytes > memory, count < blocks.count {
      bytes -= blocks[count].byteCount
      count += 1
    }
    drop(count)
  }

  private func noteMore(_ commit: CommitRecord, _ addresses: [UInt], in block: CommitBlock) {
    byteCount -= block.byteCount
    if commit.hasCauses { block.noteCauses(of: commit) }
    if !addresses.isEmpty { block.note(addresses, of: commit) }
    byteCount += block.byteCount
    // What comes next begins another one, so that blocks are about as large as they should be.
    if block.byteCount > 2 * usualCapacity { last = nil }
  }

  private func drop(_ count: Int) {
    for block in blocks[..<count] {
      byteCount -= block.byteCount
      droppedCount += block.count
      // Values may be anything.
      core.retire(block)
    }
    blocks.removeFirst(count)
    if blocks.isEmpty { last = nil }
  }

  /// Forgets all commits.
  package func removeAll() { drop(blocks.count) }

  /// What there is at this moment, to be read without the lock.
  func snapshots() -> [CommitBlock.Snapshot] { blocks.map { $0.snapshot() } }
}

/// Commits, one behind the other in one block of memory.
@safe
// Written under the lock of the core, and only behind what has been written before.
final class CommitBlock: @unchecked Sendable {
  /// The beginning of a commit; its notes follow.
  private struct Head: BitwiseCopyable {
    let number: UInt64
    let time: Int64

    /// The bytes of the notes.
    let size: Int

    /// Where its causes are among those of the block.
    let firstCause: UInt32
    let causeCount: UInt32
  }

  /// The contents of a block at a moment.
  @safe
  struct Snapshot {
    fileprivate let block: CommitBlock
    fileprivate let used: Int
    fileprivate let causes: [CurrentCause]
    fileprivate let addresses: [UInt64: [UInt]]
  }

  @safe
  private struct State {
    var used = 0
    var count = 0
    var ownsValues = false
    var moreBytes = 0
    var causes: [CurrentCause] = []

    /// By the numbers of commits.
    var addresses: [UInt64: [UInt]] = [:]
  }

  private let core: Core
  private let incarnation: Int
  private let base: UnsafeMutableRawPointer
  private let capacity: Int

  // PERFORMANCE: FL1: a block of its own, for which access is not checked at run time.
  // INVARIANT: initialized as long as the object lives.
  private let state: UnsafeMutablePointer<State>

  private static var headSize: Int { MemoryLayout<Head>.stride }

  /// Makes a block with room for notes of so many bytes, if they are of one commit.
  init(_ core: Core, _ incarnation: Int, capacity: Int) {
    self.core = core
    self.incarnation = incarnation
    self.capacity = CommitBlock.headSize + capacity
    unsafe base = Memory.allocate(byteCount: self.capacity, alignment: 64)
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: State())
  }

  deinit {
    if unsafe state.pointee.ownsValues {
      unsafe visit(state.pointee.used) { _, note in
        unsafe note?.forEachOwningValue { cid, values, count in
          // SAFETY: the values are initialized, and nothing reads the notes any more.
          unsafe cid.pointer.pointee.end(values, count)
        }
      }
    }
    unsafe Memory.free(base, byteCount: capacity)
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// How many commits there are.
  var count: Int { unsafe state.pointee.count }

  /// The bytes that it takes.
  var byteCount: Int { unsafe capacity + 256 + state.pointee.moreBytes }

  /// Appends a commit whose notes have at most so many bytes; false if there is no room.
  func append(
    _ commit: CommitRecord, _ choice: JournalFilter, behind start: UndoLog.Position, _ size: Int
  ) -> Bool {
    var offset = unsafe state.pointee.used
    guard offset &+ CommitBlock.headSize &+ size <= capacity else { return false }
    let address = unsafe base + offset
    offset &+= CommitBlock.headSize
    let first = offset
    // SAFETY: there is room for the head and for all notes, whose lengths are multiples of 16.
    unsafe commit.forEachNote(choice, behind: start) { note, length in
      unsafe note.copy(to: UndoLog.note(withLinkAt: base + offset, length))
      offset &+= length
    }
    let head = unsafe Head(
      number: commit.number, time: commit.time, size: offset &- first,
      firstCause: UInt32(truncatingIfNeeded: state.pointee.causes.count),
      causeCount: commit.hasCauses ? UInt32(truncatingIfNeeded: commit.causes.count) : 0)
    unsafe address.storeBytes(of: head, as: Head.self)
    unsafe state.pointee.used = offset
    unsafe state.pointee.count &+= 1
    if commit.mayOwnValues { unsafe state.pointee.ownsValues = true }
    return true
  }

  /// Keeps the causes of the last commit.
  func noteCauses(of commit: CommitRecord) {
    unsafe state.pointee.causes.append(contentsOf: commit.causes)
    unsafe state.pointee.moreBytes += commit.causeBytes
  }

  /// Keeps return addresses with the last commit.
  func note(_ addresses: [UInt], of commit: CommitRecord) {
    unsafe state.pointee.addresses[commit.number] = addresses
    unsafe state.pointee.moreBytes += 96 + addresses.capacity * MemoryLayout<UInt>.stride
  }

  func snapshot() -> Snapshot {
    unsafe Snapshot(
      block: self, used: state.pointee.used, causes: state.pointee.causes,
      addresses: state.pointee.addresses)
  }

  /// Visits what there is up to an offset: heads, and notes behind theirs.
  private func visit(_ used: Int, _ body: (Head, UndoRecordPointer?) -> Void) {
    var offset = 0
    while offset < used {
      // SAFETY: up to there are heads, each with notes that follow each other.
      let head = unsafe (base + offset).load(as: Head.self)
      body(head, nil)
      offset += CommitBlock.headSize
      let end = offset + head.size
      while offset < end {
        let note = unsafe UndoLog.note(atLink: base + offset)
        unsafe body(head, note)
        offset += unsafe UndoLog.length(of: note)
      }
    }
  }

  /// Copies of the commits of a moment, with the return addresses that were kept with them.
  fileprivate func commits(
    _ snapshot: Snapshot, _ choice: JournalFilter
  ) -> [(commit: CommitRecord, addresses: [UInt])] {
    var commits: [(commit: CommitRecord, addresses: [UInt])] = []
    unsafe visit(snapshot.used) { head, note in
      if let note = unsafe note {
        unsafe commits.last?.commit.append(copyOf: note)
      } else {
        let causes = snapshot.causes[Int(head.firstCause)...].prefix(Int(head.causeCount))
        let commit = CommitRecord(core, incarnation, choice, Array(causes), size: head.size)
        commit.stamp(number: head.number, time: head.time)
        commits.append((commit, snapshot.addresses[head.number] ?? []))
      }
    }
    return commits
  }
}

extension CommitBlock.Snapshot {
  /// Copies of the commits, with the return addresses that were kept with them.
  func commits(_ choice: JournalFilter) -> [(commit: CommitRecord, addresses: [UInt])] {
    block.commits(self, choice)
  }
}
