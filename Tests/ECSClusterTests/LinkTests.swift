import ECS
import ECSCluster
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Testing

/// Links in batches, snapshots and replicas, on a broker in memory, a step at a time.
@Suite struct LinkTests {
  let time = HandTime()
  let broker: MemoryBroker
  let cluster: LinkingCluster
  let desk: WireDesk
  let context = Context()
  let replica: Replica<Wire, Node, NodeKey>

  init() throws {
    broker = MemoryBroker(time)
    cluster = try linkingCluster(broker, time.clusterTime, partitions: 2) {
      $0.batchesBetweenSnapshots = 1000
    }
    desk = WireDesk(cluster)
    replica = cluster.makeReplica(
      in: context, by: context.primaryIndex { (node: Node) in node.key })
    _ = replica.step()
  }

  private func key(_ id: Int) -> NodeKey { NodeKey(tenant: 1, id: id) }

  func wire(
    _ id: Int, _ action: Wire.Action, _ other: Int = 0, _ number: Int = 0
  ) -> Wire {
    Wire(key(id), action, other, number)
  }

  /// Applies events, in a batch for each call.
  func apply(_ wires: Wire...) {
    let sender = cluster.makeSender()
    sender.enqueue(wires)
    sender.step()
    expectEqual(sender.waitingCount, 0)
    for _ in 0..<3 { _ = desk.worker.step() }
  }

  /// Lets a worker make steps, more than half a second apart.
  func work(_ desk: WireDesk) {
    for _ in 0..<4 {
      _ = desk.worker.step()
      time.pass(.milliseconds(600))
    }
  }

  /// Makes sure that the worker, the replica and a worker that begins with the log have the same.
  func expect(
    _ sentences: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    _ = replica.step()
    #expect(nodesOf(desk.context) == sentences, "worker", sourceLocation: sourceLocation)
    #expect(nodesOf(context) == sentences, "replica", sourceLocation: sourceLocation)
    #expect(restored() == sentences, "restored", sourceLocation: sourceLocation)
  }

  /// What a replica has that begins with the snapshots and the log.
  func restored() -> [String] {
    let context = Context()
    let replica = cluster.makeReplica(
      in: context, by: context.primaryIndex { (node: Node) in node.key })
    _ = replica.step()
    return nodesOf(context)
  }

  private var dead: [String] { broker.look { $0.flatMap { $0.dead.map(\.reason) } } }
  var lastEntry: [UInt8] { broker.look { $0.compactMap { $0.log.last?.bytes }.last ?? [] } }

  // MARK: Links

  @Test func `links come and go, with values that are replaced`() {
    apply(wire(1, .follow, 2, 5))
    expect("1/1: 0 [2=5 < ] [ < ] [ < ] [ < ]", "1/2: 0 [ < 1] [ < ] [ < ] [ < ]")
    apply(wire(1, .follow, 2, 6))
    expect("1/1: 0 [2=6 < ] [ < ] [ < ] [ < ]", "1/2: 0 [ < 1] [ < ] [ < ] [ < ]")
    apply(wire(1, .unfollow, 2))
    expect("1/1: 0 [ < ] [ < ] [ < ] [ < ]", "1/2: 0 [ < ] [ < ] [ < ] [ < ]")
    expectEqual(dead, [])
  }

  @Test func `a target is replaced, and a source displaced`() {
    apply(wire(1, .join, 2, 1), wire(3, .pair, 4))
    apply(wire(1, .join, 3, 2), wire(1, .pair, 4))
    expect(
      "1/1: 0 [ < ] [3=2 < ] [4 < ] [ < ]", "1/2: 0 [ < ] [ < ] [ < ] [ < ]",
      "1/3: 0 [ < ] [ < 1] [ < ] [ < ]", "1/4: 0 [ < ] [ < ] [ < 1] [ < ]")
  }

  @Test func `what is below goes with its parent, and what was moved before stays`() {
    apply(wire(2, .attach, 1), wire(3, .attach, 2), wire(4, .attach, 2))
    apply(wire(4, .detach), wire(1, .destroy))
    expect("1/4: 0 [ < ] [ < ] [ < ] [ < ]")
    apply(wire(5, .attach, 4), wire(6, .attach, 5))
    // What was above is below now.
    apply(wire(5, .detach), wire(4, .attach, 6))
    expect(
      "1/4: 0 [ < ] [ < ] [ < ] [6 < ]", "1/5: 0 [ < ] [ < ] [ < ] [ < 6]",
      "1/6: 0 [ < ] [ < ] [ < ] [5 < 4]")
  }

  @Test func `both ends keep their orders`() {
    apply(wire(1, .follow, 8), wire(2, .follow, 8), wire(3, .follow, 8), wire(1, .follow, 9))
    apply(wire(8, .toEnd, 1))
    apply(wire(1, .toFront, 9))
    expect(
      "1/1: 0 [9=0 8=0 < ] [ < ] [ < ] [ < ]", "1/2: 0 [8=0 < ] [ < ] [ < ] [ < ]",
      "1/3: 0 [8=0 < ] [ < ] [ < ] [ < ]", "1/8: 0 [ < 2 3 1] [ < ] [ < ] [ < ]",
      "1/9: 0 [ < 1] [ < ] [ < ] [ < ]")
    // A link that went and came again is the last one at both ends.
    apply(wire(2, .unfollow, 8), wire(2, .follow, 8, 1), wire(4, .follow, 8, 2))
    apply(wire(8, .reverse), wire(3, .unfollow, 8))
    expect(
      "1/1: 0 [9=0 8=0 < ] [ < ] [ < ] [ < ]", "1/2: 0 [8=1 < ] [ < ] [ < ] [ < ]",
      "1/3: 0 [ < ] [ < ] [ < ] [ < ]", "1/4: 0 [8=2 < ] [ < ] [ < ] [ < ]",
      "1/8: 0 [ < 4 2 1] [ < ] [ < ] [ < ]", "1/9: 0 [ < 1] [ < ] [ < ] [ < ]")
  }

  @Test func `an entity that another one replaces has that one's links only`() {
    apply(wire(1, .follow, 2), wire(3, .follow, 1), wire(4, .follow, 1), wire(1, .pair, 2))
    apply(wire(1, .renew, 0, 7), wire(4, .follow, 1, 3))
    expect(
      "1/1: 7 [ < 4] [ < ] [ < ] [ < ]", "1/2: 0 [ < ] [ < ] [ < ] [ < ]",
      "1/3: 0 [ < ] [ < ] [ < ] [ < ]", "1/4: 0 [1=3 < ] [ < ] [ < ] [ < ]")
  }

  @Test func `an entity keeps its links under another key`() {
    apply(wire(1, .follow, 2, 1), wire(3, .follow, 1, 2), wire(3, .follow, 2, 3))
    apply(wire(4, .follow, 2, 4), wire(1, .rename, 9))
    expect(
      "1/2: 0 [ < 9 3 4] [ < ] [ < ] [ < ]", "1/3: 0 [9=2 2=3 < ] [ < ] [ < ] [ < ]",
      "1/4: 0 [2=4 < ] [ < ] [ < ] [ < ]", "1/9: 0 [2=1 < 3] [ < ] [ < ] [ < ]")
  }

  @Test func `targets keep what they have, and are not replaced`() {
    apply(wire(2, .touch, 0, 4))
    _ = replica.step()
    let collector = Collector(group: context.group(Node.matcher), type: .addedOrUpdated)
    apply(wire(1, .follow, 2, 1))
    expect("1/1: 0 [2=1 < ] [ < ] [ < ] [ < ]", "1/2: 4! [ < 1] [ < ] [ < ] [ < ]")
    expectEqual(collector.drain().map { $0.get(Node.self)?.id }, [1])
    apply(wire(3, .follow, 2, 1))
    _ = replica.step()
    expectEqual(collector.drain().map { $0.get(Node.self)?.id }, [3])
  }

  @Test func `systems link in the batch`() throws {
    let other = WireDesk(cluster) { context in
      Loop(name: "followers", systems: [Following(context)], errorHandler: { _ in })
    }
    let sender = cluster.makeSender()
    sender.enqueue([wire(1, .touch, 0, 3), wire(2, .touch, 0, 4)])
    sender.step()
    for _ in 0..<3 { _ = other.worker.step() }
    _ = replica.step()
    let expected = ["1/1: 3 [2=9 < ] [ < ] [ < ] [ < ]", "1/2: 4! [ < 1] [ < ] [ < ] [ < ]"]
    expectEqual(nodesOf(other.context), expected)
    expectEqual(nodesOf(context), expected)
  }

  // MARK: What is refused

  @Test func `a link to another partition is none, and nothing of its event stays`() async throws {
    let tenant = try #require(
      (2..<100).first { tenant in
        let one = cluster.partition(of: Wire(NodeKey(tenant: tenant, id: 0), .touch))
        return one != cluster.partition(of: wire(1, .touch))
      })
    apply(wire(1, .pair, 2), Wire(NodeKey(tenant: tenant, id: 5), .touch, 0, 3))
    let before = nodesOf(desk.context)
    apply(wire(1, .reachOut, 5, tenant))
    expectEqual(nodesOf(desk.context), before)
    _ = replica.step()
    expectEqual(nodesOf(context), before)
    let letters = try await cluster.deadLetters()
    expectEqual(letters.map(\.event), [wire(1, .reachOut, 5, tenant)])
    expectEqual(
      letters.map(\.reason),
      [
        "It linked the entity 1/1 to \(tenant)/5, which is in another partition: keep its key instead, or let both keys combine to the same partition"
      ])
  }

  @Test(arguments: [true, false])
  func `a link with an entity that is not kept is none`(isSource: Bool) throws {
    let context = Context()
    let index = context.primaryIndex { (node: Node) in node.key }
    let worker = cluster.makeWorker(in: context, by: index) {
      Node($0)
    } applying: { event, entity in
      let other = context.createEntity(with: Mark(number: 1))
      if isSource {
        other.relate(TwinOf.self, to: entity)
      } else {
        entity.relate(TwinOf.self, to: other)
      }
    }
    let sender = cluster.makeSender()
    sender.enqueue([wire(1, .touch)])
    sender.step()
    for _ in 0..<3 { _ = worker.step() }
    expectEqual(nodesOf(context), [])
    expectEqual(
      dead,
      [
        "It linked the entity 1/1 with one that has no Node, and is not kept: give it one, or use a relation that the schema does not keep"
      ])
  }

  @Test func `an entity that is no longer kept can't stay linked`() throws {
    let context = Context()
    let index = context.primaryIndex { (node: Node) in node.key }
    let worker = cluster.makeWorker(in: context, by: index) {
      Node($0)
    } applying: { event, entity in
      if event.value.kind == .pair {
        entity.relate(TwinOf.self, to: index.getOrCreate(Node(event.value.otherKey)))
      } else {
        entity.set(Mark(number: 1))
        entity.remove(Node.self)
        if event.value.kind == .unpair { entity.sources(TwinOf.self).removeAll() }
      }
    }
    let sender = cluster.makeSender()
    for (wire, deadCount) in [(wire(1, .pair, 2), 0), (wire(2, .touch), 1), (wire(2, .unpair), 1)] {
      sender.enqueue([wire])
      sender.step()
      for _ in 0..<3 { _ = worker.step() }
      expectEqual(dead.count, deadCount)
    }
    _ = replica.step()
    expectEqual(nodesOf(self.context), ["1/1: 0 [ < ] [ < ] [ < ] [ < ]"])
    expectEqual(nodesOf(context), nodesOf(self.context))
  }

  @Test(arguments: [true, false])
  func `fields that are entities are not carried`(isOfLink: Bool) throws {
    let pointer = Stored(of: Pointer(), as: "pointer") { Field(\.whom, at: "whom") }
    let schema = try Schema("fields") {
      Stored(of: Wire(NodeKey(tenant: 0, id: 0), .touch), as: "wire")
        .leaving(\.tenant, \.id, \.action, \.other, \.number)
      if isOfLink { Links(PointsTo.self, as: "pointsTo", values: pointer) } else { pointer }
    }
    let error = try #require(
      throws: ClusterError.self,
      performing: {
        try LinkingCluster("fields", of: Wire.self, by: \.key, schema: schema, broker: broker)
      })
    expectTrue("\(error)".contains("has fields that are entities"))
  }
}

private struct Pointer: Component {
  var whom: Entity?
}

private enum PointsTo: Relation { typealias Value = Pointer }

/// Links each node whose mark goes with the one after it.
private final class Following: ReactiveSystem {
  let collector: Collector
  let name = "Following"
  private let context: Context

  init(_ context: Context) {
    self.context = context
    collector = Collector(group: context.group(Node.matcher), type: .addedOrUpdated)
  }

  func execute(entities: EntitySet) throws {
    let nodes = context.group(Node.matcher).sorted {
      ($0.get(Node.self)?.id ?? 0) < ($1.get(Node.self)?.id ?? 0)
    }
    for (one, next) in zip(nodes, nodes.dropFirst()) {
      one.relate(Follows.self, to: next, Strength(number: 9))
    }
  }
}
