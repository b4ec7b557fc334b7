import ECS
import Foundation

extension Gate {
  /// What takes as many instructions whatever else there is, and how many listeners may take.
  static var instructions: [Gate] {
    [
      Gate(
        name: "32 groups that nothing listens to do not slow down adding and removing",
        unit: "% more instructions", allowed: -2...2,
        count: { countSlowdown(by: .groups) },
        countBroken: { countSlowdown(by: .groupsWithCollectors) }),
      Gate(
        name: "adding and removing takes no longer after a transaction than before",
        unit: "% more instructions", allowed: -1...1,
        count: { countSlowdown(by: .pastTransaction) },
        countBroken: { countSlowdown(by: .runningTransaction) }),
      Gate(
        name: "to set two components in a transaction that throws", unit: "instructions",
        allowed: 0...1450,
        count: { countInstructions(of: .returns, for: .nobody) },
        countBroken: { countInstructions(of: .returns, for: .groupsWithCollectors) }),
      Gate(
        name: "to replace a component and tell a journal a commit of it", unit: "instructions",
        allowed: 0...540,
        count: { countInstructions(of: .commits, for: .observer) },
        countBroken: { countInstructions(of: .commits, for: .boxingObserver) }),
      telling("an observer of a group", .observer, atMost: 360),
      telling("an observer of each entity", .observersOfEntities, atMost: 485),
      telling("five observers of a group", .fiveObservers, atMost: 690),
      Gate(
        name: "to create and destroy an entity and notify an observer of each",
        unit: "instructions", allowed: 0...870,
        count: { countInstructions(of: .comings, for: .observer) },
        countBroken: { countInstructions(of: .comings, for: .boxingObserver) }),
      Gate(
        name: "to add a component to an entity and remove it again, in bulk calls",
        unit: "instructions", allowed: 0...20,
        count: { countInstructions(of: .bulkPairs, for: .nobody) },
        countBroken: { countInstructions(of: .bulkPairs, for: .observer) }),
      Gate(
        name: "to create an entity and destroy it, in bulk calls",
        unit: "instructions", allowed: 0...80,
        count: { countInstructions(of: .bulkComings, for: .nobody) },
        countBroken: { countInstructions(of: .bulkComings, for: .observer) }),
      Gate(
        name: "to pass over an entity in a table of its own, by types", unit: "instructions",
        allowed: 0...670,
        count: { countInstructions(of: .passes, for: .nobody) },
        countBroken: { countInstructions(of: .passes, for: .observer) }),
      Gate(
        name: "to replace a deadline, and let a loop note it", unit: "instructions",
        allowed: 0...1100,
        count: { countInstructions(of: .deadlines, for: .nobody) },
        countBroken: { countInstructions(of: .deadlines, for: .observer) }),
      Gate(
        name: "to move an entity between two of 100 observed views by key", unit: "instructions",
        allowed: 0...8700,
        count: { countInstructions(of: .keyedViews, for: .nobody) },
        countBroken: { countInstructions(of: .keyedViews, for: .groups) }),
    ]
  }

  /// A gate that counts what each replaced component takes if an observer is notified of it, with old and new value.
  private static func telling(_ whom: String, _ audience: Audience, atMost limit: Int) -> Gate {
    Gate(
      name: "to replace a component and notify \(whom)", unit: "instructions",
      allowed: 0...limit,
      count: { countInstructions(of: .updates, for: audience) },
      countBroken: { countInstructions(of: .updates, for: .boxingObserver) })
  }

  /// What is done below valgrind.
  enum CountedProgram: String {
    /// Adds a component to each entity and removes it again.
    case pairs

    /// Replaces a component of each entity.
    case updates

    /// Creates entities with a component, and destroys them.
    case comings

    /// The same in bulk calls.
    case bulkPairs
    case bulkComings

    /// Passes over one entity, as often as others do over many.
    case passes

    /// Replaces two components of each entity, in a transaction that throws.
    case returns

    /// Replaces a component of each entity, a commit each.
    case commits

    /// Sets a component that requires another, or both by hand, and removes them again.
    case bringing
    case settingBoth

    /// Replaces a deadline of each entity, for a loop that waits for them.
    case deadlines

    /// Gives each entity another key, of observed views by key, or of filtered ones.
    case keyedViews
  }

  /// What is there beside the entities meanwhile.
  enum Audience: String {
    case nobody
    case groups
    case groupsWithCollectors
    case observer
    case fiveObservers
    case observersOfEntities
    case boxingObserver

    /// Nothing, after a transaction that threw, or while one runs.
    case pastTransaction
    case runningTransaction
  }

  private static let entityCount = 1000

  private static func countSlowdown(by audience: Audience) -> Count {
    counting { valgrind in
      guard let none = instructions(of: .pairs, .nobody, valgrind),
        let some = instructions(of: .pairs, audience, valgrind)
      else { return nil }
      return Int((Double(some - none) / Double(none) * 100).rounded())
    }
  }

  private static func countInstructions(
    of program: CountedProgram, for audience: Audience
  ) -> Count {
    counting { valgrind in
      instructions(of: program, audience, valgrind).map { $0 / entityCount }
    }
  }

  static func counting(_ body: (Valgrind) -> Int?) -> Count {
    guard let valgrind = Valgrind.shared else {
      return .impossible("valgrind or strip is missing, or does not work")
    }
    guard let count = body(valgrind) else {
      print("FAILED   What is counted below valgrind has ended before its time.")
      valgrind.end()
      exit(1)
    }
    return .of(count)
  }

  private static func instructions(
    of program: CountedProgram, _ audience: Audience, _ valgrind: Valgrind
  ) -> Int? {
    valgrind.instructionsOfRound(["--count", program.rawValue, audience.rawValue])
  }

  /// What runs below valgrind.
  static func run(_ program: CountedProgram, _ audience: Audience, rounds: Int) {
    switch program {
    case .pairs: makePairs(audience, rounds: rounds)
    case .updates: makeUpdates(audience, rounds: rounds)
    case .comings: makeComings(audience, rounds: rounds)
    case .returns: makeReturns(audience, rounds: rounds)
    case .bulkPairs: makeBulkPairs(audience, rounds: rounds)
    case .bulkComings: makeBulkComings(audience, rounds: rounds)
    case .passes: makePasses(audience, rounds: rounds)
    case .commits: makeCommits(audience, rounds: rounds)
    case .bringing: makeBringing(audience, byHand: false, rounds: rounds)
    case .settingBoth: makeBringing(audience, byHand: true, rounds: rounds)
    case .deadlines: makeDeadlines(audience, rounds: rounds)
    case .keyedViews: changeKeys(of: entityCount, areFiltered: audience == .groups, rounds: rounds)
    }
  }

  private static func makePairs(_ audience: Audience, rounds: Int) {
    let context = Context()
    var groups: [Group] = []
    if audience == .groups || audience == .groupsWithCollectors {
      for level in GateWorld.levels.prefix(16) {
        groups.append(context.all([Position.cid, Health.cid, level.cid]))
        groups.append(context.all([Health.cid], none: [level.cid]))
      }
    }
    let collectors =
      audience == .groupsWithCollectors
      ? groups.map { Collector(group: $0, type: .addedOrUpdated) } : []
    let entities = context.createEntities(entityCount, with: Position(x: 0, y: 0))
    func makeRounds() {
      for _ in 0..<rounds {
        for entity in entities { entity.set(Health(v: 1)) }
        for entity in entities { entity.remove(Health.self) }
        for collector in collectors { _ = collector.drain() }
      }
    }
    switch audience {
    case .runningTransaction: context.transaction(makeRounds)
    case .pastTransaction:
      fail(in: context) { _ = entities[0].set(Health(v: 2)) }
      makeRounds()
    default: makeRounds()
    }
    precondition(entities.allSatisfy { !$0.has(Health.self) }, "A component was not removed.")
  }

  private static func makeDeadlines(_ audience: Audience, rounds: Int) {
    let context = Context()
    let subscription = observeChanges(of: context.group(Deadline<Health>.matcher), for: audience)
    let entities = context.createEntities(entityCount, with: Position(x: 0, y: 0))
    replaceDeadlines(Array(entities), in: context, rounds: rounds)
    subscription?.cancel()
  }

  private static func makeBulkPairs(_ audience: Audience, rounds: Int) {
    let context = Context()
    let entities = context.createEntities(entityCount, with: Position(x: 0, y: 0))
    let subscription = observeChanges(of: context.group(Health.matcher), for: audience)
    let group = context.group(Position.matcher)
    for _ in 0..<rounds {
      group.set(Health(v: 1))
      group.remove(Health.self)
    }
    precondition(entities.allSatisfy { !$0.has(Health.self) }, "A component was not removed.")
    subscription?.cancel()
  }

  private static func makeBulkComings(_ audience: Audience, rounds: Int) {
    let context = Context()
    let group = context.group(Position.matcher)
    let subscription = observeChanges(of: group, for: audience)
    for _ in 0..<rounds {
      let entities = context.createEntities(from: 0..<entityCount) {
        Position(x: Float($0), y: 2)
      }
      precondition(group.count == entities.count, "An entity was not created.")
      group.destroyAll()
    }
    precondition(context.count == 0, "An entity was not destroyed.")
    subscription?.cancel()
  }

  private static func makePasses(_ audience: Audience, rounds: Int) {
    let context = Context()
    let entity = context.createEntity(with: Position(x: 0, y: 0), Health(v: 1))
    let subscription = observeChanges(of: context.group(Position.matcher), for: audience)
    for _ in 0..<rounds * entityCount {
      context.withEach { (_, position: inout Position, health: Health) in
        position.x += Float(health.v)
      }
    }
    precondition(
      entity.get(Position.self)?.x == Float(rounds * entityCount), "An entity was passed by.")
    subscription?.cancel()
  }

  private static func observeChanges(of group: Group, for audience: Audience) -> Subscription? {
    audience == .observer ? group.observeChanges { _ in } : nil
  }

  private struct Failure: Error {}

  /// Makes changes in a transaction that throws.
  private static func fail(in context: Context, _ body: () -> Void) {
    do throws(Failure) {
      try context.transaction { () throws(Failure) in
        body()
        throw Failure()
      }
    } catch {}
  }

  private static func makeReturns(_ audience: Audience, rounds: Int) {
    let context = Context()
    let collectors =
      audience == .nobody
      ? [] : (0..<4).map { _ in Collector(group: context.group(Position.matcher), type: .updated) }
    let entities = context.createEntities(
      entityCount, with: Position(x: 0, y: 0), Health(v: 0))
    for _ in 0..<rounds {
      for entity in entities {
        fail(in: context) { entity.set(Position(x: 1, y: 1)).set(Health(v: 1)) }
      }
    }
    precondition(
      entities.allSatisfy { $0.get(Health.self)?.v == 0 } && collectors.allSatisfy(\.isEmpty),
      "Something was not taken back.")
  }

  private static func makeCommits(_ audience: Audience, rounds: Int) {
    let context = Context()
    let entities = context.createEntities(entityCount, with: Position(x: 0, y: 0))
    let told = Told()
    let subscription = context.journal(of: Position.self).observe { commit in
      if audience == .boxingObserver {
        for change in commit { told.note(nil, change.newComponents().first as? Position) }
      } else {
        told.calls += 1
      }
    }
    for _ in 0..<rounds {
      for (number, entity) in entities.enumerated() {
        entity.set(Position(x: Float(number), y: 2))
      }
    }
    subscription.cancel()
    precondition(told.calls == rounds * entityCount, "A commit was not told.")
  }

  private static func makeUpdates(_ audience: Audience, rounds: Int) {
    let context = Context()
    let group = context.group(Position.matcher)
    let entities = context.createEntities(entityCount, with: Position(x: 0, y: 0))
    let told = Told()
    func observeGroup() -> Subscription {
      group.observeChanges(of: Position.self, .updated) { _, old, new in told.note(old, new) }
    }
    let subscriptions: [Subscription] =
      switch audience {
      case .observer: [observeGroup()]
      case .fiveObservers: (0..<5).map { _ in observeGroup() }
      case .observersOfEntities:
        entities.map { $0.observeChanges(of: Position.self) { _, old, new in told.note(old, new) } }
      case .boxingObserver:
        [
          group.observeChanges(.updated) { change in
            told.note(change.old(), change.newComponents().first as? Position)
          }
        ]
      case .nobody, .groups, .groupsWithCollectors, .pastTransaction, .runningTransaction: []
      }
    for _ in 0..<rounds {
      context.perform {
        for (number, entity) in entities.enumerated() {
          entity.set(Position(x: Float(number), y: 2))
        }
      }
    }
    precondition(
      subscriptions.isEmpty || told.calls >= rounds * entityCount, "Somebody was not told.")
  }

  private static func makeComings(_ audience: Audience, rounds: Int) {
    let context = Context()
    let group = context.group(Position.matcher)
    let told = Told()
    let subscriptions: [Subscription] =
      switch audience {
      case .observer:
        [
          group.observeChanges(of: Position.self, .added) { _, old, new in told.note(old, new) },
          group.observeChanges(of: Position.self, .removed) { _, old, new in told.note(old, new) },
        ]
      case .boxingObserver:
        [
          group.observeChanges { change in
            let values = change.oldComponents() + change.newComponents()
            told.note(nil, values.first as? Position)
          }
        ]
      default: []
      }
    var entities: [Entity] = []
    entities.reserveCapacity(entityCount)
    for _ in 0..<rounds {
      context.perform {
        for number in 0..<entityCount {
          entities.append(context.createEntity(with: Position(x: Float(number), y: 2)))
        }
      }
      context.perform {
        for entity in entities { entity.destroy() }
      }
      entities.removeAll(keepingCapacity: true)
    }
    precondition(
      subscriptions.isEmpty || told.calls >= 2 * rounds * entityCount, "Somebody was not told.")
  }

  /// What observers received.
  // Used on the thread that makes the changes.
  private final class Told: @unchecked Sendable {
    var calls = 0
    var growth: Float = 0

    @inline(__always)
    func note(_ old: Position?, _ new: Position?) {
      calls += 1
      growth += (new?.x ?? 0) - (old?.x ?? 0)
    }
  }
}
