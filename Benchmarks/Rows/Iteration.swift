import ECS

extension Benchmark {
  /// Going through the entities of a group at the speed of columns, while nothing listens.
  static var iteration: [Benchmark] {
    few + positions + movement + fragmented + filtered + [parallel]
  }

  /// Passes over few entities, which take what a pass takes.
  private static var few: [Benchmark] {
    [
      Benchmark(
        "I0", "I2 for ten entities, over and over", .nanoseconds(per: "pass"),
        ecs: passing { $0.group.withEach(move) }),
      Benchmark(
        "I0.context", "the same, looking the group up", .nanoseconds(per: "pass"),
        ecs: passing { $0.context.withEach(move) }),
    ]
  }

  private static func move(_ entity: Entity, _ position: inout Position, _ velocity: Velocity) {
    position.x += velocity.dx * Seed.dt
    position.y += velocity.dy * Seed.dt
  }

  private static func passing(_ pass: @escaping (GroupWorld) -> Void) -> Workload {
    let entityCount = 10
    return Workload(
      .kept,
      setUp: { _ in
        let world = GroupWorld(entityCount, movingMatcher)
        world.fillMoving()
        return world
      },
      prepare: { $0.resetPositions() },
      run: { world in
        for _ in 0..<standardSize { pass(world) }
        return 0
      },
      check: { world, _ in
        let steps = 0.5 * Double(entityCount * standardSize)
        return Checksum(world.sumOfPositions(), expected: Seed.sum(entityCount) + steps)
      })
  }

  private static var positions: [Benchmark] {
    [
      Benchmark(
        "I1", "every Position: x += 1, closure", sizes: [standardSize, largeSize],
        ecs: moving(
          Position.matcher, by: 1,
          { group in group.withEach { (_, position: inout Position) in position.x += 1 } }),
        naive: naiveMoving([Position.self], by: 1) { entity in
          guard var position = entity.get(Position.self) else { return }
          position.x += 1
          entity.set(position)
        }),
      Benchmark(
        "I1.chunks", "the same, chunks", sizes: [standardSize, largeSize],
        ecs: moving(
          Position.matcher, by: 1,
          { group in
            group.withChunks { (_, positions: inout MutableSpan<Position>) in
              for i in positions.indices { positions[i].x += 1 }
            }
          })),
    ]
  }

  private static var movement: [Benchmark] {
    [
      Benchmark(
        "I2", "every Position and Velocity: x += dx*dt; y += dy*dt, closure",
        sizes: [standardSize, largeSize], scales: true,
        ecs: moving(
          movingMatcher, by: 0.5,
          { group in
            group.withEach { (_, position: inout Position, velocity: Velocity) in
              position.x += velocity.dx * Seed.dt
              position.y += velocity.dy * Seed.dt
            }
          }),
        naive: naiveMoving([Position.self, Velocity.self], by: 0.5) { entity in
          guard var position = entity.get(Position.self), let velocity = entity.get(Velocity.self)
          else { return }
          position.x += velocity.dx * Seed.dt
          position.y += velocity.dy * Seed.dt
          entity.set(position)
        }),
      Benchmark(
        "I2.chunks", "the same, chunks", sizes: [standardSize, largeSize],
        ecs: moving(
          movingMatcher, by: 0.5,
          { group in
            group.withChunks {
              (_, positions: inout MutableSpan<Position>, velocities: Span<Velocity>) in
              for i in positions.indices {
                positions[i].x += velocities[i].dx * Seed.dt
                positions[i].y += velocities[i].dy * Seed.dt
              }
            }
          })),
    ]
  }

  private static var parallel: Benchmark {
    Benchmark(
      "IP", "I2 on all cores", sizes: [largeSize],
      ecs: moving(
        movingMatcher, by: 0.5,
        { group in
          group.withChunksInParallel {
            (_, positions: inout MutableSpan<Position>, velocities: Span<Velocity>) in
            for i in positions.indices {
              positions[i].x += velocities[i].dx * Seed.dt
              positions[i].y += velocities[i].dy * Seed.dt
            }
          }
        }))
  }

  static var movingMatcher: Matcher { Matcher(all: [Position.cid, Velocity.cid]) }

  /// A pass over a group of moving entities that adds so much to every `Position.x`.
  private static func moving(
    _ matcher: Matcher, by step: Double, _ pass: @escaping (Group) -> Void
  ) -> Workload {
    Workload(
      .kept,
      setUp: { n in
        let world = GroupWorld(n, matcher)
        world.fillMoving()
        return world
      },
      prepare: { $0.resetPositions() },
      run: { world in
        pass(world.group)
        return 0
      },
      check: { world, _ in
        Checksum(world.sumOfPositions(), expected: Seed.sum(world.n) + step * Double(world.n))
      })
  }

  private static func naiveMoving(
    _ types: [any Component.Type], by step: Double, _ move: @escaping (NaiveEntity) -> Void
  ) -> Workload {
    Workload(
      plain: .kept,
      setUp: { n in
        let world = NaiveGroupWorld(n, types)
        world.fillMoving()
        return world
      },
      prepare: { $0.resetPositions() },
      run: { world in
        for entity in world.group.entities { move(entity) }
        return 0
      },
      check: { world, _ in
        Checksum(world.sumOfPositions(), expected: Seed.sum(world.n) + step * Double(world.n))
      })
  }
}

/// A context with a group that is iterated over.
final class GroupWorld: ContextWorld {
  let group: Group

  init(_ n: Int, _ matcher: Matcher) {
    let context = Context()
    group = context.group(matcher)
    super.init(n, context)
  }
}

/// A naive context with a group that is iterated over.
final class NaiveGroupWorld: NaiveWorld {
  let group: NaiveGroup

  init(_ n: Int, _ all: [any Component.Type], none: [any Component.Type] = []) {
    let context = NaiveContext()
    group = context.group(all: all, none: none)
    super.init(n, context)
  }
}
