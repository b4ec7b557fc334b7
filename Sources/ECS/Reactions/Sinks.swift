/// The sinks that are called inside of changes.
struct Sinks {
  let core: Core
}

extension Core {
  /// The sinks that are called inside of changes.
  var sinks: Sinks { Sinks(core: self) }
}

extension Sinks {
  /// What is notified of the changes of sets of tables, set by set.
  var all: some Sequence<EntitySink> { core.pointer.pointee.listeners.sets.lazy.flatMap(\.sinks) }

  /// Tells a sink of each entity that is destroyed, after all others, from here on.
  func registerLast(_ sink: EntitySink) {
    assert(core.pointer.pointee.listeners.destructionSink == nil, "There is a last sink already.")
    core.pointer.pointee.listeners.destructionSink = sink
    core.reactionLists.invalidate(of: core.setOfAllTables())
  }

  /// Tells a sink of the changes of its tables from here on.
  func register(_ sink: EntitySink) {
    guard let set = sink.tables else { return }
    core.pointer.pointee.listeners.registrations += 1
    sink.registration = core.pointer.pointee.listeners.registrations
    set.sinks.append(sink)
    if sink.readsValues { core.pointer.pointee.listeners.readers[ObjectIdentifier(sink)] = sink }
    core.reactionLists.invalidate(of: set)
  }

  func unregister(_ sink: EntitySink) {
    guard let set = sink.tables else { return }
    if set.sinks.contains(sink) {
      set.sinks.remove(sink)
      core.pointer.pointee.listeners.readers[ObjectIdentifier(sink)] = nil
      core.reactionLists.invalidate(of: set)
    }
    core.retire(sink)
  }
}
