import ECS
import ECSCluster
import ECSTestSupport
import Testing

// How links are kept: in snapshots, and in the bytes of entries.
extension LinkTests {
  // MARK: Snapshots

  /// Ends the worker; gives another one, which writes a snapshot behind each batch.
  private func nextWorkerWithSnapshots() throws -> WireDesk {
    desk.worker.finish()
    return WireDesk(
      try linkingCluster(broker, time.clusterTime, partitions: 2) {
        $0.batchesBetweenSnapshots = 1
      })
  }

  /// Lets the replica read a snapshot.
  private func catchUp() {
    for _ in 0..<4 {
      _ = replica.step()
      time.pass(.seconds(2))
    }
  }

  @Test func `a worker begins with a snapshot and the log behind it`() throws {
    apply(
      wire(1, .follow, 2, 1), wire(3, .follow, 2, 2), wire(4, .follow, 2, 3), wire(5, .join, 2, 7),
      wire(1, .pair, 3), wire(4, .attach, 1), wire(5, .attach, 1))
    apply(wire(2, .toEnd, 1))
    let snapshots = try nextWorkerWithSnapshots()
    let sender = cluster.makeSender()
    sender.enqueue([wire(6, .touch, 0, 1)])
    sender.step()
    work(snapshots)
    expectTrue(broker.look { $0.contains { $0.snapshot != nil && $0.log.isEmpty } })
    let expected = [
      "1/1: 0 [2=1 < ] [ < ] [3 < ] [ < 4 5]", "1/2: 0 [ < 3 4 1] [ < 5] [ < ] [ < ]",
      "1/3: 0 [2=2 < ] [ < ] [ < 1] [ < ]", "1/4: 0 [2=3 < ] [ < ] [ < ] [1 < ]",
      "1/5: 0 [ < ] [2=7 < ] [ < ] [1 < ]", "1/6: 1! [ < ] [ < ] [ < ] [ < ]",
    ]
    expectEqual(nodesOf(snapshots.context), expected)
    expectEqual(restored(), expected)
    snapshots.worker.finish()
    expectEqual(nodesOf(snapshots.context), [])
    let next = WireDesk(cluster)
    for _ in 0..<4 { _ = next.worker.step() }
    expectEqual(nodesOf(next.context), expected)
  }

  @Test func `a replica becomes what a snapshot says, and loses nothing that this keeps`() throws {
    apply(
      wire(1, .attach, 9), wire(2, .attach, 1), wire(3, .follow, 2, 1), wire(4, .follow, 2, 2),
      wire(9, .pair, 2), wire(5, .join, 9, 1))
    _ = replica.step()
    // It misses how the tree is turned round, and how what it hangs on goes.
    apply(wire(1, .detach), wire(2, .detach), wire(1, .attach, 2))
    apply(wire(9, .destroy), wire(2, .toEnd, 3), wire(4, .follow, 3, 3))
    let snapshots = try nextWorkerWithSnapshots()
    let sender = cluster.makeSender()
    sender.enqueue([wire(3, .touch, 0, 3)])
    sender.step()
    work(snapshots)
    catchUp()
    let expected = [
      "1/1: 0 [ < ] [ < ] [ < ] [2 < ]", "1/2: 0 [ < 4 3] [ < ] [ < ] [ < 1]",
      "1/3: 3 [2=1 < 4] [ < ] [ < ] [ < ]", "1/4: 0 [2=2 3=3 < ] [ < ] [ < ] [ < ]",
      "1/5: 0 [ < ] [ < ] [ < ] [ < ]",
    ]
    expectEqual(nodesOf(snapshots.context), expected)
    expectEqual(nodesOf(context), expected)
    // All links go, and a snapshot without any takes them away.
    sender.enqueue(
      [wire(1, .detach), wire(3, .unfollowAll), wire(4, .unfollowAll)])
    sender.step()
    work(snapshots)
    catchUp()
    expectEqual(nodesOf(context), nodesOf(snapshots.context))
    expectTrue(nodesOf(context).allSatisfy { $0.hasSuffix("[ < ] [ < ] [ < ] [ < ]") })
  }

  // MARK: The format

  @Test func `changes without links are as they were, and those with links have a later format`() {
    apply(wire(1, .touch, 0, 1))
    expectEqual(lastEntry.first, 1)
    apply(wire(1, .pair, 2))
    expectEqual(lastEntry.first, 2)
    apply(wire(1, .touch, 0, 1))
    expectEqual(lastEntry.first, 1)
  }

  @Test(arguments: [1, 1000])
  func `changes without links are byte for byte as without relations`(
    batchesBetweenSnapshots: Int
  ) throws {
    let contents = try [true, false].map { withLinks in
      let broker = MemoryBroker(time)
      let cluster = try linkingCluster(
        broker, time.clusterTime, partitions: 1, withLinks: withLinks
      ) { $0.batchesBetweenSnapshots = batchesBetweenSnapshots }
      let sender = cluster.makeSender()
      let desk = WireDesk(cluster)
      for wires in [
        [wire(1, .touch, 0, 4), wire(2, .touch, 0, 3)], [wire(1, .destroy), wire(2, .rename, 3)],
      ] {
        sender.enqueue(wires)
        sender.step()
        work(desk)
      }
      return broker.look { $0[0].log.map(\.bytes) + ($0[0].snapshot.map { [$0.bytes] } ?? []) }
    }
    expectEqual(contents[0].count, (batchesBetweenSnapshots == 1 ? 1 : 2))
    expectEqual(contents[0], contents[1])
  }

  @Test func `changes from before a schema had relations are read`() throws {
    let old = try linkingCluster(broker, time.clusterTime, partitions: 2, withLinks: false)
    let sender = old.makeSender()
    sender.enqueue([wire(1, .touch, 0, 4), wire(2, .touch, 0, 3)])
    sender.step()
    let worker = WireDesk(old)
    for _ in 0..<3 { _ = worker.worker.step() }
    worker.worker.finish()
    apply(wire(1, .follow, 2, 1))
    expect("1/1: 4! [2=1 < ] [ < ] [ < ] [ < ]", "1/2: 3 [ < 1] [ < ] [ < ] [ < ]")
  }

  @Test func `a program whose schema has no relation stops at links`() async throws {
    apply(wire(1, .follow, 2, 1))
    let old = try linkingCluster(broker, time.clusterTime, partitions: 2, withLinks: false)
    let context = Context()
    let replica = old.makeReplica(
      in: context, by: context.primaryIndex { (node: Node) in node.key })
    await #expect(throws: ClusterError.self) { try await replica.run() }
    expectEqual(nodesOf(context), [])
  }

  @Test func `a program whose schema has no relation stops at links that go`() throws {
    apply(wire(1, .follow, 2, 1))
    apply(wire(1, .unfollow, 2))
    for partition in 0..<2 {
      broker.tamper(partition) {
        guard let last = $0.log.popLast() else { return }
        $0.log = [LogEntry(partition: partition, number: 1, offset: 1, bytes: last.bytes)]
      }
    }
    let old = try linkingCluster(broker, time.clusterTime, partitions: 2, withLinks: false)
    let context = Context()
    let replica = old.makeReplica(
      in: context, by: context.primaryIndex { (node: Node) in node.key })
    let log = Mistakes()
    let observation = replica.observe { log.add("\($0)") }
    _ = replica.step()
    expectEqual(log.all.last?.contains("follows: the schema does not name it"), true)
    withExtendedLifetime(observation) {}
  }
}
