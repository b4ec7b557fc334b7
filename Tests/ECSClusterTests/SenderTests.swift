import ECS
import ECSCluster
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Testing

@Suite(.ownThread, .noHangs) struct SenderTests {
  let time = HandTime()
  let broker: MemoryBroker

  init() { broker = MemoryBroker(time) }

  func cluster(_ change: (inout ClusterOptions) -> Void = { _ in }) throws
    -> CountingCluster
  {
    try countingCluster(broker, time.clusterTime, partitions: 2, change)
  }

  var sent: UInt64 { broker.look { $0.reduce(0) { $0 + $1.metrics.sent } } }

  @Test func `calls return when the broker has the events`() async throws {
    let sender = try cluster().makeSender()
    try await sender.send(contentsOf: (0..<1000).map { Count(key: $0, number: 1) })
    expectEqual(sent, 1000)
    sender.close()
    await #expect(throws: ClusterError.self) { try await sender.send(Count(key: 1, number: 1)) }
  }

  @Test func `what was sent and not answered is there once`() throws {
    let sender = try cluster().makeSender()
    var answers: [Fault?] = [.lostReply, .lostRequest, .lostReply]
    broker.plan { $0 == "send" && !answers.isEmpty ? answers.removeFirst() : nil }
    sender.enqueue([Count(key: 1, number: 1)])
    for _ in 0..<3 { sender.step() }
    sender.enqueue([Count(key: 1, number: 2)])
    for _ in 0..<3 { sender.step() }
    expectEqual(sent, 2)
  }

  @Test func `events that a producer numbers are there once, also if it begins anew`() throws {
    let cluster = try cluster()
    let counts = (1...30).map { Count(key: $0 % 5, number: $0) }
    for end in [10, 20, 30, 30] {
      let sender = cluster.makeSender(producer: "till 7")
      sender.enqueue(Array(counts[..<end]), firstNumber: 1)
      sender.step()
      expectEqual(sent, UInt64(end))
    }
    let sender = cluster.makeSender(producer: "till 7")
    sender.enqueue([Count(key: 1, number: 31)])
    sender.step()
    expectEqual(sent, 31)
  }

  @Test func `a producer that sends much again does not rest before it is through`() throws {
    let cluster = try cluster { $0.packSize = 4 }
    let counts = (1...60).map { Count(key: 1, number: $0) }
    let first = cluster.makeSender(producer: "till 7")
    first.enqueue(Array(counts[..<59]), firstNumber: 1)
    while first.waitingCount > 0 { first.step() }
    let second = cluster.makeSender(producer: "till 7")
    second.enqueue(counts, firstNumber: 1)
    while second.waitingCount > 0 { expectEqual(second.step(), .zero) }
    expectEqual(sent, 60)
  }

  @Test func `senders wait while a partition is full`() throws {
    let cluster = try cluster {
      $0.waitingEvents = 10
      $0.packSize = 4
    }
    let sender = cluster.makeSender()
    sender.enqueue((1...50).map { Count(key: 1, number: $0) })
    for _ in 0..<30 { sender.step() }
    expectEqual(sent, 12)
    expectEqual(sender.waitingCount, 38)
    let desk = Desk(cluster)
    for _ in 0..<60 {
      _ = desk.worker.step()
      sender.step()
    }
    expectEqual(sent, 50)
    expectEqual(desk.picture, ["1: 50, 50, 0"])
  }

  @Test func `or throw, if they are told to`() async throws {
    let cluster = try cluster {
      $0.waitingEvents = 1
      $0.whenFull = .fail
    }
    let sender = cluster.makeSender()
    try await sender.send(Count(key: 1, number: 1))
    await #expect {
      try await sender.send(Count(key: 1, number: 2))
    } throws: {
      if case ClusterError.full = $0 { true } else { false }
    }
    expectEqual(sent, 1)
    sender.close()
  }

  @Test func `a broker that refuses this program is named at once`() async throws {
    broker.plan { _ in .error(.refused("WRONGPASS")) }
    let sender = try cluster().makeSender()
    await #expect {
      try await sender.send(Count(key: 1, number: 1))
    } throws: {
      if case ClusterError.broker(.refused) = $0 { true } else { false }
    }
    broker.plan { _ in nil }
    try await sender.send(Count(key: 1, number: 1))
    expectEqual(sent, 1)
    sender.close()
  }

  /// A key of each of the two partitions, of which the events are there.
  func keys(_ sender: Sender<Count, Int>) async throws -> (Int, Int) {
    var keys: [[Int]] = [[], []]
    for key in 0..<8 {
      let before = broker.look { $0.first?.metrics.sent ?? 0 }
      try await sender.send(Count(key: key, number: 1))
      keys[broker.look { $0[0].metrics.sent } > before ? 0 : 1].append(key)
    }
    return (try #require(keys[0].first), try #require(keys[1].first))
  }

  @Test func `a partition that can't be sent to fails its own events, and no others`() async throws
  {
    let sender = try cluster().makeSender()
    let (bad, good) = try await keys(sender)
    broker.tamper(0) { $0.sendFailure = .failed("WRONGTYPE") }
    await #expect {
      try await sender.send(contentsOf: [bad, good].map { Count(key: $0, number: 2) })
    } throws: {
      if case ClusterError.broker(.failed) = $0 { true } else { false }
    }
    expectEqual(sent, 9)
    try await sender.send(Count(key: good, number: 3))
    broker.tamper(0) { $0.sendFailure = nil }
    try await sender.send(Count(key: bad, number: 2))
    expectEqual(sent, 11)
    sender.close()
  }

  @Test func `a partition that has no room now is asked again, and the others have theirs`()
    async throws
  {
    let cluster = try cluster()
    let first = cluster.makeSender()
    let (bad, good) = try await keys(first)
    first.close()
    broker.tamper(0) { $0.sendFailure = .full("OOM") }
    let sender = cluster.makeSender()
    sender.enqueue([bad, good].map { Count(key: $0, number: 2) })
    try expectGreaterThan(#require(sender.step()), .zero)
    expectEqual(sent, 9)
    expectEqual(sender.waitingCount, 1)
    broker.tamper(0) { $0.sendFailure = nil }
    sender.step()
    expectEqual(sent, 10)
    expectEqual(sender.waitingCount, 0)
  }

  @Test func `numbers that leave no room for others are refused`() async throws {
    let sender = try cluster().makeSender(producer: "till 7")
    for first: UInt64 in [UInt64.max, UInt64.max - 1, UInt64.max / 2] {
      await #expect {
        let counts = [1, 2].map { Count(key: 1, number: $0) }
        try await sender.send(contentsOf: counts, firstNumber: first)
      } throws: {
        if case ClusterError.unsupported = $0 { true } else { false }
      }
    }
    expectEqual(sent, 0)
  }

  @Test func `patience ends, and says whether the event may be there`() async throws {
    let cluster = try cluster { $0.patience = .seconds(1) }
    // Patience has ended when the first attempt has.
    broker.plan { [time] in
      guard $0 == "send" else { return nil }
      time.pass(.seconds(2))
      return .lostReply
    }
    let sender = cluster.makeSender()
    await #expect {
      try await sender.send(Count(key: 1, number: 1))
    } throws: {
      if case ClusterError.undecided = $0 { true } else { false }
    }
    sender.close()
  }

  @Test func `patience ends with a broker that can't be reached`() async throws {
    let cluster = try cluster { $0.patience = .seconds(1) }
    broker.plan { [time] _ in
      time.pass(.seconds(2))
      return .lostRequest
    }
    let sender = cluster.makeSender()
    await #expect {
      try await sender.send(Count(key: 1, number: 2))
    } throws: {
      if case ClusterError.broker(.unreachable) = $0 { true } else { false }
    }
    sender.close()
  }

  @Test(arguments: [FullPolicy.wait, .fail])
  func `values that end may ask the sender something`(policy: FullPolicy) throws {
    var options = ClusterOptions()
    (options.partitions, options.waitingEvents, options.packSize) = (1, 4, 2)
    options.whenFull = policy
    let schema = try Schema("counting") {
      Stored(of: Asking(key: 0), as: "asking") { Field(\.key, at: "key") }.leaving(\.asker)
    }
    let cluster = try Cluster<Asking, Int>(
      "counting", by: { $0.key }, schema: schema, broker: broker, options: options,
      time: time.clusterTime)
    let sender = cluster.makeSender()
    let ended = Tally()
    sender.enqueue(
      (1...9).map { number in
        Asking(
          key: number,
          asker: Asker { [weak sender] in
            _ = sender?.waitingCount
            ended.add()
          })
      })
    for _ in 0..<9 { sender.step() }
    expectEqual(sent, 4)
    expectTrue(policy == .wait || ended.value == 9)
    expectEqual(sender.waitingCount, (policy == .wait ? 5 : 0))
  }

  // MARK: What is refused, and sent again

  @Test func `what was refused can be sent again, with its numbers, and is there then`() throws {
    let cluster = try cluster {
      ($0.waitingEvents, $0.packSize, $0.whenFull) = (1, 2, .fail)
    }
    let desk = Desk(cluster)
    let sender = cluster.makeSender(producer: "till 7")
    let counts = (1...5).map { Count(key: 1, number: $0) }
    sender.enqueue([counts[0]], firstNumber: 1)
    sender.step()
    sender.enqueue(Array(counts[1...]), firstNumber: 2)
    sender.step()
    for _ in 0..<4 { _ = desk.worker.step() }
    sender.step()
    for _ in 0..<9 where sent < 5 {
      sender.enqueue(Array(counts[1...]), firstNumber: 2)
      sender.step()
      for _ in 0..<4 { _ = desk.worker.step() }
    }
    expectEqual(sent, 5)
    expectEqual(desk.picture, ["1: 5, 5, 0"])
    expectEqual(desk.mistakes.all, [])
  }

  @Test func `of a call that is refused, nothing comes later without what was before it`() throws {
    let cluster = try cluster {
      ($0.waitingEvents, $0.packSize, $0.whenFull) = (1, 2, .fail)
    }
    let desk = Desk(cluster)
    let sender = cluster.makeSender()
    sender.enqueue([Count(key: 1, number: 1)])
    sender.step()
    sender.enqueue((2...9).map { Count(key: 1, number: $0) })
    sender.step()
    for _ in 0..<4 { _ = desk.worker.step() }
    for _ in 0..<9 { sender.step() }
    for _ in 0..<4 { _ = desk.worker.step() }
    expectEqual(sent, 1)
    expectEqual(desk.mistakes.all, [])
  }

  @Test func `what waits behind an event that is passed is not sent`() throws {
    let cluster = try cluster {
      ($0.waitingEvents, $0.whenFull) = (1, .fail)
    }
    let desk = Desk(cluster)
    let sender = cluster.makeSender(producer: "till 7")
    func send(_ numbers: ClosedRange<Int>) -> [String] {
      let answers = Mistakes()
      sender.enqueue(
        numbers.map { Count(key: 1, number: $0) }, firstNumber: UInt64(numbers.lowerBound)
      ) { answers.add("\($0)") }
      for _ in 0..<3 { sender.step() }
      return answers.all
    }
    expectEqual(send(3...3), ["success()"])
    expectEqual(send(4...4).first?.contains("Too many"), true)
    for _ in 0..<4 { _ = desk.worker.step() }
    expectEqual(send(5...5), ["success()"])
    for _ in 0..<4 { _ = desk.worker.step() }
    expectEqual(sent, 2)
    expectEqual(send(4...6).first?.contains("Event 4 was refused"), true)
    expectEqual(sent, 2)
    expectEqual(sender.waitingCount, 0)
    // Nor if they are of other calls.
    sender.enqueue([Count(key: 1, number: 4)], firstNumber: 4)
    expectEqual(send(6...6).first?.contains("Event 4 was refused"), true)
    expectEqual(sent, 2)
    expectEqual(send(6...6), ["success()"])
    expectEqual(sent, 3)
  }

  @Test func `what was perhaps refused is not taken for sent, however far other partitions are`()
    throws
  {
    let cluster = try cluster {
      ($0.waitingEvents, $0.whenFull) = (1, .fail)
    }
    let keys = (0..<9).map { Count(key: $0, number: 1) }
    let near = try #require(keys.first { cluster.partition(of: $0) == 0 })
    let far = try #require(keys.first { cluster.partition(of: $0) == 1 })
    let first = cluster.makeSender(producer: "till 7")
    first.enqueue([far], firstNumber: 100_000)
    first.enqueue([Count](repeating: near, count: 10), firstNumber: 1)
    first.step()
    expectEqual(sent, 11)
    let sender = cluster.makeSender(producer: "till 7")
    sender.enqueue([Count](repeating: near, count: 10_020), firstNumber: 11)
    for _ in 0..<3 { sender.step() }
    expectEqual(sender.waitingCount, 0)
    let desk = Desk(cluster)
    for _ in 0..<4 { _ = desk.worker.step() }
    sender.enqueue([near], firstNumber: 90_000)
    sender.step()
    expectEqual(sent, 12)
    let answers = Mistakes()
    for number: UInt64 in [50, 5] {
      sender.enqueue([near], firstNumber: number) { answers.add("\($0)") }
      for _ in 0..<3 { sender.step() }
    }
    expectEqual(answers.all.first?.contains("Event 50 was refused"), true)
    expectEqual(answers.all.dropFirst(), ["success()"])
  }
}

/// An event with something that asks when it ends.
private struct Asking: Component {
  var key: Int
  var asker: Asker?
}

private final class Asker: Sendable {
  private let ask: @Sendable () -> Void

  init(_ ask: @escaping @Sendable () -> Void) { self.ask = ask }

  deinit { ask() }
}
