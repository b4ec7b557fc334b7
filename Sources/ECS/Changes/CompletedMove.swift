/// The way of entities of a table to the one with a component and all that comes along with it.
///
/// Rows move once, from the first table to the last one. Reactions are those of the single
/// components, one after the other, as if rows had passed through tables in between, but without
/// sets of tables that have only one of these.
@safe
final class CompletedMove {
  /// What comes along, each component after those that it requires.
  let required: [RequiredComponent]

  /// A component that is added, the last of which is the one that requires the others.
  @safe
  struct Step {
    let cid: CID

    /// The table that has all components of the steps before.
    let table: TablePointer

    let reactions: ReactionListPointer?
  }

  private(set) var steps: [Step] = []

  /// The table with all components.
  private(set) var target: TablePointer

  private(set) var plan: UnsafeMutablePointer<RowPlan>?

  /// The columns there of what comes along.
  private(set) var columns: [UnsafeMutablePointer<Column>] = unsafe []

  /// Whether nothing reacts.
  private(set) var isSilent = true

  /// Whether any of the components is unique.
  let hasUnique: Bool

  // INVARIANT: what is above is up to date as long as these are the core's.
  private var tablesEpoch: UInt64 = 0
  private var listenersEpoch: UInt64 = 0

  /// Makes a way that is not known yet.
  init(_ required: [RequiredComponent], adding cid: CID, from table: TablePointer) {
    self.required = required
    hasUnique = cid.isUnique || required.contains { $0.cid.isUnique }
    unsafe target = table
  }

  deinit { forget() }

  private func forget() {
    unsafe RowPlan.free(plan)
    unsafe plan = nil
    for step in steps { unsafe ReactionList.free(step.reactions) }
    steps = []
  }

  /// Sees to it that the way is known, and that the last table has room for one more row.
  func refresh(from table: TablePointer, adding cid: CID, in core: Core) {
    if isKnown(in: core) {
      unsafe target.pointee.reserve(1, behind: target.pointee.count)
      if isKnown(in: core) { return }
    }
    forget()
    // None of the tables may be freed before the row has come.
    let keptEmpty = core.pointer.pointee.tables.keepsEmpty
    core.pointer.pointee.tables.keepsEmpty = true
    defer { core.pointer.pointee.tables.keepsEmpty = keptEmpty }
    let cids = required.map(\.cid) + [cid]
    var tables = unsafe [table]
    for cid in cids {
      unsafe tables.append(core.makeTable(adding: cid, to: tables[tables.count - 1]))
    }
    unsafe target = tables[cids.count]
    unsafe target.pointee.reserve(1, behind: target.pointee.count)
    unsafe plan = RowPlan.make(from: table, to: target, adding: cid)
    for (number, cid) in cids.enumerated() {
      let list = unsafe core.reactionLists.make(
        from: tables[number], to: tables[number + 1], through: cid, on: (table, target))
      unsafe steps.append(Step(cid: cid, table: tables[number], reactions: list))
    }
    isSilent = steps.allSatisfy { unsafe $0.reactions == nil }
    unsafe columns = unsafe required.compactMap { unsafe target.pointee.column(of: $0.cid) }
    tablesEpoch = core.pointer.pointee.tables.epoch
    listenersEpoch = core.pointer.pointee.listeners.epoch
  }

  private func isKnown(in core: Core) -> Bool {
    unsafe plan != nil && tablesEpoch == core.pointer.pointee.tables.epoch
      && listenersEpoch == core.pointer.pointee.listeners.epoch
  }
}
