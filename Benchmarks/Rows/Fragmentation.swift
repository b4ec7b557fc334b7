import ECS

extension Benchmark {
  /// Iteration over entities that are spread over 26 tables.
  static var fragmented: [Benchmark] {
    [
      Benchmark(
        "I3", "26 tables, every Data: v *= 2, closure", operations: { $0 / 26 * 26 },
        ecs: doubling { group in group.withEach { (_, data: inout Data) in data.v *= 2 } },
        naive: Workload(
          plain: .kept,
          setUp: { n in
            let world = NaiveGroupWorld(n / 26 * 26, [Data.self])
            for type in extraTypes(26) {
              for _ in 0..<n / 26 {
                world.context.createEntity().set(Data(v: 1)).setExtra(type)
              }
            }
            return world
          },
          prepare: { world in
            for entity in world.group.entities { entity.set(Data(v: 1)) }
          },
          run: { world in
            for entity in world.group.entities {
              if let data = entity.get(Data.self) { entity.set(Data(v: data.v * 2)) }
            }
            return 0
          },
          check: { world, _ in
            let sum = world.group.entities.reduce(0) { $0 + ($1.get(Data.self)?.v ?? 0) }
            return Checksum(Double(sum), expected: Double(world.n * 2))
          })),
      Benchmark(
        "I3.chunks", "the same, chunks", operations: { $0 / 26 * 26 },
        ecs: doubling { group in
          group.withChunks { (_, data: inout MutableSpan<Data>) in
            for i in data.indices { data[i].v *= 2 }
          }
        }),
    ]
  }

  /// Iteration over a part of the entities.
  static var filtered: [Benchmark] {
    [
      Benchmark(
        "I4", "Position and Velocity without Health: x += dx, closure",
        ecs: filtering { group in
          group.withEach { (_, position: inout Position, velocity: Velocity) in
            position.x += velocity.dx
          }
        },
        naive: Workload(
          plain: .kept,
          setUp: { n in
            let world = NaiveGroupWorld(n, [Position.self, Velocity.self], none: [Health.self])
            world.fillPositioned()
            for (i, entity) in world.entities.enumerated() {
              if i % 2 == 0 { entity.set(Seed.velocity) }
              if i % 3 == 0 { entity.set(Health(v: 1)) }
            }
            return world
          },
          prepare: { $0.resetPositions() },
          run: { world in
            for entity in world.group.entities {
              guard var position = entity.get(Position.self),
                let velocity = entity.get(Velocity.self)
              else { continue }
              position.x += velocity.dx
              entity.set(position)
            }
            return 0
          },
          check: { world, _ in
            Checksum(world.sumOfPositions(), expected: filteredSum(world.n))
          })),
      Benchmark(
        "I4.chunks", "the same, chunks",
        ecs: filtering { group in
          group.withChunks {
            (_, positions: inout MutableSpan<Position>, velocities: Span<Velocity>) in
            for i in positions.indices { positions[i].x += velocities[i].dx }
          }
        }),
    ]
  }

  private static func doubling(_ pass: @escaping (Group) -> Void) -> Workload {
    Workload(
      .kept,
      setUp: { n in
        let world = GroupWorld(n / 26 * 26, Data.matcher)
        for type in extraTypes(26) {
          for _ in 0..<n / 26 { world.context.createEntity(with: Data(v: 1)).setExtra(type) }
        }
        return world
      },
      prepare: { $0.group.withEach { (_, data: inout Data) in data.v = 1 } },
      run: { world in
        pass(world.group)
        return 0
      },
      check: { world, _ in
        var sum = 0.0
        world.group.withEach { (_, data: Data) in sum += Double(data.v) }
        return Checksum(sum, expected: Double(world.n * 2))
      })
  }

  private static func filtering(_ pass: @escaping (Group) -> Void) -> Workload {
    Workload(
      .kept,
      setUp: { n in
        let matcher = Matcher(all: [Position.cid, Velocity.cid], none: [Health.cid])
        let world = GroupWorld(n, matcher)
        world.fillPositioned()
        for (i, entity) in world.entities.enumerated() {
          if i % 2 == 0 { entity.set(Seed.velocity) }
          if i % 3 == 0 { entity.set(Health(v: 1)) }
        }
        return world
      },
      prepare: { $0.resetPositions() },
      run: { world in
        pass(world.group)
        return 0
      },
      check: { world, _ in Checksum(world.sumOfPositions(), expected: filteredSum(world.n)) })
  }

  private static func filteredSum(_ n: Int) -> Double {
    Seed.sum(n) + Double((0..<n).count { $0 % 2 == 0 && $0 % 3 != 0 })
  }
}
