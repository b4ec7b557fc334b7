import Dispatch
import ECS

extension Benchmark {
  /// Reading a unique component.
  static var unique: [Benchmark] {
    [
      Benchmark(
        "U1", "read a field of a unique component", .nanoseconds(per: "read"),
        operations: { $0 * 100 },
        ecs: Workload(
          .kept, setUp: configured,
          run: { world in
            let context = world.context
            return Double(readings(world.n * 100, of: context))
          },
          check: { world, sum in Checksum(sum, expected: Double(world.n * 200)) }),
        naive: Workload(
          plain: .kept,
          setUp: { n in
            let world = NaiveWorld(n)
            world.context.setUnique(Config(a: 1, b: 2))
            return world
          },
          run: { world in
            var sum = 0
            for _ in 0..<world.n * 100 { sum += world.context.unique(Config.self)?.b ?? 0 }
            return Double(sum)
          },
          check: { world, sum in Checksum(sum, expected: Double(world.n * 200)) })),
      Benchmark(
        "UT", "the same from two threads at once", .nanoseconds(per: "read"),
        operations: { $0 * 100 },
        ecs: Workload(
          .kept, forms: [.call], setUp: configured,
          run: { world in
            let context = world.context
            let count = world.n * 50
            DispatchQueue.concurrentPerform(iterations: 2) { _ in
              let sum = readings(count, of: context)
              precondition(sum == count * 2, "A thread read \(sum), expected \(count * 2).")
            }
            return Double(count * 4)
          },
          check: { world, sum in Checksum(sum, expected: Double(world.n * 200)) })),
    ]
  }

  private static func configured(_ n: Int) -> ContextWorld {
    let world = ContextWorld(n)
    world.context.setUniqueComponent(Config(a: 1, b: 2))
    return world
  }

  @inline(never)
  private static func readings(_ count: Int, of context: Context) -> Int {
    var sum = 0
    for _ in 0..<count { sum += context.uniqueComponent(Config.self)?.b ?? 0 }
    return sum
  }
}
