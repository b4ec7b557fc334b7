extension StepValues {
  /// Gives an entity, unless it is dead, a value that it has at one end of the step, as
  /// `Entity.set(_:)` does.
  package func set(_ value: ChangedValue, to side: UndoSide) {
    guard let source = unsafe rows.value(value.row, side) else { return }
    func setAny<C: Component>(_ type: C.Type) {
      // SAFETY: the place has a value of this type.
      unsafe core.set(source.assumingMemoryBound(to: type).pointee, on: value.entity.handle)
    }
    core.section {
      if unsafe !replace(value, source), core.isAlive(value.entity.handle) {
        setAny(value.cid.type)
      }
    }
  }

  // PERFORMANCE: UN1: most values take the place of others, which needs no code of their types.
  /// Replaces the value of a component that an entity has; false if it has none, or if closures
  /// have values.
  private func replace(_ value: ChangedValue, _ source: UnsafeRawPointer) -> Bool {
    let (handle, cid) = (value.entity.handle, value.cid)
    guard core.acceptsChanges, core.pointer.pointee.taken.count == 0,
      let record = unsafe core.record(of: handle), let table = unsafe record.pointee.table,
      let edge = unsafe table.pointee.edge(cid.key), let column = unsafe edge.pointee.column
    else { return false }
    if unsafe !edge.pointee.isReplaceListed {
      unsafe core.reactionLists.refreshReplace(table, edge)
    }
    // SAFETY: the column has values of this type up to the row; places for copies of the old value
    // and the new one are set aside, that of the new one for journals.
    let place = unsafe column + Int(record.pointee.row) &* cid.pointer.pointee.stride
    if core.isNoting, let places = unsafe core.recorder.notePlainReplacement(handle, edge) {
      unsafe cid.copyValue(to: places.old, from: place)
      if core.isJournaling { unsafe cid.copyValue(to: places.new, from: source) }
    }
    if let places = unsafe core.notifications.queueReplacement(handle, edge, hasOld: true) {
      unsafe cid.copyValue(to: places.old, from: place)
      unsafe cid.copyValue(to: places.new, from: source)
    }
    if !cid.pointer.pointee.isTrivial {
      unsafe core.discard(cid.pointer.pointee.take(place))
    }
    unsafe cid.copyValue(to: place, from: source)
    unsafe core.finishReplace(handle, edge.pointee.replace)
    return true
  }
}
