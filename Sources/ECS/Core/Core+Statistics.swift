// What is counted. Everything here is asked by the owner of the lock.
extension Core {
  var liveCount: Int { pointer.pointee.liveCount }
  var tableCount: Int { unsafe pointer.pointee.tables.count }

  /// All sets of tables, in the order in which they were made.
  var sets: [TableSet] { pointer.pointee.sets }

  var indexCount: Int {
    pointer.pointee.sets.reduce(0) { $0 + $1.indexes.count }
  }
  var collectorCount: Int { pointer.pointee.sets.reduce(0) { $0 + $1.logs.count } }
  var staleWrites: Int { pointer.pointee.staleWrites }
  var lostElements: Int { pointer.pointee.lostElements }
  var tablesMade: Int { pointer.pointee.tablesMade }
  var matcherEvaluations: Int { pointer.pointee.matcherEvaluations }
}
