import ECS

extension Benchmark {
  /// What is about many entities, contexts or systems at once.
  static var whole: [Benchmark] {
    [
      Benchmark(
        "D2", "destroy trees of 10,000 entities with Position by their roots",
        ecs: Workload(
          .fresh, setUp: trees,
          run: { world in
            for root in world.entities { root.destroy() }
            return 0
          },
          check: { world, _ in Checksum(world.context.count, expected: 0) })),
      Benchmark(
        "IQ", "add a Tag to each inside of a pass, which waits for its end",
        ecs: Workload(
          .fresh, setUp: ContextWorld.positioned,
          run: { world in
            world.context.withEach { (entity, _: Position) in entity.set(Tag()) }
            return 0
          },
          check: { world, _ in
            Checksum(world.context.group(Tag.matcher).count, expected: world.n)
          })),
      Benchmark(
        "CX", "make a context with an entity and release it", .nanoseconds(per: "context"),
        sizes: [10_000],
        ecs: Workload(
          plain: .kept, setUp: { $0 },
          run: { n in (0..<n).reduce(0) { sum, _ in sum + makeContext() } },
          check: { n, sum in Checksum(sum, expected: Double(n)) })),
      Benchmark(
        "CX.memory", "memory that stays of a context that was released", .bytes(per: "context"),
        sizes: [10_000],
        ecs: Workload(
          bytesOf: { n in
            _ = makeContext()
            return ContextWorld(n)
          },
          fill: { (world: ContextWorld) in for _ in 0..<world.n { _ = makeContext() } },
          check: { world in Checksum(world.n, expected: world.n) })),
      Benchmark(
        "SY", "run 100 systems with nothing to do", .nanoseconds(per: "system"),
        ecs: Workload(
          .kept, setUp: IdleWorld.init,
          run: { world in
            for _ in 0..<world.n / IdleWorld.systemCount { world.loop.execute() }
            return Double(world.runCount)
          },
          check: { _, runCount in Checksum(runCount, expected: 0) })),
    ]
  }

  /// Makes a context with an entity, and returns how many it had.
  private static func makeContext() -> Double {
    let context = Context()
    context.createEntity(with: Position(x: 1, y: 2))
    return Double(context.count)
  }

  /// A world of trees: a root, and 99 children of it, which have about a hundred children each.
  private static func trees(_ n: Int) -> ContextWorld {
    let world = ContextWorld.positioned(n)
    let size = 10_000
    for (number, entity) in world.entities.enumerated() where number % size > 0 {
      let (first, place) = (number - number % size, number % size)
      entity.relate(ChildOf.self, to: world.entities[first + (place < 100 ? 0 : place / 100)])
    }
    world.entities = stride(from: 0, to: n, by: size).map { world.entities[$0] }
    return world
  }
}

/// A loop whose systems have collectors into which nothing comes.
private final class IdleWorld: ContextWorld {
  static let systemCount = 100

  let loop = Loop(name: "idle", systems: [])
  private(set) var runCount = 0

  init(_ n: Int) {
    super.init(n)
    for number in 0..<Self.systemCount {
      let collector = context.collector(for: Position.matcher)
      loop.add(
        ClosureSystem("system \(number)", collector: collector) { [unowned self] _ in
          runCount += 1
        })
    }
    loop.initialise()
  }
}
