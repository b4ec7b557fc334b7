import ECSCluster
import ECSTestSupport
import Foundation

/// Time that passes when a test says so.
// Guarded by the lock.
final class HandTime: @unchecked Sendable {
  private let lock = NSLock()
  private var passed = Duration.zero

  var now: Duration { lock.withLock { passed } }
  func pass(_ time: Duration) { lock.withLock { passed += time } }

  var clusterTime: ClusterTime { ClusterTime { self.now } }
}

/// What goes wrong with a call.
enum Fault {
  /// It does not come to the broker.
  case lostRequest

  /// It is carried out, but its answer is lost.
  case lostReply

  /// It is carried out later, after some further calls, whatever makes them.
  case late

  /// It is carried out later, after so many further calls.
  case lateBy(Int)

  case error(BrokerError)
}

/// A broker in memory that does what the promises of `BrokerSession` say, and goes wrong as it is
/// asked to.
// Guarded by the lock.
final class MemoryBroker: Broker, @unchecked Sendable {
  struct Partition {
    var metrics = PartitionMetrics()
    var events: [StoredPack] = []
    var log: [LogEntry] = []
    var snapshot: StoredSnapshot?
    var producers: [String: UInt64] = [:]
    var claims: [String: ProducerClaim] = [:]
    var dead: [DeadEvent] = []
    var until = Duration.zero

    /// What reading it throws.
    var damage: BrokerError?

    /// Whether nothing can be said of it, as if its numbers were damaged.
    var isOpaque = false

    /// What becomes of packs that are sent to it.
    var sendFailure: BrokerError?
  }

  private let clock: ClusterTime
  private let lock = NSRecursiveLock()
  private let news = NSCondition()
  private var newsCount = 0
  private var settings: ClusterSettings?

  /// How often it was founded.
  private(set) var foundations = 0
  private var workers: [String: Duration] = [:]
  private var partitions: [Partition] = []
  private var waiting: [(left: Int, body: () -> Void)] = []
  private var random = SplitMix64(seed: 77)
  private var chooseFault: (String) -> Fault? = { _ in nil }
  private var commits = 0
  private(set) var fencedCommits = 0

  /// Which commits come too late: each one whose number is a multiple of this.
  private var lateCommits: Int?

  /// Has every `count`th commit find that the partition is no longer its worker's.
  func takePartitionAway(atEvery count: Int?) { lock.withLock { lateCommits = count } }

  /// How many entries one answer may have room for, before it is too late.
  private var longestRead = Int.max

  func limitReads(to count: Int) { lock.withLock { longestRead = count } }

  /// Which part of its memory is taken, as it says.
  private(set) var fullness: Double?

  func setFullness(_ part: Double?) { lock.withLock { fullness = part } }

  init(_ clock: ClusterTime) { self.clock = clock }

  convenience init(_ time: HandTime) { self.init(time.clusterTime) }

  private var now: Duration { clock.now() }

  func makeSession(for cluster: String) -> any BrokerSession { MemorySession(self) }

  /// Says what goes wrong with calls, by the names of their methods.
  func plan(_ fault: @escaping (String) -> Fault?) { lock.withLock { chooseFault = fault } }

  /// Changes a partition as no program should.
  func tamper(_ partition: Int, _ body: (inout Partition) -> Void) {
    lock.withLock { body(&partitions[partition]) }
  }

  func look<Result>(_ body: ([Partition]) -> Result) -> Result {
    lock.withLock { body(partitions) }
  }

  func call<Result>(
    _ name: String, _ body: @escaping (MemoryBroker) throws(BrokerError) -> Result
  ) throws(BrokerError) -> Result {
    defer { if name == "send" || name == "commit" { tellNews() } }
    lock.lock()
    defer { lock.unlock() }
    switch chooseFault(name) {
    case .lostRequest: throw .unreachable("a planned fault")
    case .lostReply:
      runWaiting()
      _ = try body(self)
      throw .timedOut(.seconds(1))
    case .late:
      // Often soon, and sometimes when much else has happened.
      return try putOff(1 + random.below(random.oneIn(3) ? 60 : 8), body)
    case .lateBy(let count): return try putOff(count, body)
    case .error(let error): throw error
    case nil:
      let result = try body(self)
      runWaiting()
      return result
    }
  }

  /// Reads something, or waits until there is more to read.
  func read<Element>(
    _ name: String, _ positions: [ReadPosition], _ limit: Int, wait: Duration,
    _ body: @escaping ([Partition]) -> [Element]
  ) throws(BrokerError) -> [Element] {
    let before = news.with { newsCount }
    let damage = look { all in positions.compactMap { all[$0.partition].damage }.first }
    if let damage { throw damage }
    if positions.count * limit > lock.withLock({ longestRead }) { throw .timedOut(.seconds(1)) }
    let found = try call(name) { b in b.look(body) }
    if !found.isEmpty || wait <= .zero { return found }
    let end = Date(timeIntervalSinceNow: wait / .seconds(1))
    news.with { while newsCount == before, news.wait(until: end) {} }
    return look(body)
  }

  private func tellNews() {
    news.with {
      newsCount += 1
      news.broadcast()
    }
  }

  private func putOff<Result>(
    _ count: Int, _ body: @escaping (MemoryBroker) throws(BrokerError) -> Result
  ) throws(BrokerError) -> Result {
    waiting.append((count + 1, { _ = try? body(self) }))
    runWaiting()
    throw .timedOut(.seconds(1))
  }

  private func runWaiting() {
    for place in waiting.indices { waiting[place].left -= 1 }
    let late = waiting.filter { $0.left <= 0 }
    waiting.removeAll { $0.left <= 0 }
    for (_, body) in late { body() }
  }

  // MARK: What sessions do

  func open(_ wanted: ClusterSettings) throws(BrokerError) {
    if let settings, settings != wanted { throw .mismatch("\(settings)") }
    if settings == nil {
      foundations += 1
      partitions = Array(repeating: Partition(), count: wanted.partitions)
    }
    settings = wanted
  }

  func send(_ pack: EventPack, _ limit: Int) -> SendOutcome {
    let p = pack.partition
    if let failure = partitions[p].sendFailure { return .failed(failure) }
    if let claim = pack.claim, let present = partitions[p].claims[pack.producer],
      claim.epoch < present.epoch
        || claim.epoch == present.epoch && claim.sender != present.sender
    {
      return .failed(.superseded(pack.producer))
    }
    let known = partitions[p].producers[pack.producer] ?? 0
    if known < pack.after { return .lost(known: known) }
    if pack.number <= known { return .duplicate }
    if pack.first <= known { return .partial(known: known) }
    let waiting = Int(partitions[p].metrics.sent - partitions[p].metrics.offset)
    if waiting >= limit { return .full(waiting: waiting) }
    partitions[p].producers[pack.producer] = pack.number
    partitions[p].metrics.sent += UInt64(pack.count)
    partitions[p].events.append(
      StoredPack(
        partition: p, last: partitions[p].metrics.sent, count: pack.count, bytes: pack.bytes))
    return .accepted(waiting: waiting + pack.count)
  }

  func claimed(_ producer: String) -> [UInt64] {
    partitions.map { $0.claims[producer]?.epoch ?? 0 }
  }

  func claim(
    _ producer: String, _ p: Int, _ claim: ProducerClaim
  ) throws(BrokerError) -> ProducerPosition {
    let epoch = partitions[p].claims[producer]?.epoch ?? 0
    if epoch + 1 == claim.epoch { partitions[p].claims[producer] = claim }
    guard partitions[p].claims[producer] == claim else { throw .unavailable("Another one begins") }
    return ProducerPosition(claim: claim, number: partitions[p].producers[producer] ?? 0)
  }

  /// Loses all that it has.
  func flush() {
    lock.withLock {
      settings = nil
      workers = [:]
      partitions = partitions.map { _ in Partition() }
    }
  }

  func forget(_ producer: String) {
    for p in partitions.indices { partitions[p].producers[producer] = nil }
  }

  func beat(_ worker: String, _ time: Duration) -> [String] {
    workers = workers.filter { $0.value > now }
    workers[worker] = time > .zero ? now + time : nil
    return workers.keys.sorted()
  }

  private static let opaque = BrokerError.failed("WRONGTYPE")

  func acquire(_ p: Int, _ worker: String, _ time: Duration) -> AcquireOutcome {
    if partitions[p].isOpaque { return .failed(MemoryBroker.opaque) }
    let left = partitions[p].until - now
    if let owner = partitions[p].metrics.owner, owner != worker, left > .zero {
      return .taken(left)
    }
    partitions[p].metrics.owner = worker
    partitions[p].metrics.epoch += 1
    partitions[p].until = now + time
    let metrics = partitions[p].metrics
    return .acquired(
      Lease(epoch: metrics.epoch, offset: metrics.offset, logNumber: metrics.logNumber))
  }

  private func isOwner(_ p: Int, _ epoch: UInt64, _ worker: String) -> Bool {
    partitions[p].metrics.owner == worker && partitions[p].metrics.epoch == epoch
  }

  func renew(_ p: Int, _ epoch: UInt64, _ worker: String, _ time: Duration)
    -> RenewOutcome
  {
    if partitions[p].isOpaque { return .failed(MemoryBroker.opaque) }
    guard isOwner(p, epoch, worker) else { return .lost }
    partitions[p].until = now + time
    return .renewed(sent: partitions[p].metrics.sent)
  }

  func release(_ p: Int, _ epoch: UInt64, _ worker: String) {
    if isOwner(p, epoch, worker) { partitions[p].metrics.owner = nil }
  }

  func commit(
    _ c: BatchCommit, _ worker: String, _ time: Duration
  ) throws(BrokerError) -> CommitOutcome {
    let p = c.partition
    if partitions[p].isOpaque { throw MemoryBroker.opaque }
    commits += 1
    if let lateCommits, commits.isMultiple(of: lateCommits) { partitions[p].metrics.owner = nil }
    guard isOwner(p, c.epoch, worker) else {
      fencedCommits += 1
      return .fenced
    }
    guard partitions[p].metrics.logNumber == c.logNumber else { return .moved }
    partitions[p].metrics.logNumber += 1
    partitions[p].metrics.offset = c.offset
    partitions[p].log.append(
      LogEntry(
        partition: p, number: c.logNumber + 1, offset: c.offset, bytes: c.bytes))
    partitions[p].dead += c.dead
    partitions[p].metrics.deadEvents = partitions[p].dead.count
    partitions[p].events.removeAll { $0.last <= c.offset }
    partitions[p].until = now + time
    return .committed
  }

  func writeSnapshot(
    _ s: StoredSnapshot, _ p: Int, _ epoch: UInt64, _ worker: String
  ) -> Bool {
    guard isOwner(p, epoch, worker), s.number >= partitions[p].snapshot?.number ?? 0 else {
      return false
    }
    partitions[p].snapshot = s
    partitions[p].metrics.snapshotNumber = s.number
    partitions[p].log.removeAll { $0.number <= s.number }
    return true
  }

  func removeDead(_ number: UInt64, _ p: Int) {
    partitions[p].dead.removeAll { $0.number == number }
  }
}

extension NSCondition {
  fileprivate func with<Result>(_ body: () -> Result) -> Result {
    lock()
    defer { unlock() }
    return body()
  }
}
