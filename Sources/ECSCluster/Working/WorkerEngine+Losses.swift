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
      logNumber: max(work.logNumber, work.logEnd))
  }

  /// Makes sure that the broker still has what it said it had; says what it has not.
  func verify() throws(BrokerError) {
    let before = session.foundation
    try session.open(cluster.settings)
    let isOther = session.foundation != before
    let known = marks.merging(works.mapValues { mark(of: $0) }) { $1 }
    if !known.isEmpty {
      let figures = try session.figures()
      guard figures.count == options.partitions else {
        throw .nonsense("Not all partitions are there")
      }
      for (partition, mark) in known.sorted(by: { $0.key < $1.key }) {
        // Of one that is damaged, nothing is known.
        guard let found = figures[partition] else { continue }
        if let loss = mark.loss(of: partition, isOther ? PartitionFigures() : found) {
          observers.tell(.lost(loss))
          if loss.changes != nil { try startAnew(partition) }
          works[partition]?.sent = found.sent
        }
        marks[partition] = nil
      }
    }
    isDoubtful = false
  }
}
