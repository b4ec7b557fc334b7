import ECS

extension Benchmark {
  /// Views and indexes that are in order: one change at a time, and ranges.
  static var order: [Benchmark] {
    [
      Benchmark(
        "V2", "a filtered and sorted view: change a sort key, read the first; of all",
        ecs: Workload(
          .fresh, setUp: ViewWorld.init,
          run: { world in
            var sum = 0.0
            for (i, entity) in world.entities.enumerated() {
              entity.set(Name(key: world.targets[i]))
              sum += Double(world.view[0]?.get(Name.self)?.key ?? -1)
            }
            return sum
          },
          check: { world, sum in
            Checksum(
              Array(world.view) == world.sorted && sum >= 0 ? 1 : 0, expected: 1)
          })),
      Benchmark(
        "B1", "an ordered index: change the key of all in random order, count a range",
        ecs: Workload(
          .fresh, setUp: OrderedIndexWorld.init,
          run: { world in
            for (i, entity) in world.entities.enumerated() {
              entity.set(Name(key: world.targets[i]))
            }
            return Double(world.index.count(in: (world.n / 2)...))
          },
          check: { world, count in
            Checksum(count, expected: Double(world.targets.count { $0 >= world.n / 2 }))
          })),
      Benchmark(
        "B2", "look up a range of 10 keys in an ordered index", .nanoseconds(per: "range"),
        ecs: Workload(
          .kept, setUp: OrderedIndexWorld.init,
          run: { world in
            world.targets.reduce(0) { sum, key in
              sum + Double(world.index[key..<key + 10].count)
            }
          },
          check: { world, sum in
            Checksum(
              sum, expected: world.targets.reduce(0) { $0 + Double(min(10, world.n - $1)) })
          })),
    ]
  }
}

extension ViewWorld {
  /// What the view has to show in the end.
  fileprivate var sorted: [Entity] {
    zip(targets, entities).sorted { one, other in
      if one.0 != other.0 { return one.0 < other.0 }
      return (one.1.creationNumber ?? 0) < (other.1.creationNumber ?? 0)
    }.map(\.1)
  }
}

/// A context with an ordered index, and a new key for each entity.
final class OrderedIndexWorld: ContextWorld {
  let index: OrderedIndex<Int>
  private(set) var targets: [Int] = []

  init(_ n: Int) {
    let context = Context()
    index = context.orderedIndex { (name: Name) in name.key }
    super.init(n, context)
    var generator = Seed.Generator()
    entities = (0..<n).map { context.createEntity(with: Name(key: $0)) }
    entities.shuffle(using: &generator)
    targets = (0..<n).map { _ in Int.random(in: 0..<n, using: &generator) }
  }
}
