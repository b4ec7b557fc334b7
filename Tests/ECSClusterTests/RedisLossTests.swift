import ECS
import ECSCluster
import ECSTestSupport
import Testing

/// A real Redis that is flushed, and one whose copy lags behind.
@Suite(
  .enabled(if: RedisServer.isThere, "There is no redis-server here: these tests are skipped."),
  .ownThread, .noHangs)
struct RedisLossTests {
  /// A worker, a replica and a sender, and what they say of losses.
  private final class Parts: Sendable {
    let cluster: CountingCluster
    let desk: Desk
    let context = Context()
    let replica: Replica<Count, Counter, Int>
    let sender: Sender<Count, Int>
    let ofReplica = Mistakes()
    let ofSender = Mistakes()

    /// What the sender says besides.
    let failures = Mistakes()
    private let observations: [ClusterObservation]
    private let running: [Task<Void, any Error>]

    init(_ server: RedisServer, producer: String?) throws {
      let cluster = try countingCluster(try server.broker(), .continuous, partitions: 2) {
        $0.patience = nil
        $0.lease = .seconds(2)
      }
      self.cluster = cluster
      let desk = Desk(cluster)
      self.desk = desk
      let replica = cluster.makeReplica(
        in: context, by: context.primaryIndex { (counter: Counter) in counter.key })
      self.replica = replica
      sender = cluster.makeSender(producer: producer)
      observations = [
        replica.observe { [ofReplica] in
          if case .lost(let loss) = $0 { ofReplica.add("\(loss)") }
        },
        sender.observe { [ofSender, failures] in
          if case .lost(let partition, let numbers) = $0 {
            ofSender.add("\(partition): \(numbers.lowerBound) to \(numbers.upperBound)")
          } else {
            failures.add("\($0)")
          }
        },
      ]
      running = [
        Task { try await desk.worker.run() }, Task { try await replica.run() },
      ]
    }

    func send(_ numbers: ClosedRange<Int>, firstNumber: UInt64? = nil) async throws {
      try await sender.send(
        contentsOf: numbers.flatMap { number in (0..<8).map { Count(key: $0, number: number) } },
        firstNumber: firstNumber)
    }

    /// Sends what is refused once, since something that is gone should be before it.
    func sendBehindLoss(_ numbers: ClosedRange<Int>) async throws {
      await #expect {
        try await self.send(numbers)
      } throws: {
        if case ClusterError.lost = $0 { true } else { false }
      }
      try await send(numbers)
    }

    /// Waits until all counters are at a number, in the worker and in the replica.
    func arrive(at number: Int) async {
      let expected = (0..<8).map { "\($0): \(number), \(number), 0" }
      while desk.picture != expected || picturesOf(context) != expected { await pause() }
    }

    var ofWorker: [String] { desk.log.all.filter { $0.hasPrefix("lost") } }

    /// Whether one of them has said less often that something is lost.
    func hasFewer(than count: Int) -> Bool {
      [ofWorker, ofReplica.all, ofSender.all].contains { $0.count < count }
    }

    func end() async throws {
      sender.close()
      for task in running { task.cancel() }
      for task in running { try await task.value }
    }
  }

  @Test(arguments: [nil, "till 7"])
  func `a broker that is flushed takes nothing away in silence`(producer: String?) async throws {
    let server = try RedisServer()
    let parts = try Parts(server, producer: producer)
    try await parts.send(1...50)
    await parts.arrive(at: 50)
    try server.command("FLUSHALL")
    // While nothing is sent, either.
    while parts.hasFewer(than: 2) { await pause() }
    expectTrue(
      parts.ofWorker.allSatisfy { $0.contains("events 1 to ") && $0.contains("changes 1 to") })
    expectTrue(parts.ofSender.all.allSatisfy { $0.contains(": 1 to ") })
    try await parts.sendBehindLoss(1...20)
    await parts.arrive(at: 20)
    expectEqual(parts.desk.mistakes.all, [])
    try await parts.end()
  }

  @Test func `what a copy does not have that takes the broker's place is said`() async throws {
    let server = try RedisServer()
    let parts = try Parts(server, producer: "till 7")
    try await parts.send(1...50, firstNumber: 1)
    await parts.arrive(at: 50)
    let copy = try await makeCopy(of: server)
    try copy.command("REPLICAOF", "NO", "ONE")
    try await parts.send(51...70, firstNumber: 401)
    await parts.arrive(at: 70)
    server.kill()
    try copy.command("CONFIG", "SET", "port", "\(server.port)")
    while parts.hasFewer(than: 2) { await pause() }
    await parts.arrive(at: 50)
    // The sender has them yet, and now they count.
    try await parts.send(51...80, firstNumber: 401)
    await parts.arrive(at: 80)
    expectEqual(parts.desk.mistakes.all, [])
    try await parts.end()
  }

  @Test func `a cluster outlives a full memory, a flush and a copy that lags, one after the other`()
    async throws
  {
    let server = try RedisServer()
    let parts = try Parts(server, producer: nil)
    try await parts.send(1...20)
    await parts.arrive(at: 20)
    // Full: nothing more is taken, and nothing is lost.
    try server.command("CONFIG", "SET", "maxmemory", "1")
    let sending = Task { try await parts.send(21...40) }
    while !parts.failures.all.contains(where: { $0.contains("full") }) { await pause() }
    try server.command("CONFIG", "SET", "maxmemory", "0")
    try await sending.value
    await parts.arrive(at: 40)
    expectTrue(parts.ofWorker == [] && parts.ofReplica.all == [] && parts.ofSender.all == [])
    // Flushed.
    try server.command("FLUSHALL")
    while parts.hasFewer(than: 2) { await pause() }
    try await parts.sendBehindLoss(1...30)
    await parts.arrive(at: 30)
    // A copy that lags behind.
    let copy = try await makeCopy(of: server)
    try copy.command("REPLICAOF", "NO", "ONE")
    try await parts.send(31...50)
    await parts.arrive(at: 50)
    server.kill()
    try copy.command("CONFIG", "SET", "port", "\(server.port)")
    while parts.hasFewer(than: 4) { await pause() }
    await parts.arrive(at: 30)
    try await parts.sendBehindLoss(31...60)
    await parts.arrive(at: 60)
    expectEqual(parts.desk.mistakes.all, [])
    try await parts.end()
  }

  /// A copy that has all that a server has.
  private func makeCopy(of server: RedisServer) async throws -> RedisServer {
    let copy = try RedisServer()
    try copy.command("REPLICAOF", "127.0.0.1", "\(server.port)")
    while try !copy.answer("INFO", "replication").contains("master_link_status:up") {
      await pause()
    }
    try server.command("WAIT", "1", "0")
    return copy
  }
}
