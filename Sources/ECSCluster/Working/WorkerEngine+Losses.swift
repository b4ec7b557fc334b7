// What the broker had and has no longer.
extension WorkerEngine {
  /// Notes how far a partition was that is the worker's no longer, although it has not given it
  /// back.
  func noteMark(_ partition: Int) {
    guard let work = works[partition] else { return }
    marks[partition] = mark(of: work)
    isDoubtful = true
  }

  /// Notes how many events were sent to a partition; fewer than before are looked at by
  /// ``verify()``.
  func noteSent(_ sent: UInt64, of partition: Int) {
    guard let known = works[partition]?.sent else { return }
    if sent < known { isDoubtful = true } else { works[partition]?.sent = sent }
  }

  private func mark(of work: PartitionWork) -> PartitionMark {
    PartitionMark(
      sent: max(work.sent, work.isRestored ? work.offset : 0),
      logNumber: max(work.logNumber, work.logEnd), epoch: work.epoch,
      lastEntry: work.logNumber >= work.logEnd ? work.lastEntry : nil)
  }

  /// Makes sure that the broker still has what it said it had; says what it has not.
  func verify() throws(BrokerError) {
    try session.open(cluster.settings)
    let isOther = session.foundation != foundation
    let known = marks.merging(works.mapValues { mark(of: $0) }) { $1 }
    if !known.isEmpty {
      let metrics = try session.metrics()
      guard metrics.count == options.partitions else {
        throw .protocolViolation("Not all partitions are there")
      }
      for (partition, mark) in known.sorted(by: { $0.key < $1.key }) {
        // Of one that is damaged, nothing is known.
        guard let found = metrics[partition] else { continue }
        defer { marks[partition] = nil }
        var present = isOther ? PartitionMetrics() : found
        if try isReplaced(partition, mark, found) { present.logNumber = mark.logNumber - 1 }
        if let loss = mark.loss(of: partition, present) {
          observers.tell(.lost(loss))
          if loss.changes != nil { try startAnew(partition) }
          works[partition]?.sent = found.sent
        }
      }
    }
    (foundation, isDoubtful) = (session.foundation, false)
  }

  /// Whether another worker has written what is there with the number of the last change, since the
  /// broker had lost that one.
  private func isReplaced(
    _ partition: Int, _ mark: PartitionMark, _ found: PartitionMetrics
  ) throws(BrokerError) -> Bool {
    guard let last = mark.lastEntry, found.epoch != mark.epoch, found.logNumber >= mark.logNumber
    else { return false }
    let position = ReadPosition(partition: partition, number: mark.logNumber - 1)
    var entry: LogEntry?
    try alone(partition) { () throws(BrokerError) in
      entry = try session.readLog([position], limit: 1, wait: .zero).first
    }
    // If it is gone, it is part of a snapshot, and nothing can be said.
    guard let entry, entry.number == mark.logNumber else { return false }
    return EntryShape(offset: entry.offset, size: entry.bytes.count) != last
  }
}
