import ECS

extension Benchmark {
  /// Creating entities, and destroying them.
  static var creation: [Benchmark] {
    [
      Benchmark(
        "C1", "create with Position and Velocity, one at a time",
        sizes: [standardSize, largeSize], scales: true,
        ecs: created { world in
          for i in 0..<world.n {
            _ = world.context.createEntity(with: Seed.position(i), Seed.velocity)
          }
        },
        naive: Workload(
          plain: .fresh, setUp: NaiveWorld.empty,
          run: { world in
            for i in 0..<world.n {
              world.context.createEntity().set(Seed.position(i)).set(Seed.velocity)
            }
            return 0
          },
          check: { world, _ in Checksum(world.sumOfPositions(), expected: Seed.sum(world.n)) })),
      Benchmark(
        "C1s", "the same with createEntity().set().set()",
        ecs: created { world in
          for i in 0..<world.n {
            world.context.createEntity().set(Seed.position(i)).set(Seed.velocity)
          }
        }),
      Benchmark(
        "C2", "the same with one bulk call", sizes: [standardSize, largeSize],
        ecs: Workload(
          .fresh, setUp: ContextWorld.empty,
          run: { world in
            let entities = world.context.createEntities(
              world.n, with: Position(x: 1, y: 2), Seed.velocity)
            return Double(entities.count)
          },
          check: { world, _ in Checksum(world.sumOfPositions(), expected: Double(world.n)) })),
      destruction,
    ]
  }

  private static var destruction: Benchmark {
    Benchmark(
      "D1", "destroy entities with Position and Velocity, one at a time", scales: true,
      ecs: Workload(
        .fresh, setUp: ContextWorld.moving,
        run: { world in
          for entity in world.entities { entity.destroy() }
          return 0
        },
        check: { world, _ in
          Checksum(world.context.count + world.context.group(Position.matcher).count, expected: 0)
        }),
      naive: Workload(
        plain: .fresh, setUp: NaiveWorld.moving,
        run: { world in
          for entity in world.entities { entity.destroy() }
          return 0
        },
        check: { world, _ in Checksum(world.context.entities.count, expected: 0) }))
  }

  private static func created(_ run: @escaping (ContextWorld) -> Void) -> Workload {
    Workload(
      .fresh, setUp: ContextWorld.empty,
      run: { world in
        run(world)
        return 0
      },
      check: { world, _ in Checksum(world.sumOfPositions(), expected: Seed.sum(world.n)) })
  }
}
