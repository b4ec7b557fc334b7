import ECS
import ECSCluster
import ECSTestSupport
import Testing

/// What a user of a real Redis has to be allowed to do.
@Suite(
  .enabled(if: RedisServer.isThere, "There is no redis-server here: these tests are skipped."),
  .ownThread, .noHangs)
struct RedisRightsTests {
  /// As the article has them.
  private static let rights = [
    "~{counting}:*", "~{counting:*}:*", "-@all", "+select", "+info", "+time", "+script|load",
    "+evalsha", "+type", "+exists", "+del", "+unlink", "+pexpire", "+persist", "+hget", "+hmget",
    "+hset", "+hsetnx", "+hdel", "+zadd", "+zrem", "+zrange", "+zrangebyscore",
    "+zremrangebyscore", "+rpush", "+llen", "+lindex", "+xadd", "+xread", "+xrange", "+xlen",
    "+xdel", "+xtrim", "+xinfo|stream",
  ]

  private func server(without right: String? = nil) throws -> (RedisServer, RedisBroker) {
    let server = try RedisServer()
    let rights = RedisRightsTests.rights.filter { $0 != right }
    try expectEqual(
      server.answer(["ACL", "SETUSER", "desk", "reset", "on", ">secret"] + rights), "OK")
    let broker = try RedisBroker(
      "redis://desk:secret@127.0.0.1:\(server.port)/0", timeout: .seconds(5))
    return (server, broker)
  }

  private func cluster(_ broker: RedisBroker) throws -> CountingCluster {
    try countingCluster(broker, .continuous, partitions: 2) {
      $0.patience = nil
      $0.lease = .seconds(2)
      $0.batchesBetweenSnapshots = 2
      $0.packSize = 1
      $0.batchSize = 1
    }
  }

  @Test func `a user with the rights of the article can do all that there is`() async throws {
    let (server, broker) = try server()
    let cluster = try cluster(broker)
    let desk = Desk(cluster)
    let work = Task { try await desk.worker.run() }
    let context = Context()
    let replica = cluster.makeReplica(
      in: context, by: context.primaryIndex { (counter: Counter) in counter.key })
    let failures = Mistakes()
    let observation = replica.observe {
      if case .failed(let error) = $0 { failures.add("\(error)") }
    }
    let following = Task { try await replica.run() }
    for producer in [nil, "till 7"] {
      let sender = cluster.makeSender(producer: producer)
      for number in 1...9 {
        try await sender.send(Count(key: producer == nil ? 1 : 2, number: number))
      }
      try await sender.send(Count(key: 3, number: 1, kind: 1))
      sender.close()
    }
    while desk.picture != ["1: 9, 9, 0", "2: 9, 9, 0"] { await pause() }
    while try await cluster.deadLetters().count < 2 { await pause() }
    for letter in try await cluster.deadLetters() { try await cluster.removeDeadLetter(letter.id) }
    try await expectTrue(cluster.statistics().allSatisfy { $0.deadLetters == 0 && $0.lag == 0 })
    while picturesOf(context) != desk.picture { await pause() }
    work.cancel()
    try await work.value
    following.cancel()
    try await following.value
    expectTrue(desk.log.all.contains { $0.hasPrefix("snapshot") })
    expectTrue(desk.log.errors.isEmpty && failures.all == [])
    try expectEqual(server.answer("ACL", "LOG"), "")
    withExtendedLifetime(observation) {}
  }

  @Test(arguments: ["+xadd", "+hset", "+evalsha", "~{counting:*}:*", "+script|load"])
  func `a right that is missing is named to senders`(right: String) async throws {
    let (server, broker) = try server(without: right)
    let sender = try cluster(broker).makeSender()
    await #expect {
      try await sender.send(Count(key: 1, number: 1))
    } throws: {
      if case ClusterError.broker(.refused) = $0 { true } else { false }
    }
    sender.close()
    withExtendedLifetime(server) {}
  }

  @Test(arguments: ["+zadd", "+hset", "+evalsha", "~{counting:*}:*", "+xread"])
  func `a right that is missing is named to workers`(right: String) async throws {
    let (server, broker) = try server(without: right)
    let desk = Desk(try cluster(broker))
    let work = Task { try await desk.worker.run() }
    while desk.log.errors.isEmpty { await pause() }
    expectTrue(
      desk.log.errors.allSatisfy { if case .broker(.refused) = $0 { true } else { false } })
    work.cancel()
    try await work.value
    withExtendedLifetime(server) {}
  }

  @Test func `without the right to ask for memory all goes on`() throws {
    let (server, broker) = try server(without: "+info")
    let session = broker.makeSession(for: "counting")
    try session.open(ClusterSettings(partitions: 1, schema: "x"))
    try expectNil(session.fullness())
    withExtendedLifetime(server) {}
  }
}
