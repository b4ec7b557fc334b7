import ECS
import ECSHistory
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Synchronization
import Testing

private struct Node: Component {}
private struct Share: Component, Equatable { var percent: Int }
private enum Owns: Relation { typealias Value = Share }
private enum Leads: OneToOneRelation { typealias Value = Share }
private enum Under: Hierarchy {
  typealias Value = Share
  static let deleteRule = DeleteRule.cascade
}

@Suite(.noHangs) struct LinkValueHistoryTests {
  private let context = Context()
  private let history: UndoHistory
  private let entities: [Entity]

  init() {
    history = UndoHistory(context, of: Node.self, relations: [Owns.self, Leads.self, Under.self])
    let context = context
    entities = (0..<5).map { _ in context.createEntity(with: Node()) }
    history.removeAll()
  }

  /// All links with their values.
  private var state: [String] {
    entities.enumerated().flatMap { number, entity -> [String] in
      guard entity.isAlive else { return ["\(number) is dead"] }
      return entity.links().map { link in
        let target = entities.firstIndex(of: link.target) ?? -1
        return "\(number) \(link.relation) \(target) \((link.value as? Share)?.percent ?? -1)"
      }
    }
  }

  @Test func `a value that is replaced comes back, and goes again`() throws {
    let (one, two) = (entities[0], entities[1])
    history.group("own") { one.relate(Owns.self, to: two, Share(percent: 1)) }
    history.group("more") { one.update(Owns.self, to: two) { $0.percent = 2 } }
    history.group("most") {
      one.unrelate(Owns.self)
      one.relate(Owns.self, to: two, Share(percent: 3))
    }
    expectEqual(history.undoNames.count, 3)
    for expected in [2, 1] {
      try history.undo()
      expectEqual(one.value(of: Owns.self, to: two)?.percent, expected)
    }
    try history.undo()
    expectFalse(one.isRelated(Owns.self, to: two))
    for expected in [1, 2, 3] {
      try history.redo()
      expectEqual(one.value(of: Owns.self, to: two)?.percent, expected)
    }
  }

  @Test func `a step that leaves the value as it was is none`() {
    let (one, two) = (entities[0], entities[1])
    one.relate(Owns.self, to: two, Share(percent: 1))
    history.removeAll()
    history.group("back and forth") {
      one.update(Owns.self, to: two) { $0.percent = 2 }
      one.update(Owns.self, to: two) { $0.percent = 1 }
    }
    expectTrue(history.undoNames.isEmpty)
  }

  @Test func `a value that others have changed is a conflict`() throws {
    let (one, two) = (entities[0], entities[1])
    one.relate(Owns.self, to: two, Share(percent: 1))
    history.removeAll()
    history.group("two") { one.update(Owns.self, to: two) { $0.percent = 2 } }
    let other = UndoHistory(context, of: Node.self, relations: [Owns.self])
    other.group("nine") { one.update(Owns.self, to: two) { $0.percent = 9 } }
    #expect(throws: UndoConflict.self) { try history.undo() }
    expectEqual(one.value(of: Owns.self, to: two)?.percent, 9)
  }

  @Test(arguments: Effort.seeds(2 * Effort.modelSeeds))
  func `random steps are taken back and made again, values included`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var states = [state]
    for _ in 0..<30 {
      let before = history.undoNames.count
      history.group("step") { for _ in 0..<(1 + random.below(4)) { change(&random) } }
      if history.undoNames.count > before { states.append(state) }
      expectEqual(states.last, state)
    }
    for _ in 0..<60 {
      let position = history.undoNames.count
      expectEqual(state, states[position], "seed \(seed), step \(position)")
      if random.oneIn(2), position > 0 {
        try history.undo()
      } else if history.redoNames.count > 0 {
        try history.redo()
      }
    }
  }

  private func change(_ random: inout SplitMix64) {
    let living = entities.filter(\.isAlive)
    guard living.count > 1 else { return }
    let (one, two) = (living[random.below(living.count)], living[random.below(living.count)])
    let share = Share(percent: random.below(5))
    switch random.below(12) {
    case 0..<3: one.relate(Owns.self, to: two, share)
    case 3: one.unrelate(Owns.self, from: two)
    case 4, 5: one.relate(Leads.self, to: two, share)
    case 6: one.update(Leads.self, to: two) { $0.percent += 1 }
    case 7: try? one.setParent(two, in: Under.self, share)
    case 8: one.update(Under.self, to: two) { $0.percent += 1 }
    case 9: one.targets(Owns.self).sort { $0.percent < $1.percent }
    case 10: one.update(Owns.self, to: two) { $0.percent += 1 }
    default: if random.oneIn(6) { one.destroy() }
    }
  }

  @Test(arguments: Effort.seeds(2 * Effort.modelSeeds))
  func `replays go to what there was, and back, values included`(seed: UInt64) throws {
    func share(_ name: String) -> Stored<Share> {
      Stored(of: Share(percent: 0), as: name) { Field(\.percent, at: "percent") }
    }
    let schema = try Schema("shares") {
      Stored(of: Node(), as: "node")
      Links(Owns.self, as: "owns", values: share("ownsShare"))
      Links(Leads.self, as: "leads", values: share("leadsShare"))
      Links(Under.self, as: "under", values: share("underShare"))
    }
    func seen(_ context: Context) -> [String] {
      let entities = context.entities()
      return entities.enumerated().flatMap { number, entity in
        entity.links().map { link in
          let target = entities.firstIndex(of: link.target) ?? -1
          return "\(number) \(link.relation) \(target) \((link.value as? Share)?.percent ?? -1)"
        }.sorted()
      }
    }
    var random = SplitMix64(seed: seed)
    for _ in 0..<5 { change(&random) }
    let before = seen(context)
    let recorder = try RunRecorder(context, schema)
    for _ in 0..<40 { context.perform { for _ in 0..<3 { change(&random) } } }
    let recording = try RunRecording(try recorder.recording().data)
    let copy = Context()
    let replay = try Replay(recording, into: copy, schema)
    for _ in 0..<2 {
      try replay.seek(to: .end)
      expectEqual(seen(copy), seen(context), "seed \(seed)")
      try replay.seek(to: .start)
      expectEqual(seen(copy), before, "seed \(seed), back")
    }
  }

  @Test func `flight recorders and event logs tell values of links`() throws {
    let flight = FlightRecorder(context)
    let (one, two) = (entities[0], entities[1])
    one.relate(Owns.self, to: two, Share(percent: 1))
    one.update(Owns.self, to: two) { $0.percent = 2 }
    let why = flight.why(one)
    expectEqual(why.map(\.kind), [.linkUpdated, .linked])
    expectEqual(why[0].line.old.map(\.component), ["Share"])
    expectTrue(why[0].description.contains("Share(percent: 1) -> Share(percent: 2)"))
    let copy = try FlightRecording(data: flight.recording().data)
    expectEqual(copy.lines, flight.recording().lines)
  }

  /// Calls a closure at its end.
  private final class Ending: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    deinit { body() }
  }
  private struct Held: Component { var ending: Ending }
  private enum Holds: Relation { typealias Value = Held }

  @Test func `values of steps that are dropped end outside of the critical section`() throws {
    let context = Context()
    let history = UndoHistory(context, of: Node.self, relations: [Holds.self], limit: .steps(1))
    let entities = (0..<2).map { _ in context.createEntity(with: Node()) }
    let ends = Mutex(0)
    func hold() {
      entities[0].relate(
        Holds.self, to: entities[1],
        Held(
          ending: Ending { [context] in
            // Stops in the middle of a step of the history.
            history.group("ended") {}
            _ = context.group(Node.matcher).count
            ends.withLock { $0 += 1 }
          }))
    }
    history.group("1") { hold() }
    history.group("2") { entities[0].unrelate(Holds.self) }
    expectEqual(ends.withLock { $0 }, 0)
    history.group("3") { entities[0].set(Node()) }
    expectEqual(ends.withLock { $0 }, 1)
    history.group("4") { hold() }
    history.group("5") { entities[0].unrelate(Holds.self) }
    history.removeAll()
    expectEqual(ends.withLock { $0 }, 2)
  }
}
