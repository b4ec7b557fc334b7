import ECSCluster
import ECSTestSupport
import Testing

/// What becomes of leases when the clock of a real Redis is set back.
@Suite(
  .enabled(if: RedisServer.isThere, "There is no redis-server here: these tests are skipped."),
  .ownThread, .noHangs)
struct RedisClockTests {
  private let server: RedisServer
  private let session: any BrokerSession

  init() throws {
    server = try RedisServer()
    session = try server.broker().makeSession(for: "orders")
    try session.open(ClusterSettings(partitions: 1, schema: "x"))
  }

  /// Times that were noted are later by an hour then, as seen from the clock.
  private func setClockBack() throws {
    try server.command("HINCRBY", "{orders:0}:meta", "until", "3600000")
    try server.command("ZINCRBY", "{orders}:workers", "3600000", "gone")
  }

  @Test func `a worker that has ended keeps nothing for longer than its lease`() async throws {
    _ = try session.acquire([0], worker: "gone", for: .milliseconds(300))
    _ = try session.beat("gone", for: .milliseconds(300))
    try setClockBack()
    guard case .taken(let left) = try session.acquire([0], worker: "b", for: .seconds(9))[0] else {
      Issue.record("It was taken at once.")
      return
    }
    expectLessThanOrEqual(left, .milliseconds(300))
    while case .taken = try session.acquire([0], worker: "b", for: .seconds(9))[0] {
      await pause()
    }
    try expectEqual(session.metrics()[0]?.owner, "b")
    while try session.beat("b", for: .seconds(1)) != ["b"] { await pause() }
  }

  @Test func `a worker that goes on keeps its lease, however long others have theirs`() throws {
    _ = try session.acquire([0], worker: "gone", for: .seconds(60))
    _ = try session.beat("gone", for: .seconds(60))
    try setClockBack()
    for _ in 0..<3 {
      let outcome = try session.acquire([0], worker: "b", for: .seconds(1))[0]
      guard case .taken(let left) = outcome else {
        Issue.record("It was taken from its owner.")
        return
      }
      expectTrue(left > .seconds(50) && left <= .seconds(60))
      // It goes on: what is left of its heartbeat is cut to two seconds, which a slow machine
      // takes.
      _ = try session.beat("gone", for: .seconds(60))
      try expectEqual(session.beat("b", for: .seconds(1)), ["b", "gone"])
      try expectEqual(
        session.renew([(0, 1)], worker: "gone", for: .seconds(60)), [.renewed(sent: 0)])
    }
  }
}
