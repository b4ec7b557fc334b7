// Values that closures change outside of iterations.
extension Exclusivity {
  /// Begins to change a value outside iterations.
  ///
  /// Returns whether it may be moved out: nothing wants to be notified of what it was.
  @usableFromInline
  @inline(never)
  func beginTaking(_ cid: CID, of handle: Handle, mayThrow: Bool) -> Bool {
    guard !mayThrow, !core.isNoting, cid.pointer.pointee.isBitwiseTakable,
      !core.pointer.pointee.listeners.mayRead(cid), !wantsOldValue(of: cid, handle)
    else { return false }
    core.sinks.flush()
    core.pointer.pointee.taken.append(TakenValue(handle: handle, cid: cid, isOut: true))
    core.pointer.pointee.iterations.exclusiveColumns += 1
    return true
  }

  /// Begins to change a copy of a value.
  @usableFromInline
  @inline(never)
  func beginChangingCopy(_ cid: CID, of handle: Handle) {
    core.sinks.flush()
    core.pointer.pointee.taken.append(TakenValue(handle: handle, cid: cid, isOut: false))
    core.pointer.pointee.iterations.exclusiveColumns += 1
  }

  private func wantsOldValue(of cid: CID, _ handle: Handle) -> Bool {
    guard let table = unsafe core.record(of: handle)?.pointee.table,
      let edge = unsafe table.pointee.edge(cid.key)
    else { return true }
    if unsafe !edge.pointee.isReplaceListed {
      unsafe core.reactionLists.refreshReplace(table, edge)
    }
    return unsafe core.notifications.wantsValues(edge.pointee.replaceNotices, handle)
  }

  /// Ends to change a value.
  ///
  /// Returns whether its memory still waits for it.
  @usableFromInline
  @inline(never)
  func endTaking() -> Bool {
    core.pointer.pointee.iterations.exclusiveColumns -= 1
    return core.pointer.pointee.taken.removeLast().isOut
  }

  /// Whether the memory of a component is uninitialized, because a closure has the value.
  func isOut(_ cid: CID, _ handle: Handle) -> Bool {
    core.pointer.pointee.taken.count > 0
      && core.pointer.pointee.taken.contains { $0.isOut && $0.handle == handle && $0.cid == cid }
  }

  /// Notes that the memory of a component is initialized again, or gone.
  ///
  /// Returns whether it was uninitialized.
  @usableFromInline
  @inline(never)
  func noteInitialized(_ key: ComponentKey, of handle: Handle) -> Bool {
    core.pointer.pointee.taken.noteInitialized(key, of: handle)
  }

  /// Stops if a closure has a value of a component, for callers that would read a whole column.
  func checkNotTaken(_ key: ComponentKey, _ what: String) {
    require(
      !core.pointer.pointee.taken.contains { $0.cid.key == key },
      "\(what) needs the \(key.name) of all entities while a closure changes that of one: do it after the update."
    )
  }
}
