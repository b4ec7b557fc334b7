extension Core {

  /// The set of all tables with a component, made if there is none yet.
  func setOfTables(with cid: CID) -> TableSet {
    if let set = pointer.pointee.listeners.setsOfComponents[cid] { return set }
    let set = makeSet(Matcher(all: [cid]))
    pointer.pointee.listeners.setsOfComponents[cid] = set
    return set
  }

  /// The set of all tables, made if there is none yet.
  func setOfAllTables() -> TableSet {
    if let set = pointer.pointee.listeners.setOfAll { return set }
    let set = makeSet(.everything)
    pointer.pointee.listeners.setOfAll = set
    return set
  }

  /// Makes a set of the tables that a matcher accepts, now and later.
  func makeSet(_ matcher: Matcher) -> TableSet {
    let set = TableSet(matcher: matcher, index: pointer.pointee.listeners.sets.count)
    pointer.pointee.listeners.sets.append(set)
    unsafe pointer.pointee.listeners.matcherEvaluations += pointer.pointee.tables.all.count
    for unsafe(table) in unsafe pointer.pointee.tables.all
    where unsafe matcher.accepts(table.pointee.signature) {
      unsafe graph.link(table, set)
    }
    return set
  }

  /// Notes that what is remembered for a moment may be out of date.
  @inline(__always)
  func noteStructuralChange() {
    pointer.pointee.tables.epoch &+= 1
    if unsafe pointer.pointee.iterations.borrowedColumns != nil { forgetCachedColumns() }
  }

  /// The table without components, in which creation starts.
  @inlinable
  var root: TablePointer { unsafe pointer.pointee.tables.root }

  /// Whether an entity is alive and in a table of a set.
  func isMember(_ handle: Handle, of set: TableSet) -> Bool {
    unsafe set.contains(storedTable(of: handle))
  }

  /// The sets that a table belongs to, in the order of their creation.
  func sets(of table: TablePointer) -> some Sequence<TableSet> {
    unsafe table.pointee.sets.lazy.map { pointer.pointee.listeners.sets[$0] }
  }

  /// Whether a set belongs to the context that uses this core at present.
  ///
  /// It was made by this core, but perhaps for an earlier one.
  func uses(_ set: TableSet) -> Bool { set.isInUse }

  /// The first entity of a set.
  func first(of set: TableSet) -> Handle? {
    for unsafe(table) in unsafe set.tables where unsafe table.pointee.count > 0 {
      return unsafe handle(at: 0, of: table)
    }
    return nil
  }

  /// Calls a body with each entity of a set, table by table.
  func forEach(in set: TableSet, _ body: (Handle) -> Void) {
    for unsafe(table) in unsafe set.tables {
      for row in unsafe 0..<table.pointee.count { unsafe body(handle(at: row, of: table)) }
    }
  }

  /// The keys that a component has in primary indexes that are up to date, and the entities that
  /// have them.
  func identities(of component: any Component) -> [Identity] {
    guard let set = pointer.pointee.listeners.setsOfComponents[type(of: component).cid] else {
      return []
    }
    let before = beginRefusingChanges(.buildingKeys)
    defer { endRefusingChanges(before) }
    var identities: [Identity] = []
    for index in set.indexes {
      guard let (key, holder) = index.identify?(component) else { continue }
      identities.append(
        Identity(
          key: Identity.Key(index: index.registration, key: key),
          holder: holder.map { Entity(core: self, handle: $0) }))
    }
    return identities
  }

  /// Visits the values of a component as storage has them, besides those that the closure of an
  /// iteration has: listeners are notified of these when it ends.
  func forEachValue(of cid: CID, in set: TableSet, _ body: (Handle, ValueAddress) -> Void) {
    for unsafe(table) in unsafe set.tables {
      guard let column = unsafe table.pointee.column(of: cid) else { continue }
      let inHand = unsafe exclusivity.rowsInHand(of: cid, in: table)
      for row in unsafe 0..<table.pointee.count where !inHand.contains(row) {
        unsafe body(handle(at: row, of: table), ValueAddress(column.pointee.place(row)))
      }
    }
  }
}
