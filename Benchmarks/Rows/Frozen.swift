import ECS

extension Benchmark {
  /// Pictures of contexts, and changes beside them.
  static var frozen: [Benchmark] {
    [
      Benchmark(
        "FZ", "make a picture of Position and release it, nothing is changed",
        .nanoseconds(per: "picture"), sizes: [standardSize, largeSize], operations: { _ in 1 },
        ecs: Workload(
          plain: .kept, setUp: FrozenWorld.init,
          run: { Double($0.context.frozen(of: Position.self).count) },
          check: { world, count in Checksum(count, expected: Double(world.n)) })),
      Benchmark(
        "FZ.first", "replace Position of all in random order, each page for the first time",
        sizes: [standardSize, largeSize],
        ecs: Workload(
          plain: .kept, setUp: FrozenWorld.init, prepare: { $0.freeze() },
          run: { $0.replacePositions() }, check: { world, _ in world.checkPicture() })),
      Benchmark(
        "FZ.again", "the same, when that was done once", sizes: [standardSize, largeSize],
        ecs: Workload(
          plain: .kept, setUp: FrozenWorld.init,
          prepare: { world in
            world.freeze()
            _ = world.replacePositions()
          },
          run: { $0.replacePositions() }, check: { world, _ in world.checkPicture() })),
      Benchmark(
        "FZ.without", "the same without a picture", sizes: [standardSize, largeSize],
        ecs: Workload(
          plain: .kept, setUp: FrozenWorld.init,
          run: { $0.replacePositions() },
          check: { world, _ in Checksum(Double(world.context.count), expected: Double(world.n)) })),
      Benchmark(
        "FZ.get", "get Position of all from a picture in random order, nothing is changed",
        sizes: [standardSize, largeSize],
        ecs: Workload(
          plain: .kept, setUp: FrozenWorld.init, prepare: { $0.freeze() },
          run: { $0.sumOfPicture() },
          check: { world, sum in Checksum(sum, expected: Double(world.n)) })),
      Benchmark(
        "FZ.get.copied", "the same, when all was changed and looked at",
        sizes: [standardSize, largeSize],
        ecs: Workload(
          plain: .kept, setUp: FrozenWorld.init,
          prepare: { world in
            world.freeze()
            _ = world.replacePositions()
            _ = world.sumOfPicture()
          },
          run: { $0.sumOfPicture() },
          check: { world, sum in Checksum(sum, expected: Double(world.n)) })),
      Benchmark(
        "FZ.read", "make a picture and read Position of all", sizes: [standardSize, largeSize],
        ecs: Workload(
          plain: .kept, setUp: FrozenWorld.init,
          run: { world in
            var sum: Float = 0
            world.context.frozen(of: Position.self).withEach { (_, position: Position) in
              sum += position.y
            }
            return Double(sum)
          },
          check: { world, sum in Checksum(sum, expected: Double(world.n) * 2) })),
    ]
  }
}

/// A context whose entities have a position each, and a picture of them.
private final class FrozenWorld {
  let n: Int
  let context = Context()
  private let entities: [Entity]
  private var frozen: FrozenContext?
  private var x: Float = 0

  init(_ n: Int) {
    self.n = n
    var generator = Seed.Generator()
    entities = context.createEntities(n, with: Position(x: 1, y: 2)).shuffled(using: &generator)
  }

  func freeze() {
    context.perform { for entity in entities { entity.set(Position(x: 1, y: 2)) } }
    frozen = context.frozen(of: Position.self)
  }

  func replacePositions() -> Double {
    x += 1
    for entity in entities { entity.set(Position(x: x, y: 2)) }
    return 0
  }

  func sumOfPicture() -> Double {
    entities.reduce(0) { $0 + Double(frozen?.get(Position.self, of: $1)?.x ?? 0) }
  }

  func checkPicture() -> Checksum {
    var sum = 0.0
    frozen?.withEach { (_, position: Position) in sum += Double(position.x) }
    return Checksum(sum, expected: Double(n))
  }
}
