import ECS

extension Benchmark {
  /// A context with 1,000 tables and 100 groups, and what each of them costs.
  static var tables: [Benchmark] {
    [
      Benchmark(
        "T1", "make a table while there are 100 groups", .nanoseconds(per: "table"),
        sizes: [tableCount],
        ecs: Workload(
          .fresh,
          setUp: { n in
            let world = TableWorld(n)
            world.makeGroups()
            return world
          },
          run: { world in
            world.makeTables()
            return 0
          },
          check: { world, _ in
            Checksum(world.context.statistics.tables, expected: world.n).and(
              world.context.statistics.groups, expected: groupCount)
          })),
      Benchmark(
        "T2", "make a group while there are 1,000 tables", .nanoseconds(per: "group"),
        sizes: [tableCount], operations: { _ in groupCount },
        ecs: Workload(
          .fresh,
          setUp: { n in
            let world = TableWorld(n)
            world.makeTables()
            return world
          },
          run: { world in
            world.makeGroups()
            return 0
          },
          check: { world, _ in
            Checksum(world.context.statistics.groups, expected: groupCount)
              .and(world.context.statistics.tables, expected: world.n)
          })),
      Benchmark(
        "T3", "A1 with 1,000 tables and 100 groups", .nanoseconds(per: "pair"),
        ecs: addingAndRemovingHealth { n in
          let world = TableWorld(tableCount)
          world.makeGroups()
          world.makeTables()
          world.entities = (0..<n).map {
            world.context.createEntity(with: Seed.position($0), Seed.velocity)
          }
          return world
        }),
      Benchmark(
        "T4", "1,000 entities toggle components, with 4,096 combinations and 100 groups",
        .nanoseconds(per: "change"), sizes: [tableCount],
        operations: { _ in TogglingWorld.changes },
        ecs: Workload(
          plain: .kept, setUp: TogglingWorld.init, run: { Double($0.toggle()) },
          check: { world, count in
            Checksum(count, expected: Double(TogglingWorld.changes))
              .and(world.context.count, expected: world.n)
          })),
      Benchmark(
        "MT", "memory of 1,000 tables and 100 groups", .bytes(per: "table"), sizes: [tableCount],
        ecs: Workload(
          bytesOf: TableWorld.init,
          fill: { world in
            world.makeGroups()
            world.makeTables()
          },
          check: { world in Checksum(world.context.statistics.tables, expected: world.n) })),
    ]
  }

  static let tableCount = 1000
  static let groupCount = 100
}

/// Entities that go back and forth between more combinations of twelve component types than there
/// are entities.
final class TogglingWorld: ContextWorld {
  /// How many changes a sample makes.
  static let changes = 10_000

  private let types = extraTypes(12)
  private var generator = Seed.Generator()

  convenience init(_ n: Int) {
    self.init(n, Context())
    for first in types.indices {
      for second in types.indices.prefix(9) where first != second {
        _ = context.group(Matcher(all: [types[first].cid], none: [types[second].cid]))
      }
    }
    entities = (0..<n).map { context.createEntity(with: Seed.position($0)) }
    // Until each combination has been there.
    for _ in 0..<5 { _ = toggle() }
  }

  /// Lets entities gain or lose a component, all at random.
  func toggle() -> Int {
    for _ in 0..<TogglingWorld.changes {
      let number = Int(generator.next() >> 33)
      entities[number % entities.count].toggleExtra(types[number / 1024 % types.count])
    }
    return TogglingWorld.changes
  }
}

/// A context with an entity in each of many tables: of n combinations of ten component types.
final class TableWorld: ContextWorld {
  private let types = extraTypes(10)

  convenience init(_ n: Int) {
    self.init(n, Context())
  }

  /// Makes as many tables as the world's size says; the one without components is there already.
  func makeTables() {
    for combination in 1..<n {
      let entity = context.createEntity()
      for (bit, type) in types.enumerated() where combination & (1 << bit) != 0 {
        entity.setExtra(type)
      }
    }
  }

  /// Makes 100 groups that each accept some of the tables.
  func makeGroups() {
    var made = 0
    for first in types.indices {
      for second in types.indices where made < Benchmark.groupCount {
        let matcher =
          first == second
          ? Matcher(all: [types[first].cid])
          : Matcher(all: [types[first].cid], none: [types[second].cid])
        _ = context.group(matcher)
        made += 1
      }
    }
  }
}
