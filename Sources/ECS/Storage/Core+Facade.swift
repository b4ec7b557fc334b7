// What the layers above storage ask of a core. Everything here is called by the owner of the lock.
extension CoreReference {
  /// Whether changes can be made right away.
  @inlinable
  @inline(__always)
  var acceptsChanges: Bool { pointer.pointee.mode.isEmpty }

  @inlinable
  func isAlive(_ handle: Handle) -> Bool { record(of: handle) != nil }

  /// Whether an entity is alive and in a table of a set.
  func isMember(_ handle: Handle, of set: TableSet) -> Bool {
    set.contains(storedTable(of: handle))
  }

  /// Whether a set belongs to the context that uses this core at present.
  ///
  /// It was made by this core, but perhaps for an earlier one.
  func uses(_ set: TableSet) -> Bool { set.isInUse }

  /// The table without components, in which creation starts.
  @inlinable
  var root: TablePointer { pointer.pointee.root }

  var life: Int { pointer.pointee.life }
  var liveCount: Int { pointer.pointee.liveCount }
  var tableCount: Int { pointer.pointee.tables.count }

  /// All sets of tables, in the order in which they were made.
  var sets: [TableSet] { pointer.pointee.sets }

  var indexCount: Int {
    pointer.pointee.setsOfComponents.values.reduce(0) { $0 + $1.indexes.count }
  }
  var collectorCount: Int { pointer.pointee.sets.reduce(0) { $0 + $1.logs.count } }
  var staleWrites: Int { pointer.pointee.staleWrites }
  var matcherEvaluations: Int { pointer.pointee.matcherEvaluations }

  var contextObservers: ChangeTarget? {
    get { pointer.pointee.contextObservers }
    nonmutating set {
      guard pointer.pointee.contextObservers !== newValue else { return }
      pointer.pointee.contextObservers = newValue
      invalidateReactions(of: setOfAllTables())
    }
  }

  /// Calls a body with each entity that has a component, and the value.
  func forEachValue<C: Component>(of type: C.Type, _ body: (Handle, C) -> Void) {
    checkNobodyHas(type.cid, "A view")
    for table in pointer.pointee.tables {
      guard let column = table.pointee.column(of: type.cid) else { continue }
      // SAFETY: the column holds values of this type in all rows below the table's count.
      let values = column.pointee.base.assumingMemoryBound(to: type)
      for row in 0..<table.pointee.count { body(handle(at: row, of: table), values[row]) }
    }
  }

  /// The first entity of a set.
  func first(of set: TableSet) -> Handle? {
    for table in set.tables where table.pointee.count > 0 { return handle(at: 0, of: table) }
    return nil
  }

  /// Calls a body with each entity of a set, table by table.
  func forEach(in set: TableSet, _ body: (Handle) -> Void) {
    for table in set.tables {
      for row in 0..<table.pointee.count { body(handle(at: row, of: table)) }
    }
  }
}
