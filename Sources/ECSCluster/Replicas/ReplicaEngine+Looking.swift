import ECS
import Foundation

// What the broker has, and what it has no longer.
extension ReplicaEngine {
  /// Opens the cluster again: gives whether it is another one, which has nothing of what this one
  /// had.
  private func isFoundedAnew() throws(BrokerError) -> Bool {
    let before = session.foundation
    try session.open(cluster.settings)
    return session.foundation != before
  }

  private func metrics() throws(BrokerError) -> [PartitionMetrics?] {
    let metrics = try session.metrics()
    guard metrics.count == states.count else {
      throw .protocolViolation("Not all partitions are there")
    }
    return metrics
  }

  /// Something of a partition is gone: says what, and reads what is there.
  private func lose(_ partition: Int, _ found: PartitionMetrics) {
    let state = states[partition]
    let mark = PartitionMark(sent: state.offset, logNumber: state.number)
    if let loss = mark.loss(of: partition, found) { observers.tell(.lost(loss)) }
    startAnew(partition)
  }

  private func loseAll() {
    for (partition, state) in states.enumerated() where state.number > 0 {
      lose(partition, PartitionMetrics())
    }
  }

  /// Makes sure that the broker still has what it had.
  func verify() throws(BrokerError) {
    if try isFoundedAnew() { loseAll() }
    let metrics = try metrics()
    for (partition, state) in states.enumerated() where state.isRestored {
      // Of one that is damaged, nothing is known.
      guard state.number > 0, let found = metrics[partition] else { continue }
      if found.logNumber < state.number {
        lose(partition, found)
        continue
      }
      guard let last = state.last else {
        // All that there is, is part of the snapshot, and so is all that is here.
        if found.logNumber != state.number || found.snapshotNumber != state.number {
          startAnew(partition)
        }
        continue
      }
      let position = ReadPosition(partition: partition, number: state.number - 1)
      try alone(partition) { () throws(BrokerError) in
        let entry = try session.readLog([position], limit: 1, wait: .zero).first
        if entry?.number == state.number {
          if entry?.bytes == last { return }
          // Another one has its number by now.
          var before = found
          before.logNumber = state.number - 1
          lose(partition, before)
        } else {
          // A snapshot has it, and may have another one.
          startAnew(partition)
        }
      }
    }
    isDoubtful = false
  }

  /// Ends the waits for what is there by now, and finds out whether something is missing.
  func look(after pass: Pass) throws(BrokerError) {
    let hasNew = lock.withLock { waiters.values.contains { $0.isNew } }
    let isTime = cluster.time.now() >= nextLook
    if hasNew || isTime {
      if isTime, try isFoundedAnew() { loseAll() }
      nextLook = cluster.time.now() + .seconds(1)
      // Those that begin to wait from here on are asked for later.
      let asking = lock.withLock { waiters.keys.sorted() }
      let metrics = try metrics()
      lock.withLock {
        for number in asking {
          guard var waiter = waiters[number] else { continue }
          waiter.isNew = false
          // What the broker has lost since is not waited for.
          for (partition, found) in metrics.enumerated() {
            guard let found = found?.logNumber else { continue }
            waiter.targets[partition] = min(waiter.targets[partition] ?? found, found)
          }
          waiters[number] = waiter
        }
      }
      try checkEnds(metrics, after: pass)
    }
    let present = states.map { $0.isRestored ? $0.number : nil }
    let done = lock.withLock {
      let done = waiters.filter { waiter in
        zip(present, waiter.value.targets).allSatisfy { number, target in
          if let number, let target { number >= target } else { false }
        }
      }
      for number in done.keys { waiters[number] = nil }
      return done.values.map(\.continuation)
    }
    for continuation in done { continuation.resume() }
  }

  /// If a log is longer than what is there, but has nothing more to read, a snapshot has the rest;
  /// if it is shorter, the broker has lost something.
  private func checkEnds(_ metrics: [PartitionMetrics?], after pass: Pass) throws(BrokerError) {
    for (partition, state) in states.enumerated() where state.isRestored && isReady(partition) {
      guard let found = metrics[partition], found.logNumber != state.number else { continue }
      if found.logNumber < state.number {
        lose(partition, found)
      } else if !pass.news.contains(partition) {
        let position = ReadPosition(partition: partition, number: state.number)
        try alone(partition) { () throws(BrokerError) in
          if try session.readLog([position], limit: 1, wait: .zero).isEmpty { startAnew(partition) }
        }
      }
    }
  }
}
