import Synchronization

extension Benchmark {
  /// Threads that use one context at the same time; UT is among the rows of unique components.
  static var threads: [Benchmark] {
    sharedReads + turns + besideReaders + passes + latencies
  }

  private static var sharedReads: [Benchmark] {
    let reads = pair(
      "GT", "G1 by each of two threads at once, in an order of its own", "read",
      operations: { $0 * 2 }, run: { $0.readAll($1) })
    let lookUps = pair(
      "XT", "count the entities of each key by each of two threads at once", "look-up",
      operations: { $0 * 2 }, run: { world, _ in world.countAll() })
    return reads + lookUps
  }

  private static var turns: [Benchmark] {
    replacing("WT", "replace Position", sectionsOf: 1)
      + replacing("WT.sections", "replace Position in sections of 100", sectionsOf: 100)
  }

  private static func replacing(
    _ id: String, _ title: String, sectionsOf size: Int
  ) -> [Benchmark] {
    pair(
      id, title + ", two threads at once with half of the entities each", "entity",
      operations: { $0 / 2 * 2 }, run: { $0.replaceHalf($1, sectionsOf: size) })
  }

  /// A row of what two threads do at once, and one of what both do, done by one thread.
  private static func pair(
    _ id: String, _ title: String, _ unit: String, operations once: @escaping (Int) -> Int,
    run body: @escaping @Sendable (PairWorld, Int) -> Int
  ) -> [Benchmark] {
    let operations = { once($0) * PairWorld.rounds }
    let check = { (world: PairWorld, count: Double) in
      Checksum(count, expected: Double(operations(world.n)))
    }
    return [
      Benchmark(
        id, title, .nanoseconds(per: unit), operations: operations,
        ecs: Workload(
          plain: .kept, setUp: PairWorld.init,
          run: { world in world.onBothThreads { body(world, $0) } }, check: check)),
      Benchmark(
        id + ".alone", "the same by one thread", .nanoseconds(per: unit), operations: operations,
        ecs: Workload(
          plain: .kept, setUp: PairWorld.init,
          run: { world in world.onOneThread { body(world, $0) } }, check: check)),
    ]
  }

  private static var besideReaders: [Benchmark] {
    [
      Benchmark(
        "WR", "S1 on half of the entities beside a thread that reads without a break",
        .nanoseconds(per: "entity"), operations: { $0 / 2 * PairWorld.rounds },
        ecs: Workload(
          plain: .kept, setUp: PairWorld.init,
          prepare: { $0.isOver.store(false, ordering: .releasing) },
          run: { world in
            world.onBothThreads(rounds: 1) { thread in
              guard thread == 0 else { return world.readUntilOver() }
              defer { world.isOver.store(true, ordering: .releasing) }
              return PairWorld.repeatedly { world.replaceHalf(0, sectionsOf: 1) }
            }
          },
          check: { world, count in
            Checksum(count, expected: Double(world.n / 2 * PairWorld.rounds))
          }))
    ]
  }

  private static var passes: [Benchmark] {
    [(true, ".pass", ", beside a thread that reads single ones"), (false, ".alone", "")].map {
      besideReads, suffix, circumstances in
      Benchmark(
        "RP" + suffix, "a pass over all Positions in a section that only reads" + circumstances,
        .nanoseconds(per: "entity"), operations: { _ in 1 },
        ecs: Workload(0.5, of: { PairWorld($0).passes(besideReads: besideReads) }))
    }
  }

  private static var latencies: [Benchmark] {
    [(0.5, "half of all calls take"), (0.99, "99 of 100 calls take")].flatMap { quantile, title in
      let suffix = quantile == 0.5 ? "" : ".p99"
      return [
        Benchmark(
          "LR" + suffix, "replace one component beside seven threads that read: \(title)",
          .nanoseconds(per: "call"), operations: { _ in 1 },
          ecs: Workload(quantile, of: { PairWorld($0).callsBesideReaders() })),
        Benchmark(
          "LT" + suffix, "replace one component beside sections of \(PairWorld.section): \(title)",
          .nanoseconds(per: "call"), operations: { _ in 1 },
          ecs: Workload(quantile, of: { PairWorld($0).callsBesideSections() })),
        Benchmark(
          "RP" + suffix,
          "read one component beside passes over all in sections that only read: \(title)",
          .nanoseconds(per: "call"), operations: { _ in 1 },
          ecs: Workload(quantile, of: { PairWorld($0).callsBesidePasses(inSections: true) })),
        Benchmark(
          "RP.open" + suffix,
          "read one component beside passes over all that only read: \(title)",
          .nanoseconds(per: "call"), operations: { _ in 1 },
          ecs: Workload(quantile, of: { PairWorld($0).callsBesidePasses(inSections: false) })),
        Benchmark(
          "LW" + suffix, "from a change to its system in a loop on a queue: \(title)",
          .nanoseconds(per: "change"), operations: { _ in 1 },
          ecs: Workload(quantile, of: { WakeWorld($0).changes() })),
        Benchmark(
          "LW.bare" + suffix, "from DispatchQueue.async to its closure: \(title)",
          .nanoseconds(per: "call"), operations: { _ in 1 },
          ecs: Workload(quantile, of: { WakeWorld($0).calls() })),
      ]
    }
  }
}
