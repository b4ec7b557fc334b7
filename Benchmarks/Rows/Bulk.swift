import ECS

extension Benchmark {
  /// What other rows do to one entity after the other, in bulk calls.
  static var bulk: [Benchmark] {
    [
      Benchmark(
        "C3", "create with a Position of each element, and Velocity, in one bulk call",
        sizes: [standardSize, largeSize],
        ecs: Workload(
          .fresh, setUp: ContextWorld.empty,
          run: { world in
            let entities = world.context.createEntities(from: 0..<world.n) {
              (Seed.position($0), Seed.velocity)
            }
            return Double(entities.count)
          },
          check: { world, count in
            Checksum(world.sumOfPositions(), expected: Seed.sum(world.n))
              .and(Int(count), expected: world.n)
          })),
      Benchmark(
        "A1b", "add Health to all, then remove it from all, in bulk calls",
        .nanoseconds(per: "pair"), sizes: [standardSize, largeSize],
        ecs: addingAndRemoving(Health(v: 1))),
      Benchmark(
        "A2b", "the same with an empty Tag", .nanoseconds(per: "pair"),
        ecs: addingAndRemoving(Tag())),
      Benchmark(
        "D1b", "destroy entities with Position and Velocity in one bulk call",
        sizes: [standardSize, largeSize],
        ecs: Workload(
          .fresh, setUp: ContextWorld.moving,
          run: { world in
            world.context.group(Position.matcher).destroyAll()
            return 0
          },
          check: { world, _ in
            Checksum(
              world.context.count + world.entities.count { $0.isAlive }, expected: 0)
          })),
    ]
  }

  private static func addingAndRemoving<C: Component>(_ component: C) -> Workload {
    Workload(
      .fresh, setUp: ContextWorld.moving,
      run: { world in
        let group = world.context.group(Position.matcher)
        group.set(component)
        let added = world.context.group(C.matcher).count
        group.remove(C.self)
        return Double(added)
      },
      check: { world, added in
        Checksum(added, expected: Double(world.n))
          .and(Int(world.sumOfPositions()), expected: Int(Seed.sum(world.n)))
          .and(world.context.group(C.matcher).count, expected: 0)
      })
  }
}
