/// The part of a core that sees to components which others require; called within a section.
///
/// Changes of components that require none, or whose entities have what they require, never come
/// here.
@safe
@usableFromInline
struct Completion {
  let core: Core

  @usableFromInline
  init(core: Core) { self.core = core }

  /// Whether components bring along what they require.
  private var isOn: Bool { !core.pointer.pointee.tables.ignoresRequirements }

  // MARK: Adding

  /// The way of a living entity to the table with a component and what comes along with it; nil if
  /// nothing does.
  func move(of handle: Handle, adding cid: CID) -> CompletedMove? {
    guard isOn, let requirements = cid.requirements,
      let table = unsafe core.record(of: handle)?.pointee.table
    else { return nil }
    if let known = unsafe table.pointee.completedMoves.first(where: { $0.key == cid.key }) {
      return unsafe unsafeDowncast(known.move, to: CompletedMove.self)
    }
    let required = requirements.components(of: cid).filter {
      unsafe table.pointee.column(of: $0.cid) == nil
    }
    if required.isEmpty { return nil }
    let move = unsafe CompletedMove(required, adding: cid, from: table)
    unsafe table.pointee.completedMoves.append((cid.key, move))
    return move
  }

  /// Moves a living entity to the table with a component and what comes along with it, whose values
  /// are in place then; as `Core.add(_:_:)`.
  func add(_ cid: CID, to handle: Handle, by move: CompletedMove) -> Addition? {
    if move.hasUnique {
      for cid in move.required.map(\.cid) + [cid] where cid.isUnique {
        core.unique.evictHolder(of: cid)
      }
    }
    guard let record = unsafe core.record(of: handle), let table = unsafe record.pointee.table
    else {
      core.noteStaleWrite(handle)
      return nil
    }
    unsafe move.refresh(from: table, adding: cid, in: core)
    let mode = core.beginRefusingChanges(.usingColumns)
    for number in move.required.indices {
      // SAFETY: the row is within the capacity, and no part of the table yet.
      unsafe initialize(
        move.columns[number].pointee.place(move.target.pointee.count), move.required[number])
    }
    core.endRefusingChanges(mode)
    // What makes them may have begun to observe something.
    unsafe move.refresh(from: table, adding: cid, in: core)
    guard let plan = unsafe move.plan, let column = unsafe plan.pointee.added else {
      stop("A component was added that the entity already has.")
    }
    let row = unsafe record.pointee.row
    if core.isFreezing { unsafe Freezing(core: core).keepRow(Int(row), of: table) }
    let newRow = unsafe core.moveRow(handle.index, from: table, to: move.target, plan)
    if core.isNoting || move.hasUnique { note(move, of: handle, row, newRow) }
    if unsafe move.target.pointee.hasUnique { unsafe core.unique.refresh(move.target) }
    return unsafe Addition(
      place: column.pointee.place(newRow), reactions: move.steps[move.steps.count - 1].reactions,
      move: Unmanaged.passUnretained(move),
      needsFinish: !move.isSilent || core.notifications.isObserved(handle.index)
        || core.isJournaling)
  }

  /// Notes what was added, and which unique components have another holder.
  private func note(_ move: CompletedMove, of handle: Handle, _ row: UInt32, _ newRow: Int) {
    for (number, step) in move.steps.enumerated() {
      let isLast = number == move.steps.count - 1
      unsafe note(step, of: handle, number == 0 ? row : UInt32(step.table.pointee.count))
      if !isLast, core.isJournaling, let column = unsafe move.target.pointee.column(of: step.cid) {
        unsafe core.recorder.noteNewValue(step.cid, column.pointee.place(newRow))
      }
      guard step.cid.isUnique else { continue }
      let slot = unsafe core.pointer.pointee.slots.unique.ensure(step.cid.key)
      unsafe slot.pointee.holder = handle
      unsafe slot.pointee.holderIsOurs = false
      core.pointer.pointee.retainedSlots?.made[handle.index] = nil
    }
  }

  private func note(_ step: CompletedMove.Step, of handle: Handle, _ row: UInt32) {
    guard core.isNoting else { return }
    if step.cid.isUnique { core.recorder.noteHolder(of: step.cid) }
    unsafe core.recorder.noteAddition(handle, step.cid, step.table, row)
  }

  /// Carries out the reactions to what came along, after all values are in place.
  func finish(_ handle: Handle, _ move: CompletedMove) {
    guard let row = unsafe core.record(of: handle)?.pointee.row else { return }
    for step in move.steps.dropLast() {
      if let column = unsafe move.target.pointee.column(of: step.cid),
        let places = unsafe core.notifications.queue(
          .added, handle, step.cid, step.reactions?.notices, .hasNew)
      {
        // SAFETY: the value is in place; that in the queue is not yet.
        unsafe step.cid.copyValue(to: places.new, from: column.pointee.place(Int(row)))
      }
      unsafe core.reactGenerally(step.reactions, handle)
    }
  }

  // MARK: Creating

  /// What comes along with components of which entities are created.
  func missing(from types: [CID]) -> [RequiredComponent] {
    isOn ? ComponentRequirements.missing(from: types) : []
  }

  /// Whether a unique component comes along with these.
  @usableFromInline
  func bringsUnique(with types: [CID]) -> Bool { missing(from: types).contains { $0.cid.isUnique } }

  /// The table in which entities are created that were to be created in another one, with values of
  /// what these components require behind its last row, for so many entities.
  func target(of table: TablePointer, count: Int) -> TablePointer {
    let missing = unsafe table.pointee.missing
    if !isOn || missing.isEmpty { return unsafe table }
    var target = unsafe table
    for required in missing { unsafe target = core.makeTable(adding: required.cid, to: target) }
    // Before: the holder's row may be the one of the table.
    if unsafe target.pointee.hasUnique && count > 0 { unsafe core.unique.evictHolders(for: target) }
    unsafe target.pointee.reserve(count, behind: target.pointee.count)
    let first = unsafe target.pointee.count
    core.refusingChanges(.usingColumns) {
      for required in missing {
        guard let column = unsafe target.pointee.column(of: required.cid) else { continue }
        for row in first..<first + count {
          // SAFETY: there is room; nothing moves columns while changes are refused.
          unsafe initialize(column.pointee.place(row), required)
        }
      }
    }
    return unsafe target
  }

  private func initialize(_ place: UnsafeMutableRawPointer, _ required: RequiredComponent) {
    if !core.pointer.pointee.iterations.seenRequired.isEmpty,
      let seen = core.pointer.pointee.iterations.seenRequired[required.cid]
    {
      return unsafe required.cid.pointer.pointee.unbox(seen, place)
    }
    unsafe required.part.initialize(place)
  }
}

extension Completion {
  // MARK: Ignoring

  /// Runs a body in which components come without those that they require, and go without regard to
  /// those that require them.
  func ignored<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (before, waiting) = (core.pointer.pointee.tables.ignoresRequirements, core.commands.count)
    core.pointer.pointee.tables.ignoresRequirements = true
    defer {
      core.pointer.pointee.tables.ignoresRequirements = before
      if !before { core.commands.wrap(from: waiting) { change in ignored(change) } }
    }
    return try body()
  }
}
