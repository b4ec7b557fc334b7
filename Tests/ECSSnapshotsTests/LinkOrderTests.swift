import ECS
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Testing

/// The orders of both ends of links, however these were moved.
@Suite struct LinkOrderTests {
  private struct Node: Component { var number = 0 }
  private struct Hidden: Component {}
  private enum Likes: Relation {}

  private let schema: Schema

  init() throws {
    schema = try Schema("nodes") {
      Stored(of: Node(), as: "node") { Field(\.number, at: "number") }
      Links(Likes.self, as: "likes")
      Excluded(Hidden.self)
    }
  }

  private func orders(_ context: Context) -> [[[Int]]] {
    context.group(Node.self).sorted().map { node in
      func numbers(_ entities: [Entity]) -> [Int] {
        entities.map { $0.get(Node.self)?.number ?? -1 }
      }
      return [
        numbers(Array(node.targets(Likes.self))), numbers(Array(node.sources(Likes.self))),
      ]
    }
  }

  /// Links of which none can be made first.
  private func entangled() -> (context: Context, nodes: [Entity]) {
    let context = Context()
    let nodes = (0..<4).map { context.createEntity(with: Node(number: $0)) }
    for (source, target) in [(0, 2), (0, 3), (1, 3), (1, 2)] {
      nodes[source].relate(Likes.self, to: nodes[target])
    }
    nodes[2].sources(Likes.self).move(nodes[1], before: nodes[0])
    nodes[3].sources(Likes.self).move(nodes[0], before: nodes[1])
    nodes[1].targets(Likes.self).move(nodes[3], before: nodes[2])
    return (context, nodes)
  }

  @Test func `orders that no order of making links gives are kept`() throws {
    let (context, nodes) = entangled()
    expectEqual(Array(nodes[2].sources(Likes.self)), [nodes[1], nodes[0]])
    let other = Context()
    let report = try context.snapshot(schema).restore(into: other, schema)
    expectEqual(report.links, 4)
    expectEqual(orders(other), orders(context))
    try expectEqual(other.snapshot(schema).data, context.snapshot(schema).data)
    // Text has the orders of targets.
    let text = try context.snapshot(schema).json(schema)
    let read = Context()
    try Snapshot(json: text, schema).restore(into: read, schema)
    expectEqual(orders(read).map(\.first), orders(context).map(\.first))
    let ids = Context()
    let byNumber = ids.primaryIndex { (node: Node) in node.number }
    try context.snapshot(schema).merge(into: ids, schema, by: byNumber)
    expectEqual(ids.linkCount(Likes.self), 4)
    expectEqual(orders(ids).map(\.first), orders(context).map(\.first))
  }

  @Test(arguments: 0..<4)
  func `what is not kept leaves the orders of the rest`(_ left: Int) throws {
    let (context, nodes) = entangled()
    nodes[left].set(Hidden()).remove(Node.self)
    let other = Context()
    let report = try context.snapshot(schema).restore(into: other, schema)
    expectTrue(report.created == 3 && report.links == 2)
    nodes[left].destroy()
    expectEqual(orders(other), orders(context))
  }

  @Test func `entities that a merge makes have the order of their sources`() throws {
    let (context, nodes) = entangled()
    let other = Context()
    let byNumber = other.primaryIndex { (node: Node) in node.number }
    try byNumber.assign(Node(number: 0), to: other.createEntity())
    let report = try context.snapshot(schema).merge(into: other, schema, by: byNumber)
    expectTrue(report.merged == 1 && report.created == 3)
    expectEqual(
      orders(other).sorted { "\($0)" < "\($1)" }, orders(context).sorted { "\($0)" < "\($1)" })
    withExtendedLifetime(nodes) {}
  }

  @Test(arguments: 0..<8)
  func `links that were moved at random keep their orders`(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    for _ in 0..<50 {
      let context = Context()
      let nodes = (0..<Int.random(in: 3...5, using: &random)).map {
        context.createEntity(with: Node(number: $0))
      }
      for _ in 0..<Int.random(in: 2...12, using: &random) {
        let (source, target) = (
          nodes[Int.random(in: nodes.indices, using: &random)],
          nodes[Int.random(in: nodes.indices, using: &random)]
        )
        source.relate(Likes.self, to: target)
        let (sources, targets) = (target.sources(Likes.self), source.targets(Likes.self))
        if Bool.random(using: &random) {
          sources.move(source, to: Int.random(in: 0..<sources.count, using: &random))
        }
        if Bool.random(using: &random) {
          targets.move(target, to: Int.random(in: 0..<targets.count, using: &random))
        }
      }
      let other = Context()
      try context.snapshot(schema).restore(into: other, schema)
      try #require(orders(other) == orders(context))
    }
  }
}
