import ECS
import Foundation

/// The work of a sender on its thread.
// Queues and what `isClosed` says are guarded by the lock; all else is the thread's.
final class SenderEngine<Event: Component, Key: PartitionKey>: @unchecked Sendable {
  let cluster: Cluster<Event, Key>
  private let producer: String
  private let isLasting: Bool
  private let session: any BrokerSession
  private let thread = ServiceThread()
  let lock = NSLock()
  var queues: [PartitionQueue]
  private(set) var isClosed = false
  private var isStarted = false

  /// The calls, oldest first; those that have ended until nothing else has them.
  var tickets: [SendTicket] = []

  private var isOpen = false

  /// Tells it from others of the same producer.
  private let id = UUID().uuidString

  /// The greatest number that was given, or was known before.
  private var lastNumber: UInt64 = 0

  var positions: [SendPosition]

  /// The partition whose turn is next.
  private var next = 0

  /// How many bytes are sent together, unless one pack has more.
  var budget = 4 << 20
  var lastError: BrokerError?
  let observers = ClusterObservers<SenderEvent>()
  var failures = ReportedFailures()

  /// Whether the broker was away, and may have lost something meanwhile.
  var isDoubtful = false

  /// Whether another one has taken its place.
  var isSuperseded = false

  /// Whether calls have ended since something was lost of theirs.
  var isLossSaid = false

  /// What was lost and is not said yet.
  var losses: [(partition: Int, numbers: ClosedRange<UInt64>)] = []
  private var idleness = Backoff(.seconds(1), atMost: .seconds(60))
  private var nextCheck = Duration.zero

  /// Whether something may come late.
  var hasFailed = false

  /// Whether calls have ended of which something may still wait.
  var hasRefused = false
  var backoff = Backoff()
  var fullness = Backoff(.milliseconds(2), atMost: .milliseconds(200))

  init(_ cluster: Cluster<Event, Key>, _ producer: String, isLasting: Bool) {
    (self.cluster, self.producer, self.isLasting) = (cluster, producer, isLasting)
    session = cluster.broker.makeSession(for: cluster.name)
    queues = Array(repeating: PartitionQueue(), count: cluster.options.partitions)
    positions = Array(repeating: SendPosition(), count: cluster.options.partitions)
  }

  var waitingCount: Int {
    lock.withLock { queues.reduce(0) { $0 + $1.waitingCount + ($1.pack?.events.count ?? 0) } }
  }

  // MARK: From anywhere

  func send(_ events: [Event], _ first: UInt64?) async throws(ClusterError) {
    if events.isEmpty { return }
    if let first, first > .max / 2 - UInt64(events.count) {
      throw .unsupported("Events are numbered below \(UInt64.max / 2), and not from \(first) on.")
    }
    // Outside of the lock, since keys are made by the program.
    let partitions = events.map { cluster.partition(of: $0) }
    let result = await withCheckedContinuation { continuation in
      if !enqueue(events, partitions, first, { continuation.resume(returning: $0) }) {
        continuation.resume(returning: .failure(.closed))
      }
    }
    try result.get()
  }

  /// Puts events behind those of their partitions; the closure is called with the lock held.
  func enqueue(
    _ events: [Event], _ partitions: [Int], _ first: UInt64?,
    _ onEnd: ((Result<Void, ClusterError>) -> Void)?
  ) -> Bool {
    let starts: Bool? = lock.withLock {
      if isClosed { return nil }
      let ticket = EventTicket(events, at: cluster.time.now(), onEnd)
      tickets.append(ticket)
      for (index, partition) in partitions.enumerated() {
        queues[partition].pending.append(
          PendingEvent(ticket: ticket, index: index, number: first.map { $0 + UInt64(index) }))
      }
      defer { isStarted = true }
      return !isStarted
    }
    guard let starts else { return false }
    if starts { begin() } else { thread.ring() }
    return true
  }

  /// For callers that take the steps themselves: no thread begins.
  func enqueueForSteps(
    _ events: [Event], _ first: UInt64?, _ onEnd: ((Result<Void, ClusterError>) -> Void)?
  ) {
    lock.withLock { isStarted = true }
    _ = enqueue(events, events.map { cluster.partition(of: $0) }, first, onEnd)
  }

  func close() {
    let ends = lock.withLock {
      isClosed = true
      return isStarted
    }
    if ends { thread.ring() }
  }

  private func begin() {
    thread.start("ECSCluster.Sender") { [self] in
      while let rest = step() { thread.rest(rest) }
      // If something may come late, it has to be known then; the broker forgets it by itself.
      if !isLasting, isOpen, !hasFailed { try? session.forget(producer) }
    }
  }

  // MARK: On the thread

  /// Sends what there is; gives how long to wait for more, or nil when it is over.
  func step() -> Duration? {
    defer {
      tellLosses()
      releaseEnded()
    }
    forgetRefused()
    expire()
    var packs: [EventPack] = []
    do throws(BrokerError) {
      try openIfNeeded()
      if isDoubtful { try verify() }
      endCallBehindLoss()
      packs = makePacks()
      if packs.isEmpty {
        // The broker had all that was looked at; there may be more.
        let (isDone, isOver) = lock.withLock { (queues.allSatisfy(\.isEmpty), isClosed) }
        if !isDone { return .zero }
        return isOver ? nil : try idle()
      }
      (nextCheck, idleness) = (.zero, Backoff(.seconds(1), atMost: .seconds(60)))
      let outcomes = try session.send(packs, limit: cluster.options.waitingEvents)
      guard outcomes.count == packs.count else {
        throw .protocolViolation("Not all packs are decided")
      }
      return settle(packs, outcomes)
    } catch {
      if !packs.isEmpty { hasFailed = true }
      isDoubtful = true
      lock.withLock {
        for pack in packs {
          queues[pack.partition].isDoubtful = true
          positions[pack.partition].isFull = false
        }
      }
      return fail(error)
    }
  }

  private func openIfNeeded() throws(BrokerError) {
    if isOpen { return }
    if isSuperseded { throw .superseded(producer) }
    try session.open(cluster.settings)
    if isLasting {
      let claimed = try session.claim(producer, sender: id)
      guard claimed.count == positions.count, claimed.allSatisfy({ $0.number < .max / 2 }) else {
        throw .protocolViolation("The last numbers of \(producer) are none")
      }
      lock.withLock {
        for (partition, position) in claimed.enumerated() {
          lose(behind: position.number, of: partition)
          // Also of what this one was given and has given up before.
          positions[partition].noteClaim(position)
          queues[partition].pack?.pack.claim = position.claim
        }
      }
      // Numbers that are given from here on are new ones, as well.
      lastNumber = max(lastNumber, claimed.map(\.number).max() ?? 0)
    }
    isOpen = true
  }

  /// The broker has lost something: what a cluster has besides may be gone as well.
  func openAnew() { isOpen = false }

  /// There is nothing to send: makes sure, less and less often, that what was taken is there yet;
  /// gives how long to rest.
  private func idle() throws(BrokerError) -> Duration {
    let now = cluster.time.now()
    if nextCheck == .zero {
      nextCheck = now + idleness.next()
    } else if nextCheck <= now {
      try verify()
      noteSuccess()
      nextCheck = now + idleness.next()
    }
    return nextCheck - now
  }

  /// Makes sure that the broker still has what it said it had.
  private func verify() throws(BrokerError) {
    if positions.contains(where: { isRemembered($0) }),
      let found = try session.lastNumbers(of: producer), found.count == positions.count
    {
      lock.withLock {
        for (partition, number) in found.enumerated() where isRemembered(positions[partition]) {
          lose(behind: number, of: partition)
        }
      }
    }
    isDoubtful = false
    try openIfNeeded()
  }

  /// Whether a partition is to have what it has taken; of producers whose names do not last, it
  /// forgets that a day later.
  private func isRemembered(_ position: SendPosition) -> Bool {
    guard position.known > 0 else { return false }
    if isLasting { return true }
    guard let progress = position.progress else { return false }
    return progress + .seconds(43_200) > cluster.time.now()
  }

  /// Packs of partitions that have something to send, one of each, as much as is sent together.
  private func makePacks() -> [EventPack] {
    var packs: [EventPack] = []
    var bytes = 0
    let count = positions.count
    for partition in (next..<next + count).map({ $0 % count }) {
      guard let pack = pack(for: partition) else { continue }
      packs.append(pack)
      next = (partition + 1) % count
      bytes += pack.bytes.count
      if bytes >= budget { break }
    }
    return packs
  }

  private func pack(for partition: Int) -> EventPack? {
    if let pack = lock.withLock({ queues[partition].pack?.pack }) { return pack }
    let taken = lock.withLock { queues[partition].take(cluster.options.packSize) }
    return taken.isEmpty ? nil : makePack(partition, taken)
  }

  private func makePack(_ partition: Int, _ taken: ArraySlice<PendingEvent>) -> EventPack? {
    let known = positions[partition].known
    var events: ArraySlice<PendingEvent> = []
    var (first, number) = (UInt64(0), known)
    for (index, event) in zip(taken.indices, taken) {
      if let given = event.number, given <= known {
        // The broker has it, of an earlier run of this program.
        let isPassed = positions[partition].isPassed(given)
        positions[partition].progress = cluster.time.now()
        guard isPassed else {
          lock.withLock { event.ticket.settle() }
          continue
        }
        // What waits behind it goes with it.
        lock.withLock {
          queues[partition].putBack(taken[(index + 1)...])
          refuse(taken[index...index], of: partition, .outOfOrder(number: given))
        }
        break
      }
      if let given = event.number, given <= number {
        // Whether the broker has it is known when it has those before it.
        lock.withLock { queues[partition].putBack(taken[index...]) }
        break
      }
      number = event.number ?? lastNumber + 1
      lastNumber = max(lastNumber, number)
      if events.isEmpty { first = number }
      events.append(event)
    }
    if events.isEmpty { return nil }
    do throws(ClusterError) {
      let pack = EventPack(
        partition: partition, producer: producer, claim: positions[partition].claim,
        after: isRemembered(positions[partition]) ? known : 0, first: first, number: number,
        count: events.count,
        bytes: try cluster.encode(events.events(of: Event.self)))
      lock.withLock {
        queues[partition].pack = (pack, events)
        queues[partition].isDoubtful = false
      }
      return pack
    } catch {
      // One that can't be written takes none with it that are before it.
      guard events.count > 1 else {
        lock.withLock { refuse(events, of: partition, error) }
        return nil
      }
      let half = events.count / 2
      lock.withLock { queues[partition].putBack(events.dropFirst(half)) }
      return makePack(partition, events.prefix(half))
    }
  }
}
