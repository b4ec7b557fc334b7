import ECS
import ECSCluster
import ECSSnapshots
import ECSTestSupport
import Foundation
import Testing

/// Changes with links that are damaged, or made up.
@Suite struct LinkDamageTests {
  private let time = HandTime()
  private let broker: MemoryBroker
  private let cluster: LinkingCluster
  private let log = Mistakes()
  private let entries: [LogEntry]
  private var context = Context()
  private var replica: Replica<Wire, Node, NodeKey>
  private var observation: ClusterObservation

  init() throws {
    broker = MemoryBroker(time)
    cluster = try linkingCluster(broker, time.clusterTime, partitions: 1)
    let desk = WireDesk(cluster)
    let sender = cluster.makeSender()
    func key(_ id: Int) -> NodeKey { NodeKey(tenant: 1, id: id) }
    for wires in [
      [Wire(key(1), .follow, 2, 1), Wire(key(3), .pair, 2), Wire(key(4), .attach, 1)],
      [
        Wire(key(1), .follow, 3, 2), Wire(key(4), .follow, 2, 7), Wire(key(2), .reverse),
        Wire(key(5), .attach, 4), Wire(key(3), .unpair), Wire(key(2), .join, 5, 3),
      ],
    ] {
      sender.enqueue(wires)
      sender.step()
      _ = desk.worker.step()
    }
    entries = broker.look { $0[0].log }
    try #require(entries.count == 2)
    replica = cluster.makeReplica(
      in: context, by: context.primaryIndex { (node: Node) in node.key })
    observation = replica.observe { [log] in log.add("\($0)") }
    begin()
  }

  /// Begins with a replica that has the first entry.
  private mutating func begin() {
    context = Context()
    replica = cluster.makeReplica(
      in: context, by: context.primaryIndex { (node: Node) in node.key })
    observation = replica.observe { [log] in log.add("\($0)") }
    broker.tamper(0) { $0.log = [entries[0]] }
    _ = replica.step()
  }

  /// Gives the replica other bytes as the second entry.
  private func follow(_ bytes: [UInt8]) {
    let entry = entries[1]
    broker.tamper(0) { partition in
      partition.log = [
        entries[0],
        LogEntry(partition: 0, number: entry.number, offset: entry.offset, bytes: bytes),
      ]
    }
    _ = replica.step()
    time.pass(.seconds(10))
  }

  @Test func `damage is an error, changes nothing, and what is right again goes on`() {
    let before = nodesOf(context)
    var random = SplitMix64(seed: 5)
    for number in 0..<Effort.inputs(orElse: 1500) {
      var bytes = entries[1].bytes
      switch random.below(3) {
      case 0: bytes.removeLast(1 + random.below(bytes.count))
      case 1: bytes[random.below(bytes.count)] ^= UInt8(1 + random.below(255))
      default:
        let place = random.below(bytes.count)
        let other = entries[random.below(2)].bytes
        let end = min(bytes.count, place + 1 + random.below(40))
        let found = other.dropFirst(random.below(other.count)).prefix(end - place)
        if Array(bytes[place..<min(end, place + found.count)]) == Array(found) { continue }
        bytes.replaceSubrange(place..<min(end, place + found.count), with: found)
      }
      follow(bytes)
      expectEqual(nodesOf(context), before, "input \(number)")
    }
    expectTrue(log.all.contains { $0.contains("failed") })
    follow(entries[1].bytes)
    expectEqual(
      nodesOf(context),
      [
        "1/1: 0 [2=1 3=2 < ] [ < ] [ < ] [ < 4]", "1/2: 0 [ < 4 1] [5=3 < ] [ < ] [ < ]",
        "1/3: 0 [ < 1] [ < ] [ < ] [ < ]", "1/4: 0 [2=7 < ] [ < ] [ < ] [1 < 5]",
        "1/5: 0 [ < ] [ < 2] [ < ] [4 < ]",
      ])
    expectEqual(log.all.last, "recovered")
  }

  @Test func `a snapshot that is damaged is an error, and what is there stays`() throws {
    let before = nodesOf(context)
    // A worker that writes a snapshot behind each batch.
    broker.tamper(0) { [entries] in $0.log = entries }
    let desk = WireDesk(
      try linkingCluster(broker, time.clusterTime, partitions: 1) {
        $0.batchesBetweenSnapshots = 1
      })
    time.pass(.seconds(30))
    let sender = cluster.makeSender()
    sender.enqueue([Wire(NodeKey(tenant: 1, id: 1), .touch, 0, 1)])
    sender.step()
    for _ in 0..<4 { _ = desk.worker.step() }
    let snapshot = try #require(broker.look { $0[0].snapshot })
    expectTrue(broker.look { $0[0].log.isEmpty })
    expectEqual(snapshot.bytes.first, 2)
    var random = SplitMix64(seed: 7)
    for number in 0..<Effort.inputs(orElse: 500) {
      var bytes = snapshot.bytes
      if random.oneIn(2) {
        bytes.removeLast(1 + random.below(bytes.count))
      } else {
        bytes[random.below(bytes.count)] ^= UInt8(1 + random.below(255))
      }
      broker.tamper(0) { $0.snapshot = StoredSnapshot(number: snapshot.number, bytes: bytes) }
      _ = replica.step()
      expectEqual(nodesOf(context), before, "input \(number)")
      time.pass(.seconds(10))
    }
    broker.tamper(0) { $0.snapshot = snapshot }
    for _ in 0..<3 {
      _ = replica.step()
      time.pass(.seconds(10))
    }
    expectEqual(nodesOf(context), nodesOf(desk.context))
    expectNotEqual(nodesOf(context), before)
  }

  // MARK: Made up

  /// The parts of an entry: what has changed, what has gone, links, and how they replace others.
  private struct Parts {
    var version: UInt8 = 2
    var all: [Data]

    init(_ bytes: [UInt8]) {
      all = []
      var rest = bytes.dropFirst()
      for _ in 0..<3 {
        let count = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(8)
        all.append(Data(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      all.append(Data(rest))
    }

    var bytes: [UInt8] {
      var bytes = [version]
      for (number, part) in all.enumerated() {
        if number < 3 {
          bytes += (0..<8).map { UInt8(truncatingIfNeeded: part.count >> ($0 * 8)) }
        }
        bytes += part
      }
      return bytes
    }

    /// Changes the numbers of the last part, and makes its checksum right again.
    mutating func changePlaces(_ body: (inout [UInt32]) -> Void) {
      var numbers: [UInt32] = []
      let old = all[3].dropFirst(8)
      for start in stride(from: old.startIndex, to: old.endIndex, by: 4) {
        numbers.append(old[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) })
      }
      body(&numbers)
      let data = Data(
        numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } })
      let sum = Checksum.of(data)
      all[3] = Data((0..<8).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) }) + data
    }
  }

  @Test mutating func `places that are made up do no harm, and most of them are errors`() throws {
    let before = nodesOf(context)
    var random = SplitMix64(seed: 6)
    var taken = 0
    for number in 0..<Effort.inputs(orElse: 1000) {
      var parts = Parts(entries[1].bytes)
      parts.changePlaces { numbers in
        switch random.below(4) {
        case 0: numbers[random.below(numbers.count)] = UInt32(truncatingIfNeeded: random.next())
        case 1: numbers[random.below(numbers.count)] = UInt32(random.below(6))
        case 2: numbers.remove(at: random.below(numbers.count))
        default: numbers.append(UInt32(random.below(4)))
        }
      }
      follow(parts.bytes)
      let after = nodesOf(context)
      if after == before { continue }
      // What fits together is taken.
      taken += 1
      expectEqual(after.count, 5, "input \(number)")
      begin()
    }
    expectLessThan(taken, 300)
  }

  /// An entry of the same schema whose links are those of other events.
  private func entry(_ wires: [[Wire]]) throws -> [UInt8] {
    let broker = MemoryBroker(time)
    let cluster = try linkingCluster(broker, time.clusterTime, partitions: 1)
    let desk = WireDesk(cluster)
    let sender = cluster.makeSender()
    for wires in wires {
      sender.enqueue(wires)
      sender.step()
      _ = desk.worker.step()
    }
    return broker.look { $0[0].log.last?.bytes ?? [] }
  }

  private func key(_ id: Int) -> NodeKey { NodeKey(tenant: 1, id: id) }

  @Test func `a link to a key that is not there is left out, and all else is kept`() throws {
    follow(
      try entry([
        [Wire(key(1), .touch), Wire(key(2), .touch), Wire(key(77), .touch)],
        [
          Wire(key(1), .follow, 77, 5), Wire(key(1), .follow, 2, 9), Wire(key(77), .join, 2),
          Wire(key(77), .follow, 2, 4), Wire(key(2), .reverse),
        ],
      ]))
    expectEqual(
      nodesOf(context),
      [
        "1/1: 0 [2=9 < ] [ < ] [ < ] [ < 4]", "1/2: 0 [ < 1] [ < ] [ < 3] [ < ]",
        "1/3: 0 [ < ] [ < ] [2 < ] [ < ]", "1/4: 0 [ < ] [ < ] [ < ] [1 < ]",
      ])
    expectNotEqual(log.all.last?.contains("failed"), true)
  }

  @Test func `a circle in a hierarchy is an error`() throws {
    let before = nodesOf(context)
    // What comes before it in the entry is taken back.
    follow(
      try entry([
        [Wire(key(1), .touch), Wire(key(4), .touch)],
        [Wire(key(1), .touch, 0, 5), Wire(key(1), .follow, 4, 6), Wire(key(1), .attach, 4)],
      ]))
    expectEqual(nodesOf(context), before)
    expectEqual(log.all.last?.contains("an entity would be below itself"), true)
  }

  @Test func `an entity that goes takes its links with it, and none that is below it`() throws {
    // The entity that is below it here was not there where the entry comes from.
    follow(try entry([[Wire(key(1), .touch)], [Wire(key(1), .destroy)]]))
    expectEqual(
      nodesOf(context),
      [
        "1/2: 0 [ < ] [ < ] [ < 3] [ < ]", "1/3: 0 [ < ] [ < ] [2 < ] [ < ]",
        "1/4: 0 [ < ] [ < ] [ < ] [ < ]",
      ])
  }

  @Test func `an order of sources that are not linked is an error`() throws {
    let before = nodesOf(context)
    follow(
      try entry([
        [Wire(key(3), .follow, 2), Wire(key(4), .follow, 2)], [Wire(key(2), .reverse)],
      ]))
    expectEqual(nodesOf(context), before)
    expectEqual(log.all.last?.contains("a source is not linked to its target"), true)
  }

  /// Changes whose links are all those of the relation that has values, among entities from 1 on.
  private func entry(
    linking pairs: [(Int, Int)], sources: [UInt32], then change: ([Entity]) -> Void = { _ in }
  ) throws -> [UInt8] {
    let context = Context()
    let nodes = (1...4).map { context.createEntity(with: Node(key($0))) }
    for (source, target) in pairs {
      nodes[source - 1].relate(Follows.self, to: nodes[target - 1], Strength(number: 8))
    }
    change(nodes)
    var parts = Parts(entries[1].bytes)
    parts.all[0] = Data()
    let schema = try linkingSchema().only([Node.cid], withLinks: true)
    parts.all[2] = try context.snapshot(schema).data
    // Of the other three relations, there is nothing.
    parts.changePlaces {
      $0 = [UInt32(sources.count)] + sources + [0] + Array(repeating: 0, count: 6)
    }
    return parts.bytes
  }

  @Test func `a link of an entity that is no source is an error`() throws {
    let before = nodesOf(context)
    follow(try entry(linking: [(1, 3), (4, 3)], sources: [0]))
    expectEqual(nodesOf(context), before)
    follow(try entry(linking: [(1, 3), (4, 3)], sources: [0, 3]))
    expectEqual(nodesOf(context).first, "1/1: 0 [3=8 < ] [ < ] [ < ] [ < 4]")
  }

  @Test func `a link that is there twice is an error`() throws {
    let before = nodesOf(context)
    // No order of making them gives both ends their orders, and so some are there twice.
    let pairs = [(1, 3), (1, 4), (2, 4), (2, 3)]
    follow(
      try entry(linking: pairs, sources: [0, 1]) { nodes in
        nodes[2].sources(Follows.self).move(nodes[0], before: nil)
      })
    expectEqual(nodesOf(context), before)
    expectEqual(log.all.last?.contains("twice"), true)
    follow(try entry(linking: pairs, sources: [0, 1]))
    expectEqual(nodesOf(context).first, "1/1: 0 [3=8 4=8 < ] [ < ] [ < ] [ < 4]")
  }

  @Test func `links of a later format are refused as such`() async {
    var parts = Parts(entries[1].bytes)
    parts.version = 3
    follow(parts.bytes)
    expectEqual(log.all.last?.contains("later format 3"), true)
  }
}
