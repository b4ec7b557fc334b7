/// The changes of an outermost section, with values, for as long as they are kept.
@safe
// Written under the lock of the core, and only while nothing else has it.
final class CommitRecord: @unchecked Sendable {
  @safe
  private struct State {
    var memory = UndoLog(capacity: 512)
    var causes: [CurrentCause] = []
    var ownsValues = false
    var isSent = false

    /// Whether the first note is known to be a replaced component of those that were chosen.
    var beginsWithChange = false

    var choice = JournalFilter.none
    var number: UInt64 = 0
    var time: Int64 = 0
  }

  // PERFORMANCE: J2: a block of its own, for which access is not checked at run time.
  // INVARIANT: initialized as long as the object lives.
  private let state: UnsafeMutablePointer<State>

  let core: Core

  /// Which of the contexts it was that have used the core.
  let incarnation: Int

  init(_ core: Core) {
    self.core = core
    incarnation = core.incarnation
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: State())
  }

  /// Makes a commit, to which copies of notes of so many bytes are appended.
  init(
    _ core: Core, _ incarnation: Int, _ choice: JournalFilter, _ causes: [CurrentCause], size: Int
  ) {
    self.core = core
    self.incarnation = incarnation
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(
      to: State(memory: UndoLog(capacity: size), causes: causes, choice: choice))
  }

  deinit {
    if unsafe state.pointee.ownsValues { endValues() }
    unsafe state.pointee.memory.deallocate()
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// Its number among those of the core.
  var number: UInt64 { unsafe state.pointee.number }

  /// Nanoseconds since January 1, 1970, UTC.
  var time: Int64 { unsafe state.pointee.time }

  /// Whether it was sent to other threads: it is not used again then, even if they have released
  /// it.
  ///
  /// That they have is known from the count of references alone, of which the thread sanitizer
  /// sees nothing: it would report what they have read.
  var isSent: Bool {
    get { unsafe state.pointee.isSent }
    set { unsafe state.pointee.isSent = newValue }
  }

  /// What all journals together had asked for; nothing if that has changed in between.
  var choice: JournalFilter { unsafe state.pointee.choice }

  /// Whether a choice is the very one that changes were noted for, as that of a sole journal is.
  @inline(__always)
  func isNoted(for choice: JournalFilter) -> Bool { unsafe state.pointee.choice === choice }

  /// Whether it is known, without looking, that the first note is a change of those which were
  /// chosen.
  var beginsWithChange: Bool { unsafe state.pointee.beginsWithChange }

  // PERFORMANCE: J2: memory changes hands for each commit, and is not copied for it.
  /// Takes notes, causes and values out of the account, to be delivered.
  func begin(
    _ recording: UnsafeMutablePointer<Recording>, beginsWithChange: Bool, number: UInt64,
    time: Int64
  ) {
    unsafe state.pointee.beginsWithChange = beginsWithChange
    unsafe swap(&state.pointee.memory, &recording.pointee.records)
    unsafe swap(&state.pointee.ownsValues, &recording.pointee.ownsValues)
    unsafe recording.pointee.exchangeCauses(&state.pointee.causes)
    if unsafe recording.pointee.isInterestMixed {
      unsafe state.pointee.choice = .none
      unsafe recording.pointee.isInterestMixed = false
    } else if unsafe !isNoted(for: recording.pointee.interest) {
      unsafe state.pointee.choice = recording.pointee.interest
    }
    stamp(number: number, time: time)
  }

  func stamp(number: UInt64, time: Int64) {
    unsafe state.pointee.number = number
    unsafe state.pointee.time = time
  }

  /// Notes that one component is about to be replaced, of a commit that has nothing else.
  ///
  /// Returns where the caller puts the values.
  func noteSingleReplacement(
    _ handle: Handle, _ cid: CID, _ recording: UnsafeMutablePointer<Recording>
  ) -> Notifications.ValueAddresses {
    assert(unsafe state.pointee.memory.isEmpty, "The commit has something else.")
    if unsafe !isNoted(for: recording.pointee.interest) {
      unsafe state.pointee.choice = recording.pointee.interest
    }
    unsafe state.pointee.beginsWithChange = true
    unsafe state.pointee.ownsValues = !cid.pointer.pointee.isTrivial
    var note = UndoRecord(.replaced)
    note.handle = handle
    note.cid = cid
    note.cause = 0
    note.hasOld = true
    note.hasNew = true
    let noted = unsafe state.pointee.memory.append(note, size: UndoRecord.size(of: cid, values: 2))
    // SAFETY: there is room for so many values behind the note.
    let old = unsafe noted.oldValues(of: cid)
    return unsafe Notifications.ValueAddresses(old: old, new: old + cid.pointer.pointee.stride)
  }

  /// Forgets the one component, when nothing reads the notes any more; its values go.
  func endSingle() {
    if unsafe state.pointee.ownsValues {
      unsafe core.recorder.discardValues(of: state.pointee.memory)
    }
    unsafe state.pointee.ownsValues = false
    unsafe state.pointee.beginsWithChange = false
    unsafe state.pointee.memory.removeAll()
  }

  /// Gives the memory of notes back that nothing reads any more, whose values go.
  func end(_ recording: UnsafeMutablePointer<Recording>) {
    if unsafe state.pointee.ownsValues {
      unsafe core.recorder.discardValues(of: state.pointee.memory)
    }
    unsafe state.pointee.ownsValues = false
    unsafe state.pointee.beginsWithChange = false
    // What the next ones have becomes that of the account, which keeps little of it.
    while unsafe state.pointee.causes.popLast() != nil {}
    unsafe state.pointee.memory.removeAll()
    unsafe swap(&state.pointee.memory, &recording.pointee.records)
  }

  private func endValues() {
    unsafe state.pointee.memory.walk { note in
      unsafe note.forEachOwningValue { cid, values, count in
        // SAFETY: the values are initialized, and nothing reads the notes any more.
        unsafe cid.pointer.pointee.end(values, count)
      }
    }
  }

  /// A cause by its ID in the notes; 0 is none.
  func cause(_ id: UInt32) -> Cause {
    unsafe id == 0 ? .unknown : state.pointee.causes[Int(id) - 1].cause
  }

  /// Why changes were made, in the order of their IDs.
  var causes: [CurrentCause] { unsafe state.pointee.causes }

  /// Whether there may be values that have to be ended.
  var mayOwnValues: Bool { unsafe state.pointee.ownsValues }

  /// The bytes that causes take, with their names.
  var causeBytes: Int {
    unsafe state.pointee.causes.reduce(0) {
      // The object and its reference, and the texts that are not in the object.
      $0 + 160 + $1.textBytes
    }
  }

  /// The bytes that it keeps in use: blocks of notes and values, and causes with their names,
  /// without what values refer to.
  var byteCount: Int {
    unsafe MemoryLayout<State>.size + 64 + causeBytes + state.pointee.memory.byteCount
  }

  // MARK: Reading

  /// A position up to which a commit has been read.
  @safe
  struct Cursor {
    fileprivate var memory: UndoLog.Cursor
    fileprivate var note: UndoRecordPointer?
    fileprivate var row = 0

    /// Begins to read with what was noted behind a position.
    init(behind position: UndoLog.Position = .start) {
      memory = UndoLog.Cursor(behind: position)
    }
  }

  /// Visits the notes behind a position that a choice takes in, with their lengths; without one,
  /// that for which changes were noted.
  @inline(__always)
  func forEachNote(
    _ choice: JournalFilter?, behind position: UndoLog.Position,
    _ body: (UndoRecordPointer, _ length: Int) -> Void
  ) {
    let isNoted = choice.map { self.isNoted(for: $0) } ?? true
    var cursor = UndoLog.Cursor(behind: position)
    while let run = unsafe state.pointee.memory.nextRun(&cursor) {
      unsafe UndoLog.visit(run) { note, length in
        // PERFORMANCE: UN1: mostly what a note says does not have to be looked up.
        if unsafe isNoted && note.pointee.isJournaledComponent
          || (choice ?? self.choice).takesIn(note)
        {
          unsafe body(note, length)
        }
      }
    }
  }

  /// Visits the changes of a note.
  func forEachChange(of note: UndoRecordPointer, _ body: (NotedChange) -> Void) {
    for row in unsafe 0..<Int(note.pointee.count) {
      let change = unsafe NotedChange(commit: self, note: note, row: row)
      if change.isChange { body(change) }
    }
  }

  /// The bytes of those notes, or a little more.
  func size(_ choice: JournalFilter, behind position: UndoLog.Position) -> Int {
    // PERFORMANCE: FL1: mostly there is one block, with nothing else in it.
    if isNoted(for: choice), let size = unsafe state.pointee.memory.usedOfOnlyBlock { return size }
    var size = 0
    unsafe forEachNote(choice, behind: position) { size &+= $1 }
    return size
  }

  /// Whether there are causes.
  var hasCauses: Bool { unsafe !state.pointee.causes.isEmpty }

  /// Appends a copy of a note.
  func append(copyOf note: UndoRecordPointer) {
    unsafe state.pointee.ownsValues = true
    unsafe state.pointee.memory.append(copyOf: note)
  }

  /// Whether there is a change behind a position that a choice takes in.
  func hasChanges(_ choice: JournalFilter, behind position: UndoLog.Position) -> Bool {
    // PERFORMANCE: J2: mostly the first note is one, and what it says does not have to be read.
    var first = UndoLog.Cursor(behind: position)
    if let note = unsafe state.pointee.memory.next(&first), unsafe note.pointee.kind == .replaced,
      unsafe note.pointee.isJournaledComponent,
      unsafe isNoted(for: choice) || choice.takesIn(note)
    {
      return true
    }
    var cursor = Cursor(behind: position)
    return next(&cursor, choice) != nil
  }

  /// The next change that a choice takes in; nil behind the last one.
  @inline(never)
  func next(_ cursor: inout Cursor, _ choice: JournalFilter) -> NotedChange? {
    while true {
      guard let note = unsafe cursor.note else {
        unsafe cursor.note = unsafe state.pointee.memory.next(&cursor.memory)
        cursor.row = 0
        if unsafe cursor.note == nil { return nil }
        continue
      }
      guard unsafe cursor.row < Int(note.pointee.count), unsafe choice.takesIn(note) else {
        unsafe cursor.note = nil
        continue
      }
      let row = cursor.row
      cursor.row += 1
      let change = unsafe NotedChange(commit: self, note: note, row: row)
      if change.isChange { return change }
    }
  }
}

/// A single change, as noted.
@safe
// Never written: it belongs to its commit, whose notes are complete when they can be read.
struct NotedChange: @unchecked Sendable {
  let commit: CommitRecord
  fileprivate let note: UndoRecordPointer
  fileprivate let row: Int

  var kind: UndoRecord.Kind { unsafe note.pointee.kind }
  var component: CID? { unsafe note.pointee.cid }
  var cause: Cause { unsafe commit.cause(note.pointee.cause) }

  /// The ID of the cause in the commit; 0 is none.
  var causeID: UInt32 { unsafe note.pointee.cause }

  var handle: Handle { unsafe note.handle(ofRow: row) }

  /// The target and the relation of a link.
  var link: NotedLink? {
    switch kind {
    case .linked, .linkUpdated: unsafe note.link.pointee
    case .unlinked: unsafe note.unlink.pointee.link
    case .moved: unsafe note.move.pointee.link
    default: nil
    }
  }

  /// Where a link was that went.
  var unlink: NotedUnlink? { kind == .unlinked ? unsafe note.unlink.pointee : nil }

  /// The value of a link from before or after the change; nil if there is none.
  func linkValue(isOld: Bool) -> (any Component)? {
    // SAFETY: a value of this type is there.
    unsafe note.linkValue(isOld: isOld).map { unsafe $0.cid.pointer.pointee.copy($0.address) }
  }

  /// Where a link was moved.
  var move: NotedMove? { kind == .moved ? unsafe note.move.pointee : nil }

  fileprivate var isChange: Bool { unsafe note.hasChanged(row) }

  /// A value of before or after the change, if the choice takes its type in.
  func value<C: Component>(of type: C.Type, isOld: Bool, _ choice: JournalFilter) -> C? {
    // SAFETY: a value of this very type is there.
    unsafe address(of: ComponentKey(type), isOld: isOld, choice)?.assumingMemoryBound(to: type)
      .pointee
  }

  /// The value from before or after a change of one component; nil if there is none.
  @inline(__always)
  func address(of cid: CID, isOld: Bool) -> UnsafeMutableRawPointer? {
    guard unsafe isOld ? note.pointee.hasOld : note.pointee.hasNew else { return nil }
    // SAFETY: there are as many values as rows.
    let first = unsafe isOld ? note.oldValues(of: cid) : note.newValues(of: cid)
    return unsafe first + row &* cid.pointer.pointee.stride
  }

  private func address(
    of key: ComponentKey, isOld: Bool, _ choice: JournalFilter
  ) -> UnsafeMutableRawPointer? {
    var found: UnsafeMutableRawPointer?
    unsafe forEachValue(areOld: isOld) { cid, value in
      if cid.key == key, choice.takesIn(cid) { unsafe found = unsafe value }
    }
    return unsafe found
  }

  /// The values from before or after the change, in boxes, of the components that are asked for.
  func components(areOld: Bool, _ isWanted: (CID) -> Bool) -> [any Component] {
    var components: [any Component] = []
    unsafe forEachValue(areOld: areOld) { cid, value in
      if isWanted(cid) { unsafe components.append(cid.pointer.pointee.copy(value)) }
    }
    return components
  }

  /// Visits the values of components from before or after the change.
  func forEachValue(areOld: Bool, _ body: (CID, UnsafeMutableRawPointer) -> Void) {
    guard unsafe areOld ? note.pointee.hasOld : note.pointee.hasNew, !kind.isOfLink else { return }
    // SAFETY: there are as many values of each component as rows.
    if let cid = component {
      if let value = unsafe address(of: cid, isOld: areOld) { unsafe body(cid, value) }
    } else {
      unsafe note.forEachColumnOfEntities { cid, first in
        unsafe body(cid, first + row &* cid.pointer.pointee.stride)
      }
    }
  }
}
