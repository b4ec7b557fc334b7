import ECS
import ECSCluster
import ECSSnapshots
import ECSTestSupport
import Testing

/// Workers on a broker in memory, a step at a time.
@Suite struct WorkerTests {
  let time = HandTime()
  let broker: MemoryBroker

  init() { broker = MemoryBroker(time) }

  private func cluster(
    partitions: Int = 4, version: Int = 1, _ change: (inout ClusterOptions) -> Void = { _ in }
  ) throws -> CountingCluster {
    try countingCluster(
      broker, time.clusterTime, partitions: partitions, version: version, change)
  }

  private func send(_ counts: [Count], _ cluster: CountingCluster) {
    let sender = cluster.makeSender()
    sender.enqueue(counts)
    sender.step()
    expectEqual(sender.waitingCount, 0)
  }

  private func run(_ desks: Desk..., times: Int = 6) {
    for _ in 0..<times {
      for desk in desks { _ = desk.worker.step() }
      time.pass(.milliseconds(510))
    }
  }

  @Test func `events of several entities are applied in their order`() throws {
    let cluster = try cluster()
    let desk = Desk(cluster)
    send((1...40).flatMap { number in (0..<7).map { Count(key: $0, number: number) } }, cluster)
    run(desk)
    expectEqual(desk.picture, (0..<7).map { "\($0): 40, 40, 0" })
    expectEqual(desk.mistakes.all, [])
  }

  @Test func `observers of the context hear of a batch when it is committed, and only then`() throws
  {
    let cluster = try cluster(partitions: 1)
    let desk = Desk(cluster)
    run(desk)
    let heard = Mistakes()
    let token = desk.context.group(Counter.matcher).observe(initial: false) { _ in
      heard.add("changed")
    }
    broker.plan { $0 == "commit" ? .lostRequest : nil }
    send([Count(key: 1, number: 1), Count(key: 1, number: 2)], cluster)
    run(desk, times: 2)
    expectEqual(heard.all, [])
    expectEqual(desk.picture, [])
    broker.plan { _ in nil }
    run(desk)
    expectEqual(heard.all, ["changed"])
    expectEqual(desk.picture, ["1: 2, 2, 0"])
    withExtendedLifetime(token) {}
  }

  @Test func `a commit whose answer is lost is not repeated`() throws {
    let cluster = try cluster(partitions: 1)
    let desk = Desk(cluster)
    run(desk)
    var left = 1
    broker.plan { name in
      guard name == "commit", left > 0 else { return nil }
      left -= 1
      return .lostReply
    }
    send([Count(key: 1, number: 1), Count(key: 2, number: 1, kind: 3)], cluster)
    run(desk)
    expectEqual(desk.picture, ["1: 1, 1, 0", "2: 1, 1, 1"])
    expectEqual(desk.mistakes.all, [])
    expectEqual(broker.look { $0[0].metrics.logNumber }, 1)
  }

  @Test func `a worker that was frozen lets nobody see events, and is fenced`() throws {
    let cluster = try cluster(partitions: 1)
    let (first, second) = (Desk(cluster), Desk(cluster))
    send([Count(key: 1, number: 1)], cluster)
    run(first)
    time.pass(.seconds(11))
    run(second)
    send([Count(key: 1, number: 2)], cluster)
    run(second)
    expectEqual(second.picture, ["1: 2, 2, 0"])
    _ = first.worker.step()
    expectEqual(first.picture, [])
    expectTrue(first.log.all.contains("fenced(partition: 0)"))
    expectEqual(first.mistakes.all, [])
  }

  @Test func `what a fenced worker commits is refused and taken back`() throws {
    let cluster = try cluster(partitions: 1)
    let (first, second) = (Desk(cluster), Desk(cluster))
    send([Count(key: 1, number: 1)], cluster)
    run(first)
    _ = first.worker.step()
    let session = broker.makeSession(for: "other")
    // Another worker takes the lease although it has not ended, as if clocks were wrong.
    broker.tamper(0) { $0.until = .zero }
    guard case .acquired = try session.acquire([0], worker: "thief", for: .seconds(1))[0] else {
      Issue.record("The lease was not to be had.")
      return
    }
    send([Count(key: 1, number: 2)], cluster)
    _ = first.worker.step()
    expectEqual(broker.fencedCommits, 1)
    expectEqual(first.picture, [])
    time.pass(.seconds(2))
    run(first, second, times: 12)
    expectEqual((first.picture + second.picture), ["1: 2, 2, 0"])
  }

  @Test func `partitions are shared, and only those move that have to`() throws {
    let cluster = try cluster(partitions: 32)
    let (first, second) = (Desk(cluster), Desk(cluster))
    send((0..<50).map { Count(key: $0, number: 1) }, cluster)
    run(first)
    expectEqual(first.worker.partitions, Array(0..<32))
    run(first, second)
    let before = (first.worker.partitions, second.worker.partitions)
    expectEqual((before.0 + before.1).sorted(), Array(0..<32))
    expectTrue(before.0.count > 4 && before.1.count > 4)
    let third = Desk(cluster)
    run(first, second, third)
    expectTrue(Set(first.worker.partitions).isSubset(of: before.0))
    expectTrue(Set(second.worker.partitions).isSubset(of: before.1))
    third.worker.finish()
    run(first, second)
    expectEqual(first.worker.partitions, before.0)
    expectEqual(second.worker.partitions, before.1)
    expectEqual((first.picture + second.picture).count, 50)
  }

  @Test func `an event that can't be applied is set aside alone, and can be had`() async throws {
    let cluster = try cluster(partitions: 1)
    let desk = Desk(cluster)
    send(
      [
        Count(key: 1, number: 1), Count(key: 1, number: 2, kind: 1), Count(key: 1, number: 2),
        Count(key: 2, number: 1),
      ], cluster)
    run(desk)
    expectEqual(desk.picture, ["1: 2, 2, 0", "2: 1, 1, 0"])
    let letters = try await cluster.deadLetters()
    expectEqual(letters.map(\.event), [Count(key: 1, number: 2, kind: 1)])
    expectEqual(letters.map { "\($0.id) \($0.reason)" }, ["counting/0/2 Refused()"])
    try await cluster.removeDeadLetter(letters[0].id)
    try await expectTrue(cluster.deadLetters().isEmpty)
  }

  @Test func `a partition stands still at an event that can't be applied, if it is to`() throws {
    let cluster = try cluster(partitions: 1) { $0.poison = .stop }
    let desk = Desk(cluster)
    send([Count(key: 1, number: 1), Count(key: 1, number: 2, kind: 1)], cluster)
    run(desk)
    expectEqual(desk.picture, ["1: 1, 1, 0"])
    expectEqual(desk.log.errors.map { "\($0)" }, ["Event counting/0/2 can't be applied: Refused()"])
  }

  @Test func `a batch that changes entities of other partitions is none`() throws {
    let cluster = try cluster(partitions: 16)
    let context = Context()
    let index = context.primaryIndex { (counter: Counter) in counter.key }
    let worker = cluster.makeWorker(in: context, by: index) {
      Counter(key: $0)
    } applying: { event, entity in
      entity.update(Counter.self) { $0.total += 1 }
      if event.value.number == 2 { _ = index.getOrCreate(Counter(key: event.value.key + 1)) }
    }
    let log = EventList()
    let observation = worker.observe { log.add($0) }
    send([Count(key: 1, number: 1), Count(key: 1, number: 2)], cluster)
    for _ in 0..<4 {
      _ = worker.step()
      time.pass(.milliseconds(600))
    }
    expectEqual(picturesOf(context), ["1: 0, 1, 0"])
    expectTrue(log.all.contains { $0.contains("another partition") })
    withExtendedLifetime(observation) {}
  }

  @Test func `systems run in the batch, and what they throw makes it one by one`() throws {
    let cluster = try cluster(partitions: 1)
    let context = Context()
    let index = context.primaryIndex { (counter: Counter) in counter.key }
    let worker = cluster.makeWorker(
      in: context, by: index, creating: { Counter(key: $0) },
      loop: { Loop(name: "marks", systems: [Marking(context)], errorHandler: { _ in }) },
      applying: { event, entity in
        entity.update(Counter.self) { $0.total += event.value.number }
      })
    send([3, 100, 4].map { Count(key: 1, number: $0) }, cluster)
    for _ in 0..<4 { _ = worker.step() }
    // The system refuses 103, and so the event that made it so.
    expectEqual(picturesOf(context), ["1: 0, 7, 7"])
    expectEqual(broker.look { $0[0].dead.map(\.number) }, [2])
  }

  @Test func `events that somebody has removed are named, and it goes on with the others`() throws {
    let cluster = try cluster(partitions: 1)
    let desk = Desk(cluster)
    send([Count(key: 1, number: 1)], cluster)
    run(desk)
    send([Count(key: 1, number: 2)], cluster)
    var kept: [StoredPack] = []
    broker.tamper(0) { (kept, $0.events) = ($0.events, []) }
    run(desk)
    expectEqual(
      desk.log.errors.map { "\($0)" },
      [
        "Event 2 of partition 0 is not there, and was not applied"
      ])
    expectEqual(desk.picture, ["1: 1, 1, 0"])
    broker.tamper(0) { $0.events = kept }
    run(desk)
    expectEqual(desk.picture, ["1: 2, 2, 0"])
    expectEqual(desk.log.all.last, "recovered")
  }

  @Test func `a broker that has lost what it had is believed`() throws {
    let cluster = try cluster(partitions: 1)
    let desk = Desk(cluster)
    send([Count(key: 1, number: 1)], cluster)
    run(desk)
    let (events, log, metrics) = broker.look { ($0[0].events, $0[0].log, $0[0].metrics) }
    send([Count(key: 1, number: 2)], cluster)
    run(desk)
    // As after the end of a broker that writes once a second.
    broker.tamper(0) {
      ($0.events, $0.log) = (events, log)
      ($0.metrics.sent, $0.metrics.offset) = (metrics.sent, metrics.offset)
      $0.metrics.logNumber = metrics.logNumber
    }
    send([Count(key: 1, number: 2, kind: 3)], cluster)
    var isGone = true
    broker.plan { _ in
      defer { isGone = false }
      return isGone ? .lostRequest : nil
    }
    run(desk, times: 12)
    expectEqual(desk.picture, ["1: 2, 2, 2"])
  }

  @Test func `a worker ends that is too old for what others write, and they go on`() throws {
    let newer = try cluster(partitions: 1, version: 2)
    let desk = Desk(try cluster(partitions: 1))
    send([Count(key: 1, number: 1)], newer)
    _ = desk.worker.step()
    guard case .schema(let error)? = desk.log.errors.first else {
      Issue.record("Nothing was told.")
      return
    }
    expectEqual(error.reason, .laterVersion(found: 2, supported: 1))
    desk.worker.finish()
    let other = Desk(newer)
    run(other)
    expectEqual(other.picture, ["1: 1, 1, 0"])
  }

  @Test func `a partition whose snapshot is damaged stands still, and the others go on`() throws {
    let cluster = try cluster()
    send((0..<20).map { Count(key: $0, number: 1) }, cluster)
    broker.plan { $0 == "readSnapshot 0" ? .error(.failed("It is not there")) : nil }
    let desk = Desk(cluster)
    run(desk)
    expectEqual(desk.worker.partitions, [1, 2, 3])
    expectTrue(broker.look { $0[1...].allSatisfy { $0.metrics.offset == $0.metrics.sent } })
    expectEqual(desk.log.errors.map { "\($0)" }, ["\(BrokerError.failed("It is not there"))"])
    broker.plan { _ in nil }
    run(desk)
    expectEqual(desk.picture, (0..<20).map { "\($0): 1, 1, 0" }.sorted())
  }

  @Test func `a partition whose events are damaged stands still, and the others go on`() throws {
    let cluster = try cluster()
    let desk = Desk(cluster)
    run(desk)
    send((0..<20).map { Count(key: $0, number: 1) }, cluster)
    broker.tamper(0) { $0.damage = .protocolViolation("events") }
    run(desk)
    expectTrue(broker.look { $0[1...].allSatisfy { $0.metrics.offset == $0.metrics.sent } })
    expectEqual(broker.look { $0[0].metrics.offset }, 0)
    expectEqual(desk.log.errors.map { "\($0)" }, ["\(BrokerError.protocolViolation("events"))"])
    broker.tamper(0) { $0.damage = nil }
    run(desk)
    expectEqual(desk.picture, (0..<20).map { "\($0): 1, 1, 0" }.sorted())
    expectEqual(desk.log.all.last, "recovered")
  }

  @Test func `systems see what events change, and nothing that was restored`() throws {
    let cluster = try cluster()
    let desk = Desk(cluster)
    send((0..<8).map { Count(key: $0, number: 1) }, cluster)
    run(desk)
    desk.worker.finish()
    let context = Context()
    let index = context.primaryIndex { (counter: Counter) in counter.key }
    let worker = cluster.makeWorker(
      in: context, by: index, creating: { Counter(key: $0) },
      loop: { Loop(name: "marks", systems: [Marking(context)], errorHandler: { _ in }) },
      applying: { _, entity in entity.update(Counter.self) { $0.total += 1 } })
    for _ in 0..<4 { _ = worker.step() }
    send([Count(key: 3, number: 2)], cluster)
    for _ in 0..<4 { _ = worker.step() }
    expectEqual(picturesOf(context), (0..<8).map { "\($0): 1, \($0 == 3 ? "2, 2" : "1, 0")" })
    expectTrue(broker.look { $0.allSatisfy(\.dead.isEmpty) })
  }

  @Test func `other settings are refused`() throws {
    _ = Desk(try cluster(partitions: 2)).worker.step()
    let desk = Desk(try cluster(partitions: 3))
    _ = desk.worker.step()
    expectEqual(desk.log.errors.map { "\($0)" }.first?.contains("other settings"), true)
  }

  @Test func `schemas that clusters do not carry are refused`() throws {
    #expect(throws: ClusterError.self) {
      try CountingCluster(
        "counting", of: Count.self, by: \.key, schema: try Schema("empty") {}, broker: broker)
    }
    #expect(throws: ClusterError.self) {
      try CountingCluster(
        "a b", of: Count.self, by: \.key, schema: try countingSchema(), broker: broker)
    }
  }
}

/// Marks counters with their totals, and refuses large ones.
private final class Marking: ReactiveSystem {
  let collector: Collector
  let name = "Marking"

  init(_ context: Context) {
    collector = Collector(group: context.group(Counter.matcher), type: .addedOrUpdated)
  }

  func execute(entities: EntitySet) throws {
    for entity in entities {
      let total = entity.get(Counter.self)?.total ?? 0
      if total > 50 { throw Refused() }
      entity.set(Mark(number: total))
    }
  }
}
