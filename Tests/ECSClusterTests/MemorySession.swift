import ECSCluster

/// What one thread asks of a broker in memory.
final class MemorySession: BrokerSession {
  private let broker: MemoryBroker

  init(_ broker: MemoryBroker) { self.broker = broker }

  func open(_ settings: ClusterSettings) throws(BrokerError) {
    foundation = try broker.call("open") { (b) throws(BrokerError) in
      try b.open(settings)
      return "\(b.foundations)"
    }
  }

  func send(_ packs: [EventPack], limit: Int) throws(BrokerError) -> [SendOutcome] {
    try broker.call("send") { b in packs.map { b.send($0, limit) } }
  }

  func claim(_ producer: String, sender: String) throws(BrokerError) -> [ProducerPosition] {
    let epochs = try broker.call("claimed") { $0.claimed(producer) }
    return try broker.call("claim") { (b) throws(BrokerError) in
      var places: [ProducerPosition] = []
      for (p, epoch) in epochs.enumerated() {
        places.append(
          try b.claim(producer, p, ProducerClaim(epoch: epoch + 1, sender: sender)))
      }
      return places
    }
  }

  private(set) var foundation: String?

  func lastNumbers(of producer: String) throws(BrokerError) -> [UInt64]? {
    try broker.call("lastNumbers") { b in b.look { $0.map { $0.producers[producer] ?? 0 } } }
  }

  func forget(_ producer: String) throws(BrokerError) {
    try broker.call("forget") { $0.forget(producer) }
  }

  func read(
    _ positions: [ReadPosition], limit: Int, wait: Duration
  ) throws(BrokerError) -> [StoredPack] {
    try broker.read("read", positions, limit, wait: wait) { partitions in
      positions.flatMap { position in
        partitions[position.partition].events.filter { $0.last > position.number }.prefix(limit)
      }
    }
  }

  func beat(_ worker: String, for time: Duration) throws(BrokerError) -> [String] {
    try broker.call("beat") { $0.beat(worker, time) }
  }

  func acquire(
    _ partitions: [Int], worker: String, for time: Duration
  ) throws(BrokerError) -> [AcquireOutcome] {
    try broker.call("acquire") { b in partitions.map { b.acquire($0, worker, time) } }
  }

  func renew(
    _ leases: [(partition: Int, epoch: UInt64)], worker: String, for time: Duration
  ) throws(BrokerError) -> [RenewOutcome] {
    try broker.call("renew") { b in leases.map { b.renew($0.partition, $0.epoch, worker, time) } }
  }

  func release(_ partition: Int, epoch: UInt64, worker: String) throws(BrokerError) {
    try broker.call("release") { $0.release(partition, epoch, worker) }
  }

  func commit(
    _ commit: BatchCommit, worker: String, for time: Duration
  ) throws(BrokerError) -> CommitOutcome {
    try broker.call("commit") { (b) throws(BrokerError) in try b.commit(commit, worker, time) }
  }

  func readLog(
    _ positions: [ReadPosition], limit: Int, wait: Duration
  ) throws(BrokerError) -> [LogEntry] {
    try broker.read("readLog", positions, limit, wait: wait) { partitions in
      positions.flatMap { position in
        partitions[position.partition].log.filter { $0.number > position.number }.prefix(limit)
      }
    }
  }

  func writeSnapshot(
    _ snapshot: StoredSnapshot, of partition: Int, epoch: UInt64, worker: String
  ) throws(BrokerError) -> Bool {
    try broker.call("writeSnapshot") { $0.writeSnapshot(snapshot, partition, epoch, worker) }
  }

  func readSnapshot(of partition: Int) throws(BrokerError) -> StoredSnapshot? {
    try broker.call("readSnapshot \(partition)") { b in b.look { $0[partition].snapshot } }
  }

  func fullness() throws(BrokerError) -> Double? { try broker.call("fullness") { $0.fullness } }

  func metrics() throws(BrokerError) -> [PartitionMetrics?] {
    try broker.call("metrics") { b in b.look { $0.map { $0.isOpaque ? nil : $0.metrics } } }
  }

  func deadEvents(of partition: Int, limit: Int) throws(BrokerError) -> [DeadEvent] {
    try broker.call("deadEvents") { b in b.look { Array($0[partition].dead.prefix(limit)) } }
  }

  func removeDeadEvent(_ number: UInt64, of partition: Int) throws(BrokerError) {
    try broker.call("removeDeadEvent") { $0.removeDead(number, partition) }
  }
}
