import ECS

extension Benchmark {
  /// Copies of entities, and entities from templates.
  static var copies: [Benchmark] {
    [
      Benchmark(
        "Q1", "copy an entity with Position and Velocity, one at a time",
        ecs: copying { world in
          for entity in world.entities { try entity.clone() }
        }),
      Benchmark(
        "Q1b", "the same with one bulk call",
        ecs: copying { world in _ = try world.context.clone(world.entities) }),
      Benchmark(
        "Q2", "copy trees of 100 with Position and Velocity, for each entity",
        ecs: Workload(
          .fresh, setUp: forest,
          run: { world in
            for root in world.entities { succeed { try root.clone(deep: ChildOf.self) } }
            return 0
          },
          check: { world, _ in
            Checksum(world.sumOfPositions(), expected: 2 * Seed.sum(world.n))
              .and(world.context.count, expected: 2 * world.n)
          })),
      Benchmark(
        "Q3", "create from a template with Position and Velocity, one at a time",
        ecs: instances { world in
          for _ in 0..<world.n { world.context.createEntity(from: moving) }
        }),
      Benchmark(
        "Q3b", "the same with one bulk call", sizes: [standardSize, largeSize],
        ecs: instances { world in world.context.createEntities(world.n, from: moving) }),
      Benchmark(
        "Q4", "create from it in one bulk call, with a Position for each",
        sizes: [standardSize, largeSize],
        ecs: Workload(
          .fresh, setUp: ContextWorld.empty,
          run: { world in
            world.context.createEntities(world.n, from: moving) { index, entity in
              entity.set(Seed.position(index))
            }
            return 0
          },
          check: { world, _ in
            Checksum(world.sumOfPositions(), expected: Seed.sum(world.n))
              .and(world.context.count, expected: world.n)
          })),
    ]
  }

  private static let moving = Template {
    Position(x: 1, y: 2)
    Seed.velocity
  }

  /// A world of trees: a root, nine children of it, and ten children of each of these, all but one.
  private static func forest(_ n: Int) -> ContextWorld {
    let world = ContextWorld(n)
    world.fillMoving()
    var roots: [Entity] = []
    for first in stride(from: 0, to: n, by: 100) {
      let tree = world.entities[first..<min(first + 100, n)]
      for (number, entity) in tree.enumerated() where number > 0 {
        let parent = first + (number < 10 ? 0 : (number - 10) / 10 + 1)
        entity.relate(ChildOf.self, to: world.entities[parent])
      }
      roots.append(world.entities[first])
    }
    world.entities = roots
    return world
  }

  private static func succeed<Result>(_ body: () throws -> Result) {
    do { _ = try body() } catch { fatalError("\(error)") }
  }

  private static func copying(
    _ run: @escaping (ContextWorld) throws -> Void
  ) -> Workload {
    Workload(
      .fresh, setUp: ContextWorld.moving,
      run: { world in
        succeed { try run(world) }
        return 0
      },
      check: { world, _ in
        Checksum(world.sumOfPositions(), expected: 2 * Seed.sum(world.n))
          .and(world.context.count, expected: 2 * world.n)
      })
  }

  private static func instances(_ run: @escaping (ContextWorld) -> Void) -> Workload {
    Workload(
      .fresh, setUp: ContextWorld.empty,
      run: { world in
        run(world)
        return 0
      },
      check: { world, _ in
        Checksum(world.sumOfPositions(), expected: Double(world.n))
          .and(world.context.count, expected: world.n)
      })
  }
}
