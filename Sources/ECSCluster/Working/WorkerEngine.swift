import ECS
import ECSSnapshots
import Foundation

/// The work of a worker on its thread, a step at a time.
// Used by one thread at a time, that of the worker; `isRunning` is guarded by the lock.
final class WorkerEngine<Event: Component, C: Component, Key: PartitionKey>: @unchecked Sendable {
  let cluster: Cluster<Event, Key>
  let contents: PartitionContents<C, Key>
  let creating: @Sendable (Key) -> C
  let applying: @Sendable (ClusterEvent<Event>, Entity) throws -> Void
  let makeLoop: (@Sendable () -> Loop)?
  let observers = ClusterObservers<WorkerEvent>()

  let id: String
  let session: any BrokerSession

  /// The partitions that are the worker's.
  var works: [Int: PartitionWork] = [:]
  var loop: Loop?
  private var isLoopReady = false

  private let lock = NSLock()
  private var isRunning = false
  private var isOpen = false

  /// What transactions change is to be seen while they run.
  private var journal: Subscription?

  /// Whether it is to end, also in the midst of a step.
  var isStopped: @Sendable () -> Bool = { false }
  private var backoff = Backoff()
  private var failures = ReportedFailures()
  private var failedPartitions: Set<Int> = []

  /// Whether the broker was away, and may have lost something meanwhile.
  var isDoubtful = false

  /// Which founding of the cluster its partitions are of.
  var foundation: String?

  /// How far partitions were that were lost, until it is known whether the broker has lost
  /// something of them.
  var marks: [Int: PartitionMark] = [:]

  private var alive: [String] = []

  /// The worker that is to have each partition.
  private var owners: [String?] = []
  private var nextBeat = Duration.zero
  private var nextRenewal = Duration.zero

  /// When to see how full the broker is.
  var nextLook = Duration.zero
  private var acquireAt: [Int: Duration] = [:]

  /// Leases that were given up, and of which the broker was not notified yet.
  private var leaving: [Int: UInt64] = [:]

  /// Partitions whose leases could not be prolonged since what is kept of them is damaged.
  private(set) var unrenewed: Set<Int> = []

  /// How many events of a partition are applied together, if those before took too long.
  var batchLimits: [Int: Int] = [:]

  /// How long partitions rest that stand still at an event.
  var rests: [Int: Backoff] = [:]
  var eventBudget = FetchBudget()
  var logBudget = FetchBudget()

  /// Partitions that may have entities in the context although they are not the worker's.
  var dirty: Set<Int>

  /// Why it has to stop: others write what this program can't read.
  var fatalError: ClusterError?

  init(
    _ cluster: Cluster<Event, Key>, _ context: Context, _ index: PrimaryIndex<C, Key>,
    id: String = UUID().uuidString, creating: @escaping @Sendable (Key) -> C,
    loop: (@Sendable () -> Loop)? = nil,
    applying: @escaping @Sendable (ClusterEvent<Event>, Entity) throws -> Void
  ) {
    (self.cluster, self.id, self.creating) = (cluster, id, creating)
    (self.applying, makeLoop) = (applying, loop)
    contents = PartitionContents(
      context: context, index: index, schema: cluster.schema,
      partitions: cluster.options.partitions)
    session = cluster.broker.makeSession(for: cluster.name)
    dirty = Set(0..<cluster.options.partitions)
    backoff = Backoff(atMost: min(.seconds(5), cluster.options.lease / 4))
  }

  var options: ClusterOptions { cluster.options }
  var now: Duration { cluster.time.now() }
  var context: Context { contents.context }

  /// False if it has begun already.
  func begin(_ isStopped: @escaping @Sendable () -> Bool) -> Bool {
    lock.withLock {
      if isRunning { return false }
      isRunning = true
      self.isStopped = isStopped
      return true
    }
  }

  /// Why it ends; called on its thread, before it has finished.
  func takeFatalError() -> ClusterError? {
    defer { fatalError = nil }
    return fatalError
  }

  // MARK: Steps

  /// Does what there is to do, and waits for events if there is nothing; gives how long to rest
  /// before the next step.
  func step(wait: Duration) -> Duration {
    beginJournal()
    guard prepareLoop() else { return backoff.next() }
    dropLate()
    do throws(BrokerError) {
      if !isOpen {
        try session.open(cluster.settings)
        (foundation, isOpen) = (session.foundation, true)
      }
      try keepAlive()
      if isDoubtful { try verify() }
      try balance()
      let isAllThere = try prepareAll()
      try makeRoom()
      // The lease is to be prolonged meanwhile.
      try work(wait: isAllThere ? min(wait, options.lease / 4) : .zero)
      backoff.reset()
      recover()
      return .zero
    } catch {
      isDoubtful = true
      fail(.broker(error))
      return backoff.next()
    }
  }

  private func beginJournal() {
    if journal == nil { journal = context.journal().observe { _ in } }
  }

  /// Does what no journal has to see while it is done: noting it would take longer than doing it.
  func withoutJournal<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    journal = nil
    defer { beginJournal() }
    return try body()
  }

  /// Initialises systems that are not; false if one can't be.
  private func prepareLoop() -> Bool {
    if isLoopReady { return true }
    if loop == nil { loop = makeLoop?() }
    let before = loop?.statistics.map(\.errors) ?? []
    loop?.initialise()
    let failed = zip(loop?.statistics ?? [], before).filter { $0.errors > $1 }.map(\.0.name)
    isLoopReady = failed.isEmpty
    if !isLoopReady { fail(.systems(failed.joined(separator: ", "))) }
    return isLoopReady
  }

  /// Brings the entities of partitions; gives whether all are there.
  private func prepareAll() throws(BrokerError) -> Bool {
    let start = now
    for partition in works.keys.sorted() {
      if isStopped() { return false }
      // Those that are there are not to stand still until all others are.
      if let work = works[partition], !work.isRestored, now - start > .milliseconds(100) {
        return false
      }
      try alone(partition) { () throws(BrokerError) in try prepare(partition) }
    }
    return true
  }

  /// Gives everything back.
  func finish() {
    let leases = works.values.sorted { $0.partition < $1.partition }
    // Before the broker hears of it: others may have them then.
    forget(leases.map(\.partition))
    // What comes to the context before it runs again is none of the log.
    dirty = Set(0..<options.partitions)
    var isThere = true
    for lease in leases where isThere {
      do throws(BrokerError) {
        try session.release(lease.partition, epoch: lease.epoch, worker: id)
      } catch {
        // The leases end by themselves.
        isThere = false
      }
    }
    for lease in leases { observers.tell(.released(partition: lease.partition)) }
    if isThere { _ = try? session.beat(id, for: .zero) }
    loop?.teardown()
    (loop, journal) = (nil, nil)
    (isLoopReady, nextBeat, nextLook) = (false, .zero, .zero)
    (acquireAt, leaving, unrenewed, marks) = ([:], [:], [], [:])
    lock.withLock {
      isRunning = false
      isStopped = { false }
    }
  }

  // MARK: Telling

  func fail(_ error: ClusterError, _ partition: Int? = nil) {
    if let partition { failedPartitions.insert(partition) }
    if failures.insert(error, of: partition) { observers.tell(.failed(error)) }
  }

  private func recover() {
    if failures.isEmpty { return }
    guard failedPartitions.isEmpty else { return failures.removeShared() }
    failures.removeAll()
    observers.tell(.recovered)
  }

  func noteSuccess(_ partition: Int) {
    failedPartitions.remove(partition)
    rests[partition] = nil
  }

  /// Something is wrong with a partition alone: it is tried again later.
  func pause(_ partition: Int, _ error: ClusterError) {
    works[partition]?.pausedUntil = now + .milliseconds(500)
    fail(error, partition)
  }

  /// A partition stands still at an event, which is tried again alone, and later and later.
  func standStill(_ partition: Int, _ error: ClusterError) {
    pause(partition, error)
    batchLimits[partition] = 1
    works[partition]?.pausedUntil =
      now + rests[partition, default: Backoff(.seconds(1), atMost: .seconds(60))].next()
  }

  // MARK: Leases

  /// Drops partitions that may be another's by now.
  func dropLate() {
    let now = now
    fence(works.values.filter { $0.deadline <= now }.map(\.partition).sorted())
  }

  /// Forgets partitions that are another's.
  func fence(_ partitions: [Int]) {
    for partition in partitions { noteMark(partition) }
    forget(partitions)
    for partition in partitions { observers.tell(.fenced(partition: partition)) }
  }

  /// Drops a partition of which the worker has something else than the broker, to begin anew.
  func startAnew(_ partition: Int, after rest: Duration = .zero) throws(BrokerError) {
    guard let work = works[partition] else { return }
    fence([partition])
    acquireAt[partition] = now + rest
    try session.release(partition, epoch: work.epoch, worker: id)
  }

  private func forget(_ partitions: [Int]) {
    for partition in partitions {
      works[partition] = nil
      failedPartitions.remove(partition)
    }
    contents.drop(Set(partitions))
  }

  private func beatIfDue() throws(BrokerError) {
    guard now >= nextBeat else { return }
    let found = try session.beat(id, for: options.lease).sorted()
    if found != alive {
      alive = found
      owners = (0..<options.partitions).map { Rendezvous.owner(of: $0, among: found) }
    }
    nextBeat = now + min(options.lease / 4, .milliseconds(500))
  }

  /// Until when a lease that was asked for at a time can be relied on.
  func deadline(askedAt time: Duration) -> Duration { time + options.lease - options.margin }

  private func renewIfDue() throws(BrokerError) {
    guard now >= nextRenewal, !works.isEmpty else { return }
    let asked = now
    let leases = works.values.map { (partition: $0.partition, epoch: $0.epoch) }
    let renewed = try session.renew(leases, worker: id, for: options.lease)
    guard renewed.count == leases.count else {
      throw .protocolViolation("Not all leases are decided")
    }
    for (lease, outcome) in zip(leases, renewed) {
      switch outcome {
      case .renewed(let sent):
        works[lease.partition]?.deadline = deadline(askedAt: asked)
        noteSent(sent, of: lease.partition)
        if unrenewed.remove(lease.partition) != nil { noteSuccess(lease.partition) }
      case .lost: fence([lease.partition])
      case .failed(let error):
        // The lease ends by itself if it is not mended before.
        unrenewed.insert(lease.partition)
        fail(.broker(error), lease.partition)
      }
    }
    nextRenewal = asked + min(options.lease / 4, .seconds(1))
  }

  /// Says that it lives, and prolongs its leases, if it is time.
  func keepAlive() throws(BrokerError) {
    try beatIfDue()
    try renewIfDue()
  }

  /// Gives back what others are to have, and takes what is the worker's.
  private func balance() throws(BrokerError) {
    var wanted: [Int] = []
    var unwanted: [Int] = []
    for partition in owners.indices {
      let isWanted = owners[partition] == id
      if works[partition] != nil {
        if !isWanted { unwanted.append(partition) }
      } else if isWanted, now >= acquireAt[partition] ?? .zero {
        wanted.append(partition)
      }
    }
    for partition in unwanted { leaving[partition] = works[partition]?.epoch }
    // Before the broker hears of it: others may have them then.
    forget(unwanted)
    for partition in unwanted { observers.tell(.released(partition: partition)) }
    failedPartitions.formIntersection(Set(works.keys).union(wanted))
    for (partition, epoch) in leaving.sorted(by: { $0.key < $1.key }) {
      do throws(BrokerError) {
        try session.release(partition, epoch: epoch, worker: id)
      } catch {
        // A lease of what is damaged ends by itself.
        guard error.mayBeOfOnePartition else { throw error }
      }
      leaving[partition] = nil
    }
    if wanted.isEmpty { return }
    let asked = now
    let outcomes = try session.acquire(wanted, worker: id, for: options.lease)
    guard outcomes.count == wanted.count else {
      throw .protocolViolation("Not all leases are decided")
    }
    for (partition, outcome) in zip(wanted, outcomes) {
      switch outcome {
      case .acquired(let lease):
        works[partition] = PartitionWork(
          partition: partition, epoch: lease.epoch, deadline: deadline(askedAt: asked),
          offset: lease.offset, logNumber: 0, logEnd: lease.logNumber)
        leaving[partition] = nil
        observers.tell(.acquired(partition: partition, epoch: lease.epoch))
      case .failed(let error):
        acquireAt[partition] = now + .milliseconds(500)
        fail(.broker(error), partition)
      case .taken(let left):
        noteSuccess(partition)
        // It may be given back at any moment.
        acquireAt[partition] = now + min(max(left, .milliseconds(5)), .milliseconds(100))
      }
    }
  }
}
