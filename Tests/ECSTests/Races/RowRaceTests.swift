import ECS
import ECSTestSupport
import Testing

private struct Ship: Component {}
private enum DockedAt: ToOneRelation {}
private enum BelongsTo: ToOneRelation {}
private enum AlliedWith: Relation {}

/// Rows are looked for while other threads link.
@Suite(.optimizedOrSanitized, .longRunning, .noHangs) struct RowRaceTests {
  @Test func `Rows are of one moment, beside threads that link and others that look`() {
    let context = Context()
    let empires = (0..<4).map { _ in context.createEntity() }
    let planets = (0..<8).map { context.createEntity().relate(BelongsTo.self, to: empires[$0 % 4]) }
    let ships = (0..<16).map { _ in context.createEntity(with: Ship()) }
    @Sendable func dock(_ ship: Int, at planet: Int) {
      context.perform {
        ships[ship].relate(DockedAt.self, to: planets[planet])
          .relate(BelongsTo.self, to: empires[planet % 4])
      }
    }
    for ship in ships.indices { dock(ship, at: ship % 8) }
    @Sendable func countAtHome() -> Int {
      context.rows { ship, planet, empire in
        ship.matches(Ship.matcher)
        ship.relates(DockedAt.self, to: planet)
        ship.relates(BelongsTo.self, to: empire)
        planet.relates(BelongsTo.self, to: empire)
      }.count
    }
    Threads.run(6) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      for _ in 0..<Effort.raceSteps / 20 {
        switch thread % 3 {
        case 0: dock(random.below(16), at: random.below(8))
        case 1: if countAtHome() != 16 { Issue.record("A call found a ship between two planets.") }
        default:
          let counts = context.reading { (countAtHome(), countAtHome()) }
          if counts != (16, 16) { Issue.record("A reader found a ship between two planets.") }
        }
      }
    }
  }

  @Test func `Long lists of links are looked up by many threads at once`() {
    let context = Context()
    let empires = (0..<40).map { _ in context.createEntity() }
    for one in empires {
      for other in empires where one != other { one.relate(AlliedWith.self, to: other) }
    }
    @Sendable func mutual() -> [[Entity]] {
      context.rows { one, other in
        one.relates(AlliedWith.self, to: other)
        other.relates(AlliedWith.self, to: one)
      }.map { [$0.0, $0.1] }
    }
    Threads.run(6) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      for _ in 0..<max(1, Effort.raceSteps / 500) {
        let (one, other) = (empires[random.below(40)], empires[random.below(40)])
        switch thread % 3 {
        case 0:
          guard one != other else { continue }
          context.perform {
            one.unrelate(AlliedWith.self, from: other)
            other.unrelate(AlliedWith.self, from: one)
          }
        default:
          let rows = thread % 3 == 1 ? mutual() : context.reading { mutual() }
          if Set(rows) != Set(rows.map { $0.reversed() }) || rows.count > 40 * 39 {
            Issue.record("Rows show half of a change.")
          }
        }
      }
    }
  }
}
