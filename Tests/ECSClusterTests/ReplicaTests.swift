import ECS
import ECSCluster
import ECSSnapshots
import ECSTestSupport
import Testing

@Suite(.ownThread, .noHangs) struct ReplicaTests {
  let time = HandTime()
  let broker: MemoryBroker
  let cluster: CountingCluster
  let desk: Desk
  let context = Context()
  let replica: Replica<Count, Counter, Int>

  init() throws {
    broker = MemoryBroker(time)
    cluster = try countingCluster(broker, time.clusterTime, partitions: 2) {
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

  @Test func `it has what is committed, to components that go and entities that end`() {
    send(Count(key: 1, number: 1), Count(key: 2, number: 1, kind: 3))
    _ = replica.step()
    expectEqual(picturesOf(context), ["1: 1, 1, 0", "2: 1, 1, 1"])
    send(Count(key: 2, number: 2, kind: 4), Count(key: 1, number: 2, kind: 2))
    _ = replica.step()
    expectEqual(picturesOf(context), ["1: 2, 2, 0", "2: 2, 2, 0"])
  }

  @Test func `changes that became part of a snapshot are taken from there`() {
    send(Count(key: 1, number: 1))
    _ = replica.step()
    for number in 2...20 { send(Count(key: 1, number: number)) }
    expectTrue(broker.look { $0.contains { ($0.snapshot?.number ?? 0) > 8 } })
    for _ in 0..<4 {
      _ = replica.step()
      time.pass(.seconds(2))
    }
    expectEqual(picturesOf(context), ["1: 20, 20, 0"])
  }

  @Test func `a change that is damaged is named, and what is right again goes on`() {
    send(Count(key: 1, number: 1))
    let log = broker.look { $0.map(\.log) }
    var random = SplitMix64(seed: 3)
    for partition in 0..<2 where !log[partition].isEmpty {
      for _ in 0..<300 {
        broker.tamper(partition) {
          var bytes = log[partition][0].bytes
          if random.oneIn(2) {
            bytes.removeLast(1 + random.below(bytes.count))
          } else {
            bytes[random.below(bytes.count)] ^= UInt8(1 + random.below(255))
          }
          $0.log[0].bytes = bytes
        }
        _ = replica.step()
        expectEqual(picturesOf(context), [])
        time.pass(.seconds(10))
      }
      broker.tamper(partition) { $0.log = log[partition] }
    }
    for _ in 0..<3 { _ = replica.step() }
    expectEqual(picturesOf(context), ["1: 1, 1, 0"])
  }

  @Test func `entities stay while a change can't be applied, which is tried later and later`()
    throws
  {
    send(Count(key: 1, number: 1))
    _ = replica.step()
    send(Count(key: 1, number: 2))
    let partition = try #require(broker.look { $0.firstIndex { $0.log.count == 2 } })
    let log = broker.look { $0[partition].log }
    broker.tamper(partition) { $0.log[1].bytes = [] }
    let restored = Mistakes()
    broker.plan {
      if $0.hasPrefix("readSnapshot") { restored.add($0) }
      return nil
    }
    for _ in 0..<50 {
      _ = replica.step()
      expectEqual(picturesOf(context), ["1: 1, 1, 0"])
      time.pass(.milliseconds(100))
    }
    expectEqual(restored.all, [])
    broker.tamper(partition) { $0.log = log }
    time.pass(.seconds(10))
    _ = replica.step()
    expectEqual(picturesOf(context), ["1: 2, 2, 0"])
  }

  @Test func `a partition whose log is damaged stands still, and the other goes on`() {
    _ = replica.step()
    for key in 0..<8 { send(Count(key: key, number: 1)) }
    broker.tamper(0) { $0.damage = .protocolViolation("changes") }
    for _ in 0..<5 {
      _ = replica.step()
      time.pass(.seconds(2))
    }
    let sent = broker.look { $0.map(\.metrics.sent) }
    expectTrue(sent.allSatisfy { $0 > 0 })
    expectEqual(picturesOf(context).count, Int(sent[1]))
    broker.tamper(0) { $0.damage = nil }
    for _ in 0..<5 {
      time.pass(.seconds(10))
      _ = replica.step()
    }
    expectEqual(picturesOf(context), (0..<8).map { "\($0): 1, 1, 0" })
  }

  @Test func `who waits goes on when what was committed before is there`() async throws {
    send(Count(key: 1, number: 1), Count(key: 2, number: 1))
    let following = Task { try await replica.run() }
    await replica.caughtUp()
    expectEqual(picturesOf(context), ["1: 1, 1, 0", "2: 1, 1, 0"])
    following.cancel()
    try await following.value
    await replica.caughtUp()
  }

  @Test func `a monitor shows partitions as entities`() async throws {
    send(Count(key: 1, number: 1), Count(key: 2, number: 1))
    let sender = cluster.makeSender()
    sender.enqueue([Count(key: 1, number: 2)])
    sender.step()
    let statuses = try await cluster.statistics()
    expectEqual(statuses.map(\.partition), [0, 1])
    expectEqual(statuses.reduce(0) { $0 + $1.sent }, 3)
    expectEqual(statuses.reduce(0) { $0 + $1.lag }, 1)
    expectTrue(statuses.allSatisfy { $0.owner == desk.worker.id && $0.epoch == 1 })
    let shown = Context()
    let monitor = cluster.makeMonitor(in: shown, every: .milliseconds(1))
    let watching = Task { try await monitor.run() }
    while shown.group(PartitionStatus.matcher).count < 2 { await pause() }
    watching.cancel()
    try await watching.value
  }
}
