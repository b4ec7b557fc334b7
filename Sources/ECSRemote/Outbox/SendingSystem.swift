import Dispatch
public import ECS
import Foundation

/// Sends what ``Remote/saveLater(_:as:)`` and ``Remote/deleteLater(_:as:)`` have noted: oldest first, one at a
/// time of an entity, and never before it is kept.
///
/// ```swift
/// let sender = SendingSystem(remote, [posts, comments], isKept: { try session.save() })
/// let loop = ReactiveLoop(ctx: context, queue: queue, systems: [sender])
/// ```
///
/// - A mutation is done when the server has answered, and is destroyed in the section that applies the
///   answer. Whenever the process ends, the next one goes on from what was kept: what may have been
///   sent is sent again as the same request with the same `Idempotency-Key`, so that a server that knows
///   such keys does it once.
/// - What fails in passing (no connection, a deadline, 408, 425, 429, 5xx, no permission, an answer that
///   does not fit) is tried again, as the configuration's ``RemoteConfiguration/retry`` says how long to
///   wait, but without an end, and as long as the server asks to wait.
/// - What the server refuses gets ``RemoteMutation/refusal``, and its entity a final
///   ``RemoteState/Failed``. Only what comes after it for the same entity waits.
/// - What the server has made newer is merged; see ``RemoteConflictPolicy``.
/// - While ``Connectivity`` says that it can't be reached, nothing is sent.
///
/// Its loop decides when it begins; requests run in tasks of their own. When the loop ends, they are
/// cancelled.
public final class SendingSystem: ReactiveSystem, TeardownSystem {
  /// Mutations and connectivity.
  public let collector: Collector

  private let remote: Remote
  private let isKept: @Sendable () async throws -> Void
  private let resources: Set<String>
  private let lock = NSLock()

  // Guarded by the lock.
  private var running: Set<Entity> = []
  private var tasks: [Entity: Task<Void, Never>] = [:]
  private var subjects: Set<String> = []
  private var due: [Entity: Duration] = [:]
  private var resumption = Duration.zero
  private var failures = 0

  /// How often each was merged with what the server has, without an end as yet.
  private var mergings: [Entity: Int] = [:]
  private var looks = 0
  private var wasReachable = true
  private var isEnded = false
  private var timer: Duration?
  private var waiting: [OneShot<Void>] = []

  /// Makes a system that sends mutations.
  ///
  /// Mutations that are there already, such as those that were kept, are sent as well.
  ///
  /// - Parameters:
  ///   - remote: Its context is that of the mutations.
  ///   - resources: Whose mutations are sent; others wait.
  ///   - isKept: Returns when what is in the context is kept, such as by a store's session; an error is
  ///     a failure in passing. By default nothing is kept.
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
  public func execute(entities: EntitySet) {
    remote.context.perform("remote later") {
      for entity in entities where entity.has(RemoteMutation.cid) {
        _ = remote.subject(of: entity)
      }
      let isReachable =
        remote.context.uniqueComponent(Connectivity.self)?.isReachable ?? true
      lock.withLock {
        if isReachable, !wasReachable { (due, resumption, failures) = ([:], .zero, 0) }
        wasReachable = isReachable
        lookAgain()
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

  /// Waits until nothing is under way: everything is sent, or waits for time, for the network, or for
  /// ``Remote/retry(_:)``.
  ///
  /// What was noted counts when its loop has told the system of it: wait for the loop to settle first.
  public func settled() async {
    while true {
      pump()
      let end = lock.withLock { () -> OneShot<Void>? in
        if running.isEmpty { return nil }
        let end = OneShot<Void>()
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
      let task = Task { await self.run(mutation, of: subject) }
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
      var chosen: [(mutation: Entity, subject: String)] = []
      var seen = subjects
      var position = 0
      while running.count < limit, position < remote.outbox.count {
        let end = min(position + 64, remote.outbox.count)
        for mutation in remote.outbox.mutations(at: position..<end) {
          guard running.count < limit, let value = mutation.get(RemoteMutation.self),
            seen.insert(value.subject).inserted, !running.contains(mutation),
            value.refusal == nil,
            resources.contains(value.resource), (due[mutation] ?? .zero) <= now
          else { continue }
          due[mutation] = nil
          running.insert(mutation)
          subjects.insert(value.subject)
          chosen.append((mutation, value.subject))
        }
        position = end
      }
      return chosen
    }
  }

  // MARK: Sending

  private func run(_ mutation: Entity, of subject: String) async {
    let seen = lock.withLock { looks }
    let transmission = await remote.transmit(mutation, keeping: isKept)
    lock.withLock {
      note(transmission, of: mutation, since: seen)
      running.remove(mutation)
      tasks[mutation] = nil
      subjects.remove(subject)
    }
    pump()
    let ready = lock.withLock { () -> [OneShot<Void>] in
      guard running.isEmpty else { return [] }
      defer { waiting = [] }
      return waiting
    }
    for one in ready { one.fire(()) }
  }

  private func note(
    _ transmission: Transmission, of mutation: Entity, since seen: Int
  ) {
    let configuration = remote.configuration
    let now = configuration.clock.now()
    switch transmission {
    case .done, .refused:
      failures = 0
      mergings[mutation] = nil
    case .changed:
      failures = 0
      // A server that never agrees is asked ever less often.
      let count = mergings[mutation, default: 0] + 1
      mergings[mutation] = count
      if count > SendingSystem.quickMergings {
        let wait = configuration.retry.wait(
          after: count - SendingSystem.quickMergings, chance: configuration.random())
        due[mutation] = now + wait
      }
    case .waiting:
      // It is looked at again when something has changed, and that may have been while it was looked at.
      if looks == seen { due[mutation] = SendingSystem.never }
    case .failed(let error, let retryAfter, let attempts):
      if concernsAll(error) {
        failures += 1
        let wait = configuration.retry.wait(after: failures, chance: configuration.random())
        resumption = max(resumption, now + max(wait, retryAfter ?? .zero))
      } else {
        failures = 0
        let wait = configuration.retry.wait(after: attempts, chance: configuration.random())
        due[mutation] = now + max(wait, retryAfter ?? .zero)
      }
    }
    if case .waiting = transmission { return }
    lookAgain()
  }

  private static let never = Duration.seconds(1 << 40)

  /// How often what was merged is sent at once.
  private static let quickMergings = 3

  /// What waits for other things than time may have come to its turn.
  private func lookAgain() {
    looks += 1
    due = due.filter { $0.value != SendingSystem.never }
  }

  /// Whether it is the server or the way to it, not what was sent.
  private func concernsAll(_ error: RemoteError) -> Bool {
    switch error {
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
      let next = due.values.filter { $0 > now && $0 != SendingSystem.never }.min()
      guard let next = resumption > now ? resumption : next else { return nil }
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
