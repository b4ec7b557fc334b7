import ECS
import Foundation

extension Gate {
  /// An add and remove pair takes as many instructions with many groups as with none.
  static var instructions: [Gate] {
    [
      Gate(
        name: "32 groups that nobody listens to do not slow down adding and removing",
        unit: "% more instructions", allowed: -2...2,
        count: { countInstructions(of: .groups) },
        countBroken: { countInstructions(of: .groupsWithCollectors) })
    ]
  }

  /// What is alive beside the entities while components are added and removed.
  enum Audience: String {
    case nobody
    case groups
    case groupsWithCollectors
  }

  private static let fewRounds = 2
  private static let manyRounds = 6

  private static func countInstructions(of audience: Audience) -> Count {
    guard let valgrind = Valgrind() else { return .impossible("valgrind or strip is missing") }
    defer { valgrind.end() }
    guard let none = instructions(for: .nobody, valgrind),
      let some = instructions(for: audience, valgrind)
    else { return .impossible("valgrind could not run the program") }
    return .of(Int((Double(some - none) / Double(none) * 100).rounded()))
  }

  /// What the rounds take that one process makes more than another, so that start and set-up,
  /// which are the same in both, don't count.
  private static func instructions(for audience: Audience, _ valgrind: Valgrind) -> Int? {
    guard let few = valgrind.instructions(["--pairs", audience.rawValue, "\(fewRounds)"]),
      let many = valgrind.instructions(["--pairs", audience.rawValue, "\(manyRounds)"])
    else { return nil }
    return many - few
  }

  /// What runs below valgrind: adds a component to each entity and removes it again.
  static func makePairs(_ audience: Audience, rounds: Int) {
    let context = Context()
    var groups: [Group] = []
    if audience != .nobody {
      for level in GateWorld.levels.prefix(16) {
        groups.append(context.all([Position.cid, Health.cid, level.cid]))
        groups.append(context.all([Health.cid], none: [level.cid]))
      }
    }
    let collectors =
      audience == .groupsWithCollectors
      ? groups.map { Collector(group: $0, type: .addedOrUpdated) } : []
    let entities = context.createEntities(1000, with: Position(x: 0, y: 0))
    for _ in 0..<rounds {
      for entity in entities { entity.set(Health(v: 1)) }
      for entity in entities { entity.remove(Health.self) }
      for collector in collectors { _ = collector.drain() }
    }
    precondition(entities.allSatisfy { !$0.has(Health.self) }, "A component was not removed.")
  }
}
