/// An account of changes: what transactions need to take them back, one account for all that are
/// nested, and what journals deliver.
///
/// There is one while a transaction runs, or while there are journals. It lies at a stable address,
/// and is kept for the next time.
struct Recording {
  /// The state of the account when a transaction began.
  struct Savepoint: BitwiseCopyable {
    /// Tells it from all others of the core; later ones have larger IDs.
    let id: UInt64

    let records: UndoLog.Position
    let changes: EventQueue.Position
    let counts: Counts
    let registrations: UInt64
    let tableCount: Int

    /// Whether closures had values: ``takenValues`` says which.
    let hasTaken: Bool
  }

  /// The counts of entries besides notes.
  struct Counts: BitwiseCopyable {
    var held = 0
    var logNotes = 0
    var logWakes = 0
    var links = 0
    var views = 0
    var listeners = 0
    var last = 0
  }

  /// The contents of a sparse set when a transaction first touched it.
  @safe
  struct LogNote {
    let log: UnsafeMutablePointer<EntitySparseSet>
    let savepoint: UInt64

    /// The note before of the same log; negative if there is none.
    let previous: Int

    var state: EntitySparseSet.State
  }

  /// When something that is not in storage is put back.
  enum Stage {
    /// Links and indexes, once storage is as it was.
    case links

    /// Views, once links are as they were.
    case views

    /// Lists of observers, once views have reacted.
    case listeners

    /// Notices of the way back itself.
    case last
  }

  /// The transactions that run, the innermost last.
  var savepoints = SavepointStack()

  /// The values that closures had when transactions began, of those in which they had some; they
  /// have returned to this when it is gone back to.
  var takenValues: [TakenValues] = []

  var records = UndoLog()

  /// The changes that journals want.
  var interest = JournalFilter.none

  /// Whether some of the notes were made when journals had asked for something else.
  var isInterestMixed = false

  /// The record that is used again for each commit that is not kept.
  var spare: CommitRecord? {
    didSet { spareReference = spare.map { UnmanagedReference($0) } }
  }

  // INVARIANT: it is there as long as `spare` is, which it is the same as.
  /// The same, without counting references to it.
  private(set) var spareReference: UnmanagedReference<CommitRecord>?

  /// Why the changes were made that are noted, in the order of the first change of each.
  private(set) var causes: [CurrentCause] = []

  /// The IDs of those that are not among the first ones, by their addresses.
  private var causeIDs: [UInt: UInt32] = [:]

  // PERFORMANCE: J1: most changes have the cause of the one before.
  /// The cause of the last note, as the thread's address of it, and its ID; 0 is none.
  private var lastCause: (address: UInt, id: UInt32) = (0, 0)

  // PERFORMANCE: most transactions need nothing but notes, so they ask for one bit.
  /// Whether there is anything besides notes: slots that are held, notes of logs, or something else
  /// that puts things back.
  private(set) var hasMore = false

  /// The slots of entities that were destroyed: they are not used until it is certain that they
  /// do not live again.
  var held: [UInt32] = []

  var logNotes: [LogNote] = []

  /// The indices of the wakes that logs have asked for.
  var logWakes: [Int] = []

  // What puts back things that are not in storage, in the order of their first change.
  private var links: [() -> Void] = []
  private var views: [() -> Void] = []
  private var listeners: [() -> Void] = []
  private var last: [() -> Void] = []

  /// What forgets accounts that others keep, when the outermost transaction ends.
  private var closings: [() -> Void] = []

  /// Entities whose creation was taken back.
  var undone: [Handle] = []

  /// Whether records may have values that have to be ended.
  var ownsValues = false

  var counts: Counts {
    guard hasMore else { return Counts() }
    return Counts(
      held: held.count, logNotes: logNotes.count, logWakes: logWakes.count, links: links.count,
      views: views.count, listeners: listeners.count, last: last.count)
  }

  // MARK: More than notes

  mutating func hold(_ slot: UInt32) {
    hasMore = true
    held.append(slot)
  }

  mutating func add(_ note: LogNote) {
    hasMore = true
    logNotes.append(note)
  }

  mutating func add(logWake index: Int) {
    hasMore = true
    logWakes.append(index)
  }

  mutating func add(undone handle: Handle) {
    hasMore = true
    undone.append(handle)
  }

  @inline(never)
  mutating func add(_ stage: Stage, _ body: @escaping () -> Void) {
    hasMore = true
    switch stage {
    case .links: links.append(body)
    case .views: views.append(body)
    case .listeners: listeners.append(body)
    case .last: last.append(body)
    }
  }

  // MARK: Causes

  /// The ID of what the thread runs for.
  @inline(__always)
  mutating func causeID() -> UInt32 {
    let address = CurrentCause.address
    return address == lastCause.address ? lastCause.id : causeID(at: address)
  }

  @inline(never)
  private mutating func causeID(at address: UInt) -> UInt32 {
    lastCause = (address, 0)
    guard let cause = CurrentCause.innermost else { return 0 }
    // PERFORMANCE: UN3: most commits have one cause, which is not compared with any.
    lastCause.id = causes.isEmpty ? 0 : id(of: cause)
    if lastCause.id == 0 {
      causes.append(consume cause)
      lastCause.id = UInt32(truncatingIfNeeded: causes.count)
      if causes.count > Recording.searchedCauses { causeIDs[address] = lastCause.id }
    }
    return lastCause.id
  }

  /// The ID of a cause that a change had before; 0 if none had.
  private func id(of cause: CurrentCause) -> UInt32 {
    let searched = min(causes.count, Recording.searchedCauses)
    // Kept until the commit is delivered, so that no other one comes to be at the same address.
    if let index = (0..<searched).first(where: { causes[$0] === cause }) {
      return UInt32(truncatingIfNeeded: index + 1)
    }
    return causeIDs.isEmpty ? 0 : causeIDs[CurrentCause.address] ?? 0
  }

  /// How many causes are looked through; further ones are found by their addresses.
  private static var searchedCauses: Int { 8 }

  /// Exchanges the causes of a commit for those of another one, which are none.
  mutating func exchangeCauses(_ others: inout [CurrentCause]) {
    swap(&causes, &others)
    forgetCauses()
  }

  /// Forgets causes of which there are no notes.
  mutating func forgetCauses() {
    lastCause = (0, 0)
    // PERFORMANCE: UN3: most commits have one, which needs no memory of its own each time.
    while causes.popLast() != nil {}
    if causes.capacity > 64 { causes = [] }
    if !causeIDs.isEmpty { causeIDs = [:] }
  }

  // MARK: Ways back

  mutating func addClosing(_ body: @escaping () -> Void) {
    hasMore = true
    closings.append(body)
  }

  /// Takes out what puts things back of a stage, beyond so many; the last ones first.
  mutating func takeReturns(_ stage: Stage, beyond savepoint: Savepoint) -> [() -> Void] {
    func take(_ returns: inout [() -> Void], _ count: Int) -> [() -> Void] {
      guard returns.count > count else { return [] }
      defer { returns.removeLast(returns.count - count) }
      return returns[count...].reversed()
    }
    return switch stage {
    case .links: take(&links, savepoint.counts.links)
    case .views: take(&views, savepoint.counts.views)
    case .listeners: take(&listeners, savepoint.counts.listeners)
    case .last: take(&last, savepoint.counts.last)
    }
  }

  // By the address: an account is copied that is asked itself.

  /// Whether the first note is certainly a replaced component that journals want.
  // PERFORMANCE: UN3: mostly it is, and nothing else has to be looked at.
  @inline(__always)
  static func beginsWithReplacement(_ recording: UnsafeMutablePointer<Recording>) -> Bool {
    guard let note = unsafe recording.pointee.records.firstOfOnlyBlock else { return false }
    return unsafe note.pointee.kind == .replaced && note.pointee.isJournaledComponent
      && !recording.pointee.isInterestMixed
  }

  /// Whether a journal wants some of what is noted: a transaction notes all changes.
  static func hasJournaledNotes(_ recording: UnsafeMutablePointer<Recording>) -> Bool {
    var cursor = UndoLog.Cursor()
    while let note = unsafe recording.pointee.records.next(&cursor) {
      if unsafe note.pointee.isJournaledComponent || recording.pointee.isInterestMixed
        || recording.pointee.interest.takesIn(note)
      {
        return true
      }
    }
    return false
  }

  /// Forgets the notes, whose values are gone.
  mutating func forgetNotes() {
    records.removeAll()
    ownsValues = false
    forgetCauses()
  }

  /// Forgets what there is besides notes, when the outermost transaction has ended.
  ///
  /// Returns what others have to be notified of.
  mutating func close() -> [() -> Void] {
    hasMore = false
    held.removeAll(keepingCapacity: held.count < 1024)
    logNotes.removeAll(keepingCapacity: logNotes.count < 1024)
    logWakes = []
    (links, views, listeners, last) = ([], [], [], [])
    defer { closings = [] }
    return closings
  }

  func deallocate() {
    records.deallocate()
    savepoints.deallocate()
  }
}
