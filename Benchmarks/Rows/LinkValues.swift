import ECS

extension Benchmark {
  /// Values on links.
  static var linkValues: [Benchmark] {
    [
      Benchmark(
        "L3", "link entities to N/10 others with a value, unlink them", .nanoseconds(per: "pair"),
        ecs: Workload(
          .kept, setUp: LinkWorld.init,
          run: { world in
            world.linkWithValues()
            let count = world.context.linkCount(PaidTo.self)
            for (i, entity) in world.entities.enumerated() {
              entity.unrelate(PaidTo.self, from: world.targets[i])
            }
            return Double(count - world.context.linkCount(PaidTo.self))
          },
          check: { world, count in Checksum(count, expected: Double(world.n)) })),
      Benchmark(
        "L3.memory", "memory of links with a value of 8 bytes", .bytes(per: "link"),
        sizes: [largeSize],
        ecs: Workload(
          bytesOf: LinkWorld.init, fill: { $0.linkWithValues() },
          check: { world in Checksum(world.context.linkCount(PaidTo.self), expected: world.n) })),
      Benchmark(
        "L4", "replace the value of a link, and read it", .nanoseconds(per: "link"),
        ecs: Workload(
          .kept, setUp: LinkWorld.linkedWithValues,
          run: { world in
            var sum = 0
            for (i, entity) in world.entities.enumerated() {
              entity.relate(PaidTo.self, to: world.targets[i], Payment(amount: i))
              sum += entity.value(of: PaidTo.self, to: world.targets[i])?.amount ?? 0
            }
            return Double(sum)
          },
          check: { world, sum in Checksum(sum, expected: world.sumOfIndices) })),
      Benchmark(
        "L5", "walk the links from N/10 others with their values", .nanoseconds(per: "link"),
        ecs: Workload(
          .kept, setUp: LinkWorld.linkedWithValues,
          run: { world in
            world.authors.reduce(0) { sum, author in
              author.sources(PaidTo.self).links().reduce(sum) { $0 + Double($1.value.amount) }
            }
          },
          check: { world, sum in Checksum(sum, expected: world.sumOfIndices) })),
    ]
  }
}

private enum PaidTo: ToOneRelation { typealias Value = Payment }

private struct Payment: Component { var amount: Int }

extension LinkWorld {
  fileprivate var sumOfIndices: Double { (0..<n).reduce(0) { $0 + Double($1) } }

  fileprivate static func linkedWithValues(_ n: Int) -> LinkWorld {
    let world = LinkWorld(n)
    world.linkWithValues()
    return world
  }

  fileprivate func linkWithValues() {
    for (i, entity) in entities.enumerated() {
      entity.relate(PaidTo.self, to: targets[i], Payment(amount: i))
    }
  }
}
