import ECS

extension Benchmark {
  /// Adding components and removing them again.
  static var structure: [Benchmark] {
    [
      Benchmark(
        "A1", "add Health to each, then remove it from each", .nanoseconds(per: "pair"),
        scales: true,
        ecs: addingAndRemovingHealth(ContextWorld.moving),
        naive: naiveAddingAndRemovingHealth(NaiveWorld.moving)),
      Benchmark(
        "A2", "the same with an empty Tag", .nanoseconds(per: "pair"),
        ecs: Workload(
          .fresh, setUp: ContextWorld.moving,
          run: { world in
            for entity in world.entities { entity.set(Tag()) }
            let added = world.entities.last?.has(Tag.self) == true
            for entity in world.entities { entity.remove(Tag.self) }
            return added ? 1 : 0
          },
          check: { world, added in
            Checksum(added, expected: 1).and(world.context.group(Tag.matcher).count, expected: 0)
          }),
        naive: Workload(
          plain: .fresh, setUp: NaiveWorld.moving,
          run: { world in
            for entity in world.entities { entity.set(Tag()) }
            let added = world.entities.last?.get(Tag.self) != nil
            for entity in world.entities { entity.remove(Tag.self) }
            return added ? 1 : 0
          },
          check: { world, added in
            Checksum(added, expected: 1)
              .and(world.context.group(all: [Tag.self]).entities.count, expected: 0)
          })),
    ]
  }

  /// The workload of A1, in a world of one's choice.
  static func addingAndRemovingHealth(
    _ setUp: @escaping (_ n: Int) -> ContextWorld
  ) -> Workload {
    Workload(
      .fresh, setUp: setUp,
      run: { world in
        var v: Int32 = 0
        for entity in world.entities {
          v += 1
          entity.set(Health(v: v))
        }
        let last = world.entities.last?.get(Health.self)?.v
        for entity in world.entities { entity.remove(Health.self) }
        return Double(last ?? 0)
      },
      check: { world, last in
        Checksum(last, expected: Double(world.entities.count))
          .and(world.context.group(Health.matcher).count, expected: 0)
      })
  }

  static func naiveAddingAndRemovingHealth(
    _ setUp: @escaping (_ n: Int) -> NaiveWorld
  ) -> Workload {
    Workload(
      plain: .fresh, setUp: setUp,
      run: { world in
        var v: Int32 = 0
        for entity in world.entities {
          v += 1
          entity.set(Health(v: v))
        }
        let last = world.entities.last?.get(Health.self)?.v
        for entity in world.entities { entity.remove(Health.self) }
        return Double(last ?? 0)
      },
      check: { world, last in
        Checksum(last, expected: Double(world.entities.count))
          .and(world.context.group(all: [Health.self]).entities.count, expected: 0)
      })
  }
}
