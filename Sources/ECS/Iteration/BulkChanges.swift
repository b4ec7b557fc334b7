/// The changes of all entities of a set of tables at once.
///
/// Rows move table by table where nothing has to be done for each entity but to put it into logs
/// and indexes; elsewhere one after the other. What comes of it is the same.
@frozen
@usableFromInline
struct BulkChanges {
  @usableFromInline let core: Core

  @inlinable
  @inline(__always)
  init(_ core: Core) { self.core = core }
}

extension Core {
  /// The changes of all entities of a set at once.
  @inlinable
  @inline(__always)
  var bulk: BulkChanges { BulkChanges(self) }
}

extension BulkChanges {
  /// A table of a set, and how many rows it had when the change began.
  // INVARIANT: tables that lack a component are left and never entered while it is set on all
  // entities; those that have it are left and never entered while it is removed. So the first rows
  // stay what they were.
  @safe
  @usableFromInline
  struct Sweep {
    let table: TablePointer
    @usableFromInline let count: Int
  }

  /// The functions that set a component on the entities of one table.
  @safe
  @usableFromInline
  enum SweptValues {
    /// All have it: the values from here on are to be replaced.
    case replaced(UnsafeMutableRawPointer)

    /// All have it now: the values from here on are to be initialized.
    case added(UnsafeMutableRawPointer, TablePointer, row: Int)

    /// Each of these has to be changed by itself.
    case singly([Handle])
  }

  /// Sets a component on all entities of a set; begins and ends the change.
  @inlinable
  func set<C: Component>(_ value: C, in set: TableSet) {
    core.enter()
    // What was replaced ends outside the lock: that may run user code.
    var displaced: [C] = []
    if let sweeps = sweeps(of: set, C.cid) {
      for sweep in sweeps { self.set(value, in: sweep, &displaced) }
    } else {
      for handle in handles(of: set) where core.isSeenAlive(handle) {
        if let old = core.exchange(value, on: handle) { displaced.append(old) }
      }
    }
    core.leave()
    withExtendedLifetime(displaced) {}
  }

  @inlinable
  func set<C: Component>(_ value: C, in sweep: Sweep, _ displaced: inout [C]) {
    let count = sweep.count
    switch beginSetting(C.cid, sweep) {
    case .replaced(let address):
      // SAFETY: the column is one of this type, and so many rows of it are initialized.
      let values = unsafe address.assumingMemoryBound(to: C.self)
      if _isPOD(C.self) {
        unsafe values.update(repeating: value, count: count)
      } else {
        for row in 0..<count {
          unsafe displaced.append((values + row).move())
          unsafe (values + row).initialize(to: value)
        }
      }
      finishReplacing(C.cid, sweep)
    case .added(let address, let table, let row):
      // SAFETY: the column is one of this type, and so many rows of it are not initialized yet.
      unsafe address.assumingMemoryBound(to: C.self).initialize(repeating: value, count: count)
      unsafe finishAdding(C.cid, sweep, table, row)
    case .singly(let handles):
      for handle in handles {
        if let old = core.write(value, to: handle) { displaced.append(old) }
      }
    }
  }

  /// The tables of a set; nil if each entity has to be changed by itself, in a call of its own,
  /// since that waits, or may end entities.
  @usableFromInline
  func sweeps(of set: TableSet, _ cid: CID) -> [Sweep]? {
    core.checkMode()
    if !core.acceptsChanges || cid.isUnique { return nil }
    return unsafe set.tables.compactMap { table in
      let count = unsafe table.pointee.count
      return unsafe count > 0 ? Sweep(table: table, count: count) : nil
    }
  }

  /// The entities of a set, table by table.
  @usableFromInline
  func handles(of set: TableSet) -> [Handle] {
    var handles: [Handle] = []
    handles.reserveCapacity(set.count)
    core.forEach(in: set) { handles.append($0) }
    return handles
  }

  private func handles(_ rows: Range<Int>, of table: TablePointer) -> [Handle] {
    rows.map { unsafe core.handle(at: $0, of: table) }
  }

  // MARK: Setting

  @usableFromInline
  @inline(never)
  func beginSetting(_ cid: CID, _ sweep: Sweep) -> SweptValues {
    let table = unsafe sweep.table
    if let column = unsafe table.pointee.column(of: cid) {
      let edge = unsafe table.pointee.ensureEdge(cid)
      if unsafe !edge.pointee.isReplaceListed {
        unsafe core.reactionLists.refreshReplace(table, edge)
      }
      guard unsafe mayChangeTogether(edge.pointee.replace) else {
        return unsafe .singly(handles(0..<sweep.count, of: table))
      }
      return unsafe .replaced(column.pointee.place(0))
    }
    let (edge, target, _) = unsafe core.preparedEdge(of: table, cid)
    guard unsafe mayChangeTogether(edge.pointee.transition),
      unsafe !table.pointee.hasUnique && !table.pointee.lacksRequired(by: cid)
    else { return unsafe .singly(handles(0..<sweep.count, of: table)) }
    let row = unsafe target.pointee.count
    unsafe moveRows(of: table, to: target)
    guard let column = unsafe target.pointee.column(of: cid) else {
      stop("A component was added to a table that has no column for it.")
    }
    return unsafe .added(column.pointee.place(row), target, row: row)
  }

  @usableFromInline
  func finishReplacing(_ cid: CID, _ sweep: Sweep) {
    let list = unsafe sweep.table.pointee.edge(cid.key)?.pointee.replace
    unsafe reactTogether(list, 0..<sweep.count, of: sweep.table)
  }

  @usableFromInline
  func finishAdding(_ cid: CID, _ sweep: Sweep, _ table: TablePointer, _ row: Int) {
    let list = unsafe sweep.table.pointee.edge(cid.key)?.pointee.transition
    unsafe reactTogether(list, row..<row + sweep.count, of: table)
  }

  // MARK: Removing

  /// Removes a component from all entities of a set; begins and ends the change.
  func remove(_ cid: CID, in set: TableSet) {
    core.enter()
    defer { core.leave() }
    guard let sweeps = sweeps(of: set, cid) else {
      for handle in handles(of: set) where core.isSeenAlive(handle) {
        core.removeComponent(cid.key, from: handle)
      }
      return
    }
    for sweep in sweeps {
      let table = unsafe sweep.table
      guard unsafe table.pointee.column(of: cid) != nil else { continue }
      let (edge, target, _) = unsafe core.preparedEdge(of: table, cid)
      let list = unsafe edge.pointee.transition
      if unsafe mayChangeTogether(list), unsafe !table.pointee.hasUnique,
        unsafe !table.pointee.hasRule(for: cid)
      {
        let row = unsafe target.pointee.count
        unsafe moveRows(of: table, to: target)
        unsafe reactTogether(list, row..<row + sweep.count, of: target)
      } else {
        for handle in unsafe handles(0..<sweep.count, of: table) {
          core.remove(cid.key, from: handle)
        }
      }
    }
  }

  // MARK: Destroying

  /// Destroys all entities of a set; begins and ends the change.
  func destroy(in set: TableSet) {
    core.enter()
    defer { core.leave() }
    core.checkMode()
    guard mayDestroyTogether(set) else {
      // The end of an entity may be that of others.
      for handle in handles(of: set) where core.isSeenAlive(handle) { core.destroyEntity(handle) }
      return
    }
    for unsafe(table) in unsafe set.tables where unsafe table.pointee.count > 0 {
      unsafe destroyRows(of: table)
    }
  }

  private func mayDestroyTogether(_ set: TableSet) -> Bool {
    guard core.acceptsChanges else { return false }
    return unsafe set.tables.allSatisfy { table in
      if unsafe table.pointee.count == 0 { return true }
      if unsafe !table.pointee.isEntryListed { unsafe core.reactionLists.refreshTable(table) }
      return unsafe !table.pointee.hasUnique && mayChangeTogether(table.pointee.leave)
    }
  }

  private func destroyRows(of table: TablePointer) {
    let count = unsafe table.pointee.count
    let list = unsafe table.pointee.leave
    let handles = unsafe list == nil ? [] : handles(0..<count, of: table)
    for index in unsafe 0..<table.pointee.columnCount {
      unsafe discardValues(of: table.pointee.columns[index], count)
    }
    let records = unsafe core.pointer.pointee.slots.records
    let entities = unsafe table.pointee.entities
    var free = core.pointer.pointee.slots.firstFree
    for row in 0..<count {
      // SAFETY: rows below the table's count have entities, whose slots have records.
      let index = unsafe entities[row]
      let record = unsafe records + Int(index)
      let generation = unsafe record.pointee.generation &+ 1
      unsafe record.pointee.generation = generation
      unsafe record.pointee.table = nil
      // As `releaseSlot` does.
      guard generation < Record.lastGeneration else { continue }
      unsafe record.pointee.row = free
      free = index
    }
    core.pointer.pointee.slots.firstFree = free
    core.pointer.pointee.slots.liveCount &-= count
    unsafe table.pointee.count = 0
    unsafe table.pointee.departures &+= UInt64(count)
    guard let list = unsafe list else { return }
    for handle in handles { unsafe core.react(list, handle) }
  }

  // MARK: Steps

  /// Whether nothing has to be done for each entity but what `reactTogether` does.
  private func mayChangeTogether(_ list: ReactionListPointer?) -> Bool {
    guard core.pointer.pointee.section.fastPath == .plain else { return false }
    guard let list = unsafe list else { return true }
    if unsafe list.pointee.hasNotices { return false }
    return unsafe (0..<list.pointee.count).allSatisfy { index in
      switch unsafe list.pointee.reactions[index].target {
      case .log, .index: true
      // It may look at other entities, or change them.
      case .sink: false
      }
    }
  }

  /// Carries out a reaction list for entities whose values are in place.
  private func reactTogether(
    _ list: ReactionListPointer?, _ rows: Range<Int>, of table: TablePointer
  ) {
    guard let list = unsafe list else { return }
    for row in rows { unsafe core.react(list, core.handle(at: row, of: table)) }
  }

  /// Moves all rows of a table behind those of another one, of which a column more, if there is
  /// one, is left uninitialized.
  private func moveRows(of table: TablePointer, to target: TablePointer) {
    let count = unsafe table.pointee.count
    let first = unsafe target.pointee.count
    for index in unsafe 0..<table.pointee.columnCount {
      let column = unsafe table.pointee.columns[index]
      if unsafe target.pointee.column(of: column.cid) == nil {
        discardValues(of: column, count)
      }
    }
    unsafe table.pointee.moveRows(to: target)
    let records = unsafe core.pointer.pointee.slots.records
    let entities = unsafe target.pointee.entities
    for row in first..<first + count {
      // SAFETY: rows below the table's count have entities, whose slots have records.
      let record = unsafe records + Int(entities[row])
      unsafe record.pointee.row = UInt32(truncatingIfNeeded: row)
      unsafe record.pointee.table = target
    }
  }

  /// Takes values out of a column whose rows are given up; they end when the change ends.
  private func discardValues(of column: Column, _ count: Int) {
    guard !column.isTrivial else { return }
    core.pointer.pointee.section.pendingRelease.append(ColumnCopy(taking: column, count: count))
    core.pointer.pointee.section.pending.insert(.pendingRelease)
  }
}
