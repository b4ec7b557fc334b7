import ECS

extension Benchmark {
  /// Reading and replacing components through handles.
  static var access: [Benchmark] {
    [
      Benchmark(
        "G1", "get Position of entities in random order", sizes: [standardSize, largeSize],
        scales: true,
        ecs: Workload(
          .kept, setUp: ContextWorld.shuffled,
          run: { world in
            var sum = 0.0
            for entity in world.entities { sum += Double(entity.get(Position.self)?.x ?? 0) }
            return sum
          },
          check: { world, sum in Checksum(sum, expected: Seed.sum(world.n)) }),
        naive: Workload(
          plain: .kept, setUp: NaiveWorld.shuffled,
          run: { world in
            var sum = 0.0
            for entity in world.entities { sum += Double(entity.get(Position.self)?.x ?? 0) }
            return sum
          },
          check: { world, sum in Checksum(sum, expected: Seed.sum(world.n)) })),
      Benchmark(
        "S1", "replace Position, nothing listens", scales: true,
        ecs: Workload(
          .kept, setUp: ContextWorld.moving,
          run: { world in
            world.replacePositions()
            return 0
          },
          check: { world, _ in Checksum(world.sumOfPositions(), expected: triangle(world.n)) }),
        naive: Workload(
          plain: .kept, setUp: NaiveWorld.moving,
          run: { world in
            var x: Float = 0
            for entity in world.entities {
              x += 1
              entity.set(Position(x: x, y: 2))
            }
            return 0
          },
          check: { world, _ in Checksum(world.sumOfPositions(), expected: triangle(world.n)) })),
      Benchmark(
        "G1.storage", "the same as G1 through a storage at hand", sizes: [standardSize, largeSize],
        ecs: throughStorage(ContextWorld.shuffled) { world, positions in
          var sum = 0.0
          for entity in world.entities { sum += Double(positions[entity]?.x ?? 0) }
          return sum
        } check: { world, sum in
          Checksum(sum, expected: Seed.sum(world.n))
        }),
      Benchmark(
        "G1.each", "the same through a storage at hand, all in one call",
        sizes: [standardSize, largeSize],
        ecs: throughStorage(ContextWorld.shuffled) { world, positions in
          var sum = 0.0
          positions.withEach(of: world.entities) { _, position in sum += Double(position.x) }
          return sum
        } check: { world, sum in
          Checksum(sum, expected: Seed.sum(world.n))
        }),
      Benchmark(
        "S1.storage", "the same as S1 through a storage at hand", sizes: [standardSize, largeSize],
        ecs: throughStorage(ContextWorld.moving) { world, positions in
          var x: Float = 0
          for entity in world.entities {
            x += 1
            positions[entity] = Position(x: x, y: 2)
          }
          return 0
        } check: { world, _ in
          Checksum(world.sumOfPositions(), expected: triangle(world.n))
        }),
      Benchmark(
        "W1", "change an element of a component's array of N, in place",
        .nanoseconds(per: "update"), sizes: [10_000],
        ecs: Workload(
          .kept, setUp: ArrayWorld.init,
          run: { world in
            for i in 0..<world.n { world.entity.update(Samples.self) { $0.values[i] &+= 1 } }
            return 0
          },
          check: { world, _ in
            Checksum(world.entity.get(Samples.self)?.sum ?? 0, expected: world.growth())
          }),
        naive: Workload(
          plain: .kept, setUp: PlainArray.init,
          run: { plain in
            for i in 0..<plain.n { plain.change(i) }
            return 0
          },
          check: { plain, _ in Checksum(plain.samples.sum, expected: plain.growth()) })),
    ]
  }

  private static func throughStorage(
    _ setUp: @escaping (Int) -> ContextWorld,
    run: @escaping (ContextWorld, borrowing ComponentStorage<Position>) -> Double,
    check: @escaping (ContextWorld, Double) -> Checksum
  ) -> Workload {
    Workload(
      .kept, forms: [.batch], setUp: setUp,
      run: { world in
        world.context.withStorage(Position.self) { positions in run(world, positions) }
      },
      check: check)
  }

  /// The sum of 1...n.
  static func triangle(_ n: Int) -> Double { Double(n) * Double(n + 1) / 2 }
}

/// A component that holds an array.
struct Samples: Component {
  var values: [Int]

  init(_ n: Int) { values = Array(repeating: 0, count: n) }

  var sum: Double { Double(values.reduce(0, +)) }
}

/// A context with an entity that has a large array.
final class ArrayWorld: ContextWorld {
  let entity: Entity
  private var runs = 0

  init(_ n: Int) {
    let context = Context()
    entity = context.createEntity(with: Samples(n))
    super.init(n, context)
  }

  /// What the sum of the array is after as many runs as it was asked for.
  func growth() -> Double {
    runs += 1
    return Double(n * runs)
  }
}

/// The same array without a context.
final class PlainArray {
  let n: Int
  private(set) var samples: Samples
  private var runs = 0

  init(_ n: Int) {
    self.n = n
    samples = Samples(n)
  }

  @inline(never)
  func change(_ i: Int) { samples.values[i] &+= 1 }

  func growth() -> Double {
    runs += 1
    return Double(n * runs)
  }
}
