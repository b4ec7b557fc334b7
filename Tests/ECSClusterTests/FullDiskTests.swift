import ECS
import ECSCluster
import ECSTestSupport
import Testing

/// A real Redis whose disk is full for a while, where that can be had.
@Suite(
  .enabled(if: RedisServer.isThere, "There is no redis-server here: these tests are skipped."),
  .enabled(
    if: SmallDisk.isPossible, "A small disk can't be mounted here: these tests are skipped."),
  .ownThread, .noHangs)
struct FullDiskTests {
  private func cluster(
    _ server: RedisServer, patience: Duration? = nil
  ) throws -> CountingCluster {
    try countingCluster(try server.broker(), .continuous) {
      $0.patience = patience
      $0.lease = .seconds(2)
    }
  }

  /// Counts of five keys.
  private func counts(_ numbers: ClosedRange<Int>) -> [Count] {
    numbers.flatMap { number in (0..<5).map { Count(key: $0, number: number) } }
  }

  @Test func `a full disk is named, and all goes on when there is room`() async throws {
    let disk = try SmallDisk(megabytes: 8)
    let server = try RedisServer(options: ["--appendfsync", "everysec"], on: disk)
    // A file that it has begun itself is the one in which a gap may be left.
    try await rewrite(server)
    let desk = Desk(try cluster(server))
    let work = Task { try await desk.worker.run() }
    let patient = try cluster(server).makeSender()
    try await patient.send(contentsOf: counts(1...100))
    try disk.fill()
    // Redis finds out when it writes next. What it has said it has until then is in its memory.
    let hasty = try cluster(server, patience: .milliseconds(500)).makeSender()
    var refusal: ClusterError?
    var number = 0
    while refusal == nil {
      do throws(ClusterError) {
        try await hasty.send(Count(key: 9, number: number + 1))
        number += 1
      } catch {
        refusal = error
      }
    }
    guard case .broker(.full(let reason)) = refusal else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    expectTrue(reason.contains("No space left on device"))
    while !desk.log.all.contains(where: { $0.contains("No space left on device") }) {
      await pause()
    }
    // These wait.
    let sending = Task { try await patient.send(contentsOf: counts(101...200)) }
    await pause()
    try disk.makeRoom()
    try await sending.value
    // Nothing of what was refused is there.
    try await patient.send(Count(key: 9, number: number + 1))
    let expected = (0..<5).map { "\($0): 200, 200, 0" } + ["9: \(number + 1), \(number + 1), 0"]
    while desk.picture != expected { await pause() }
    while !desk.log.all.contains("recovered") { await pause() }
    expectEqual(desk.mistakes.all, [])
    hasty.close()
    patient.close()
    work.cancel()
    try await work.value
    try await rewrite(server)
    server.kill()
    try server.start()
    try await expectReplica(of: server, expected)
  }

  /// Has it write a new file from its memory.
  private func rewrite(_ server: RedisServer) async throws {
    while try !server.answer("BGREWRITEAOF").contains("started") { await pause() }
    while try !server.answer("INFO", "persistence").contains("aof_rewrite_in_progress:0") {
      await pause()
    }
  }

  private func expectReplica(of server: RedisServer, _ expected: [String]) async throws {
    let context = Context()
    let index = context.primaryIndex { (counter: Counter) in counter.key }
    let replica = try cluster(server).makeReplica(in: context, by: index)
    let following = Task { try await replica.run() }
    await replica.caughtUp()
    expectEqual(picturesOf(context), expected)
    following.cancel()
    try await following.value
  }

  @Test func `a broker that writes each answer ends when its disk is full, and has all later`()
    async throws
  {
    let disk = try SmallDisk(megabytes: 8)
    let server = try RedisServer(on: disk)
    let desk = Desk(try cluster(server))
    let work = Task { try await desk.worker.run() }
    let sender = try cluster(server).makeSender(producer: "till 7")
    try await sender.send(contentsOf: counts(1...100), firstNumber: 1)
    try disk.fill()
    let sending = Task { try await sender.send(contentsOf: counts(101...200), firstNumber: 501) }
    while server.isRunning { await pause() }
    while desk.log.errors.isEmpty { await pause() }
    try disk.makeRoom()
    try server.start()
    try await sending.value
    let expected = (0..<5).map { "\($0): 200, 200, 0" }
    while desk.picture != expected { await pause() }
    expectEqual(desk.mistakes.all, [])
    sender.close()
    work.cancel()
    try await work.value
    // It is on the disk.
    server.kill()
    try server.start()
    try await expectReplica(of: server, expected)
  }
}
