import ECS
import ECSCluster
import ECSTestSupport
import Testing

/// What is said when a broker has less than it had.
@Suite(.ownThread, .noHangs) struct LossTests {
  private let time = HandTime()
  private let broker: MemoryBroker
  private let cluster: CountingCluster
  private let told = Mistakes()

  init() throws {
    broker = MemoryBroker(time)
    cluster = try countingCluster(broker, time.clusterTime, partitions: 1) { $0.packSize = 2 }
  }

  private func send(_ numbers: ClosedRange<Int>) {
    let sender = cluster.makeSender()
    sender.enqueue(numbers.map { Count(key: 1, number: $0) })
    while sender.waitingCount > 0 { sender.step() }
  }

  private func run(_ desk: Desk, times: Int = 6) {
    for _ in 0..<times {
      _ = desk.worker.step()
      time.pass(.milliseconds(510))
    }
  }

  /// The next call does not come to the broker.
  private func cutOff() {
    var isGone = true
    broker.plan { _ in
      defer { isGone = false }
      return isGone ? .lostRequest : nil
    }
  }

  private func losses(_ desk: Desk) -> [String] { desk.log.all.filter { $0.hasPrefix("lost") } }

  // MARK: Workers

  @Test func `a worker says what is gone when the broker has lost all, and goes on`() {
    let desk = Desk(cluster)
    for number in 1...3 {
      send(number...number)
      run(desk, times: 2)
    }
    expectEqual(desk.picture, ["1: 3, 3, 0"])
    broker.flush()
    // What there is can't be looked at the first time.
    var looks = 0
    broker.plan {
      if $0 == "metrics" { looks += 1 }
      return $0 == "metrics" && looks == 1 ? .lostRequest : nil
    }
    run(desk)
    expectEqual(
      losses(desk), ["lost(The broker has lost events 1 to 3 and changes 1 to 3 of partition 0)"])
    expectEqual(desk.picture, [])
    send(1...2)
    run(desk)
    expectEqual(desk.picture, ["1: 2, 2, 0"])
    expectEqual(losses(desk).count, 1)
  }

  @Test func `a worker says so also if the broker has as much again by then`() {
    let desk = Desk(cluster)
    send(1...2)
    run(desk)
    broker.flush()
    send(1...6)
    let other = Desk(cluster)
    for _ in 0..<2 { _ = other.worker.step() }
    expectEqual(other.picture, ["1: 6, 6, 0"])
    run(desk)
    expectEqual(
      losses(desk), ["lost(The broker has lost events 1 to 2 and changes 1 to 1 of partition 0)"])
    expectEqual(losses(other), [])
  }

  @Test func `a worker says what a copy that lags behind does not have`() {
    let desk = Desk(cluster)
    for number in 1...3 {
      send(number...number)
      run(desk, times: 2)
    }
    let copy = broker.look { $0[0] }
    for number in 4...5 {
      send(number...number)
      run(desk, times: 2)
    }
    broker.tamper(0) { $0 = copy }
    cutOff()
    run(desk)
    expectEqual(
      losses(desk), ["lost(The broker has lost events 4 to 5 and changes 4 to 5 of partition 0)"])
    expectEqual(desk.picture, ["1: 3, 3, 0"])
    send(4...4)
    run(desk)
    expectEqual(desk.picture, ["1: 4, 4, 0"])
    expectEqual(desk.mistakes.all, [])
  }

  @Test func `events that were not applied yet are named, too, and entities stay`() {
    let desk = Desk(cluster)
    send(1...2)
    run(desk)
    let copy = broker.look { $0[0] }
    broker.plan { $0 == "read" ? .error(.unavailable("for a test")) : nil }
    send(3...6)
    run(desk)
    broker.tamper(0) { ($0.metrics.sent, $0.events) = (copy.metrics.sent, copy.events) }
    broker.plan { _ in nil }
    run(desk)
    expectEqual(losses(desk), ["lost(The broker has lost events 3 to 6 of partition 0)"])
    expectEqual(desk.picture, ["1: 2, 2, 0"])
    expectFalse(desk.log.all.contains { $0.hasPrefix("fenced") })
  }

  @Test func `a partition that is another worker's by now is no loss`() {
    let desk = Desk(cluster)
    send(1...2)
    run(desk)
    time.pass(.seconds(60))
    let other = Desk(cluster)
    run(other)
    send(3...4)
    run(other)
    run(desk)
    expectTrue(other.picture == ["1: 4, 4, 0"] || desk.picture == ["1: 4, 4, 0"])
    expectTrue(losses(desk) == [] && losses(other) == [])
  }

  @Test func `what another worker has put in its place is a loss, too`() {
    let desk = Desk(cluster)
    send(1...1)
    run(desk, times: 2)
    let copy = broker.look { $0[0] }
    send(2...2)
    run(desk, times: 2)
    expectEqual(desk.picture, ["1: 2, 2, 0"])
    broker.tamper(0) { $0 = copy }
    time.pass(.seconds(60))
    // It applies more at once, and so its change is another one.
    send(2...3)
    let other = Desk(cluster)
    for _ in 0..<3 { _ = other.worker.step() }
    expectEqual(other.picture, ["1: 3, 3, 0"])
    run(desk)
    expectEqual(losses(desk), ["lost(The broker has lost changes 2 to 2 of partition 0)"])
    expectEqual(losses(other), [])
  }

  // MARK: Replicas

  @Test(arguments: [true, false])
  func `a replica says what is gone`(isAll: Bool) throws {
    let desk = Desk(cluster)
    let context = Context()
    let replica = cluster.makeReplica(
      in: context, by: context.primaryIndex { (counter: Counter) in counter.key })
    let observation = replica.observe { [told] in
      if case .lost(let loss) = $0 { told.add("\(loss)") }
    }
    func follow() {
      for _ in 0..<5 {
        _ = replica.step()
        time.pass(.seconds(2))
      }
    }
    send(1...2)
    run(desk)
    follow()
    let copy = broker.look { $0[0] }
    send(3...4)
    run(desk)
    follow()
    expectEqual(picturesOf(context), ["1: 4, 4, 0"])
    if isAll { broker.flush() } else { broker.tamper(0) { $0 = copy } }
    follow()
    expectEqual(picturesOf(context), (isAll ? [] : ["1: 2, 2, 0"]))
    expectEqual(
      told.all,
      [
        isAll
          ? "The broker has lost events 1 to 4 and changes 1 to 2 of partition 0"
          : "The broker has lost events 3 to 4 and changes 2 to 2 of partition 0"
      ])
    withExtendedLifetime(observation) {}
  }

  // MARK: Senders

  /// A sender of which all is noted.
  private func observed(_ producer: String? = nil) -> (Sender<Count, Int>, ClusterObservation) {
    let sender = cluster.makeSender(producer: producer)
    return (sender, sender.observe { [told] in told.add("\($0)") })
  }

  @Test(arguments: [nil, "till 7"])
  func `a sender says what is gone, and so does the next call, but not the one behind it`(
    producer: String?
  ) {
    let (sender, observation) = observed(producer)
    for number in 1...3 {
      sender.enqueue([Count(key: 1, number: number)])
      for _ in 0..<2 { sender.step() }
    }
    broker.flush()
    var results: [Result<Void, ClusterError>] = []
    for end: UInt64 in 0...1 {
      sender.enqueue([Count(key: 1, number: 1)]) { results.append($0) }
      for _ in 0..<4 { sender.step() }
      expectEqual(broker.look { $0[0].metrics.sent }, end)
    }
    expectEqual(results.map { "\($0)" }, ["\(lost(1...3))", "success()"])
    expectEqual(told.all, ["lost(partition: 0, numbers: ClosedRange(1...3))"])
    expectEqual(sender.waitingCount, 0)
    withExtendedLifetime(observation) {}
  }

  private func lost(_ numbers: ClosedRange<UInt64>) -> Result<Void, ClusterError> {
    .failure(.lost(partition: 0, numbers: numbers))
  }

  @Test func `a call of which the broker has lost a part throws, and the rest is not sent`() {
    let (sender, observation) = observed()
    var result: Result<Void, ClusterError>?
    sender.enqueue((1...6).map { Count(key: 1, number: $0) }) { result = $0 }
    sender.step()
    expectEqual(broker.look { $0[0].metrics.sent }, 2)
    broker.flush()
    for _ in 0..<5 { sender.step() }
    guard case .failure(.lost(partition: 0, numbers: 1...2)) = result else {
      Issue.record("\(String(describing: result))")
      return
    }
    expectEqual(sender.waitingCount, 0)
    sender.enqueue([Count(key: 1, number: 1)])
    for _ in 0..<3 { sender.step() }
    expectEqual(broker.look { $0[0].metrics.sent }, 1)
    withExtendedLifetime(observation) {}
  }

  @Test(arguments: [nil, "till 7"])
  func `what was on its way when the broker lost something is not sent`(producer: String?) {
    let (sender, observation) = observed(producer)
    sender.enqueue([Count(key: 1, number: 1)])
    for _ in 0..<2 { sender.step() }
    let copy = broker.look { $0[0] }
    sender.enqueue([Count(key: 1, number: 2)])
    for _ in 0..<2 { sender.step() }
    var result: Result<Void, ClusterError>?
    broker.plan { $0 == "send" ? .lostRequest : nil }
    sender.enqueue([Count(key: 1, number: 3)]) { result = $0 }
    sender.step()
    broker.tamper(0) { $0 = copy }
    broker.plan { _ in nil }
    for _ in 0..<4 { sender.step() }
    expectTrue(result.map { "\($0)" }?.hasPrefix("failure") == true && sender.waitingCount == 0)
    expectEqual(told.all.filter { $0.hasPrefix("lost") }.count, 1)
    expectEqual(broker.look { $0[0].metrics.sent }, 1)
    sender.enqueue([Count(key: 1, number: 2)])
    for _ in 0..<3 { sender.step() }
    expectEqual(broker.look { $0[0].metrics.sent }, 2)
    withExtendedLifetime(observation) {}
  }

  @Test func `a sender whose broker has lost its claim goes on with another`() throws {
    let cluster = try countingCluster(broker, time.clusterTime, partitions: 2) { $0.packSize = 2 }
    let keys = try (0..<2).map { p in
      try #require((0..<99).first { cluster.partition(of: Count(key: $0, number: 0)) == p })
    }
    let sender = cluster.makeSender(producer: "till 7")
    sender.enqueue([Count(key: keys[0], number: 1)], firstNumber: 1)
    for _ in 0..<2 { sender.step() }
    let copy = broker.look { $0 }
    sender.enqueue([Count(key: keys[0], number: 2)], firstNumber: 2)
    for _ in 0..<2 { sender.step() }
    // One partition has lost something, and the pack of the other one is on its way.
    broker.plan { $0 == "send" ? .lostRequest : nil }
    var result: Result<Void, ClusterError>?
    sender.enqueue([Count(key: keys[1], number: 1)], firstNumber: 3) { result = $0 }
    sender.step()
    for p in 0..<2 { broker.tamper(p) { $0 = copy[p] } }
    broker.plan { _ in nil }
    for _ in 0..<5 { sender.step() }
    guard case .success? = result else {
      Issue.record("\(String(describing: result))")
      return
    }
    expectEqual(broker.look { $0[1].metrics.sent }, 1)
  }

  @Test func `numbers that are lost can be sent again in their order, and never seem to be there`()
  {
    let (sender, observation) = observed("till 7")
    let counts = (1...7).map { Count(key: 1, number: $0) }
    sender.enqueue(Array(counts[..<6]), firstNumber: 1)
    while sender.waitingCount > 0 { sender.step() }
    broker.flush()
    var results: [Result<Void, ClusterError>] = []
    func send(_ numbers: ClosedRange<Int>) {
      sender.enqueue(
        Array(counts[(numbers.lowerBound - 1)..<numbers.upperBound]),
        firstNumber: UInt64(numbers.lowerBound)
      ) { results.append($0) }
      for _ in 0..<6 { sender.step() }
    }
    send(7...7)
    send(3...4)
    send(1...2)
    expectEqual(
      results.map { "\($0)" },
      [
        "\(lost(1...6))", "success()",
        "\(Result<Void, ClusterError>.failure(.outOfOrder(number: 1)))",
      ])
    // Another one whose name lasts, which begins at the beginning.
    broker.flush()
    let (other, token) = observed("till 8")
    other.enqueue(Array(counts[..<6]), firstNumber: 1)
    while other.waitingCount > 0 { other.step() }
    broker.flush()
    for _ in 0..<9 {
      other.step()
      time.pass(.seconds(1))
    }
    for _ in 0..<2 {
      var result: Result<Void, ClusterError>?
      other.enqueue(Array(counts[..<6]), firstNumber: 1) { result = $0 }
      while other.waitingCount > 0 { other.step() }
      guard case .success? = result else {
        Issue.record("\(String(describing: result))")
        return
      }
      expectEqual(broker.look { $0[0].metrics.sent }, 6)
    }
    withExtendedLifetime((observation, token)) {}
  }

  @Test func `a sender that has nothing to do finds out, too`() {
    let (sender, observation) = observed()
    sender.enqueue([Count(key: 1, number: 1)])
    for _ in 0..<2 { sender.step() }
    broker.flush()
    for _ in 0..<3 {
      time.pass(.seconds(2))
      sender.step()
    }
    expectEqual(told.all, ["lost(partition: 0, numbers: ClosedRange(1...1))"])
    withExtendedLifetime(observation) {}
  }

  @Test func `that a broker has forgotten a producer after a day is no loss`() {
    let (sender, observation) = observed()
    sender.enqueue([Count(key: 1, number: 1)])
    sender.step()
    time.pass(.seconds(100_000))
    broker.tamper(0) { $0.producers = [:] }
    sender.step()
    sender.enqueue([Count(key: 1, number: 2)])
    for _ in 0..<2 { sender.step() }
    expectEqual(told.all, [])
    expectEqual(broker.look { $0[0].metrics.sent }, 2)
    withExtendedLifetime(observation) {}
  }
}
