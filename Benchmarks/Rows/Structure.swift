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
        ecs: addingAndRemovingTag(ContextWorld.moving),
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
      Benchmark(
        "A1.storage", "the same as A1 through a storage at hand", .nanoseconds(per: "pair"),
        ecs: addingAndRemovingAtHand(Health.self) { Health(v: Int32(truncatingIfNeeded: $0)) }),
      Benchmark(
        "A2.storage", "the same as A2 through a storage at hand", .nanoseconds(per: "pair"),
        ecs: addingAndRemovingAtHand(Tag.self) { _ in Tag() }),
    ]
  }

  @inline(__always)
  private static func addingAndRemovingAtHand<C: Component>(
    _ type: C.Type, _ value: @escaping (Int) -> C
  ) -> Workload {
    Workload(
      .fresh, forms: [.batch], setUp: ContextWorld.moving,
      run: { world in
        world.context.withStorage(type) { components in
          var number = 0
          for entity in world.entities {
            number += 1
            components[entity] = value(number)
          }
          let added = world.entities.last?.has(type) == true
          for entity in world.entities { components[entity] = nil }
          return added ? 1 : 0
        }
      },
      check: { world, added in
        Checksum(added, expected: 1).and(
          world.context.group(Matcher(all: [type.cid])).count, expected: 0)
      })
  }

  /// The workload of A2, in a world of one's choice.
  static func addingAndRemovingTag(_ setUp: @escaping (_ n: Int) -> ContextWorld) -> Workload {
    Workload(
      .fresh, setUp: setUp,
      run: { world in
        for entity in world.entities { entity.set(Tag()) }
        let added = world.entities.last?.has(Tag.self) == true
        for entity in world.entities { entity.remove(Tag.self) }
        return added ? 1 : 0
      },
      check: { world, added in
        Checksum(added, expected: 1).and(world.context.group(Tag.matcher).count, expected: 0)
      })
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
