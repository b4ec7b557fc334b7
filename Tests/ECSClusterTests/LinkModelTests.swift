import ECS
import ECSCluster
import ECSTestSupport
import Testing

/// Random programs of events that link entities, on a broker that goes wrong, beside a model.
@Suite(.longRunning) struct LinkModelTests {
  @Test(arguments: Effort.seeds(Effort.linkPrograms))
  func `links, values and orders are those of the events, whoever dies when`(
    seed: UInt64
  ) async throws {
    let party = try LinkParty(seed: seed)
    for step in 1...Effort.full(6, debug: 3) {
      for _ in 0..<50 { try party.act() }
      try party.settle()
      try #require(party.isComplete, "seed \(seed), step \(step): \(party.state)")
    }
    let dead = try await party.cluster.deadLetters(limit: .max).compactMap(\.event)
    expectEqual(sentences(dead), sentences(party.model.dead), "seed \(seed)")
  }
}

private func sentences(_ wires: [Wire]) -> [String] {
  wires.map { "\($0.key) \($0.kind) \($0.other) \($0.number)" }.sorted()
}

extension Effort {
  fileprivate static var linkPrograms: Int { isUnlimited ? 3000 : full(20, debug: 1) }
}

private final class LinkParty {
  private static let tenants = 5
  private let time = HandTime()
  private let broker: MemoryBroker
  let cluster: LinkingCluster
  private let sender: Sender<Wire, NodeKey>
  private(set) var model = LinkModel()
  private var random: SplitMix64
  private var faultRandom: SplitMix64
  private var areFaultsOn = false
  private var desks: [WireDesk] = []
  private var frozen: [WireDesk] = []
  private let replicaContext = Context()
  private let replica: Replica<Wire, Node, NodeKey>
  private var observation: ClusterObservation?
  private let replicaLog = Mistakes()

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    faultRandom = SplitMix64(seed: ~seed)
    broker = MemoryBroker(time)
    cluster = try linkingCluster(broker, time.clusterTime, partitions: 3) {
      $0.packSize = 1 + Int(seed % 5)
      $0.batchSize = 1 + Int(seed % 7)
      $0.batchesBetweenSnapshots = 1 + Int(seed % 6)
      $0.patience = nil
    }
    sender = cluster.makeSender()
    replica = cluster.makeReplica(
      in: replicaContext, by: replicaContext.primaryIndex { (node: Node) in node.key })
    observation = replica.observe { [replicaLog] in replicaLog.add("\($0)") }
    desks = [WireDesk(cluster), WireDesk(cluster)]
    broker.plan { [weak self] in self?.fault($0) }
  }

  private func fault(_ name: String) -> Fault? {
    guard areFaultsOn, faultRandom.oneIn(6) else { return nil }
    switch faultRandom.below(3) {
    case 0: return .lostRequest
    case 1: return .lostReply
    default: return .late
    }
  }

  func act() throws {
    switch random.below(20) {
    case 0..<7: send()
    case 7..<13:
      sender.step()
      if let desk = desks.randomElement(using: &random) { _ = desk.worker.step() }
    case 13, 14: _ = replica.step()
    case 15: time.pass(.milliseconds(random.below(6000)))
    case 16:
      // A crash, or a program that ends as it should, or one that sleeps.
      guard !desks.isEmpty, random.oneIn(2) else { break }
      let desk = desks.remove(at: random.below(desks.count))
      if random.oneIn(3) { desk.worker.finish() } else if random.oneIn(2) { frozen.append(desk) }
    case 17:
      if desks.count < 3 { desks.append(WireDesk(cluster)) }
      if !frozen.isEmpty { desks.append(frozen.removeLast()) }
    default: areFaultsOn = random.oneIn(2)
    }
  }

  private func send() {
    var wires: [Wire] = []
    for _ in 0..<1 + random.below(6) {
      let key = NodeKey(tenant: random.below(LinkParty.tenants), id: random.below(6))
      let kinds = Wire.Action.allCases
      // Half of all make links, or move them.
      let kind =
        random.oneIn(2)
        ? [.follow, .follow, .join, .pair, .attach, .toFront, .toEnd, .reverse][random.below(8)]
        : kinds[random.below(kinds.count)]
      var wire = Wire(key, kind, random.below(6), random.below(9))
      if kind == .reachOut {
        guard let tenant = tenantElsewhere(than: key) else { continue }
        wire.number = tenant
      }
      model.apply(wire)
      wires.append(wire)
    }
    sender.enqueue(wires)
  }

  private func tenantElsewhere(than key: NodeKey) -> Int? {
    func partition(_ tenant: Int) -> Int {
      cluster.partition(of: Wire(NodeKey(tenant: tenant, id: 0), .touch))
    }
    return (0..<LinkParty.tenants).filter { partition($0) != partition(key.tenant) }
      .randomElement(using: &random)
  }

  /// Lets all workers and replicas finish, on a broker that works.
  func settle() throws {
    areFaultsOn = false
    desks += frozen
    frozen = []
    if desks.isEmpty { desks.append(WireDesk(cluster)) }
    // A look at all takes longer than many steps.
    for _ in 0..<40 where !isComplete {
      for _ in 0..<10 {
        sender.step()
        for desk in desks { _ = desk.worker.step() }
        _ = replica.step()
        time.pass(.milliseconds(600))
      }
    }
  }

  private var worked: [String] { desks.flatMap { nodesOf($0.context) }.sorted() }

  var isComplete: Bool {
    let expected = model.sentences
    return sender.waitingCount == 0 && worked == expected.sorted()
      && nodesOf(replicaContext) == expected
      && broker.look { $0.allSatisfy { $0.metrics.offset == $0.metrics.sent } }
  }

  /// What each has, for messages.
  var state: String {
    func lines(_ name: String, _ found: [String]) -> String {
      let expected = Set(model.sentences)
      let wrong = found.filter { !expected.contains($0) }
      let missing = expected.subtracting(found).sorted()
      return "\(name)\n  wrong \(wrong)\n  missing \(missing)"
    }
    return """
      \(lines("workers", worked))
      \(lines("replica", nodesOf(replicaContext)))
      \(desks.map { $0.log.all.suffix(10) })
      \(replicaLog.all.suffix(10))
      broker \(broker.look { $0.map(\.metrics) }), waiting \(sender.waitingCount)
      """
  }
}
