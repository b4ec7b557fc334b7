import ECS

extension Benchmark {
  /// Reading and replacing components through handles.
  static var access: [Benchmark] {
    [
      Benchmark(
        "G1", "get Position of entities in random order", sizes: [standardSize, largeSize],
        scales: true,
        ecs: Workload(
          .kept, setUp: ContextWorld.shuffled,
          run: { world in
            var sum = 0.0
            for entity in world.entities { sum += Double(entity.get(Position.self)?.x ?? 0) }
            return sum
          },
          check: { world, sum in Checksum(sum, expected: Seed.sum(world.n)) }),
        naive: Workload(
          plain: .kept, setUp: NaiveWorld.shuffled,
          run: { world in
            var sum = 0.0
            for entity in world.entities { sum += Double(entity.get(Position.self)?.x ?? 0) }
            return sum
          },
          check: { world, sum in Checksum(sum, expected: Seed.sum(world.n)) })),
      Benchmark(
        "S1", "replace Position, nobody listens", scales: true,
        ecs: Workload(
          .kept, setUp: ContextWorld.moving,
          run: { world in
            world.replacePositions()
            return 0
          },
          check: { world, _ in Checksum(world.sumOfPositions(), expected: triangle(world.n)) }),
        naive: Workload(
          plain: .kept, setUp: NaiveWorld.moving,
          run: { world in
            var x: Float = 0
            for entity in world.entities {
              x += 1
              entity.set(Position(x: x, y: 2))
            }
            return 0
          },
          check: { world, _ in Checksum(world.sumOfPositions(), expected: triangle(world.n)) })),
    ]
  }

  /// The sum of 1...n.
  static func triangle(_ n: Int) -> Double { Double(n) * Double(n + 1) / 2 }
}
