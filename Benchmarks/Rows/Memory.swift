import ECS

extension Benchmark {
  /// Memory that entities take.
  static var memory: [Benchmark] {
    [
      Benchmark(
        "M1", "memory of entities with Position and Velocity", .bytes(per: "entity"),
        sizes: [largeSize],
        ecs: Workload(
          bytesOf: { n in
            // Memory that earlier contexts left for this one would not be counted.
            let world = ContextWorld.empty(n)
            world.context.compact()
            return world
          },
          fill: { world in
            for i in 0..<world.n {
              _ = world.context.createEntity(with: Seed.position(i), Seed.velocity)
            }
          },
          check: { world in Checksum(world.context.count, expected: world.n) }),
        naive: Workload(
          bytesOf: NaiveWorld.empty,
          fill: { world in
            for i in 0..<world.n {
              world.context.createEntity().set(Seed.position(i)).set(Seed.velocity)
            }
          },
          check: { world in Checksum(world.context.entities.count, expected: world.n) }))
    ]
  }
}
