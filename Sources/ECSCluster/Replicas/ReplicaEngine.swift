import ECS
import ECSSnapshots
import Foundation

/// The work of a replica on its thread, a step at a time.
// Used by one thread at a time, that of the replica; its waiters, and `isRunning`, are guarded by
// the lock.
final class ReplicaEngine<Event: Component, C: Component, Key: PartitionKey>: @unchecked Sendable {
  struct State {
    var number: UInt64 = 0

    /// The last event that is part of it, as far as changes have said.
    var offset: UInt64 = 0
    var isRestored = false

    /// It is not read before, since something of it can't be read; entities stay as they are.
    var pausedUntil = Duration.zero
    var hasFailed = false
    var backoff = Backoff()

    /// The entry with that number, to see whether it is still the same after the broker was away.
    var last: [UInt8]?
  }

  /// The outcome of reading the changes of all partitions.
  struct Pass {
    /// Whether any was asked.
    var hasRead = false

    /// Whether the broker was asked to wait for news, of all of them at once.
    var hasWaited = false

    /// The partitions that had some.
    var news: Set<Int> = []
  }

  struct Waiter {
    let continuation: CheckedContinuation<Void, Never>

    /// The ends of the logs when it began to wait; nil for those that are to be asked for.
    var targets: [UInt64?]

    /// Whether they were asked for.
    var isNew = true
  }

  let observers = ClusterObservers<ReplicaEvent>()
  private(set) var fatalError: ClusterError?

  /// Whether it is to end, also in the midst of a step.
  private var isStopped: @Sendable () -> Bool = { false }
  private var fetchBudget = FetchBudget()

  let cluster: Cluster<Event, Key>
  private let contents: PartitionContents<C, Key>
  let session: any BrokerSession
  private let partitions: Int
  var states: [State]
  private var isOpen = false
  var isDoubtful = false
  private var backoff = Backoff()
  private var failures = ReportedFailures()
  var nextLook = Duration.zero

  let lock = NSLock()
  private var isRunning = false
  private var hasEnded = false
  private var lastWaiter = 0
  var waiters: [Int: Waiter] = [:]
  private var cancelled: Set<Int> = []

  init(
    _ cluster: Cluster<Event, Key>, _ context: Context, _ index: PrimaryIndex<C, Key>
  ) {
    self.cluster = cluster
    contents = PartitionContents(
      context: context, index: index, schema: cluster.schema,
      partitions: cluster.options.partitions)
    session = cluster.broker.makeSession(for: cluster.name)
    partitions = cluster.options.partitions
    states = Array(repeating: State(), count: partitions)
  }

  // MARK: From anywhere

  func begin(_ isStopped: @escaping @Sendable () -> Bool) -> Bool {
    lock.withLock {
      if isRunning { return false }
      (isRunning, hasEnded) = (true, false)
      self.isStopped = isStopped
      return true
    }
  }

  /// Why it ends; called on its thread, before it has ended.
  func takeFatalError() -> ClusterError? {
    defer { fatalError = nil }
    return fatalError
  }

  var isWaitedFor: Bool { lock.withLock { !waiters.isEmpty } }

  func end() {
    let left = lock.withLock {
      (isRunning, hasEnded) = (false, true)
      isStopped = { false }
      defer { waiters = [:] }
      return waiters.values.map(\.continuation)
    }
    for continuation in left { continuation.resume() }
  }

  func makeWaiterNumber() -> Int {
    lock.withLock {
      lastWaiter += 1
      return lastWaiter
    }
  }

  func wait(_ index: Int, _ continuation: CheckedContinuation<Void, Never>) {
    let isOver = lock.withLock {
      if cancelled.remove(index) != nil || hasEnded { return true }
      waiters[index] = Waiter(
        continuation: continuation, targets: Array(repeating: nil, count: partitions))
      return false
    }
    if isOver { continuation.resume() }
  }

  func cancelWait(_ number: Int) {
    let waiter = lock.withLock {
      let waiter = waiters.removeValue(forKey: number)
      if waiter == nil { cancelled.insert(number) }
      return waiter
    }
    waiter?.continuation.resume()
  }

  // MARK: On the thread

  /// Applies what there is, or waits for some; gives how long to rest before the next step.
  func step(wait: Duration) -> Duration {
    do throws(BrokerError) {
      if !isOpen {
        try session.open(cluster.settings)
        isOpen = true
        contents.drop(Set(states.indices))
      }
      if isDoubtful { try verify() }
      let isAllRestored = try restoreSome()
      let pass = try followAll(wait: isAllRestored ? wait : .zero)
      if isStopped() { return .zero }
      try look(after: pass)
      backoff.reset()
      if !failures.isEmpty {
        if states.allSatisfy({ $0.isRestored && !$0.hasFailed }) {
          failures.removeAll()
          observers.tell(.recovered)
        } else {
          failures.removeShared()
        }
      }
      if !isAllRestored || pass.hasWaited || !pass.news.isEmpty { return .zero }
      // No call has waited at the broker, and so it is asked again and again.
      return .milliseconds(pass.hasRead ? 20 : 100)
    } catch {
      // It may have lost something meanwhile.
      isDoubtful = true
      fail(.broker(error))
      return backoff.next()
    }
  }

  private func fail(_ error: ClusterError, _ partition: Int? = nil) {
    if case .schema(let reason) = error {
      switch reason.reason {
      case .laterFormat, .laterVersion, .unknown: fatalError = error
      default: break
      }
    }
    if failures.insert(error, of: partition) { observers.tell(.failed(error)) }
  }

  // MARK: One partition

  func isReady(_ partition: Int) -> Bool {
    states[partition].pausedUntil <= cluster.time.now()
  }

  /// Something of a partition can't be read: it stays as it is, and is tried again later and later.
  private func pause(_ partition: Int, _ error: ClusterError) {
    states[partition].pausedUntil = cluster.time.now() + states[partition].backoff.next()
    states[partition].hasFailed = true
    fail(error, partition)
  }

  private func noteSuccess(_ partition: Int) {
    states[partition].hasFailed = false
    states[partition].backoff.reset()
  }

  /// Does something with a partition; what is damaged stops this one only.
  func alone(
    _ partition: Int, _ body: () throws(BrokerError) -> Void
  ) throws(BrokerError) {
    do throws(BrokerError) {
      try body()
    } catch {
      guard error.mayBeOfOnePartition else { throw error }
      pause(partition, .broker(error))
    }
  }

  /// Brings snapshots of partitions that have none; gives whether there was time for all.
  private func restoreSome() throws(BrokerError) -> Bool {
    let start = cluster.time.now()
    for partition in states.indices where !states[partition].isRestored && isReady(partition) {
      // Those that are there are not to stand still until all others are.
      if isStopped() || cluster.time.now() - start > .milliseconds(100) { return false }
      try alone(partition) { () throws(BrokerError) in try restore(partition) }
    }
    return true
  }

  /// Reads changes of all partitions and applies them.
  private func followAll(wait: Duration) throws(BrokerError) -> Pass {
    let positions = states.indices.filter { states[$0].isRestored && isReady($0) }
      .map { ReadPosition(partition: $0, number: states[$0].number) }
    var rest = positions[...]
    var pass = Pass(hasRead: !positions.isEmpty)
    while !rest.isEmpty, !isStopped() {
      let share = fetchBudget.share(of: rest.count, atMost: 64)
      let part = Array(rest.prefix(share.positions))
      rest = rest.dropFirst(share.positions)
      let isAll = part.count == positions.count
      let (entries, isTogether) = try read(part, limit: share.limit, wait: isAll ? wait : .zero)
      pass.hasWaited = isAll && isTogether
      pass.news.formUnion(entries.map(\.partition))
      // What comes behind one that can't be applied waits for it.
      var standing: Set<Int> = []
      for entry in entries where states.indices.contains(entry.partition) {
        if standing.contains(entry.partition) || follow(entry) { continue }
        standing.insert(entry.partition)
      }
    }
    if pass.news.isEmpty, !pass.hasWaited { fetchBudget.noteIdle() }
    return pass
  }

  /// Reads changes of several partitions; one whose changes are damaged stands still, and the
  /// others go on: they are not read together then, nor waited for.
  private func read(
    _ positions: [ReadPosition], limit: Int, wait: Duration
  ) throws(BrokerError) -> (entries: [LogEntry], isTogether: Bool) {
    var entries: [LogEntry] = []
    do throws(BrokerError) {
      entries = try session.readLog(positions, limit: limit, wait: wait)
      fetchBudget.note(entries.count, bytes: entries.reduce(0) { $0 + $1.bytes.count })
      for position in positions { states[position.partition].hasFailed = false }
      return (entries, true)
    } catch {
      if case .timedOut = error { fetchBudget.shrink(asked: limit * positions.count) }
      guard error.mayBeOfOnePartition else { throw error }
    }
    for position in positions {
      try alone(position.partition) { () throws(BrokerError) in
        entries += try session.readLog([position], limit: limit, wait: .zero)
        states[position.partition].hasFailed = false
      }
    }
    return (entries, false)
  }

  private func restore(_ partition: Int) throws(BrokerError) {
    let snapshot = try session.readSnapshot(of: partition)
    do throws(SnapshotError) {
      let entities = try contents.replace(partition, by: snapshot?.bytes)
      let backoff = states[partition].backoff
      states[partition] = State(
        number: snapshot?.number ?? 0, isRestored: true, backoff: backoff)
      observers.tell(.restored(partition: partition, entities: entities))
    } catch {
      pause(partition, .schema(error))
    }
  }

  /// Applies a change; false if it can't be.
  private func follow(_ entry: LogEntry) -> Bool {
    let state = states[entry.partition]
    guard state.isRestored, isReady(entry.partition) else { return false }
    // What it lacks is part of a snapshot by now.
    guard entry.number == state.number &+ 1 else {
      startAnew(entry.partition)
      return false
    }
    do throws(SnapshotError) {
      try contents.apply(entry.bytes)
      states[entry.partition].number = entry.number
      states[entry.partition].last = entry.bytes
      states[entry.partition].offset = entry.offset
      noteSuccess(entry.partition)
      return true
    } catch {
      pause(entry.partition, .schema(error))
      return false
    }
  }

  /// Reads the snapshot of a partition next; entities stay until that is there.
  func startAnew(_ partition: Int) {
    let old = states[partition]
    states[partition] = State(backoff: old.backoff)
    // Nothing could be read behind its snapshot: later and later, as long as that is so.
    if old.last == nil {
      states[partition].pausedUntil = cluster.time.now() + states[partition].backoff.next()
    }
  }
}
