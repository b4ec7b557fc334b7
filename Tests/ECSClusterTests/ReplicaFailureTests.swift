import ECS
import ECSCluster
import ECSTestSupport
import Testing

/// What must not take entities away from a replica.
@Suite(.ownThread, .noHangs) struct ReplicaFailureTests {
  let time = HandTime()
  let broker: MemoryBroker
  let cluster: CountingCluster
  let desk: Desk
  let context = Context()
  let replica: Replica<Count, Counter, Int>

  init() throws {
    broker = MemoryBroker(time)
    cluster = try countingCluster(broker, time.clusterTime, partitions: 1) {
      $0.batchesBetweenSnapshots = 4
    }
    desk = Desk(cluster)
    replica = cluster.makeReplica(
      in: context, by: context.primaryIndex { (counter: Counter) in counter.key })
  }

  private func send(_ counts: Count...) {
    let sender = cluster.makeSender()
    sender.enqueue(counts)
    sender.step()
    for _ in 0..<3 { _ = desk.worker.step() }
  }

  private func step(_ times: Int) {
    for _ in 0..<times {
      _ = replica.step()
      time.pass(.seconds(2))
    }
  }

  @Test func `entities stay after a hiccup of the broker, also while their snapshot can't be read`()
  {
    for number in 1...4 {
      // The last one becomes part of a snapshot when it was followed.
      broker.plan { number == 4 && $0 == "writeSnapshot" ? .lostRequest : nil }
      send(Count(key: 1, number: number))
      step(1)
    }
    broker.plan { _ in nil }
    broker.tamper(0) {
      $0.snapshot = StoredSnapshot(number: 4, bytes: $0.log[3].bytes)
      $0.metrics.snapshotNumber = 4
      $0.log = []
    }
    step(2)
    expectEqual(picturesOf(context), ["1: 4, 4, 0"])
    let changes = Tally()
    let token = context.group(Counter.matcher).observe(initial: false) { _ in changes.add() }
    var calls = 0
    broker.plan {
      calls += 1
      return calls == 1 ? .lostRequest : $0.hasPrefix("readSnapshot") ? .lostRequest : nil
    }
    for _ in 0..<5 {
      step(1)
      expectEqual(picturesOf(context), ["1: 4, 4, 0"])
    }
    expectEqual(changes.value, 0)
    withExtendedLifetime(token) {}
  }

  @Test func `entities stay until the snapshot is read that has what was missed`() {
    send(Count(key: 1, number: 1), Count(key: 2, number: 1))
    step(2)
    for number in 2...9 { send(Count(key: 1, number: number)) }
    send(Count(key: 3, number: 1))
    broker.plan { $0.hasPrefix("readSnapshot") ? .error(.failed("It is damaged")) : nil }
    step(5)
    expectEqual(picturesOf(context), ["1: 1, 1, 0", "2: 1, 1, 0"])
    broker.plan { _ in nil }
    step(9)
    expectEqual(picturesOf(context), ["1: 9, 9, 0", "2: 1, 1, 0", "3: 1, 1, 0"])
  }

  @Test func `entities that the snapshot does not have go when it is read`() throws {
    send(Count(key: 1, number: 1), Count(key: 2, number: 1))
    step(2)
    // Another broker, which has never heard of the second one.
    let other = MemoryBroker(time)
    let cluster = try countingCluster(other, time.clusterTime, partitions: 1) {
      $0.batchesBetweenSnapshots = 4
    }
    let desk = Desk(cluster)
    for number in 1...8 {
      let sender = cluster.makeSender()
      sender.enqueue([Count(key: 1, number: number)])
      sender.step()
      for _ in 0..<3 { _ = desk.worker.step() }
    }
    let found = other.look { $0[0] }
    broker.tamper(0) { $0 = found }
    step(9)
    expectEqual(picturesOf(context), ["1: 8, 8, 0"])
  }

  @Test func `what comes behind a change that can't be applied waits for it, however slow one is`()
  {
    send(Count(key: 1, number: 1))
    step(1)
    send(Count(key: 1, number: 2))
    send(Count(key: 1, number: 3))
    broker.tamper(0) { $0.log[1].bytes = [] }
    let observation = replica.observe { [time] in
      if case .failed = $0 { time.pass(.seconds(1)) }
    }
    _ = replica.step()
    expectEqual(picturesOf(context), ["1: 1, 1, 0"])
    withExtendedLifetime(observation) {}
  }

  @Test func `who waits does not wait for what the broker has lost`() async throws {
    send(Count(key: 1, number: 1))
    let (log, metrics) = broker.look { ($0[0].log, $0[0].metrics) }
    send(Count(key: 1, number: 2))
    // It hears where the log ends, and then that is no longer so.
    let waiting = Task { await replica.caughtUp() }
    broker.tamper(0) { $0.damage = .protocolViolation("changes") }
    while !replica.isWaitedFor { await pause() }
    for _ in 0..<3 { _ = replica.step() }
    broker.tamper(0) {
      $0.damage = nil
      $0.log = log
      $0.metrics.logNumber = metrics.logNumber
    }
    var isGone = true
    broker.plan { _ in
      defer { isGone = false }
      return isGone ? .lostRequest : nil
    }
    step(9)
    expectFalse(replica.isWaitedFor)
    waiting.cancel()
    await waiting.value
    expectEqual(picturesOf(context), ["1: 1, 1, 0"])
  }

  @Test func `a replica that has more than the broker begins anew`() {
    send(Count(key: 1, number: 1))
    let (log, metrics) = broker.look { ($0[0].log, $0[0].metrics) }
    send(Count(key: 1, number: 2))
    step(1)
    expectEqual(picturesOf(context), ["1: 2, 2, 0"])
    broker.tamper(0) {
      $0.log = log
      $0.metrics.logNumber = metrics.logNumber
    }
    step(9)
    expectEqual(picturesOf(context), ["1: 1, 1, 0"])
  }

  @Test func `a partition of which nothing can be said stands still, and the others go on`() throws
  {
    let broker = MemoryBroker(time)
    let cluster = try countingCluster(broker, time.clusterTime, partitions: 2)
    let desk = Desk(cluster)
    let replica = cluster.makeReplica(
      in: context, by: context.primaryIndex { (counter: Counter) in counter.key })
    func send(_ number: Int) {
      let sender = cluster.makeSender()
      sender.enqueue((0..<8).map { Count(key: $0, number: number) })
      while sender.waitingCount > 0 { sender.step() }
      for _ in 0..<5 { _ = desk.worker.step() }
    }
    send(1)
    for _ in 0..<3 { _ = replica.step() }
    send(2)
    broker.tamper(0) { $0.isOpaque = true }
    var isGone = true
    broker.plan { _ in
      defer { isGone = false }
      return isGone ? .lostRequest : nil
    }
    for _ in 0..<9 {
      _ = replica.step()
      time.pass(.seconds(2))
    }
    let sent = broker.look { $0.map(\.metrics.sent) }
    expectTrue(sent.allSatisfy { $0 > 0 })
    expectEqual(picturesOf(context).count, 8)
    expectGreaterThanOrEqual(
      picturesOf(context).filter { $0.hasSuffix("2, 2, 0") }.count, Int(sent[1]) / 2)
  }

  // MARK: Nothing to read, and much

  @Test(arguments: [65, 1100])
  func `a replica that has nothing to read leaves the broker in peace`(partitions: Int) async throws
  {
    let broker = MemoryBroker(.continuous)
    let cluster = try countingCluster(broker, .continuous, partitions: partitions)
    let replica = cluster.makeReplica(
      in: context, by: context.primaryIndex { (counter: Counter) in counter.key })
    let reads = Tally()
    broker.plan {
      if $0 == "readLog" { reads.add() }
      return nil
    }
    let following = Task { try await replica.run() }
    await replica.caughtUp()
    let (begin, before) = (ContinuousClock.now, reads.value)
    while begin.duration(to: .now) < .milliseconds(400) { await pause() }
    let count = reads.value - before
    let time = begin.duration(to: .now)
    following.cancel()
    try await following.value
    expectLessThan(Duration.milliseconds(5) * count, time + .milliseconds(200))
  }

  @Test func `a partition whose end was missed gets it, however busy the others are`() throws {
    let broker = MemoryBroker(time)
    let cluster = try countingCluster(broker, time.clusterTime, partitions: 2) {
      $0.batchesBetweenSnapshots = 4
    }
    let desk = Desk(cluster)
    let replica = cluster.makeReplica(
      in: context, by: context.primaryIndex { (counter: Counter) in counter.key })
    func send(_ key: Int, _ number: Int) {
      let sender = cluster.makeSender()
      sender.enqueue([Count(key: key, number: number)])
      sender.step()
      for _ in 0..<3 { _ = desk.worker.step() }
    }
    func partition(_ key: Int) -> Int { cluster.partition(of: Count(key: key, number: 0)) }
    let quiet = try #require((0..<9).first { partition($0) == 0 })
    let busy = try #require((0..<9).first { partition($0) == 1 })
    for number in 1...4 {
      send(quiet, number)
      // The last one is part of a snapshot before it is read.
      if number < 4 { _ = replica.step() }
    }
    for number in 1...3 {
      time.pass(.seconds(2))
      send(busy, number)
      _ = replica.step()
    }
    expectEqual(picturesOf(context), ["\(quiet): 4, 4, 0", "\(busy): 3, 3, 0"].sorted())
  }

  // MARK: What is reported, and what is lost

  @Test func `two things that are wrong are told once each`() throws {
    let broker = MemoryBroker(time)
    let cluster = try countingCluster(broker, time.clusterTime, partitions: 2)
    let desk = Desk(cluster)
    let replica = cluster.makeReplica(
      in: context, by: context.primaryIndex { (counter: Counter) in counter.key })
    let told = Mistakes()
    let observation = replica.observe {
      switch $0 {
      case .restored: break
      default: told.add("\($0)")
      }
    }
    _ = replica.step()
    let sender = cluster.makeSender()
    sender.enqueue((0..<8).map { Count(key: $0, number: 1) })
    sender.step()
    for _ in 0..<3 { _ = desk.worker.step() }
    let logs = broker.look { $0.map(\.log) }
    broker.tamper(0) { $0.log[0].bytes = [] }
    broker.tamper(1) { $0.log[0].bytes = [1] }
    for _ in 0..<20 {
      time.pass(.seconds(10))
      _ = replica.step()
    }
    expectEqual(told.all.count, 2)
    for partition in 0..<2 { broker.tamper(partition) { $0.log = logs[partition] } }
    time.pass(.seconds(10))
    _ = replica.step()
    expectEqual(told.all.count, 3)
    expectEqual(told.all.last, "recovered")
    withExtendedLifetime(observation) {}
  }

  @Test func `what the broker has lost goes, also if something else has its number in a snapshot`()
    throws
  {
    send(Count(key: 1, number: 1))
    step(1)
    send(Count(key: 1, number: 2))
    step(1)
    // It was another one that was kept.
    let other = MemoryBroker(time)
    let cluster = try countingCluster(other, time.clusterTime, partitions: 1) {
      $0.batchesBetweenSnapshots = 2
    }
    let desk = Desk(cluster)
    for key in 1...2 {
      let sender = cluster.makeSender()
      sender.enqueue([Count(key: key, number: 1)])
      sender.step()
      for _ in 0..<3 { _ = desk.worker.step() }
    }
    let found = other.look { $0[0] }
    expectTrue(found.metrics.logNumber == 2 && found.metrics.snapshotNumber == 2)
    broker.tamper(0) { $0 = found }
    var isGone = true
    broker.plan { _ in
      defer { isGone = false }
      return isGone ? .lostRequest : nil
    }
    step(9)
    expectEqual(picturesOf(context), ["1: 1, 1, 0", "2: 1, 1, 0"])
  }
}
