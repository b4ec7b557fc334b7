import ECS

extension Benchmark {
  /// Changes that something listens to, and groups that nothing listens to.
  static var reactive: [Benchmark] {
    [updates, additionsAndRemovals] + groups
  }

  private static var updates: Benchmark {
    Benchmark(
      "R1", "a collector of updates: replace Position on all, drain", scales: true,
      ecs: Workload(
        .fresh,
        setUp: { n in
          let world = CollectorWorld(n, Position.matcher, .updated)
          world.fillMoving()
          return world
        },
        run: { world in
          world.replacePositions()
          var count = 0
          for _ in world.collectors[0].drain() { count += 1 }
          return Double(count)
        },
        check: { world, count in Checksum(count, expected: Double(world.n)) }),
      naive: Workload(
        plain: .fresh,
        setUp: { n in
          let world = NaiveCollectorWorld(n, [Position.self], .updated)
          world.fillMoving()
          return world
        },
        run: { world in
          var x: Float = 0
          for entity in world.entities {
            x += 1
            entity.set(Position(x: x, y: 2))
          }
          return Double(world.collectors[0].drain().count)
        },
        check: { world, count in Checksum(count, expected: Double(world.n)) }))
  }

  private static var additionsAndRemovals: Benchmark {
    Benchmark(
      "R2", "collectors of additions and of removals: add Health, drain, remove, drain",
      .nanoseconds(per: "pair"), scales: true,
      ecs: Workload(
        .fresh,
        setUp: { n in
          let matcher = Matcher(all: [Position.cid, Health.cid])
          let world = CollectorWorld(n, matcher, .added, .removed)
          world.fillMoving()
          return world
        },
        run: { world in
          var v: Int32 = 0
          for entity in world.entities {
            v += 1
            entity.set(Health(v: v))
          }
          var added = 0
          for _ in world.collectors[0].drain() { added += 1 }
          for entity in world.entities { entity.remove(Health.self) }
          var removed = 0
          for _ in world.collectors[1].drain() { removed += 1 }
          return Double(added) * 1000 + Double(removed)
        },
        check: { world, result in Checksum(result, expected: Double(world.n) * 1001) }),
      naive: Workload(
        plain: .fresh,
        setUp: { n in
          let world = NaiveCollectorWorld(n, [Position.self, Health.self], .added, .removed)
          world.fillMoving()
          return world
        },
        run: { world in
          var v: Int32 = 0
          for entity in world.entities {
            v += 1
            entity.set(Health(v: v))
          }
          let added = world.collectors[0].drain().count
          for entity in world.entities { entity.remove(Health.self) }
          let removed = world.collectors[1].drain().count
          return Double(added) * 1000 + Double(removed)
        },
        check: { world, result in Checksum(result, expected: Double(world.n) * 1001) }))
  }

  private static var groups: [Benchmark] {
    [
      Benchmark(
        "R3", "A1 with 32 groups alive that mention Health", .nanoseconds(per: "pair"),
        ecs: addingAndRemovingHealth { n in
          let world = ContextWorld.positioned(n)
          for type in extraTypes(16) {
            _ = world.context.all([Position.cid, Health.cid, type.cid])
            _ = world.context.all([Health.cid], none: [type.cid])
          }
          return world
        },
        naive: naiveAddingAndRemovingHealth { n in
          let world = NaiveWorld(n)
          for type in extraTypes(16) {
            _ = world.context.group(all: [Position.self, Health.self, type])
            _ = world.context.group(all: [Health.self], none: [type])
          }
          world.fillPositioned()
          return world
        }),
      Benchmark(
        "R3.base", "the same without the groups", .nanoseconds(per: "pair"),
        ecs: addingAndRemovingHealth(ContextWorld.positioned)),
    ]
  }
}

/// A context with collectors of one group.
final class CollectorWorld: ContextWorld {
  let collectors: [Collector]

  init(_ n: Int, _ matcher: Matcher, _ kinds: ChangeKinds...) {
    let context = Context()
    let group = context.group(matcher)
    collectors = kinds.map { Collector(group: group, type: $0) }
    super.init(n, context)
  }
}

/// A naive context with collectors of one group.
final class NaiveCollectorWorld: NaiveWorld {
  let collectors: [NaiveCollector]

  init(_ n: Int, _ all: [any Component.Type], _ kinds: NaiveGroup.Change...) {
    let context = NaiveContext()
    let group = context.group(all: all)
    collectors = kinds.map { NaiveCollector(group, $0) }
    super.init(n, context)
  }
}
