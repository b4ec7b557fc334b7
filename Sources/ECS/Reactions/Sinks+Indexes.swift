// Indexes, which are notified before the sinks.
extension Sinks {
  /// Keeps an index up to date from here on.
  func register(_ index: IndexSink) {
    core.pointer.pointee.listeners.registrations += 1
    index.registration = core.pointer.pointee.listeners.registrations
    index.isRegistered = true
    let set = index.tables ?? core.setOfTables(with: index.cid)
    set.indexes.append(index)
    core.reactionLists.invalidate(of: set)
  }

  func unregister(_ index: IndexSink) {
    index.isRegistered = false
    guard let set = index.tables ?? core.pointer.pointee.listeners.setsOfComponents[index.cid]
    else {
      return
    }
    if set.indexes.contains(index) {
      set.indexes.remove(index)
      core.reactionLists.invalidate(of: set)
    }
    core.retire(index)
  }
}
