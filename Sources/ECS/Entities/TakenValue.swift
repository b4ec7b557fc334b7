/// A component that a closure is changing.
struct TakenValue {
  let handle: Handle
  let cid: CID

  /// Whether the value is moved out, and its memory uninitialized.
  ///
  /// INVARIANT: only of types whose values move by copying their bytes: rows may move meanwhile.
  var isOut: Bool
}

/// The values that closures are changing at this moment, the innermost one last.
@usableFromInline
struct TakenValues {
  private var values: [TakenValue] = []

  /// Not 0: changes take the slow path, since a value may be moved out.
  // PERFORMANCE: U1: read without looking into the array.
  @usableFromInline private(set) var count = 0

  mutating func append(_ value: TakenValue) {
    values.append(value)
    count = values.count
  }

  mutating func removeLast() -> TakenValue {
    defer { count = values.count }
    return values.removeLast()
  }

  /// Whether one of them fulfills a condition.
  func contains(where condition: (TakenValue) -> Bool) -> Bool { values.contains(where: condition) }

  /// Notes that the memory of a component is initialized again, or gone.
  ///
  /// Returns whether it was uninitialized.
  mutating func noteInitialized(_ key: ComponentKey, of handle: Handle) -> Bool {
    let index = values.firstIndex { $0.isOut && $0.handle == handle && $0.cid.key == key }
    guard let index else { return false }
    values[index].isOut = false
    return true
  }
}

extension Core {
  /// Begins to change a value outside iterations.
  ///
  /// Returns whether it may be moved out: nothing wants to be notified of what it was.
  @usableFromInline
  @inline(never)
  func beginTaking(_ cid: CID, of handle: Handle, mayThrow: Bool) -> Bool {
    guard !mayThrow, !isNoting, cid.pointer.pointee.isBitwiseTakable,
      !pointer.pointee.listeners.mayRead(cid), !wantsOldValue(of: cid, handle)
    else { return false }
    flushSinks()
    pointer.pointee.taken.append(TakenValue(handle: handle, cid: cid, isOut: true))
    pointer.pointee.iterations.exclusiveColumns += 1
    return true
  }

  /// Begins to change a copy of a value.
  @usableFromInline
  @inline(never)
  func beginChangingCopy(_ cid: CID, of handle: Handle) {
    flushSinks()
    pointer.pointee.taken.append(TakenValue(handle: handle, cid: cid, isOut: false))
    pointer.pointee.iterations.exclusiveColumns += 1
  }

  private func wantsOldValue(of cid: CID, _ handle: Handle) -> Bool {
    guard let table = unsafe record(of: handle)?.pointee.table,
      let edge = unsafe table.pointee.edge(cid.key)
    else { return true }
    if unsafe !edge.pointee.isReplaceListed { unsafe refreshReplace(table, edge) }
    return unsafe wantsValues(edge.pointee.replaceNotices, handle)
  }

  /// Ends to change a value.
  ///
  /// Returns whether its memory still waits for it.
  @usableFromInline
  @inline(never)
  func endTaking() -> Bool {
    pointer.pointee.iterations.exclusiveColumns -= 1
    return pointer.pointee.taken.removeLast().isOut
  }

  /// Whether the memory of a component is uninitialized, because a closure has the value.
  func isOut(_ cid: CID, _ handle: Handle) -> Bool {
    pointer.pointee.taken.count > 0
      && pointer.pointee.taken.contains { $0.isOut && $0.handle == handle && $0.cid == cid }
  }

  /// Notes that the memory of a component is initialized again, or gone.
  ///
  /// Returns whether it was uninitialized.
  @usableFromInline
  @inline(never)
  func noteInitialized(_ key: ComponentKey, of handle: Handle) -> Bool {
    pointer.pointee.taken.noteInitialized(key, of: handle)
  }

  /// Stops if a closure has a value of a component, for callers that would read a whole column.
  func checkNotTaken(_ key: ComponentKey, _ what: String) {
    require(
      !pointer.pointee.taken.contains { $0.cid.key == key },
      "\(what) needs the \(key.name) of all entities while a closure changes that of one: do it after the update."
    )
  }
}
