import Dispatch
import ECS
import ECSHistory
import ECSTestSupport
import ECSTesting
import Testing

@Suite(.longRunning, .noHangs) struct EventLogTests {
  private func events(
    _ log: EventLog, _ text: String, limit: Int = 100_000
  ) throws -> [LoggedEvent] {
    guard case .events(let events, let total) = try log.query(text, limit: limit) else { return [] }
    expectEqual(events.count, min(limit, total))
    return events
  }

  private func kinds(_ log: EventLog, _ text: String) throws -> [EventKind] {
    try events(log, text).map(\.kind)
  }

  @Test func `changes are events, with all there is to say of them`() throws {
    let time = ManualClock()
    let context = Context(name: "Game")
    let log = EventLog([context], clock: time.clock)
    time.advance(by: .seconds(3))
    let entity = context.perform("make") {
      context.createEntity(with: Health(points: 1), Name("a"))
    }
    let other = context.createEntity(with: Tag())
    entity.relate(Likes.self, to: other)
    entity.set(Health(points: 2)).remove(Name.self)
    entity.destroy()
    try expectEqual(
      kinds(log, "events none(component:Tag)"),
      [
        .created, .added, .added, .created, .linked, .replaced, .removed, .removed, .destroyed,
        .unlinked,
      ])
    let made = try #require(try events(log, "events all(component:Health added)").first)
    expectTrue(made.cause == "make" && made.causeKind == .section && made.context == "Game")
    expectTrue(made.time == .seconds(3) && made.tick == 0 && made.key == nil && made.text == nil)
    let label = String("\(entity)".split(separator: " ")[1])
    expectEqual(made.entity, label)
    try expectEqual(events(log, "events all(entity:\(label))").count, 9)
    try expectEqual(events(log, "events all(commit:\(made.commit ?? 0))").count, 3)
    try expectEqual(kinds(log, "events all(component:Likes)"), [.linked, .unlinked])
    try expectEqual(
      log.query("components"),
      .components([
        EventCount(name: "Health", count: 3), EventCount(name: "Likes", count: 2),
        EventCount(name: "Name", count: 2), EventCount(name: "Tag", count: 1),
      ]))
    guard case .entities(let entities, let total) = try log.query("entities", limit: 1) else {
      return
    }
    expectTrue(entities == [EventCount(name: label, count: 9, context: "Game")] && total == 2)
  }

  @Test func `what systems do is logged, with passes and durations`() async throws {
    struct Beat: ExecuteSystem, CleanupSystem {
      let name: String
      let time: ManualClock
      let entity: Entity
      func execute() {
        time.advance(by: .milliseconds(2))
        entity.set(Name(name))
      }
      func cleanup() {}
    }
    let time = ManualClock()
    let context = Context()
    let log = EventLog([context], clock: time.clock)
    let entity = context.createEntity()
    let loop = Loop(
      name: "main", systems: ["A", "B"].map { Beat(name: $0, time: time, entity: entity) },
      logger: log)
    for _ in 0..<3 {
      loop.execute()
      loop.cleanup()
    }
    try expectEqual(
      events(log, "events all(willExec)").map { "\($0.cause ?? "") \($0.tick)" },
      [
        "A 1", "B 1", "A 2", "B 2", "A 3", "B 3",
      ])
    try expectEqual(
      kinds(log, "events all(system:A component:Name)"), [.added, .replaced, .replaced])
    try expectEqual(
      log.query("durations all(system:A didExec)"),
      .durations([
        SystemDuration(
          system: "A", loop: "main", kind: .didExec, count: 3, total: .milliseconds(6),
          longest: .milliseconds(2))
      ]))
    guard case .systems(let systems) = try log.query("systems all(tick:2..) any(didExec replaced)")
    else { return }
    expectEqual(
      systems, ["A", "B"].map { EventCount(name: $0, count: 4, loop: "main") })
    try expectEqual(events(log, "events all(system:- tick:0)").map(\.kind), [.created])
  }

  @Test func `errors of systems and notes are found by their texts`() throws {
    let context = Context()
    let log = EventLog([context])
    let entity = context.createEntity()
    log.info("No route to \"Rome\"", entity: entity)
    log.error("no luck")
    log.didFail("Router", UndoWorld.Failure())
    log.info(String(repeating: "long", count: 1_000))
    try expectEqual(kinds(log, #"events all(info:"route to \"Rome")"#), [.infoLog])
    try expectEqual(events(log, "events all(errorLog system:-)").map(\.text), ["no luck"])
    try expectEqual(kinds(log, "events all(system:Router)"), [.errorLog])
    try expectEqual(events(log, "events all(info:long)").first?.text?.count, 1_024)
    try expectEqual(kinds(log, "events all(info:-)"), [.created])
    try expectEqual(events(log, "events all(infoLog) none(entity:-)").count, 1)
  }

  @Test func `groups and keys are those at the end of the commit`() throws {
    let (one, other) = (Context(name: "one"), Context(name: "other"))
    let log = EventLog(
      [one, other],
      groups: ["healthy": Health.matcher, "named": Matcher(all: [Name.cid], none: [Tag.cid])],
      key: { $0.get(Name.self)?.text })
    let entity = one.createEntity(with: Name("ada"))
    entity.set(Health(points: 1))
    entity.set(Tag()).remove(Health.self)
    other.createEntity(with: Name("ada"))
    try expectEqual(kinds(log, "events all(group:healthy)"), [.added, .added])
    try expectEqual(kinds(log, "events all(group:named context:one)"), [.created, .added, .added])
    try expectEqual(events(log, "events all(key:ada)").count, 7)
    try expectEqual(events(log, "events all(key:ada context:other)").count, 2)
    try expectTrue(events(log, "events all(key:eve)").isEmpty)
    try expectTrue(events(log, "events all(group:nobody)").isEmpty)
    try expectTrue(events(log, "events all(context:third)").isEmpty)
  }

  @Test func `who changes in response is told apart`() throws {
    let context = Context()
    let log = EventLog([context])
    let token = context.group(Health.matcher).observeChanges(.updated, name: "menu") { change in
      change.entity.set(Tag())
    }
    let entity = context.createEntity(with: Health(points: 1))
    context.perform("menu") { entity.set(Health(points: 2)) }
    token.cancel()
    try expectEqual(events(log, "events all(observer:menu)").map(\.component), ["Tag"])
    try expectEqual(events(log, "events all(cause:menu)").map(\.component), ["Health", "Tag"])
    try expectEqual(events(log, "events all(cause:-)").count, 2)
    try expectEqual(events(log, "events none(observer:-)").count, 1)
    try expectTrue(events(log, "events all(system:menu)").isEmpty)
  }

  @Test func `memory is bounded, and so are names; numbers go on`() throws {
    // In EntitasKit, 65,536 ticks or names are too many.
    let context = Context()
    let log = EventLog([context], capacity: 1_000)
    for number in 0..<70_000 {
      log.willExecute("System")
      log.didExecute("System")
      log.info("note \(number)")
    }
    expectTrue(log.count == 1_000 && log.droppedEvents == 209_000 && log.nameCount <= 1_001)
    try expectEqual(
      events(log, "events all(tick:70000)").map(\.number), [209_997, 209_998, 209_999])
    try expectEqual(events(log, #"events all(info:"note 69999")"#).map(\.number), [209_999])
    try expectTrue(events(log, "events all(event:..208999)").isEmpty)
    try expectEqual(
      events(log, "events all(event:209000..209001)").map(\.number), [209_000, 209_001])
    try expectEqual(events(log, "events all(event:209999..)").count, 1)
    try expectEqual(events(log, "events", limit: 3).map(\.number), [209_997, 209_998, 209_999])
    try expectTrue(events(log, #"events all(info:"note 5 ")"#).isEmpty)
  }

  @Test func `entities of several contexts are told apart`() throws {
    let contexts = [Context(name: "one"), Context(name: "other"), Context(name: "third")]
    var entities = contexts.map { $0.createEntity() }
    // Generations begin above those of earlier contexts in the same storage.
    let highest = entities.map(\.numbers.generation).max() ?? 0
    for number in contexts.indices {
      while entities[number].numbers.generation < highest {
        entities[number].destroy()
        entities[number] = contexts[number].createEntity()
      }
    }
    let label = entities[0].label
    try #require(entities.allSatisfy { $0.label == label })
    let log = EventLog(Array(contexts[..<2]))
    for entity in entities { entity.set(Health(points: 1)) }
    entities[1].set(Health(points: 2))
    for entity in entities { log.info("a note", entity: entity) }
    let expected = [
      EventCount(name: label, count: 3, context: "other"),
      EventCount(name: label, count: 2, context: "one"),
      EventCount(name: label, count: 1, context: nil),
    ]
    try expectEqual(log.query("entities"), .entities(expected, total: 3))
    expectEqual(
      "\(try log.query("entities"))", "3 \(label) in other\n2 \(label) in one\n1 \(label)")
    let notes = try events(log, "events all(infoLog)")
    expectEqual(notes.map(\.context), ["one", "other", nil])
    expectTrue(notes.allSatisfy { $0.commit == nil })
    try expectEqual(
      kinds(log, "events all(context:one entity:\(label))"), [.added, .infoLog])
    withExtendedLifetime(contexts) {}
  }

  @Test func `of a commit that is too large the last events are kept`() throws {
    for (before, capacity) in [(0, 10), (3, 10), (25, 10), (0, 7), (4, 1)] {
      let context = Context()
      let log = EventLog([context], capacity: capacity)
      for number in 0..<before { log.info("\(number)") }
      context.perform {
        for _ in 0..<20 { context.createEntity(with: Health(points: 1)) }
        context.createEntity(with: Tag())
      }
      log.info("last")
      let total = UInt64(before + 43)
      expectTrue(log.count == capacity && log.droppedEvents == total - UInt64(capacity))
      let found = try events(log, "events")
      expectEqual(found.map(\.number), Array(total - UInt64(capacity)..<total))
      expectEqual(found.last?.text, "last")
      if capacity > 3 {
        expectEqual(found.suffix(3).map(\.component), [nil, "Tag", nil])
      }
    }
  }

  @Test func `texts, names and keys are cut to so many bytes`() throws {
    let context = Context()
    // A family is one character of 25 bytes, a letter with 2,000 accents one of 4,001.
    let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}"
    let accents = "e" + String(repeating: "\u{301}", count: 2_000)
    let log = EventLog([context], key: { _ in accents })
    context.perform(String(repeating: family, count: 1_000)) { _ = context.createEntity() }
    log.info(accents)
    log.willExecute(accents)
    log.didExecute(accents)
    let found = try events(log, "events")
    expectEqual(found.map(\.kind), [.created, .infoLog, .willExec, .didExec])
    for text in found.flatMap({ [$0.key, $0.cause, $0.text] }).compactMap(\.self) {
      expectTrue((1_021...1_024).contains(text.utf8.count) && !text.contains("\u{FFFD}"))
    }
    expectNotNil(found[3].duration)
    // A query for the whole name finds it.
    try expectEqual(events(log, "events all(key:\"\(accents)\")").count, 1)
  }

  @Test func `beginnings without an end are forgotten in the end`() throws {
    let time = ManualClock()
    let log = EventLog([], capacity: 4, clock: time.clock)
    log.willExecute("first")
    for number in 0..<1_024 { log.willExecute("\(number)") }
    time.advance(by: .seconds(1))
    log.didExecute("first")
    log.didExecute("1023")
    log.didExecute("0")
    let found = try events(log, "events all(didExec)")
    expectEqual(found.map(\.duration), [nil, .seconds(1), .seconds(1)])
  }

  @Test func `more names than 65,536 are kept apart`() throws {
    let log = EventLog([], capacity: 80_000)
    for number in 0..<80_000 { log.willInit("System \(number)") }
    try expectEqual(events(log, #"events all(system:"System 79999")"#).map(\.number), [79_999])
    try expectEqual(events(log, #"events all(system:"System 14463")"#).map(\.number), [14_463])
  }

  @Test func `results are readable`() throws {
    let time = ManualClock()
    let context = Context(name: "Game")
    let log = EventLog([context], clock: time.clock)
    context.perform("make") { _ = context.createEntity(with: Health(points: 1)) }
    log.willExecute("A")
    time.advance(by: .milliseconds(5))
    log.didExecute("A")
    let entity = try #require(try events(log, "events").first?.entity)
    let commit = try #require(try events(log, "events").first?.commit)
    expectEqual(
      "\(try log.query("events", limit: 3))",
      """
      ... 1 before
      1 tick 0 added Health of \(entity) in Game commit \(commit) by section make
      2 tick 1 willExec by system A
      3 tick 1 didExec by system A took 0.005 seconds
      """)
    expectEqual("\(try log.query("components"))", "1 Health")
    expectEqual(
      "\(try log.query("durations"))", "A didExec: 1 times, 0.005 seconds, at most 0.005 seconds")
  }

  @Test func `queries agree with a naive look at each event`() throws {
    for seed in Effort.seeds() {
      var random = SplitMix64(seed: seed)
      let log = randomLog(&random)
      let all = try events(log, "events")
      for _ in 0..<50 {
        let query = RandomQuery(&random)
        let found = try events(log, query.text)
        let expected = all.filter(query.holds)
        guard found != expected else { continue }
        Issue.record("seed \(seed): \(query.text): \(found.count), expected \(expected.count)")
        return
      }
    }
  }

  private func randomLog(_ random: inout SplitMix64) -> EventLog {
    let contexts = [Context(name: "one"), Context(name: "other")]
    let log = EventLog(contexts, capacity: 50 + random.below(400), key: { $0.get(Name.self)?.text })
    let token = contexts[0].group(Health.matcher).observeChanges(name: "A") { change in
      if change.entity.isAlive, !change.entity.has(Tag.self) { change.entity.set(Tag()) }
    }
    var entities: [Entity] = []
    for step in 0..<200 {
      let context = contexts[random.below(2)]
      switch random.below(8) {
      case 0, 1: entities.append(context.createEntity(with: Health(points: 1)))
      case 2:
        let entity = entities.isEmpty ? nil : entities[random.below(entities.count)]
        context.perform("B") { _ = entity?.set(Name("k\(random.below(3))")) }
      case 3: if !entities.isEmpty { entities[random.below(entities.count)].destroy() }
      case 4: log.willExecute(["A", "B"][random.below(2)])
      case 5: log.didExecute(["A", "B"][random.below(2)])
      case 6: log.info("note \(step)")
      default:
        if !entities.isEmpty { entities[random.below(entities.count)].set(Health(points: 2)) }
      }
    }
    token.cancel()
    return log
  }
}

/// A query, and what it asks of an event.
private struct RandomQuery {
  private typealias Term = (text: String, holds: @Sendable (LoggedEvent) -> Bool)

  let text: String
  private let all: [Term]
  private let any: [Term]
  private let none: [Term]

  init(_ random: inout SplitMix64) {
    func terms(_ random: inout SplitMix64, atMost count: Int) -> [Term] {
      (0..<random.below(count + 1)).map { _ in RandomQuery.term(&random) }
    }
    all = terms(&random, atMost: 2)
    any = terms(&random, atMost: 3)
    none = terms(&random, atMost: 2)
    text =
      "events "
      + [("all", all), ("any", any), ("none", none)].filter { !$1.isEmpty }
      .map { "\($0)(\($1.map(\.text).joined(separator: " ")))" }.joined(separator: " ")
  }

  func holds(_ event: LoggedEvent) -> Bool {
    all.allSatisfy { $0.holds(event) } && !none.contains { $0.holds(event) }
      && (any.isEmpty || any.contains { $0.holds(event) })
  }

  private static func term(_ random: inout SplitMix64) -> Term {
    let name = ["A", "B", "C"][random.below(3)]
    let slot = random.below(12)
    let lower = UInt64(random.below(300))
    let upper = lower + UInt64(random.below(100))
    switch random.below(15) {
    case 0:
      let kind = EventKind.allCases[random.below(EventKind.allCases.count)]
      return (kind.rawValue, { $0.kind == kind })
    case 1:
      let component = ["Health", "Name", "Tag", "Other"][random.below(4)]
      return ("component:\(component)", { $0.component == component })
    case 2: return ("component:-", { $0.component == nil })
    case 3: return ("system:\(name)", { $0.causeKind == .system && $0.cause == name })
    case 4: return ("system:-", { $0.causeKind != .system })
    case 5: return ("observer:\(name)", { $0.causeKind == .observer && $0.cause == name })
    case 6: return ("cause:\(name)", { $0.cause == name })
    case 7: return ("context:one", { $0.context == "one" })
    case 8: return ("entity:\(slot)", { $0.entity?.hasPrefix("\(slot).") ?? false })
    case 9: return ("entity:-", { $0.entity == nil })
    case 10: return ("key:k1", { $0.key == "k1" })
    case 11: return ("info:\"1\"", { $0.text?.contains("1") ?? false })
    case 12: return ("event:\(lower)..\(upper)", { (lower...upper).contains($0.number) })
    case 13:
      let tick = UInt64(random.below(20))
      return ("tick:\(tick)..", { $0.tick >= tick })
    default:
      let last = random.below(150)
      return ("commit:..\(last)", { $0.commit.map { $0 <= last } ?? false })
    }
  }
}
