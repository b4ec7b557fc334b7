// What is counted. Everything here is asked by the owner of the lock.
extension Core {
  var liveCount: Int { pointer.pointee.slots.liveCount }
  var tableCount: Int { unsafe pointer.pointee.tables.all.count }

  /// Of all tables: how many entities they have, the bytes of their rows, and the components.
  var tableSizes: [(count: Int, bytes: Int, cids: [CID])] {
    unsafe pointer.pointee.tables.all.map { table in
      let stride = unsafe table.pointee.signature.reduce(MemoryLayout<UInt32>.stride) {
        $0 + $1.pointer.pointee.stride
      }
      return unsafe (
        table.pointee.count, table.pointee.capacity * stride, table.pointee.signature
      )
    }
  }

  /// All sets of tables, in the order in which they were made.
  var sets: [TableSet] { pointer.pointee.listeners.sets }

  var indexCount: Int {
    pointer.pointee.listeners.sets.reduce(0) { count, set in
      count + set.indexes.count + set.sinks.count { $0.isIndex }
    }
  }
  var collectorCount: Int { pointer.pointee.listeners.sets.reduce(0) { $0 + $1.logs.count } }
  var staleWrites: Int { pointer.pointee.slots.staleWrites }
  var lostElements: Int { pointer.pointee.events.lostElements }
  var tablesMade: Int { pointer.pointee.tables.madeCount }
  var matcherEvaluations: Int { pointer.pointee.listeners.matcherEvaluations }
}
