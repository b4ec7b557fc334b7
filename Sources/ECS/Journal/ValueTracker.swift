/// The versions of values that the steps of a history have changed, and the making of such steps.
///
/// A version says which of those it is that a component of an entity has had: if it is
/// the one that a step has left, nothing has changed meanwhile, whether or not values of the type
/// can be compared.
@safe
// Guarded by the lock of the core.
package final class ValueTracker: @unchecked Sendable {
  /// A component of an entity that steps have changed.
  private struct Track: BitwiseCopyable, Equatable {
    var version: UInt64

    /// Where it is among the rows of the step that has left this version, as long as that is made
    /// or searched; in eights of bytes.
    var row: UInt32 = 0

    /// How many steps have it.
    var stepCount: UInt32 = 0

    static var absent: Track { Track(version: 0) }
  }

  @safe
  private struct Column {
    let cid: CID

    /// The type's `==`, if it is `Equatable`.
    let isEqual: ValueEquality?

    /// What steps have changed, by the slots of entities.
    // PERFORMANCE: UN1: behind a pointer, so that a change of a track checks no array for being
    // shared.
    // INVARIANT: initialized until the column is ended.
    let tracks: UnsafeMutablePointer<SlotMap<Track>>

    init(_ cid: CID, _ isEqual: ValueEquality?) {
      self.cid = cid
      unsafe self.isEqual = isEqual
      unsafe tracks = .allocate(capacity: 1)
      unsafe tracks.initialize(to: SlotMap(absent: .absent))
    }

    func end() {
      unsafe tracks.pointee.deallocate()
      unsafe tracks.deallocate()
    }
  }

  @safe
  private struct State {
    /// The indices of columns, by IDs of components; negative if there is none.
    var columnIndices: ContiguousArray<Int> = []

    var columns: ContiguousArray<Column> = []

    /// Whether there is a column whose values can be compared.
    var canCompare = false

    var lastVersion: UInt64 = 0

    // What the step that is made has changed so far.
    var rows = ValueRows()

    /// The version of values that no step had changed before, and that of all values after it.
    var versionBefore: UInt64 = 0
    var version: UInt64 = 0

    var ends: [(entity: Entity, isCreation: Bool)] = []
  }

  private let core: Core

  /// Whether all components are tracked, as they come up.
  private let isOpen: Bool

  // PERFORMANCE: UN1: a block of its own, for which access is not checked at run time.
  // INVARIANT: initialized as long as the object lives.
  private let state: UnsafeMutablePointer<State>

  private var columns: ContiguousArray<Column> {
    _read { yield unsafe state.pointee.columns }
    _modify { yield unsafe &state.pointee.columns }
  }

  private func tracks(_ column: Int) -> UnsafeMutablePointer<SlotMap<Track>> {
    unsafe columns[column].tracks
  }

  // PERFORMANCE: UN1: where the subscript of a map may have to search, the map is copied before.
  private func track(_ slot: UInt32, _ column: Int) -> Track {
    let tracks = unsafe tracks(column)
    // SAFETY: the slot is below the number of elements.
    return unsafe Int(slot) < tracks.pointee.denseCount
      ? tracks.pointee.dense[Int(slot)] : tracks.pointee[slot]
  }

  private var rows: ValueRows {
    _read { yield unsafe state.pointee.rows }
    _modify { yield unsafe &state.pointee.rows }
  }

  /// The entities that were created or destroyed in the step that is made.
  package var ends: [(entity: Entity, isCreation: Bool)] { unsafe state.pointee.ends }

  init(_ core: Core, _ cids: [CID]?) {
    self.core = core
    isOpen = cids == nil
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: State())
    for cid in cids ?? [] { _ = addColumn(cid) }
  }

  deinit {
    for column in columns { column.end() }
    rows.deallocate()
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  private func addColumn(_ cid: CID) -> Int {
    let missing = unsafe Int(cid.id) + 1 - state.pointee.columnIndices.count
    if missing > 0 {
      unsafe state.pointee.columnIndices.append(contentsOf: repeatElement(-1, count: missing))
    }
    unsafe state.pointee.columnIndices[Int(cid.id)] = columns.count
    let isEqual = unsafe cid.equality
    if unsafe isEqual != nil { unsafe state.pointee.canCompare = true }
    unsafe columns.append(Column(cid, isEqual))
    require(columns.count < 1 << 16, "A history cannot record 65,536 types of components.")
    return rows.add(cid)
  }

  @inline(__always)
  private func columnIndex(of cid: CID) -> Int? {
    let id = Int(cid.id)
    // PERFORMANCE: UN1: without hashing.
    if unsafe id < state.pointee.columnIndices.count, unsafe state.pointee.columnIndices[id] >= 0 {
      return unsafe state.pointee.columnIndices[id]
    }
    return isOpen ? addColumn(cid) : nil
  }

  /// The bytes that versions take.
  package var byteCount: Int {
    var bytes = 0
    for index in columns.indices {
      let tracks = unsafe tracks(index)
      unsafe bytes += tracks.pointee.denseCount * MemoryLayout<Track>.stride
      unsafe bytes +=
        tracks.pointee.sparse.capacity * MemoryLayout<SlotHash<Track>.Entry>.stride
    }
    return bytes
  }

  func newVersion() -> UInt64 {
    unsafe state.pointee.lastVersion += 1
    return unsafe state.pointee.lastVersion
  }

  // MARK: Making steps

  /// Begins to make a step.
  package func begin() {
    unsafe state.pointee.versionBefore = newVersion()
    unsafe state.pointee.version = newVersion()
    if unsafe !state.pointee.ends.isEmpty {
      unsafe state.pointee.ends.removeAll(keepingCapacity: state.pointee.ends.count < 1024)
    }
  }

  /// Takes in what a commit has changed of values; calls a closure with changes of links.
  func add(
    _ commit: CommitRecord, _ choice: JournalFilter?, behind start: UndoLog.Position,
    _ link: (NotedChange) -> Void
  ) {
    unsafe commit.forEachNote(choice, behind: start) { note, _ in
      switch unsafe note.pointee.kind {
      case .added, .replaced, .removed:
        guard let cid = unsafe note.pointee.cid, let column = columnIndex(of: cid) else { return }
        unsafe put(
          note.pointee.handle, column, before: note.pointee.hasOld ? note.oldValues(of: cid) : nil,
          after: note.pointee.hasNew ? note.newValues(of: cid) : nil)
      case .linked, .unlinked, .moved, .linkUpdated: unsafe commit.forEachChange(of: note, link)
      default: unsafe commit.forEachChange(of: note) { add($0) }
      }
    }
  }

  private func add(_ change: NotedChange) {
    let handle = change.handle
    if let cid = change.component {
      guard let column = columnIndex(of: cid) else { return }
      unsafe put(
        handle, column, before: change.address(of: cid, isOld: true),
        after: change.address(of: cid, isOld: false))
    } else {
      let isCreation = change.kind != .destroyed
      unsafe state.pointee.ends.append((Entity(core: core, handle: handle), isCreation))
      unsafe change.forEachValue(areOld: !isCreation) { cid, value in
        guard let column = columnIndex(of: cid) else { return }
        unsafe put(
          handle, column, before: isCreation ? nil : value, after: isCreation ? value : nil)
      }
    }
  }

  /// Takes in what an earlier step has changed.
  package func add(_ values: StepValues) {
    values.rows.visit { row in
      unsafe put(
        row.head.handle, row.head.column, before: values.rows.value(row, .before),
        after: values.rows.value(row, .after), version: row.head.version)
    }
  }

  private func put(
    _ handle: Handle, _ column: Int, before: UnsafeRawPointer?, after: UnsafeRawPointer?,
    version: UInt64? = nil
  ) {
    var track = track(handle.index, column)
    let isNew = track.stepCount == 0
    let present = unsafe state.pointee.version
    if track.version == present {
      let row = rows.row(at: Int(track.row) &* 8)
      // Otherwise one that is dead for ever had the slot.
      if row.head.handle == handle { return unsafe rows.replaceAfter(row, with: after) }
    }
    let known = unsafe isNew ? state.pointee.versionBefore : track.version
    track.version = present
    track.row = UInt32(truncatingIfNeeded: rows.used / 8)
    track.stepCount &+= 1
    unsafe rows.append(
      ValueRows.Head(handle, column, version: version ?? known), columns[column].cid,
      before: before, after: after)
    if isNew {
      unsafe tracks(column).pointee.insert(handle.index, track)
    } else {
      unsafe tracks(column).pointee.update(handle.index, track)
    }
  }

  /// Whether there may be entities that were created, those with creation numbers from one on, or
  /// destroyed.
  package func mayHaveEnds(createdFrom first: UInt64) -> Bool {
    // The slots of those that ended wait until the change has been delivered.
    unsafe !state.pointee.ends.isEmpty || first < core.nextCreationCount
      || core.pointer.pointee.retainedReference?.visit { $0.parked.isEmpty } != true
  }

  /// Visits what was taken in of entities that are dead by now, or have creation numbers from one
  /// on: whether they had values before and have some after.
  package func forEachEnded(
    createdFrom first: UInt64, _ body: (Entity, _ hadValue: Bool, _ hasValue: Bool) -> Void
  ) {
    rows.visit { row in
      if let created = core.creationCount(before: row.head.handle), created < first { return }
      body(
        Entity(core: core, handle: row.head.handle), row.head.has(.before), row.head.has(.after))
    }
  }

  /// Ends to make a step, of what is not as it was before; if no versions are kept, also of what is
  /// only equal to that, since `==` may see less than there is.
  ///
  /// - Parameters:
  ///   - isKept: Whether versions are kept for it, until it is released.
  ///   - unborn: Entities of which nothing counts.
  /// - Returns: What the step has changed.
  package func finish(isKept: Bool, without unborn: Set<Entity>? = nil) -> StepValues {
    // PERFORMANCE: UN1: without `==`, no value is known to be what it was.
    let mayBeVoid = unsafe unborn != nil || rows.hasGaps || state.pointee.canCompare
    let voids = mayBeVoid || !isKept ? releaseVoids(isKept: isKept, unborn) : nil
    let version = unsafe state.pointee.version
    return unsafe StepValues(.make(core, &state.pointee.rows, except: voids, version: version))
  }

  /// Forgets what is not to be kept; returns the offsets of rows of which nothing counts.
  private func releaseVoids(isKept: Bool, _ unborn: Set<Entity>?) -> Set<Int> {
    var voids: Set<Int> = []
    rows.visit { row in
      let isVoid =
        unborn?.contains(Entity(core: core, handle: row.head.handle)) == true
        || isVoid(row, comparing: isKept)
      if isVoid { voids.insert(row.offset) }
      if isVoid || !isKept { release(row, leaving: row.head.version) }
    }
    return voids
  }

  /// Whether a value is after the step what it was before, as far as that can be seen.
  private func isVoid(_ row: ValueRows.Row, comparing: Bool) -> Bool {
    guard let before = unsafe rows.value(row, .before),
      let after = unsafe rows.value(row, .after)
    else { return !row.head.has(.before) && !row.head.has(.after) }
    return unsafe comparing && columns[row.head.column].isEqual?(before, after) ?? false
  }

  /// Forgets a step.
  package func release(_ values: StepValues) { values.rows.visit { release($0, leaving: nil) } }

  private func release(_ row: ValueRows.Row, leaving version: UInt64?) {
    let (slot, column) = (row.head.handle.index, row.head.column)
    var track = track(slot, column)
    track.stepCount &-= 1
    if let version { track.version = version }
    if track.stepCount > 0 { return unsafe tracks(column).pointee.update(slot, track) }
    unsafe tracks(column).pointee.remove(slot)
    if unsafe tracks(column).pointee.count == 0 { unsafe tracks(column).pointee.removeAll() }
  }

  // MARK: Versions

  /// Notes that values are those of one end of a step.
  package func note(_ values: StepValues, are side: UndoSide) {
    values.rows.visit { row in
      // Another entity may have the slot by now.
      guard core.lastHandle(ofSlot: row.head.handle.index) == row.head.handle else { return }
      let version = side == .before ? row.head.version : values.version
      setVersion(version, row.head.handle.index, row.head.column)
    }
  }

  @inline(__always)
  private func setVersion(_ version: UInt64, _ slot: UInt32, _ column: Int) {
    var track = track(slot, column)
    guard track != .absent else { return }
    track.version = version
    unsafe tracks(column).pointee.update(slot, track)
  }

  /// Notes what a commit has changed that is part of no step.
  func noteForeign(
    _ commit: CommitRecord, _ choice: JournalFilter?, behind start: UndoLog.Position
  ) {
    let version = newVersion()
    unsafe commit.forEachNote(choice, behind: start) { note, _ in
      switch unsafe note.pointee.kind {
      case .added, .replaced, .removed:
        guard let cid = unsafe note.pointee.cid, let column = columnIndex(of: cid) else { return }
        unsafe setVersion(version, note.pointee.handle.index, column)
      case .column:
        guard let cid = unsafe note.pointee.cid, let column = columnIndex(of: cid) else { return }
        unsafe commit.forEachChange(of: note) { setVersion(version, $0.handle.index, column) }
      case .created, .createdMany, .destroyed:
        unsafe commit.forEachChange(of: note) { change in
          for column in columns.indices { setVersion(version, change.handle.index, column) }
        }
      case .holder, .linked, .unlinked, .moved, .linkUpdated: break
      }
    }
  }

  /// Whether a value is that of one end of a step: it is known not to have changed, or is equal.
  package func isUnchanged(
    _ value: ChangedValue, of values: StepValues, _ side: UndoSide
  ) -> Bool {
    let (row, column) = (value.row, value.row.head.column)
    let present = unsafe core.record(of: row.head.handle).flatMap { record in
      unsafe record.pointee.table?.pointee.column(of: value.cid)?.pointee
        .place(Int(record.pointee.row))
    }
    guard let present = unsafe present, let expected = unsafe values.rows.value(row, side) else {
      return unsafe present == nil && !row.head.has(side)
    }
    let version = side == .before ? row.head.version : values.version
    return track(row.head.handle.index, column).version == version
      || (unsafe columns[column].isEqual?(expected, present) ?? false)
  }

  /// Whether nothing else has changed what a step has left, since then and before the next one,
  /// which has just been made.
  package func isUntouched(_ last: StepValues, before next: StepValues) -> Bool {
    next.rows.visit { row in
      let (slot, column) = (row.head.handle.index, row.head.column)
      var track = track(slot, column)
      track.row = UInt32(truncatingIfNeeded: row.offset / 8)
      unsafe tracks(column).pointee.update(slot, track)
    }
    return last.allSatisfy { value in
      let (handle, column) = (value.row.head.handle, value.row.head.column)
      let track = track(handle.index, column)
      guard track.version == next.version else { return isUnchanged(value, of: last, .after) }
      let row = next.rows.row(at: Int(track.row) &* 8)
      guard row.head.handle == handle else { return isUnchanged(value, of: last, .after) }
      guard let left = unsafe last.rows.value(value.row, .after),
        let found = unsafe next.rows.value(row, .before)
      else { return value.isThere(.after) == row.head.has(.before) }
      return row.head.version == last.version
        || (unsafe columns[column].isEqual?(left, found) ?? false)
    }
  }
}
