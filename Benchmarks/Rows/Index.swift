import ECS

extension Benchmark {
  /// Moving entities between the keys of an index, and looking them up.
  static var index: [Benchmark] {
    [
      Benchmark(
        "X1", "an index with N/10 keys: move every entity to another key", scales: true,
        ecs: Workload(
          .fresh, setUp: IndexWorld.init,
          run: { world in
            let keys = world.keys
            for (i, entity) in world.entities.enumerated() {
              entity.set(Name(key: (i + keys / 2) % keys))
            }
            return 0
          },
          check: { world, _ in world.checkMoved { ($0 + world.keys / 2) % world.keys } }),
        naive: Workload(
          plain: .fresh, setUp: NaiveIndexWorld.init,
          run: { world in
            let keys = world.keys
            for (i, entity) in world.entities.enumerated() {
              entity.set(Name(key: (i + keys / 2) % keys))
            }
            return 0
          },
          check: { world, _ in
            Checksum(world.index[world.keys / 2].count, expected: world.n / world.keys)
          })),
      Benchmark(
        "X1.random", "the same in random order to a random key",
        ecs: Workload(
          .fresh,
          setUp: { n in
            let world = IndexWorld(n)
            world.shuffleTargets()
            return world
          },
          run: { world in
            for (i, entity) in world.entities.enumerated() {
              entity.set(Name(key: world.targets[i]))
            }
            return 0
          },
          check: { world, _ in world.checkMoved { world.targets[$0] } })),
      Benchmark(
        "X2", "look up a key, read the count of the result", .nanoseconds(per: "look-up"),
        ecs: lookUps { world in
          let index = world.index
          return steppingThroughKeys(world.keys, world.n) { index[$0].count }
        },
        naive: Workload(
          plain: .kept, setUp: NaiveIndexWorld.init,
          run: { world in
            steppingThroughKeys(world.keys, world.n) { world.index[$0].count }
          },
          check: { world, sum in
            Checksum(sum, expected: Double(world.n) * Double(world.n / world.keys))
          })),
      Benchmark(
        "X2.count", "read the count of a key", .nanoseconds(per: "look-up"),
        ecs: lookUps { world in
          let index = world.index
          return steppingThroughKeys(world.keys, world.n) { index.count(for: $0) }
        }),
    ]
  }

  /// Reads something of keys, and gives the sum; in the closure itself, so that nothing is measured but reading.
  private static func lookUps(_ run: @escaping (IndexWorld) -> Double) -> Workload {
    Workload(
      .kept, setUp: IndexWorld.init, run: run,
      check: { world, sum in
        Checksum(sum, expected: Double(world.n) * Double(world.n / world.keys))
      })
  }

  /// Sums up a number for keys that are far from each other.
  @inline(__always)
  private static func steppingThroughKeys(
    _ keys: Int, _ count: Int, _ body: (Int) -> Int
  ) -> Double {
    var sum = 0
    var key = 0
    for _ in 0..<count {
      sum += body(key)
      key += 7919
      while key >= keys { key -= keys }
    }
    return Double(sum)
  }
}

/// A context with an index of Name, ten entities to a key.
final class IndexWorld: ContextWorld {
  let keys: Int
  let index: Index<Int>
  private(set) var targets: [Int] = []

  init(_ n: Int) {
    let keys = max(2, n / 10)
    let context = Context()
    self.keys = keys
    index = context.index { (name: Name) in name.key }
    super.init(keys * 10, context)
    entities = (0..<self.n).map { context.createEntity(with: Name(key: $0 % keys)) }
  }

  /// Puts the entities into random order and chooses another key for each.
  func shuffleTargets() {
    var generator = Seed.Generator()
    entities.shuffle(using: &generator)
    targets = entities.map { entity in
      let old = entity.get(Name.self)?.key ?? 0
      return (old + Int.random(in: 1..<keys, using: &generator)) % keys
    }
  }

  /// Whether some of the entities are under their new keys, and as many as there are in all.
  func checkMoved(_ target: (Int) -> Int) -> Checksum {
    var found = (0..<keys).reduce(0) { $0 + index.count(for: $1) }
    var expected = n
    for i in stride(from: 0, to: n, by: 97) {
      expected += 1
      if index[target(i)].contains(entities[i]) { found += 1 }
    }
    return Checksum(found, expected: expected)
  }
}

/// A naive context with an index of Name, ten entities to a key.
final class NaiveIndexWorld: NaiveWorld {
  let keys: Int
  let index: NaiveIndex<Name, Int>

  init(_ n: Int) {
    let keys = max(2, n / 10)
    let context = NaiveContext()
    self.keys = keys
    index = context.index { (name: Name) in name.key }
    super.init(keys * 10, context)
    entities = (0..<self.n).map { context.createEntity().set(Name(key: $0 % keys)) }
  }
}
