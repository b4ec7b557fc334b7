import Dispatch
public import ECS
import Foundation

/// Sends what ``Remote/saveLater(_:as:)`` and ``Remote/deleteLater(_:as:)`` have noted: oldest
/// first, one at a time of an entity, and never before it is kept.
///
/// ```swift
/// let sender = SendingSystem(remote, [posts, comments], isKept: { try session.save() })
/// let loop = ReactiveLoop(ctx: context, queue: queue, systems: [sender])
/// ```
///
/// - A mutation is done when the server has answered, and is destroyed in the section that applies
///   the answer. Whenever the process ends, the next one goes on from what was kept: what may have
///   been sent is sent again as the same request with the same `Idempotency-Key`, so that a server
///   that supports such keys does it once.
/// - What fails in passing (no connection, a deadline, 408, 425, 429, 5xx but 501 and 505, no
///   permission, an answer that does not fit) is tried again, as the configuration's
///   ``RemoteConfiguration/retry`` says how long to wait, but without an end, and as long as the
///   server asks to wait, an hour at most. What is without permission, is turned away (429, 503) or
///   has no answer keeps all others waiting as well, which then go first.
/// - A new entity of which the server says that it was made, but not what its key is, or not in a
///   way that can be used, is refused after three such answers: a server that does not support
///   `Idempotency-Key` makes it each time.
/// - What the server refuses gets ``RemoteMutation/refusal``, and its entity a final
///   ``RemoteState/Failed``. Only what comes after it for the same entity waits.
/// - What the server has made newer is merged; see ``RemoteConflictPolicy``.
/// - While ``Connectivity`` says that it can't be reached, nothing is sent.
///
/// Its loop decides when it begins; requests run in tasks of their own. When the loop ends, they
/// are cancelled.
public final class SendingSystem: ReactiveSystem, TeardownSystem {
  /// Mutations and connectivity.
  public let collector: Collector

  private let remote: Remote
  private let isKept: @Sendable () async throws -> Void
  private let resources: Set<String>
  private let lock = NSLock()

  // Guarded by the lock, which is taken within sections of the context, never around them.
  private var queue = SendingQueue()
  private var running: Set<Entity> = []
  private var tasks: [Entity: Task<Void, Never>] = [:]
  private var subjects: Set<String> = []

  /// What has changed while it was looked at.
  private var touched: Set<Entity> = []

  /// The subjects whose turn it is when a mutation that is under way has ended.
  private var followed: [Entity: Set<String>] = [:]
  private var resumption = Duration.zero
  private var failures = 0
  private var wasReachable = true

  /// What was said last of whether the server can be reached; nil for nothing.
  private var connectivity: Connectivity?
  private var isEnded = false
  private var timer: Duration?
  private var waiting: [Promise<Void>] = []

  /// Makes a system that sends mutations.
  ///
  /// Mutations that are there already, such as those that were kept, are sent as well.
  ///
  /// - Parameters:
  /// - remote: Its context is that of the mutations.
  /// - resources: Whose mutations are sent; others wait.
  /// - isKept: Returns when what is in the context is kept, such as by a store's session; an error
  /// is a failure in passing, of the entities that it names if it is `PartlyKept`. By default
  /// nothing is kept.
  public init(
    _ remote: Remote, _ resources: [Resource],
    isKept: @escaping @Sendable () async throws -> Void = {}
  ) {
    (self.remote, self.isKept) = (remote, isKept)
    self.resources = Set(resources.map(\.name))
    for resource in resources { remote.outbox.register(resource) }
    let matcher = Matcher(any: [RemoteMutation.cid, Connectivity.cid])
    let group = remote.context.group(matcher)
    let collector = Collector(group: group, type: .addedUpdatedOrRemoved)
    self.collector = collector
    remote.context.perform { collector.collect(EntitySet(group.sorted())) }
  }

  /// Begins to send what can be sent.
  ///
  /// - Complexity: O(*k* log *m*) for *k* entities of *m* mutations that wait.
  public func execute(entities: EntitySet) {
    remote.context.perform("remote later") {
      for entity in entities where entity.has(RemoteMutation.cid) {
        _ = remote.subject(of: entity)
      }
      let connectivity = remote.context.uniqueComponent(Connectivity.self)
      let isReachable = connectivity?.isReachable ?? true
      lock.withLock {
        for entity in entities { notice(entity) }
        let isNew = isReachable && connectivity != nil && connectivity != self.connectivity
        if isNew || isReachable && !wasReachable {
          (resumption, failures) = (.zero, 0)
          for mutation in queue.takeAll() { consider(mutation) }
        }
        (wasReachable, self.connectivity) = (isReachable, connectivity)
      }
    }
    pump()
  }

  /// Stops sending.
  public func teardown() {
    let tasks = lock.withLock {
      isEnded = true
      return Array(self.tasks.values)
    }
    for task in tasks { task.cancel() }
  }

  /// Waits until nothing is under way: everything is sent, or waits for time, for the network, or
  /// for ``Remote/retry(_:)``.
  ///
  /// What was noted counts when its loop has passed it to the system: wait for the loop to settle
  /// first.
  public func settled() async {
    while true {
      pump()
      let end = lock.withLock { () -> Promise<Void>? in
        if running.isEmpty { return nil }
        let end = Promise<Void>()
        waiting.append(end)
        return end
      }
      guard let end else { return }
      await end.wait()
    }
  }

  // MARK: Choosing

  // Starts as many as there are places, oldest first.
  private func pump() {
    let now = remote.configuration.clock.now()
    let chosen = remote.context.perform { choose(now) }
    for (mutation, subject) in chosen {
      let task = Task {
        Delay.task.wait()
        await self.run(mutation, of: subject)
      }
      let isEnded = lock.withLock {
        // It may be over already.
        if running.contains(mutation) { tasks[mutation] = task }
        return self.isEnded
      }
      if isEnded { task.cancel() }
    }
    setTimer()
  }

  private func choose(_ now: Duration) -> [(mutation: Entity, subject: String)] {
    let limit = max(1, remote.configuration.maximumConcurrentRequests)
    return lock.withLock {
      guard !isEnded, wasReachable, now >= resumption else { return [] }
      for mutation in queue.takeDue(at: now) { consider(mutation) }
      var chosen: [(mutation: Entity, subject: String)] = []
      while running.count < limit, let mutation = queue.next() {
        guard let subject = mutation.get(RemoteMutation.self)?.subject,
          isReady(mutation, subject)
        else { continue }
        touched.remove(mutation)
        running.insert(mutation)
        subjects.insert(subject)
        chosen.append((mutation, subject))
      }
      return chosen
    }
  }

  // A mutation was made, has changed, or is no more. In a section of the context, with the lock.
  private func notice(_ entity: Entity) {
    guard let value = entity.get(RemoteMutation.self) else {
      end(entity)
      return
    }
    if running.contains(entity) { touched.insert(entity) }
    if let old = queue.note(entity, of: value.subject) { considerFirst(of: old) }
    queue.wake(entity)
    considerFirst(of: value.subject)
  }

  /// A mutation is no more.
  private func end(_ mutation: Entity) {
    let subject = queue.forget(mutation)
    for other in queue.wake(behind: mutation) { consider(other) }
    if let subject { considerFirst(of: subject) }
  }

  private func consider(_ mutation: Entity) {
    if let subject = mutation.get(RemoteMutation.self)?.subject { considerFirst(of: subject) }
  }

  // Only the oldest of those of one subject can be sent.
  private func considerFirst(of subject: String) {
    guard let first = remote.outbox.mutations(of: subject).first,
      let value = first.get(RemoteMutation.self)
    else { return }
    if running.contains(first) {
      // It may have been about another subject when it began.
      followed[first, default: []].insert(subject)
    } else if isReady(first, subject) {
      queue.enqueue(first, value.number)
    }
  }

  private func isReady(_ mutation: Entity, _ subject: String) -> Bool {
    guard !subjects.contains(subject), !running.contains(mutation),
      let value = mutation.get(RemoteMutation.self)
    else { return false }
    return value.refusal == nil && resources.contains(value.resource)
      && remote.outbox.mutations(of: subject).first == mutation
  }

  // MARK: Sending

  private func run(_ mutation: Entity, of subject: String) async {
    let rounds = lock.withLock { queue.rounds(of: mutation) }
    let transmission = await remote.transmit(mutation, rounds: rounds, keeping: isKept)
    // They are the program's, and may ask for anything here.
    let now = remote.configuration.clock.now()
    let chance = remote.configuration.random()
    remote.context.perform("remote later") {
      lock.withLock {
        running.remove(mutation)
        tasks[mutation] = nil
        subjects.remove(subject)
        note(transmission, of: mutation, now, chance)
        // The loop may have noticed its end before this was noted.
        if !mutation.isAlive { end(mutation) }
        touched.remove(mutation)
        considerFirst(of: subject)
        // It may be about another subject by now.
        consider(mutation)
        for other in followed.removeValue(forKey: mutation) ?? [] { considerFirst(of: other) }
      }
    }
    pump()
    let ready = lock.withLock { () -> [Promise<Void>] in
      guard running.isEmpty else { return [] }
      defer { waiting = [] }
      return waiting
    }
    for one in ready { one.fire(()) }
  }

  private func note(
    _ transmission: Transmission, of mutation: Entity, _ now: Duration, _ chance: Double
  ) {
    let retry = remote.configuration.retry.endless
    switch transmission {
    case .done, .refused:
      failures = 0
      queue.endRounds(of: mutation)
      for other in queue.wake(behind: mutation) { consider(other) }
    case .changed:
      failures = 0
      // A server that never agrees is asked ever less often.
      let count = queue.countRound(of: mutation) - SendingSystem.quickMergings
      if count > 0 { queue.delay(mutation, until: now + retry.wait(after: count, chance: chance)) }
    case .overtaken: break
    case .busy:
      // It has waited long enough to be looked at soon, and keeps no other mutation waiting.
      queue.delay(mutation, until: now + retry.wait(after: 1, chance: chance))
    case .waiting(let blocker):
      // That may have come to an end while it was looked at.
      if touched.contains(mutation) || blocker?.isAlive == false { return }
      queue.park(mutation, behind: blocker, until: now + SendingSystem.longestRest)
    case .failed(let error, let retryAfter, let attempts, let isDone):
      if isDone { _ = queue.countRound(of: mutation) }
      if concernsAll(error) {
        failures += 1
        queue.countFailure(of: mutation)
        let wait = retry.wait(after: failures, chance: chance)
        resumption = max(resumption, now + max(wait, retryAfter ?? .zero))
      } else {
        failures = 0
        let wait = retry.wait(after: attempts, chance: chance)
        queue.delay(mutation, until: now + max(wait, retryAfter ?? .zero))
      }
    }
  }

  /// How often what was merged is sent at once.
  private static let quickMergings = 3

  /// When something that waits for another mutation, or for its entity, is looked at again,
  /// whatever happens: an entity may come, or lose a relation, without a word about its mutation.
  private static let longestRest = Duration.seconds(30)

  /// How many mutations it remembers something of.
  package var memoryCount: Int { lock.withLock { queue.count } }

  /// Whether it is the server or the way to it, not what was sent.
  private func concernsAll(_ error: RemoteError) -> Bool {
    switch error {
    case .transport(.badResponse): false
    case .transport, .http(401, _, _), .http(407, _, _), .http(429, _, _), .http(503, _, _): true
    default: false
    }
  }

  // MARK: Waiting

  private func setTimer() {
    let clock = remote.configuration.clock
    let now = clock.now()
    let wait = lock.withLock { () -> Duration? in
      guard !isEnded, wasReachable else { return nil }
      // What is due already waits for a place.
      let next = queue.nextAlarm.map { max($0, now) }
      guard let next = resumption > now ? resumption : next, next > now else { return nil }
      // One is set for then or before.
      if let timer, timer > now, timer <= next { return nil }
      timer = next
      return next - now
    }
    guard let wait else { return }
    clock.run(wait, .global()) { [weak self] in self?.pump() }
  }
}

// Guarded by its lock.
extension SendingSystem: @unchecked Sendable {}
