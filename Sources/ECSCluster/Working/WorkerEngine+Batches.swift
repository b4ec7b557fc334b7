import ECS
import ECSSnapshots
import Foundation

/// Events of a partition that are applied together.
struct Batch<Event: Component> {
  let partition: Int
  var events: [ClusterEvent<Event>] = []

  /// The number of the last event.
  var offset: UInt64

  /// What could not be read.
  var dead: [DeadEvent] = []
}

extension WorkerEngine {
  /// Reads events of all partitions that are ready, and applies them.
  func work(wait: Duration) throws(BrokerError) {
    let ready = works.values.filter { $0.isRestored && !$0.isUnsure && $0.pausedUntil <= now }
      .sorted { $0.partition < $1.partition }
    if ready.isEmpty { return idle(wait) }
    var rest = ready[...]
    var isIdle = true
    while !rest.isEmpty, !isStopped() {
      let share = eventBudget.share(
        of: rest.count, atMost: max(1, options.batchSize / options.packSize))
      let part = rest.prefix(share.positions)
      rest = rest.dropFirst(share.positions)
      let isAll = part.count == ready.count
      let packs = try read(part, limit: share.limit, wait: isAll ? wait : .zero)
      if !packs.isEmpty || isAll { isIdle = false }
      try apply(packs, to: part)
    }
    if isIdle {
      eventBudget.noteIdle()
      idle(wait)
    }
  }

  private func apply(
    _ packs: [StoredPack], to part: ArraySlice<PartitionWork>
  ) throws(BrokerError) {
    var groups: [Int: [StoredPack]] = [:]
    for pack in packs { groups[pack.partition, default: []].append(pack) }
    for work in part where !isStopped() {
      let partition = work.partition
      guard let packs = groups[partition] else {
        guard let present = works[partition], present.pausedUntil <= now else { continue }
        guard work.sent > work.offset else {
          // It can be read, and all of it is applied.
          if !unrenewed.contains(partition) { noteSuccess(partition) }
          continue
        }
        // More were sent than there are.
        try alone(partition) { () throws(BrokerError) in
          try checkGap(partition, expected: work.offset &+ 1)
        }
        continue
      }
      try alone(partition) { () throws(BrokerError) in try apply(packs, to: partition) }
      try keepAlive()
    }
  }

  /// Reads events of several partitions; one whose events are damaged stands still, and the others
  /// go on.
  private func read(
    _ part: ArraySlice<PartitionWork>, limit: Int, wait: Duration
  ) throws(BrokerError) -> [StoredPack] {
    let positions = part.map { ReadPosition(partition: $0.partition, number: $0.offset) }
    do throws(BrokerError) {
      let packs = try session.read(positions, limit: limit, wait: wait)
      eventBudget.note(packs.count, bytes: packs.reduce(0) { $0 + $1.bytes.count })
      return packs
    } catch {
      if case .timedOut = error { eventBudget.shrink(asked: limit * positions.count) }
      guard error.mayBeOfOnePartition else { throw error }
    }
    var packs: [StoredPack] = []
    for position in positions {
      try alone(position.partition) { () throws(BrokerError) in
        packs += try session.read([position], limit: limit, wait: .zero)
      }
    }
    return packs
  }

  /// Waits without anything to wait for.
  private func idle(_ wait: Duration) {
    if wait > .zero { Thread.sleep(forTimeInterval: min(wait, .milliseconds(20)) / .seconds(1)) }
  }

  /// Events are not there: either they are another worker's, which has applied them, or they were
  /// removed from outside.
  private func checkGap(_ partition: Int, expected: UInt64) throws(BrokerError) {
    guard let work = works[partition] else { return }
    let asked = now
    let renewed = try session.renew(
      [(partition: partition, epoch: work.epoch)], worker: id, for: options.lease)
    let sent: UInt64
    switch renewed.first {
    case .renewed(let count): sent = count
    case .failed(let error): throw error
    case .lost, nil: return fence([partition])
    }
    works[partition]?.deadline = deadline(askedAt: asked)
    noteSent(sent, of: partition)
    guard sent >= expected else { return }
    // A commit that was not answered may have been carried out after all, long after it was asked
    // for.
    let position = ReadPosition(partition: partition, number: work.logNumber)
    guard try session.readLog([position], limit: 1, wait: .zero).isEmpty else {
      works[partition]?.isUnsure = true
      return
    }
    let packs = try session.read(
      [ReadPosition(partition: partition, number: work.offset)], limit: 1, wait: .zero)
    if let pack = packs.first, pack.first <= expected, pack.last >= expected { return }
    pause(partition, .eventsMissing(partition: partition, expected: expected))
  }

  private func apply(_ packs: [StoredPack], to partition: Int) throws(BrokerError) {
    var rest = packs[...]
    while !rest.isEmpty, let work = works[partition], work.pausedUntil <= now, !work.isUnsure {
      guard let batch = try makeBatch(&rest, work) else { return }
      if batch.offset == work.offset { return }
      try apply(batch)
      if isStopped() { return }
      try keepAlive()
    }
  }

  /// Takes packs apart, up to as many events as are applied together.
  private func makeBatch(
    _ packs: inout ArraySlice<StoredPack>, _ work: PartitionWork
  ) throws(BrokerError) -> Batch<Event>? {
    var batch = Batch<Event>(partition: work.partition, offset: work.offset)
    let limit = batchLimits[work.partition] ?? options.batchSize
    while let pack = packs.first, batch.events.count < limit {
      // Numbers are the broker's, which may be damaged: what is too great for one more is a gap. A
      // batch may have ended in the midst of a pack.
      guard pack.first <= batch.offset &+ 1, pack.last > batch.offset else {
        if !batch.events.isEmpty { return batch }
        try checkGap(work.partition, expected: batch.offset &+ 1)
        return nil
      }
      do throws(SnapshotError) {
        let values = try cluster.decode(pack.bytes)
        guard values.count == pack.count else {
          throw SnapshotError(.malformed("A pack of \(pack.count) has \(values.count)"))
        }
        let start = Int(clamping: batch.offset &+ 1 &- pack.first)
        for value in values.dropFirst(start).prefix(limit - batch.events.count) {
          batch.offset &+= 1
          batch.events.append(
            ClusterEvent(id: id(batch.offset, of: work.partition), value: value))
        }
        if batch.offset == pack.last { packs.removeFirst() }
      } catch {
        let event = id(pack.last, of: work.partition)
        // What is before it is applied first.
        if !batch.events.isEmpty, options.poison == .stop || error.isOfLaterVersion { return batch }
        switch (error.reason, options.poison) {
        case (.laterFormat, _), (.laterVersion, _), (.unknown, _):
          // Another program can read them.
          pauseUnread(work.partition, error)
          return nil
        case (_, .stop):
          standStill(work.partition, .poisoned(event, "\(error)"))
          return nil
        case (_, .setAside):
          batch.dead.append(
            DeadEvent(number: pack.last, reason: "\(error)", bytes: pack.bytes))
          batch.offset = pack.last
          packs.removeFirst()
        }
      }
    }
    return batch
  }

  private func id(_ number: UInt64, of partition: Int) -> EventID {
    EventID(cluster: cluster.name, partition: partition, number: number)
  }

  // MARK: Carrying out

  /// Applies events and commits what they changed, or takes it back.
  private func apply(_ batch: Batch<Event>) throws(BrokerError) {
    let partition = batch.partition
    guard let work = works[partition] else { return }
    let asked = now
    // Before systems see anything: others may have gone on meanwhile.
    guard asked < work.deadline else { return fence([partition]) }
    var offset = batch.offset
    var dead = batch.dead
    var stop: (id: EventID, reason: String)?
    var size = 0
    do throws(BatchFailure) {
      try context.transaction("events of partition \(partition)") { () throws(BatchFailure) in
        let applied = apply(batch.events, partition)
        stop = applied.stop
        if let stop {
          offset = stop.id.number - 1
          if offset == work.offset { throw .poison(stop.id, stop.reason) }
        }
        dead += applied.dead
        dead.sort { $0.number < $1.number }
        let bytes = try encode(applied.changes).bytes
        size = bytes.count
        guard now < work.deadline else { throw .late }
        if bytes.count > BatchLimits.bytes, batch.events.count > 1 { throw .large }
        let commit = BatchCommit(
          partition: partition, epoch: work.epoch, logNumber: work.logNumber, offset: offset,
          bytes: bytes, dead: dead)
        switch try send(commit) {
        case .committed: break
        case .fenced: throw .fenced
        case .moved: throw .moved
        }
      }
    } catch {
      return try giveUp(batch, offset, dead, error)
    }
    works[partition]?.offset = offset
    works[partition]?.logNumber &+= 1
    works[partition]?.deadline = deadline(askedAt: asked)
    works[partition]?.batchesSinceSnapshot += 1
    works[partition]?.logBytes += size
    works[partition]?.lastEntry = EntryShape(offset: offset, size: size)
    works[partition]?.unanswered = [:]
    noteSuccess(partition)
    noteDuration(now - asked, of: batch)
    tellDead(dead, of: partition)
    if let stop { standStill(partition, .poisoned(stop.id, stop.reason)) }
    if let count = works[partition]?.batchesSinceSnapshot,
      count >= options.batchesBetweenSnapshots
    {
      try takeSnapshot(partition)
    }
  }

  func tellDead(_ dead: [DeadEvent], of partition: Int) {
    for event in dead { observers.tell(.setAside(id(event.number, of: partition), event.reason)) }
  }

  /// Batches that take much of a lease become smaller: no lease is prolonged meanwhile.
  private func noteDuration(_ time: Duration, of batch: Batch<Event>) {
    let limit = batchLimits[batch.partition] ?? options.batchSize
    if time > options.lease / 8 {
      batchLimits[batch.partition] = max(1, min(limit, batch.events.count) / 2)
    } else if time < options.lease / 32, limit < options.batchSize {
      batchLimits[batch.partition] = min(limit * 2, options.batchSize)
    }
  }

  private func send(_ commit: BatchCommit) throws(BatchFailure) -> CommitOutcome {
    do throws(BrokerError) {
      return try session.commit(commit, worker: id, for: options.lease)
    } catch {
      throw .broker(error)
    }
  }

  /// What became of a batch that was taken back.
  private func giveUp(
    _ batch: Batch<Event>, _ offset: UInt64, _ dead: [DeadEvent], _ failure: BatchFailure
  ) throws(BrokerError) {
    let partition = batch.partition
    observers.tell(.rolledBack(partition: partition, events: batch.events.count))
    switch failure {
    case .late:
      // As large as it was, it would be late again.
      batchLimits[partition] = max(1, batch.events.count / 2)
      fence([partition])
    case .large: batchLimits[partition] = max(1, batch.events.count / 2)
    case .fenced: fence([partition])
    case .moved:
      works[partition]?.isUnsure = true
      works[partition]?.hasMoved = true
    case .broker(let error):
      works[partition]?.isUnsure = true
      works[partition]?.unanswered[offset] = dead
      throw error
    case .schema(let error): pause(partition, .schema(error))
    case .poison(let id, let reason): standStill(partition, .poisoned(id, reason))
    }
  }

  private func encode(_ changes: ChangedEntities<C>) throws(BatchFailure) -> ChangeEntry {
    do throws(SnapshotError) {
      return try ChangeEntry(changes, cluster.schema)
    } catch {
      throw .schema(error)
    }
  }
}

private enum BatchLimits {
  /// Redis takes no more than twice that.
  static let bytes = 256 << 20
}

extension SnapshotError {
  /// Whether another program can read it.
  fileprivate var isOfLaterVersion: Bool {
    switch reason {
    case .laterFormat, .laterVersion, .unknown: true
    default: false
    }
  }
}
