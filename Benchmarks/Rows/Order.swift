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
            world.changeKeys()
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
      Benchmark(
        "B3", "a sum by N/100 keys: change the value of all in random order, read the sums",
        ecs: changingValues(
          { context, keys in context.sum(of: \Name.key, by: { (name: Name) in name.key % keys }) },
          read: { $0 }, expected: { $0.reduce(0, +) })),
      Benchmark(
        "B3.extremes", "the highest by N/100 keys: the same",
        ecs: changingValues(
          { context, keys in
            context.extremes(of: \Name.key, by: { (name: Name) in name.key % keys })
          },
          read: \.upperBound, expected: { $0.max() ?? 0 })),
      Benchmark(
        "B4",
        "a sum by targets, N/10 of them: change the value of all in random order, read the sums",
        ecs: changingTotals(overTwo: false) { $0.changeKeys() }),
      Benchmark(
        "B4.links", "the same: link all to other targets instead",
        ecs: changingTotals(overTwo: false) { $0.link() }),
      Benchmark(
        "B4.two",
        "a sum over two relations: change the value of all in random order, read the sums",
        ecs: changingTotals(overTwo: true) { $0.changeKeys() }),
      Benchmark(
        "B4.view",
        "a view of targets sorted by a sum: change the value of all in random order, read the first",
        ecs: changingTotals(overTwo: false, sorted: true) { $0.changeKeys() }),
    ]
  }

  private static func changingTotals(
    overTwo: Bool, sorted: Bool = false, _ change: @escaping (TotalsWorld) -> Void
  ) -> Workload {
    Workload(
      .fresh, setUp: { n in TotalsWorld(n, overTwo: overTwo, sorted: sorted) },
      run: { world in
        change(world)
        _ = world.best?.first
        return Double(world.found)
      },
      check: { world, found in
        let sum = world.entities.reduce(0) { $0 + ($1.get(Name.self)?.key ?? 0) }
        return Checksum(found, expected: Double(sum))
      })
  }

  private static func changingValues<Value>(
    _ make: @escaping (Context, _ keys: Int) -> Aggregate<Int, Value>,
    read: @escaping (Value) -> Int, expected: @escaping ([Int]) -> Int
  ) -> Workload {
    Workload(
      .fresh, setUp: { n in AggregateWorld(n, make) },
      run: { world in
        world.changeKeys()
        return Double(world.aggregate.sorted().reduce(0) { $0 + read($1.value) })
      },
      check: { world, found in
        let values = Dictionary(grouping: world.targets) { $0 % world.keyCount }.values
        return Checksum(found, expected: Double(values.reduce(0) { $0 + expected($1) }))
      })
  }
}

/// A context with an aggregate, and a new value for each entity.
final class AggregateWorld<Value: Sendable>: KeyedWorld {
  let aggregate: Aggregate<Int, Value>
  let keyCount: Int

  init(_ n: Int, _ make: (Context, _ keys: Int) -> Aggregate<Int, Value>) {
    let context = Context()
    keyCount = max(1, n / 100)
    aggregate = make(context, keyCount)
    super.init(n, context)
  }
}

/// A context with a sum by targets, and other values and targets for each entity.
final class TotalsWorld: KeyedWorld {
  private let sums: Aggregate<Entity, Int>
  private let orders: [Entity]

  /// The entities under which the sums are.
  private let keys: [Entity]

  /// The keys, sorted by their sums.
  let best: LiveView?

  init(_ n: Int, overTwo: Bool, sorted: Bool) {
    let context = Context()
    let orders = context.createEntities(max(1, n / 10), with: Placed())
    keys = overTwo ? Array(context.createEntities(max(1, n / 100))) : Array(orders)
    self.orders = Array(orders)
    sums =
      overTwo
      ? context.sum(of: \Name.key, byTarget: WrittenBy.self, OrderedBy.self)
      : context.sum(of: \Name.key, byTarget: WrittenBy.self)
    best = sorted ? context.group(Placed.self).sorted(by: sums, .descending).start() : nil
    super.init(n, context)
    for (i, entity) in entities.enumerated() {
      entity.relate(WrittenBy.self, to: orders[i % orders.count])
    }
    guard overTwo else { return }
    for (i, order) in orders.enumerated() {
      order.relate(OrderedBy.self, to: keys[i % keys.count])
    }
  }

  func link() {
    for (i, entity) in entities.enumerated() {
      entity.relate(WrittenBy.self, to: orders[targets[i] % orders.count])
    }
  }

  var found: Int { keys.reduce(0) { $0 + (sums[$1] ?? 0) } }
}

private struct Placed: Component {}
private enum OrderedBy: ToOneRelation {}

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
final class OrderedIndexWorld: KeyedWorld {
  let index: OrderedIndex<Int>

  init(_ n: Int) {
    let context = Context()
    index = context.orderedIndex { (name: Name) in name.key }
    super.init(n, context)
  }
}
