import ECS

extension Benchmark {
  /// Live views and relations.
  static var appData: [Benchmark] {
    [
      Benchmark(
        "V1", "a filtered and sorted view: change the sort key of all, read the first 100",
        ecs: Workload(
          .fresh, setUp: ViewWorld.init,
          run: { world in
            world.changeKeys()
            return world.view.first(100).reduce(0) { $0 + Double($1.get(Name.self)?.key ?? 0) }
          },
          check: { world, sum in
            Checksum(
              sum, expected: world.targets.sorted().prefix(100).reduce(0) { $0 + Double($1) })
          })),
      Benchmark(
        "L1", "link entities to N/10 others, unlink them", .nanoseconds(per: "pair"),
        ecs: Workload(
          .kept, setUp: LinkWorld.init,
          run: { world in
            for (i, entity) in world.entities.enumerated() {
              entity.relate(WrittenBy.self, to: world.targets[i])
            }
            let count = world.context.linkCount(WrittenBy.self)
            for (i, entity) in world.entities.enumerated() {
              entity.unrelate(WrittenBy.self, from: world.targets[i])
            }
            return Double(count - world.context.linkCount(WrittenBy.self))
          },
          check: { world, count in Checksum(count, expected: Double(world.n)) })),
      Benchmark(
        "L1.memory", "memory of links to N/10 others", .bytes(per: "link"), sizes: [largeSize],
        ecs: Workload(
          bytesOf: LinkWorld.init, fill: { $0.link() },
          check: { world in
            Checksum(world.context.linkCount(WrittenBy.self), expected: world.n)
          })),
      Benchmark(
        "L2", "walk the links from N/10 others", .nanoseconds(per: "link"),
        ecs: Workload(
          .kept,
          setUp: { n in
            let world = LinkWorld(n)
            world.link()
            return world
          },
          run: { world in
            world.authors.reduce(0) { sum, author in
              author.sources(WrittenBy.self).entities().reduce(sum) {
                $0 + Double($1.get(Name.self)?.key ?? 0)
              }
            }
          },
          check: { world, sum in
            Checksum(sum, expected: (0..<world.n).reduce(0) { $0 + Double($1) })
          })),
    ]
  }
}

enum WrittenBy: ToOneRelation {}

/// A context with a new key for each entity, in random order.
class KeyedWorld: ContextWorld {
  private(set) var targets: [Int] = []

  override init(_ n: Int, _ context: Context) {
    super.init(n, context)
    var generator = Seed.Generator()
    entities = (0..<n).map { context.createEntity(with: Name(key: $0)) }
    entities.shuffle(using: &generator)
    targets = (0..<n).map { _ in Int.random(in: 0..<n, using: &generator) }
  }

  final func changeKeys() {
    for (i, entity) in entities.enumerated() { entity.set(Name(key: targets[i])) }
  }
}

/// A context with a filtered and sorted view, and a new sort key for each entity.
final class ViewWorld: KeyedWorld {
  let view: LiveView

  init(_ n: Int) {
    let context = Context()
    view = context.group(Name.matcher).filtered { (name: Name) in name.key >= 0 }
      .sorted(by: \Name.key).start()
    super.init(n, context)
    precondition(view.count == n, "The view must be at work before the clock runs.")
  }
}

/// A context with ten sources for each target.
final class LinkWorld: ContextWorld {
  let authors: [Entity]
  let targets: [Entity]

  init(_ n: Int) {
    let context = Context()
    let authors = (0..<max(1, n / 10)).map { _ in context.createEntity() }
    var generator = Seed.Generator()
    self.authors = authors
    targets = (0..<n).map { _ in authors[Int.random(in: authors.indices, using: &generator)] }
    super.init(n, context)
    entities = (0..<n).map { context.createEntity(with: Name(key: $0)) }
  }

  func link() {
    for (i, entity) in entities.enumerated() { entity.relate(WrittenBy.self, to: targets[i]) }
  }
}
