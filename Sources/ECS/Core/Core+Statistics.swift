// What is counted. Everything here is asked by the owner of the lock.
extension Core {
  var liveCount: Int { pointer.pointee.slots.liveCount }
  var tableCount: Int { unsafe pointer.pointee.tables.all.count }

  /// All sets of tables, in the order in which they were made.
  var sets: [TableSet] { pointer.pointee.listeners.sets }

  var indexCount: Int {
    pointer.pointee.listeners.sets.reduce(0) { $0 + $1.indexes.count }
  }
  var collectorCount: Int { pointer.pointee.listeners.sets.reduce(0) { $0 + $1.logs.count } }
  var staleWrites: Int { pointer.pointee.slots.staleWrites }
  var lostElements: Int { pointer.pointee.events.lostElements }
  var tablesMade: Int { pointer.pointee.tables.madeCount }
  var matcherEvaluations: Int { pointer.pointee.listeners.matcherEvaluations }
}
