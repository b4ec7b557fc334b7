import ECS
import ECSSnapshots

extension WorkerEngine {
  /// Does something with a partition; if what is kept of it is damaged, it is tried again later,
  /// and the others go on.
  func alone(_ partition: Int, _ body: () throws(BrokerError) -> Void) throws(BrokerError) {
    do throws(BrokerError) {
      try body()
    } catch {
      guard error.mayBeOfOnePartition else { throw error }
      pause(partition, .broker(error))
    }
  }

  /// Makes sure that a partition's entities are what its log says.
  func prepare(_ partition: Int) throws(BrokerError) {
    guard let work = works[partition], now >= work.pausedUntil else { return }
    if !work.isRestored {
      try withoutJournal { () throws(BrokerError) in try restore(partition) }
    }
    if works[partition]?.isUnsure ?? false { try catchUp(partition) }
    try keepAlive()
    dropLate()
  }

  private func restore(_ partition: Int) throws(BrokerError) {
    let start = now
    // Whatever was there is of another time.
    if dirty.contains(partition) {
      contents.drop(dirty.filter { works[$0]?.isRestored != true })
      dirty = []
    }
    works[partition]?.logNumber = 0
    works[partition]?.lastEntry = nil
    works[partition]?.entities = 0
    works[partition]?.logBytes = 0
    // From here on, it is not known what is there.
    dirty.insert(partition)
    let snapshot = try session.readSnapshot(of: partition)
    do throws(SnapshotError) {
      if let snapshot {
        works[partition]?.entities = try contents.apply(snapshot.bytes)
        works[partition]?.logNumber = snapshot.number
        works[partition]?.snapshotBytes = snapshot.bytes.count
      }
    } catch {
      return pauseUnread(partition, error)
    }
    guard try readChanges(partition), let work = works[partition] else { return }
    // What the worker that had it before did not do is due, too.
    works[partition]?.batchesSinceSnapshot = Int(
      clamping: work.logNumber - (snapshot?.number ?? 0))
    works[partition]?.isRestored = true
    dirty.remove(partition)
    noteSuccess(partition)
    observers.tell(.restored(partition: partition, entities: work.entities, in: now - start))
  }

  /// Finds out what became of a commit that was not answered.
  private func catchUp(_ partition: Int) throws(BrokerError) {
    guard let work = works[partition] else { return }
    let known = work.logNumber
    works[partition]?.logEnd = known
    guard try readChanges(partition) else { return }
    if work.hasMoved, works[partition]?.logNumber == known {
      // The broker has less than it said it had.
      fail(.changesMissing(partition: partition, expected: known &+ 1), partition)
      return try startAnew(partition, after: .milliseconds(500))
    }
    let found = (works[partition]?.logNumber ?? known) - known
    works[partition]?.batchesSinceSnapshot += Int(clamping: found)
    works[partition]?.isUnsure = false
    works[partition]?.hasMoved = false
    noteSuccess(partition)
    guard found > 0, let offset = works[partition]?.offset else { return }
    works[partition]?.unanswered = [:]
    // The lease was the worker's all the time, and so the entry is its own.
    tellDead(work.unanswered[offset] ?? [], of: partition)
  }

  /// Applies entries of the log that the entities do not have; false if that did not succeed, or if
  /// the lease was lost meanwhile.
  private func readChanges(_ partition: Int) throws(BrokerError) -> Bool {
    while let position = works[partition]?.logNumber {
      if isStopped() { return false }
      let entries = try readLog(partition, behind: position)
      // Reading again prolongs leases, and may have found that this one is lost.
      guard let work = works[partition] else { return false }
      if entries.isEmpty {
        guard work.logNumber >= work.logEnd else {
          pause(
            partition, .changesMissing(partition: partition, expected: work.logNumber &+ 1))
          return false
        }
        works[partition]?.logEnd = work.logNumber
        return true
      }
      for entry in entries {
        let expected = (works[partition]?.logNumber ?? 0) &+ 1
        guard entry.number == expected else {
          dirty.insert(partition)
          works[partition]?.isRestored = false
          pause(partition, .changesMissing(partition: partition, expected: expected))
          return false
        }
        do throws(SnapshotError) {
          works[partition]?.entities += try contents.apply(entry.bytes)
        } catch {
          pauseUnread(partition, error)
          return false
        }
        works[partition]?.logNumber = entry.number
        works[partition]?.offset = entry.offset
        works[partition]?.logBytes += entry.bytes.count
        works[partition]?.lastEntry = EntryShape(offset: entry.offset, size: entry.bytes.count)
      }
      try keepAlive()
    }
    return false
  }

  /// Reads entries of a log, as many as there is time for.
  private func readLog(
    _ partition: Int, behind number: UInt64
  ) throws(BrokerError) -> [LogEntry] {
    let position = ReadPosition(partition: partition, number: number)
    while true {
      let limit = logBudget.share(of: 1, atMost: 256).limit
      do throws(BrokerError) {
        let entries = try session.readLog([position], limit: limit, wait: .zero)
        logBudget.note(entries.count, bytes: entries.reduce(0) { $0 + $1.bytes.count })
        return entries
      } catch {
        guard case .timedOut = error else { throw error }
        logBudget.shrink(asked: limit)
        // What was read so far is not to be read again.
        if limit == 1 || isStopped() { throw error }
      }
      try keepAlive()
    }
  }

  /// Something can't be read: perhaps by this program only.
  func pauseUnread(_ partition: Int, _ error: SnapshotError) {
    switch error.reason {
    case .laterFormat, .laterVersion, .unknown: fatalError = .schema(error)
    default: break
    }
    pause(partition, .schema(error))
  }

  /// Writes a snapshot of a partition, so that its log can begin anew.
  func takeSnapshot(_ partition: Int) throws(BrokerError) {
    guard let work = works[partition] else { return }
    let bytes: [UInt8]
    do throws(SnapshotError) {
      bytes = try contents.snapshot(of: partition)
    } catch {
      return pause(partition, .schema(error))
    }
    let snapshot = StoredSnapshot(number: work.logNumber, bytes: bytes)
    guard
      try session.writeSnapshot(snapshot, of: partition, epoch: work.epoch, worker: id)
    else { return }
    works[partition]?.batchesSinceSnapshot = 0
    works[partition]?.logBytes = 0
    works[partition]?.snapshotBytes = bytes.count
    observers.tell(
      .snapshot(partition: partition, number: work.logNumber, bytes: bytes.count))
  }

  /// Writes snapshots early while the broker has little memory left: then it needs no changes
  /// before them.
  ///
  /// As long as events are taken, a log is about as long as the snapshot first, so that little is
  /// written twice. When there is no room for them, each log that there is goes.
  func makeRoom() throws(BrokerError) {
    guard now >= nextLook, !works.isEmpty else { return }
    nextLook = now + min(options.lease / 4, .milliseconds(500))
    guard let fullness = try session.fullness(), fullness >= 0.75 else { return }
    for partition in works.keys.sorted() {
      guard !isStopped(), let work = works[partition], work.logBytes > 0 else { continue }
      guard work.isRestored, !work.isUnsure, work.pausedUntil <= now else { continue }
      let isStanding = fullness >= 0.85 && work.sent <= work.offset
      guard isStanding || work.logBytes > work.snapshotBytes / 2 else { continue }
      try alone(partition) { () throws(BrokerError) in try takeSnapshot(partition) }
      try keepAlive()
      dropLate()
    }
  }
}
