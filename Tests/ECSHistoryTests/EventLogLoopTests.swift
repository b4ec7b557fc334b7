import ECS
import ECSHistory
import ECSTestSupport
import ECSTesting
import Testing

private struct Beat: InitSystem, ExecuteSystem, TeardownSystem {
  let name = "Beat"
  let time: ManualClock
  let entity: Entity
  let duration: Duration

  func initialise() {}
  func teardown() {}
  func execute() {
    time.advance(by: duration)
    entity.set(Health(points: 1))
  }
}

@Suite(.noHangs) struct EventLogLoopTests {
  private func events(_ log: EventLog, _ text: String) throws -> [LoggedEvent] {
    guard case .events(let events, _) = try log.query(text, limit: .max) else { return [] }
    return events
  }

  @Test func `systems of one name in several loops are told apart`() throws {
    let time = ManualClock()
    let context = Context()
    let log = EventLog([context], clock: time.clock)
    let entity = context.createEntity()
    let loops = [("fast", 1), ("slow", 100)].map { name, milliseconds in
      Loop(
        name: name,
        systems: [Beat(time: time, entity: entity, duration: .milliseconds(milliseconds))],
        logger: log)
    }
    for loop in loops { loop.initialise() }
    for _ in 0..<3 { for loop in loops { loop.execute() } }
    log.willExecute("Beat")
    log.didExecute("Beat")
    try expectEqual(
      log.query("durations all(didExec)"),
      .durations([
        SystemDuration(
          system: "Beat", loop: "slow", kind: .didExec, count: 3, total: .milliseconds(300),
          longest: .milliseconds(100)),
        SystemDuration(
          system: "Beat", loop: "fast", kind: .didExec, count: 3, total: .milliseconds(3),
          longest: .milliseconds(1)),
        SystemDuration(
          system: "Beat", kind: .didExec, count: 1, total: .zero, longest: .zero),
      ]))
    try expectEqual(
      log.query("systems"),
      .systems([
        EventCount(name: "Beat", count: 11, loop: "fast"),
        EventCount(name: "Beat", count: 11, loop: "slow"), EventCount(name: "Beat", count: 2),
      ]))
    expectEqual(
      "\(try log.query("systems all(loop:slow tick:1..2)"))", "6 Beat of loop slow")
    // Also what systems change is of their loops.
    let changes = try events(log, "events all(component:Health loop:fast)")
    expectEqual(changes.map(\.loop), ["fast", "fast", "fast"])
    expectEqual(changes.map(\.kind), [.added, .replaced, .replaced])
    // A pass of one loop does not end that of another.
    try expectEqual(events(log, "events all(willExec loop:fast)").map(\.tick), [1, 2, 3])
    try expectEqual(events(log, "events all(willExec loop:slow)").map(\.tick), [1, 2, 3])
    try expectEqual(events(log, "events all(loop:-)").map(\.kind), [.created, .willExec, .didExec])
    let last = try #require(try events(log, "events all(didExec loop:slow)").last)
    expectTrue("\(last)".hasSuffix("didExec by system Beat of loop slow took 0.1 seconds"))
  }

  @Test func `runs of loops that overlap have durations of their own`() throws {
    let time = ManualClock()
    let log = EventLog([], clock: time.clock)
    let loggers = ["main", "main"].map { log.logger(ofLoop: $0) }
    loggers[0].willExecute("A")
    time.advance(by: .seconds(1))
    loggers[1].willExecute("A")
    time.advance(by: .seconds(1))
    loggers[0].didExecute("A")
    loggers[1].didExecute("A")
    loggers[1].didFail("A", UndoWorld.Failure())
    try expectEqual(
      events(log, "events all(didExec)").map(\.duration), [.seconds(2), .seconds(1)])
    try expectEqual(events(log, "events all(errorLog loop:main)").count, 1)
    try expectEqual(events(log, "events all(tick:1)").count, 5)
  }

  @Test func `extreme numbers in queries find nothing that is not there`() throws {
    let context = Context()
    let log = EventLog([context])
    let entity = context.createEntity()
    log.info("of no entity")
    log.willExecute("A")
    for text in [
      "entity:4294967295", "entity:4294967295.4294967295", "entity:4294967295.0",
      "entity:\(entity.numbers.slot).4294967295", "entity:4294967294",
      "event:18446744073709551615", "event:18446744073709551615..", "event:3..",
      "commit:18446744073709551615", "commit:0", "commit:..0", "tick:18446744073709551615..",
      "tick:2..",
    ] {
      try expectTrue(events(log, "events all(\(text))").isEmpty, "\(text)")
      try expectTrue(events(log, "events any(\(text))").isEmpty, "\(text)")
      try expectEqual(events(log, "events none(\(text))").count, 3, "\(text)")
    }
    for text in [
      "event:0..18446744073709551615", "event:..2", "tick:0..18446744073709551615", "tick:0..1",
    ] {
      try expectEqual(events(log, "events all(\(text))").count, 3, "\(text)")
    }
    try expectEqual(events(log, "events all(commit:0..18446744073709551615)").count, 1)
    #expect(throws: EventQueryError.self) { try log.query("events all(entity:4294967296)") }
    #expect(throws: EventQueryError.self) {
      try log.query("events all(event:18446744073709551616)")
    }
    for limit in [Int.min, -1, 0] {
      try expectEqual(log.query("events", limit: limit), .events([], total: 3))
      try expectEqual(log.query("entities", limit: limit), .entities([], total: 1))
    }
  }

  @Test func `times of extreme clocks are cut, not wrapped`() throws {
    let time = ManualClock()
    let log = EventLog([], clock: time.clock)
    log.willExecute("A")
    time.advance(by: .seconds(9_300_000_000))
    log.didExecute("A")
    let last = try #require(try events(log, "events").last)
    expectTrue(last.time == .nanoseconds(Int64.max) && last.duration == last.time)
  }

  @Test func `events take so many bytes at most, at any time`() throws {
    for capacity in [1, 100, 1_000, 70_000, 100_000] {
      let log = EventLog([], capacity: capacity)
      for number in 0..<capacity + 10 {
        log.info("note")
        // The allocator rounds up.
        guard number.nonzeroBitCount == 1 || number >= capacity else { continue }
        expectLessThanOrEqual(log.byteCount, 72 * capacity + capacity / 2 + 1_000)
      }
    }
  }

  @Test func `a tick has no more than so many systems`() throws {
    let log = EventLog([], capacity: 20_000)
    for number in 0..<5_000 { log.willExecute("System \(number)") }
    try expectEqual(events(log, "events all(tick:1)").count, 4_096)
    try expectEqual(events(log, "events all(tick:2)").count, 904)
    log.willExecute("System 4999")
    try expectEqual(events(log, "events all(tick:3)").count, 1)
  }
}
