import ECS

extension Benchmark {
  /// Rows of several entities that meet conditions together.
  static var queries: [Benchmark] {
    [
      Benchmark(
        "QV", "find those of N ships that are docked at one of N/10 planets of their own empire",
        .nanoseconds(per: "ship"),
        ecs: Workload(
          plain: .kept, setUp: QueryWorld.init, run: { Double($0.shipsAtHome) },
          check: { world, count in Checksum(count, expected: Double((world.n + 1) / 2)) }))
    ]
  }
}

private struct Ship: Component {}
private enum DockedAt: ToOneRelation {}
private enum BelongsTo: ToOneRelation {}

/// Ships at planets, each of which belongs to an empire; that of every second ship is the planet's.
private final class QueryWorld {
  let n: Int
  private let context = Context()

  init(_ n: Int) {
    self.n = n
    let empires = (0..<max(2, n / 100)).map { _ in context.createEntity() }
    let planets = (0..<empires.count * 10).map {
      context.createEntity().relate(BelongsTo.self, to: empires[$0 % empires.count])
    }
    for number in 0..<n {
      context.createEntity(with: Ship())
        .relate(DockedAt.self, to: planets[number % planets.count])
        .relate(BelongsTo.self, to: empires[(number + number % 2) % empires.count])
    }
  }

  var shipsAtHome: Int {
    context.rows { ship, planet, empire in
      ship.matches(Ship.matcher)
      ship.relates(DockedAt.self, to: planet)
      planet.relates(BelongsTo.self, to: empire)
      ship.relates(BelongsTo.self, to: empire)
    }.count
  }
}
