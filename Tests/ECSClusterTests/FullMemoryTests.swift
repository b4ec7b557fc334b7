import ECS
import ECSCluster
import ECSTestSupport
import Testing

/// A real Redis that may take no more memory for a while.
@Suite(
  .enabled(if: RedisServer.isThere, "There is no redis-server here: these tests are skipped."),
  .ownThread, .noHangs)
struct FullMemoryTests {
  private func pack(_ number: UInt64) -> EventPack {
    EventPack(
      partition: 0, producer: "p", first: number, number: number, count: 1, bytes: [1, 2])
  }

  @Test func `what makes room is done when there is none, and events are refused`() throws {
    let server = try RedisServer()
    let broker = try server.broker()
    let first = broker.makeSession(for: "orders")
    let settings = ClusterSettings(partitions: 1, schema: "x")
    try first.open(settings)
    try expectEqual(first.send([pack(1)], limit: 9), [.accepted(waiting: 1)])
    try expectNil(first.fullness())
    try server.command("CONFIG", "SET", "maxmemory", "1")
    // One that begins now has to open the cluster, too.
    let session = broker.makeSession(for: "orders")
    try session.open(settings)
    try expectGreaterThan(session.fullness() ?? 0, 1)
    try expectEqual(session.beat("a", for: .seconds(60)), ["a"])
    try expectEqual(
      session.acquire([0], worker: "a", for: .seconds(60)),
      [.acquired(Lease(epoch: 1, offset: 0, logNumber: 0))])
    try expectEqual(session.renew([(0, 1)], worker: "a", for: .seconds(60)), [.renewed(sent: 1)])
    let dead = DeadEvent(number: 1, reason: "so", bytes: [9])
    let commit = BatchCommit(
      partition: 0, epoch: 1, logNumber: 0, offset: 1, bytes: [1], dead: [dead])
    try expectEqual(session.commit(commit, worker: "a", for: .seconds(60)), .committed)
    let snapshot = StoredSnapshot(number: 1, bytes: Array(repeating: 7, count: 3 << 20))
    try expectFalse(session.writeSnapshot(snapshot, of: 0, epoch: 1, worker: "b"))
    try expectTrue(session.writeSnapshot(snapshot, of: 0, epoch: 1, worker: "a"))
    try expectEqual(session.readSnapshot(of: 0), snapshot)
    try session.release(0, epoch: 1, worker: "a")
    try expectNil(session.metrics()[0]?.owner)
    try expectEqual(session.beat("a", for: .zero), [])
    // What is there already is not refused.
    try expectEqual(session.send([pack(1)], limit: 9), [.duplicate])
    guard case .failed(.full) = try session.send([pack(2)], limit: 9)[0] else {
      Issue.record("It was taken.")
      return
    }
    try server.command("CONFIG", "SET", "maxmemory", "0")
    try expectEqual(session.send([pack(2)], limit: 9), [.accepted(waiting: 1)])
  }

  @Test func `senders stop before the memory of workers begins`() async throws {
    let server = try RedisServer()
    let session = try server.broker().makeSession(for: "orders")
    try session.open(ClusterSettings(partitions: 1, schema: "x"))
    try expectEqual(session.send([pack(1)], limit: 9), [.accepted(waiting: 1)])
    let used = try usedMemory(of: server)
    try server.command("CONFIG", "SET", "maxmemory", "\(used / 95 * 100)")
    // Not with each pack is it looked how much is left.
    var number: UInt64 = 1
    var outcome = SendOutcome.accepted(waiting: 1)
    while case .accepted = outcome {
      number += 1
      outcome = try session.send([pack(number)], limit: .max)[0]
      await pause()
    }
    guard case .failed(.full(let reason)) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    expectTrue(reason.contains("workers"))
    try expectLessThan(session.fullness() ?? 1, 1)
    try expectEqual(session.send([pack(1)], limit: .max), [.duplicate])
    try server.command("CONFIG", "SET", "maxmemory", "\(used * 2)")
    try expectNotEqual(session.send([pack(number)], limit: .max), [outcome])
  }

  private func usedMemory(of server: RedisServer) throws -> Int {
    let lines = try server.answer("INFO", "memory").split(whereSeparator: \.isNewline)
    let line = try #require(lines.first { $0.hasPrefix("used_memory:") })
    return try #require(Int(line.drop { $0 != ":" }.dropFirst()))
  }

  @Test func `a cluster goes on in less memory than its changes take`() async throws {
    let server = try RedisServer(options: ["--appendonly", "no"])
    let cluster = try countingCluster(try server.broker(), .continuous, partitions: 2) {
      $0.patience = nil
      $0.lease = .seconds(4)
      ($0.packSize, $0.batchSize, $0.batchesBetweenSnapshots) = (8, 8, 1_000_000)
      $0.waitingEvents = 1_000_000
    }
    let desk = Desk(cluster)
    let work = Task { try await desk.worker.run() }
    let sender = cluster.makeSender()
    try await sender.send(contentsOf: (0..<50).map { Count(key: $0, number: 1) })
    let room = 1_000_000
    try server.command("CONFIG", "SET", "maxmemory", "\(try usedMemory(of: server) + room)")
    let last = 400
    try await sender.send(
      contentsOf: (2...last).flatMap { number in (0..<50).map { Count(key: $0, number: number) } })
    let expected = (0..<50).map { "\($0): \(last), \(last), 0" }.sorted()
    while desk.picture != expected { await pause() }
    expectEqual(desk.mistakes.all, [])
    expectTrue(desk.log.all.contains { $0.hasPrefix("snapshot") })
    sender.close()
    work.cancel()
    try await work.value
  }
}

/// When a worker writes snapshots early.
@Suite struct EarlySnapshotTests {
  private let time = HandTime()

  /// Sends one event after the other; gives how many snapshots that made.
  private func snapshots(fullness: Double?, events: Int) throws -> Int {
    let broker = MemoryBroker(time)
    broker.setFullness(fullness)
    let cluster = try countingCluster(broker, time.clusterTime, partitions: 1)
    let desk = Desk(cluster)
    for number in 1...events {
      let sender = cluster.makeSender()
      sender.enqueue([Count(key: 1, number: number)])
      sender.step()
      for _ in 0..<3 { _ = desk.worker.step() }
      time.pass(.milliseconds(510))
    }
    for _ in 0..<3 {
      _ = desk.worker.step()
      time.pass(.milliseconds(510))
    }
    expectEqual(desk.picture, ["1: \(events), \(events), 0"])
    return desk.log.all.count { $0.hasPrefix("snapshot") }
  }

  @Test func `logs become snapshots early when the broker is nearly full, and only then`() throws {
    try expectEqual(snapshots(fullness: nil, events: 5), 0)
    try expectEqual(snapshots(fullness: 0.5, events: 5), 0)
    try expectGreaterThan(snapshots(fullness: 0.8, events: 5), 0)
    try expectGreaterThan(snapshots(fullness: 1.2, events: 5), 0)
    // Without anything new there is nothing to write.
    try expectEqual(snapshots(fullness: 1.2, events: 1), 1)
  }
}
