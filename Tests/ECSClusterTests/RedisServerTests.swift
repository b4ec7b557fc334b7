import ECS
import ECSCluster
import ECSTestSupport
import Foundation
import Testing

/// On a real Redis, if there is one to be started.
@Suite(
  .enabled(if: RedisServer.isThere, "There is no redis-server here: these tests are skipped."),
  .ownThread, .noHangs)
struct RedisServerTests {
  @Test func `what is sent is applied, and a replica that comes late has it`() async throws {
    let server = try RedisServer()
    let cluster = try countingCluster(try server.broker(), .continuous) {
      $0.batchesBetweenSnapshots = 3
      $0.packSize = 10
      $0.batchSize = 20
    }
    let desk = Desk(cluster)
    let work = Task { try await desk.worker.run() }
    let sender = cluster.makeSender()
    try await sender.send(
      contentsOf: (1...600).flatMap { number in
        (0..<5).map { Count(key: $0, number: number, kind: number == 300 ? 3 : 0) }
      })
    let context = Context()
    let index = context.primaryIndex { (counter: Counter) in counter.key }
    let replica = cluster.makeReplica(in: context, by: index)
    let following = Task { try await replica.run() }
    while try await cluster.statistics().contains(where: { $0.lag > 0 }) { await pause() }
    await replica.caughtUp()
    let expected = (0..<5).map { "\($0): 600, 600, 300" }
    expectEqual(picturesOf(context), expected)
    expectEqual(desk.picture, expected)
    expectEqual(desk.mistakes.all, [])
    work.cancel()
    try await work.value
    try await expectTrue(cluster.statistics().allSatisfy { $0.owner == nil })
    following.cancel()
    try await following.value
    sender.close()
  }

  @Test func `numbers of producers are exact, however great`() throws {
    let server = try RedisServer()
    let session = try server.opened()
    let first: UInt64 = 1 << 62
    for number in [first + 1, first + 2] {
      let pack = EventPack(
        partition: 0, producer: "p", first: number, number: number, count: 1, bytes: [1])
      try expectNotEqual(session.send([pack], limit: 9), [.duplicate])
      try expectEqual(session.send([pack], limit: 9), [.duplicate])
    }
    let less = EventPack(partition: 0, producer: "p", first: 9, number: 9, count: 1, bytes: [1])
    try expectEqual(session.send([less], limit: 9), [.duplicate])
  }

  @Test func `what comes late of a producer is refused`() throws {
    let server = try RedisServer()
    let session = try server.opened()
    func pack(_ claim: ProducerClaim?, _ first: UInt64, _ last: UInt64) -> EventPack {
      EventPack(
        partition: 0, producer: "p", claim: claim, first: first, number: last,
        count: Int(last - first) + 1, bytes: [1])
    }
    let one = try session.claim("p", sender: "one")[0]
    expectEqual(one, ProducerPosition(claim: ProducerClaim(epoch: 1, sender: "one"), number: 0))
    try expectEqual(session.send([pack(one.claim, 1, 10)], limit: 99), [.accepted(waiting: 10)])
    let two = try session.claim("p", sender: "two")[0]
    expectEqual(two, ProducerPosition(claim: ProducerClaim(epoch: 2, sender: "two"), number: 10))
    try expectEqual(session.send([pack(two.claim, 11, 14)], limit: 99), [.accepted(waiting: 14)])
    let late = SendOutcome.failed(.superseded("p"))
    try expectEqual(session.send([pack(one.claim, 11, 20)], limit: 99), [late])
    let other = ProducerClaim(epoch: 2, sender: "three")
    try expectEqual(session.send([pack(other, 15, 20)], limit: 99), [late])
    try expectEqual(session.send([pack(two.claim, 11, 14)], limit: 99), [.duplicate])
    try expectEqual(session.send([pack(two.claim, 13, 16)], limit: 99), [.partial(known: 14)])
    try expectEqual(session.metrics()[0]?.sent, 14)
  }

  @Test func `producers that nobody else is called by are remembered for a day`() throws {
    let server = try RedisServer()
    let session = try server.opened()
    func pack(_ producer: String) -> EventPack {
      EventPack(partition: 0, producer: producer, first: 1, number: 1, count: 1, bytes: [1])
    }
    for name in ["a", "b", "a"] { _ = try session.send([pack(name)], limit: 99) }
    try expectEqual(session.metrics()[0]?.sent, 2)
    try server.command("ZADD", "{orders:0}:uses", "1", "a")
    _ = try session.send([pack("c")], limit: 99)
    try expectEqual(session.send([pack("b")], limit: 99), [.duplicate])
    try expectEqual(session.send([pack("a")], limit: 99), [.accepted(waiting: 4)])
  }

  @Test func `that a producer is in use is not said with each pack`() throws {
    let server = try RedisServer()
    let session = try server.opened()
    func send(_ number: UInt64) throws {
      let pack = EventPack(
        partition: 0, producer: "a", first: number, number: number, count: 1, bytes: [1])
      try expectEqual(session.send([pack], limit: 99), [.accepted(waiting: Int(number))])
    }
    try send(1)
    try server.command("ZADD", "{orders:0}:uses", "7", "a")
    try send(2)
    try expectEqual(server.answer("ZSCORE", "{orders:0}:uses", "a"), "7")
    // Unless Redis does not have it any more.
    try server.command("HDEL", "{orders:0}:prod", "a")
    try send(3)
    try expectNotEqual(server.answer("ZSCORE", "{orders:0}:uses", "a"), "7")
  }

  @Test func `a producer is said to be in use once an hour, and if another one was since`() {
    var uses = ProducerUses()
    let start = ContinuousClock.now
    expectTrue(uses.isDue("a", in: 0, at: start))
    uses.note("a", in: 0, at: start)
    expectFalse(uses.isDue("a", in: 0, at: start + .seconds(3599)))
    expectTrue(uses.isDue("a", in: 1, at: start) && uses.isDue("b", in: 0, at: start))
    // A pack that did not say it does not count.
    uses.note("a", in: 0, at: start + .seconds(1800))
    expectTrue(uses.isDue("a", in: 0, at: start + .seconds(3600)))
    uses.note("b", in: 0, at: start)
    expectTrue(uses.isDue("a", in: 0, at: start))
  }

  @Test func `a snapshot of which a piece has gone takes no other's place`() throws {
    let server = try RedisServer()
    let session = try server.opened()
    _ = try session.acquire([0], worker: "a", for: .seconds(60))
    let old = StoredSnapshot(number: 0, bytes: [1, 2, 3])
    try expectTrue(session.writeSnapshot(old, of: 0, epoch: 1, worker: "a"))
    for size in [10, 3 << 20] {
      // As if the writer had been frozen behind the first piece.
      let address = try #require(RedisAddress("redis://127.0.0.1:\(server.port)"))
      let slow = try RedisBroker(address, timeout: .seconds(5)) {
        address, time throws(BrokerError) in
        ExpiringStream(try RedisBroker.connectPlainly(address, time))
      }.makeSession(for: "orders")
      let new = StoredSnapshot(number: 1, bytes: Array(repeating: 7, count: size))
      try expectFalse(slow.writeSnapshot(new, of: 0, epoch: 1, worker: "a"))
      try expectEqual(session.readSnapshot(of: 0), old)
    }
  }

  @Test func `each call does what it promises`() throws {
    let server = try RedisServer()
    let session = try server.broker().makeSession(for: "orders")
    try session.open(ClusterSettings(partitions: 2, schema: "x"))
    #expect(throws: BrokerError.mismatch("the schema x, and not y")) {
      try session.open(ClusterSettings(partitions: 2, schema: "y"))
    }
    func pack(_ number: UInt64, _ count: Int) -> EventPack {
      EventPack(
        partition: 1, producer: "p", first: number - UInt64(count) + 1, number: number,
        count: count, bytes: [7, 13, 10])
    }
    try expectEqual(session.send([pack(3, 3)], limit: 5), [.accepted(waiting: 3)])
    try expectEqual(session.send([pack(3, 3)], limit: 5), [.duplicate])
    try expectEqual(session.send([pack(5, 2)], limit: 5), [.accepted(waiting: 5)])
    try expectEqual(session.send([pack(6, 1)], limit: 5), [.full(waiting: 5)])
    try expectEqual(session.claim("p", sender: "s").map(\.number), [0, 5])
    let read = try session.read([ReadPosition(partition: 1, number: 0)], limit: 9, wait: .zero)
    expectEqual(read.map(\.last), [3, 5])
    expectEqual(read.map(\.first), [1, 4])
    expectEqual(read[0].bytes, [7, 13, 10])
    try expectEqual(
      session.acquire([0, 1], worker: "a", for: .seconds(5)),
      [
        .acquired(Lease(epoch: 1, offset: 0, logNumber: 0)),
        .acquired(Lease(epoch: 1, offset: 0, logNumber: 0)),
      ])
    guard case .taken(let left) = try session.acquire([1], worker: "b", for: .seconds(5))[0] else {
      Issue.record("It was taken twice.")
      return
    }
    expectTrue(left > .seconds(3) && left <= .seconds(5))
    func commit(_ epoch: UInt64, _ number: UInt64) -> BatchCommit {
      BatchCommit(
        partition: 1, epoch: epoch, logNumber: number, offset: 3, bytes: [1, 2],
        dead: [DeadEvent(number: 2, reason: "so", bytes: [9])])
    }
    try expectEqual(session.commit(commit(1, 1), worker: "a", for: .seconds(5)), .moved)
    try expectEqual(session.commit(commit(1, 0), worker: "b", for: .seconds(5)), .fenced)
    try expectEqual(session.commit(commit(2, 0), worker: "a", for: .seconds(5)), .fenced)
    try expectEqual(session.commit(commit(1, 0), worker: "a", for: .seconds(5)), .committed)
    try expectEqual(
      session.renew([(1, 1), (0, 7)], worker: "a", for: .seconds(5)),
      [
        .renewed(sent: 5), .lost,
      ])
    let log = try session.readLog([ReadPosition(partition: 1, number: 0)], limit: 9, wait: .zero)
    expectEqual(log, [LogEntry(partition: 1, number: 1, offset: 3, bytes: [1, 2])])
    try expectEqual(
      session.read([ReadPosition(partition: 1, number: 0)], limit: 9, wait: .zero).map(\.last),
      [5])
    try expectEqual(
      session.deadEvents(of: 1, limit: 3), [DeadEvent(number: 2, reason: "so", bytes: [9])])
    try session.removeDeadEvent(2, of: 1)
    try expectEqual(session.deadEvents(of: 1, limit: 3), [])
    let snapshot = StoredSnapshot(number: 1, bytes: Array(repeating: 3, count: 2_500_000))
    try expectNil(session.readSnapshot(of: 1))
    try expectEqual(session.writeSnapshot(snapshot, of: 1, epoch: 1, worker: "b"), false)
    try expectEqual(session.writeSnapshot(snapshot, of: 1, epoch: 1, worker: "a"), true)
    try expectEqual(session.readSnapshot(of: 1), snapshot)
    try expectEqual(
      session.readLog([ReadPosition(partition: 1, number: 0)], limit: 9, wait: .zero), [])
    try expectEqual(
      session.metrics()[1],
      PartitionMetrics(
        sent: 5, offset: 3, logNumber: 1, snapshotNumber: 1, epoch: 1, owner: "a", deadEvents: 0))
    try session.release(1, epoch: 1, worker: "a")
    try expectEqual(
      session.acquire([1], worker: "b", for: .seconds(5)),
      [
        .acquired(Lease(epoch: 2, offset: 3, logNumber: 1))
      ])
    try expectEqual(session.beat("a", for: .seconds(5)), ["a"])
    try expectEqual(session.beat("b", for: .seconds(5)), ["a", "b"])
    try expectEqual(session.beat("a", for: .zero), ["b"])
    try session.forget("p")
    try expectEqual(session.claim("p", sender: "t").map(\.number), [0, 0])
  }

  @Test(arguments: ["dead", "log", "in"])
  func `a commit that fails changes nothing, and succeeds when the reason is mended`(
    name: String
  ) throws {
    let server = try RedisServer()
    let session = try server.opened()
    _ = try session.acquire([0], worker: "a", for: .seconds(60))
    let commit = BatchCommit(
      partition: 0, epoch: 1, logNumber: 0, offset: 3, bytes: [1],
      dead: [DeadEvent(number: 2, reason: "so", bytes: [9])])
    try server.command("SET", "{orders:0}:\(name)", "x")
    for _ in 0..<2 {
      #expect {
        _ = try session.commit(commit, worker: "a", for: .seconds(60))
      } throws: {
        if case BrokerError.failed = $0 { true } else { false }
      }
    }
    try server.command("DEL", "{orders:0}:\(name)")
    try expectEqual(session.commit(commit, worker: "a", for: .seconds(60)), .committed)
    try expectEqual(session.metrics()[0]?.logNumber, 1)
    try expectEqual(session.deadEvents(of: 0, limit: 9).count, 1)
    let again = BatchCommit(
      partition: 0, epoch: 1, logNumber: 1, offset: 4, bytes: [1], dead: commit.dead)
    #expect(throws: BrokerError.self) {
      try session.commit(again, worker: "a", for: .seconds(60))
    }
    try expectEqual(session.metrics()[0]?.logNumber, 1)
  }

  @Test func `what is damaged of one partition hides nothing of the others`() throws {
    let server = try RedisServer()
    let session = try server.broker().makeSession(for: "orders")
    try session.open(ClusterSettings(partitions: 3, schema: "x"))
    try server.command("SET", "{orders:0}:meta", "x")
    try server.command("HSET", "{orders:1}:meta", "epoch", "x")
    try server.command("SET", "{orders:2}:dead", "x")
    let outcomes = try session.acquire([0, 1, 2], worker: "a", for: .seconds(60))
    for outcome in outcomes[..<2] {
      guard case .failed = outcome else {
        Issue.record("\(outcome)")
        continue
      }
    }
    expectEqual(outcomes[2], .acquired(Lease(epoch: 1, offset: 0, logNumber: 0)))
    let renewed = try session.renew([(0, 1), (2, 1)], worker: "a", for: .seconds(60))
    expectEqual(renewed[1], .renewed(sent: 0))
    let metrics = try session.metrics()
    expectTrue(metrics[0] == nil && metrics[1] == nil)
    expectEqual(metrics[2], PartitionMetrics(epoch: 1, owner: "a", deadEvents: nil))
  }

  @Test func `a broker that ends and comes back, or forgets its scripts, is used again`() throws {
    let server = try RedisServer()
    let session = try server.broker().makeSession(for: "orders")
    try session.open(ClusterSettings(partitions: 2, schema: "x"))
    try server.command("SCRIPT", "FLUSH")
    try expectEqual(session.beat("a", for: .seconds(5)), ["a"])
    server.kill()
    #expect(throws: BrokerError.self) { try session.beat("a", for: .seconds(5)) }
    try server.start()
    try expectTrue(session.beat("b", for: .seconds(5)).contains("b"))
    try server.command("CONFIG", "SET", "requirepass", "secret")
    let other = try server.broker().makeSession(for: "orders")
    #expect {
      _ = try other.beat("c", for: .seconds(5))
    } throws: {
      if case BrokerError.refused = $0 { true } else { false }
    }
  }

  @Test func `a worker waits for a broker, and says what is wrong`() async throws {
    let server = try RedisServer()
    server.kill()
    let cluster = try countingCluster(try server.broker(), .continuous)
    let desk = Desk(cluster)
    let work = Task { try await desk.worker.run() }
    while desk.log.errors.isEmpty { await pause() }
    try server.start()
    let sender = cluster.makeSender()
    try await sender.send(Count(key: 1, number: 1))
    while desk.picture != ["1: 1, 1, 0"] { await pause() }
    while !desk.log.all.contains("recovered") { await pause() }
    work.cancel()
    try await work.value
    sender.close()
  }
}

extension RedisServer {
  /// A session of a cluster with one partition.
  fileprivate func opened() throws -> any BrokerSession {
    let session = try broker().makeSession(for: "orders")
    try session.open(ClusterSettings(partitions: 1, schema: "x"))
    return session
  }
}

/// Lets the time of the first thing end at once that has one.
private final class ExpiringStream: ByteStream {
  private let inner: any ByteStream
  private var isDone = false

  init(_ inner: any ByteStream) { self.inner = inner }

  func send(_ bytes: [UInt8], from position: Int) throws(BrokerError) -> Int {
    var bytes = bytes
    if !isDone, let place = bytes.firstRange(of: Array("600000".utf8)) {
      bytes.replaceSubrange(place, with: Array("-99999".utf8))
      var sent = position
      while sent < bytes.count {
        let count = try inner.send(bytes, from: sent)
        if count == 0 { inner.wait(toSend: true, atMost: .seconds(1)) }
        sent += count
      }
      isDone = true
      return bytes.count - position
    }
    return try inner.send(bytes, from: position)
  }

  func receive(into buffer: inout [UInt8]) throws(BrokerError) -> Int {
    try inner.receive(into: &buffer)
  }

  func wait(toSend: Bool, atMost time: Duration) { inner.wait(toSend: toSend, atMost: time) }
}
