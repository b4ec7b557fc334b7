import ECS
import ECSCluster
import ECSTestSupport
import Testing

// Partitions that are damaged, and events that can't be applied.
extension WorkerFailureTests {
  @Test func `a partition of which nothing can be said stands still, and the others go on`() throws
  {
    let cluster = try cluster()
    let desk = Desk(cluster)
    run(desk)
    broker.tamper(0) { $0.isOpaque = true }
    var isGone = true
    broker.plan { _ in
      defer { isGone = false }
      return isGone ? .lostRequest : nil
    }
    send((0..<20).map { Count(key: $0, number: 1) }, cluster)
    run(desk, times: 40)
    expectTrue(isThrough(1..<4))
    let other = Desk(cluster)
    desk.worker.finish()
    send((0..<20).map { Count(key: $0, number: 2) }, cluster)
    run(other, times: 40)
    expectTrue(isThrough(1..<4))
    broker.tamper(0) { $0.isOpaque = false }
    run(other, times: 40)
    expectEqual(other.picture, (0..<20).map { "\($0): 2, 2, 0" }.sorted())
    expectEqual(other.log.all.last, "recovered")
  }

  @Test func `a log that ends elsewhere than is said is asked for again with pauses, and told`()
    throws
  {
    let cluster = try cluster(partitions: 1)
    let desk = Desk(cluster)
    send([Count(key: 1, number: 1)], cluster)
    run(desk)
    // The entry is there, and its number is not.
    broker.tamper(0) { $0.metrics.logNumber = 0 }
    send([Count(key: 1, number: 2)], cluster)
    for _ in 0..<50 { _ = desk.worker.step() }
    expectLessThan(desk.log.all.filter { $0.contains("acquired") }.count, 4)
    expectFalse(desk.log.errors.isEmpty)
  }

  @Test func `two things that are wrong are told once each`() throws {
    let cluster = try cluster(partitions: 2)
    let first = Desk(cluster)
    run(first)
    send((0..<8).map { Count(key: $0, number: 1) }, cluster)
    run(first)
    first.worker.finish()
    for partition in 0..<2 { broker.tamper(partition) { $0.metrics.logNumber += 5 } }
    let desk = Desk(cluster)
    run(desk, times: 20)
    expectEqual(desk.log.errors.count, 2)
  }

  @Test func `what can be read again has recovered, also if nothing is there to be applied`() throws
  {
    let cluster = try cluster(partitions: 2)
    let desk = Desk(cluster)
    run(desk)
    for _ in 0..<2 {
      broker.tamper(0) { $0.damage = .failed("WRONGTYPE") }
      run(desk)
      broker.tamper(0) { $0.damage = nil }
      run(desk)
      expectEqual(desk.log.all.last, "recovered")
    }
    expectEqual(desk.log.errors.count, 2)
  }

  // MARK: Events that can't be applied

  @Test func `what is before an event that stops its partition is applied once`() throws {
    let cluster = try cluster(partitions: 1) { $0.poison = .stop }
    let context = Context()
    let index = context.primaryIndex { (counter: Counter) in counter.key }
    let (good, bad) = (Tally(), Tally())
    let isMended = Tally()
    let worker = cluster.makeWorker(in: context, by: index) {
      Counter(key: $0)
    } applying: { event, entity in
      if event.value.kind == 1, isMended.value == 0 {
        bad.add()
        throw Refused()
      }
      if event.value.number == 1 { good.add() }
      entity.update(Counter.self) { $0.total += 1 }
    }
    send([1, 2, 3, 4].map { Count(key: 1, number: $0, kind: $0 == 3 ? 1 : 0) }, cluster)
    for _ in 0..<1200 {
      _ = worker.step()
      time.pass(.milliseconds(500))
    }
    expectEqual(broker.look { $0[0].metrics.offset }, 2)
    expectEqual(picturesOf(context), ["1: 0, 2, 0"])
    expectLessThan(good.value, 5)
    expectLessThan(bad.value, 60)
    isMended.add()
    for _ in 0..<200 {
      _ = worker.step()
      time.pass(.milliseconds(500))
    }
    expectEqual(picturesOf(context), ["1: 0, 4, 0"])
  }

  @Test func `events that were set aside are told of, also if the answer was lost`() throws {
    let cluster = try cluster(partitions: 1)
    let desk = Desk(cluster)
    run(desk)
    var left = 1
    broker.plan { name in
      guard name == "commit", left > 0 else { return nil }
      left -= 1
      return .lostReply
    }
    send([Count(key: 1, number: 1), Count(key: 2, number: 1, kind: 1)], cluster)
    run(desk)
    expectEqual(desk.log.all.filter { $0.contains("setAside") }.count, 1)
  }

  @Test(arguments: 1...8)
  func `events that were set aside are told of, also if the commit came late`(delay: Int) throws {
    let cluster = try cluster(partitions: 1)
    let desk = Desk(cluster)
    run(desk)
    var left = 1
    broker.plan { name in
      guard name == "commit", left > 0 else { return nil }
      left -= 1
      return .lateBy(delay)
    }
    send([Count(key: 1, number: 1), Count(key: 2, number: 1, kind: 1)], cluster)
    run(desk)
    expectEqual(broker.look { $0[0].dead.count }, 1)
    expectEqual(desk.log.all.filter { $0.contains("setAside") }.count, 1)
  }

  @Test func `no event is applied without a system that could not be initialised`() throws {
    let cluster = try cluster(partitions: 1)
    let context = Context()
    let index = context.primaryIndex { (counter: Counter) in counter.key }
    let isReady = Tally()
    let worker = cluster.makeWorker(
      in: context, by: index, creating: { Counter(key: $0) },
      loop: { Loop(name: "late", systems: [Late(isReady)], errorHandler: { _ in }) },
      applying: { _, entity in entity.update(Counter.self) { $0.total += 1 } })
    send([Count(key: 1, number: 1)], cluster)
    for _ in 0..<4 { _ = worker.step() }
    expectEqual(picturesOf(context), [])
    isReady.add()
    for _ in 0..<4 { _ = worker.step() }
    expectEqual(picturesOf(context), ["1: 0, 1, 0"])
    worker.finish()
  }
}

private final class Late: InitSystem {
  let isReady: Tally

  init(_ isReady: Tally) { self.isReady = isReady }

  func initialise() throws {
    if isReady.value == 0 { throw Refused() }
  }
}
