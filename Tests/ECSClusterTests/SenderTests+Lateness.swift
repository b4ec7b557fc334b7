import ECS
import ECSCluster
import ECSTestSupport
import Testing

/// What comes late, and how long a sender waits.
extension SenderTests {
  @Test func `what was not answered may come late, whatever else went wrong at the same time`()
    async throws
  {
    let cluster = try cluster()
    let first = cluster.makeSender()
    let (one, other) = try await keys(first)
    first.close()
    broker.tamper(0) { $0.sendFailure = .full("OOM") }
    broker.tamper(1) { $0.sendFailure = .timedOut(.seconds(1)) }
    let sender = cluster.makeSender()
    sender.enqueue([one, other].map { Count(key: $0, number: 2) })
    sender.step()
    expectTrue(sender.mayComeLate)
    for partition in 0..<2 { broker.tamper(partition) { $0.sendFailure = nil } }
    sender.step()
    expectEqual(sender.waitingCount, 0)
    expectTrue(sender.mayComeLate)
  }

  @Test(arguments: 1...8)
  func `what comes late of a producer that has ended is not there twice`(delay: Int) throws {
    let cluster = try cluster()
    let counts = (1...20).map { Count(key: 1, number: $0) }
    _ = Desk(cluster).worker.step()
    let old = cluster.makeSender(producer: "till 7")
    broker.plan { $0 == "send" ? .lateBy(delay) : nil }
    old.enqueue(counts, firstNumber: 1)
    old.step()
    broker.plan { _ in nil }
    for end in [14, 20] {
      let new = cluster.makeSender(producer: "till 7")
      new.enqueue(Array(counts[..<end]), firstNumber: 1)
      while new.waitingCount > 0 { new.step() }
    }
    let session = broker.makeSession(for: "counting")
    for _ in 0..<10 { _ = try session.metrics() }
    expectEqual(sent, 20)
  }

  @Test(arguments: 1...8)
  func `what comes late of a producer makes no others be lost`(delay: Int) throws {
    let cluster = try cluster()
    _ = Desk(cluster).worker.step()
    let old = cluster.makeSender(producer: "till 7")
    broker.plan { $0 == "send" ? .lateBy(delay) : nil }
    old.enqueue((1...10).map { Count(key: 1, number: $0) })
    old.step()
    broker.plan { _ in nil }
    let new = cluster.makeSender(producer: "till 7")
    new.enqueue((1...3).map { Count(key: 1, number: $0) })
    while new.waitingCount > 0 { new.step() }
    let session = broker.makeSession(for: "counting")
    for _ in 0..<10 { _ = try session.metrics() }
    expectTrue(sent == 3 || sent == 13)
  }

  // MARK: Patience

  @Test func `patience lasts as long as something gets on`() throws {
    let cluster = try cluster {
      ($0.packSize, $0.patience) = (1, .seconds(3))
    }
    let sender = cluster.makeSender()
    sender.enqueue((1...10).map { Count(key: 1, number: $0) })
    for _ in 0..<12 {
      sender.step()
      time.pass(.seconds(1))
    }
    expectEqual(sent, 10)
  }

  @Test func `patience with a full partition ends with that, whatever was wrong before`()
    async throws
  {
    let cluster = try cluster {
      ($0.waitingEvents, $0.patience) = (1, .seconds(3))
    }
    let sender = cluster.makeSender()
    var isGone = true
    broker.plan { [time] in
      guard $0 == "send" else { return nil }
      defer { isGone = false }
      if !isGone { time.pass(.seconds(1)) }
      return isGone ? .lostRequest : nil
    }
    try await sender.send(Count(key: 1, number: 1))
    await #expect {
      try await sender.send(Count(key: 1, number: 2))
    } throws: {
      if case ClusterError.full = $0 { true } else { false }
    }
    sender.close()
  }
}
