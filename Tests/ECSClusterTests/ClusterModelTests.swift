import ECS
import ECSCluster
import ECSTestSupport
import Testing

/// Random programs of producers, workers and a replica on a broker that goes wrong, beside a model:
/// what each key was sent is 1, 2, 3 and so on, and is applied once, in that order.
@Suite(.longRunning) struct ClusterModelTests {
  @Test(arguments: 0..<Effort.clusterPrograms)
  func `each key's events are applied once and in order, whoever dies when`(seed: UInt64) throws {
    let party = try Party(seed: seed)
    for _ in 0..<400 { try party.act() }
    try party.settle()
    expectEqual(party.mistakes.all, [], "seed \(seed)")
    expectTrue(party.isComplete, "seed \(seed): \(party.state)")
  }
}

extension Effort {
  fileprivate static var clusterPrograms: UInt64 {
    UInt64(isUnlimited ? 5000 : full(200, debug: 8))
  }
}

/// Some workers, a producer that remembers what it has to send, and a replica.
private final class Party {
  let time = HandTime()
  let broker: MemoryBroker
  let cluster: CountingCluster
  let mistakes = Mistakes()
  private let faults: Faults
  private var random: SplitMix64
  private var desks: [Desk] = []
  private var frozen: [Desk] = []
  private var sender: Sender<Count, Int>
  private var sent: [Count] = []

  /// From which one on the producer has to send again.
  private let refused = FirstRefused()
  private var counts: [Int: (last: Int, total: Int, mark: Int)] = [:]
  private let replicaContext = Context()
  private let replica: Replica<Count, Counter, Int>
  private let seed: UInt64

  init(seed: UInt64) throws {
    self.seed = seed
    random = SplitMix64(seed: seed)
    broker = MemoryBroker(time)
    faults = Faults(SplitMix64(seed: seed &+ 1))
    cluster = try countingCluster(broker, time.clusterTime) {
      $0.packSize = 3
      $0.batchSize = 7
      $0.batchesBetweenSnapshots = 5
      $0.waitingEvents = 20
      // Some producers hear that what they send was refused, and send it again.
      $0.whenFull = seed.isMultiple(of: 2) ? .wait : .fail
      $0.patience = seed % 4 < 2 ? nil : .seconds(3)
    }
    sender = cluster.makeSender(producer: "shop")
    replica = cluster.makeReplica(
      in: replicaContext,
      by: replicaContext.primaryIndex { (counter: Counter) in counter.key })
    let faults = faults
    broker.plan { faults.next($0) }
    desks = try (0..<2).map { _ in try makeDesk() }
  }

  private func makeDesk() throws -> Desk { Desk(cluster, mistakes) }

  func act() throws {
    switch random.below(20) {
    case 0..<5: send()
    case 5..<7:
      sender.step()
      sendRefused()
    case 7..<14:
      if let desk = desks.randomElement(using: &random) { _ = desk.worker.step() }
    case 14: _ = replica.step()
    case 15: time.pass(.milliseconds(random.below(6000)))
    case 16:
      // A crash, or a program that ends as it should.
      guard !desks.isEmpty, random.oneIn(2) else { break }
      let desk = desks.remove(at: random.below(desks.count))
      if random.oneIn(3) { desk.worker.finish() } else if random.oneIn(2) { frozen.append(desk) }
    case 17:
      if desks.count < 3 { desks.append(try makeDesk()) }
      if !frozen.isEmpty { desks.append(frozen.removeLast()) }
    case 18:
      guard random.oneIn(4) else { break }
      // The producer begins anew, and has no record of what has come.
      sender = cluster.makeSender(producer: "shop")
      enqueue(from: 0)
    default: faults.isOn = random.oneIn(2)
    }
  }

  private func send() {
    for _ in 0..<1 + random.below(4) {
      let key = random.below(9)
      var place = counts[key] ?? (0, 0, 0)
      let kind = random.oneIn(4) ? 1 + random.below(4) : 0
      let count = Count(key: key, number: place.last + 1, kind: kind)
      if kind != 1 {
        place = (place.last + 1, place.total + 1, place.mark)
        if kind == 2 || kind == 4 { place.mark = 0 }
        if kind == 3 { place.mark = count.number }
        counts[key] = place
      }
      sent.append(count)
      if random.oneIn(3) { enqueue(from: queued) }
    }
    enqueue(from: queued)
  }

  /// The number of events that were given to the sender.
  private var queued = 0

  private func enqueue(from start: Int) {
    if start >= sent.count { return }
    queued = sent.count
    sender.enqueue(Array(sent[start...]), firstNumber: UInt64(start + 1)) { [refused] result in
      if case .failure(let error) = result { refused.note(start, error) }
    }
  }

  private func sendRefused() {
    if let start = refused.take() { enqueue(from: start) }
  }

  /// Lets all workers and replicas finish, on a broker that works.
  func settle() throws {
    faults.isOn = false
    if desks.isEmpty { desks.append(try makeDesk()) }
    desks += frozen
    for _ in 0..<400 where !isComplete {
      sender.step()
      sendRefused()
      for desk in desks { _ = desk.worker.step() }
      _ = replica.step()
      time.pass(.milliseconds(600))
    }
  }

  /// What each key should have.
  private var expected: [String] {
    counts.map { "\($0): \($1.last), \($1.total), \($1.mark)" }.sorted()
  }

  /// What each has, for messages.
  var state: String {
    """
    expected \(expected)
    workers \(desks.map { ($0.worker.partitions, $0.picture, $0.log.all.suffix(25)) })
    replica \(picturesOf(replicaContext))
    broker \(broker.look { $0.map(\.metrics) }), waiting \(sender.waitingCount)
    refused \(refused.errors.suffix(8))
    """
  }

  var isComplete: Bool {
    desks.flatMap(\.picture).sorted() == expected && picturesOf(replicaContext) == expected
      && broker.look { $0.allSatisfy { $0.metrics.offset == $0.metrics.sent } }
  }
}

/// The first of the events that were refused.
private final class FirstRefused {
  private var place: Int?

  private(set) var errors: [String] = []

  func note(_ start: Int, _ error: ClusterError) {
    place = min(place ?? start, start)
    errors.append("\(start): \(error)")
  }

  func take() -> Int? {
    defer { place = nil }
    return place
  }
}

/// Goes wrong by chance.
private final class Faults {
  var isOn = false
  private var random: SplitMix64

  init(_ random: SplitMix64) { self.random = random }

  func next(_ name: String) -> Fault? {
    guard isOn, random.oneIn(6) else { return nil }
    switch random.below(3) {
    case 0: return .lostRequest
    case 1: return .lostReply
    // Only what changes something can be carried out late.
    default: return .late
    }
  }
}
