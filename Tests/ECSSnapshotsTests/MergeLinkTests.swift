import ECS
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Foundation
import Testing

/// Links and references of snapshots that are merged.
@Suite struct MergeLinkTests {
  private let world = MergeWorld()
  private var context: Context { world.context }
  private var books: PrimaryIndex<Book, String> { world.books }

  @Test func `links and references lead to those who were there and to those who were not`() throws
  {
    let known = context.createEntity(with: Book(isbn: "1"))
    let reader = context.createEntity(with: Book(isbn: "2"))
    let snapshot = try world.snapshot {
      let a = $0.createEntity(with: Book(isbn: "1"))
      let b = $0.createEntity(with: Book(isbn: "2"))
      let c = $0.createEntity(with: Book(isbn: "3"))
      b.set(Likes(best: a, all: [c, a])).relate(Near.self, to: c).relate(Near.self, to: a)
      c.set(Likes(best: b, all: [c])).relate(WrittenBy.self, to: a)
      try c.setParent(b)
    }
    try expectEqual(world.merge(snapshot).links, 4)
    let made = try #require(books["3"])
    expectEqual(reader.get(Likes.self), Likes(best: known, all: [made, known]))
    expectEqual(made.get(Likes.self), Likes(best: reader, all: [made]))
    expectEqual(Array(reader.targets(Near.self)), [made, known])
    expectEqual(made.target(WrittenBy.self), known)
    expectEqual(made.parent, reader)
    try expectEqual(world.merge(snapshot).links, 0)
  }

  @Test func `targets become those of the snapshot, if it has some`() throws {
    let a = context.createEntity(with: Book(isbn: "a"))
    let b = context.createEntity(with: Book(isbn: "b"))
    let c = context.createEntity(with: Book(isbn: "c"))
    a.relate(Near.self, to: a).relate(Near.self, to: b).relate(WrittenBy.self, to: b)
    b.relate(Near.self, to: c)
    let report = try world.merge(
      try world.snapshot {
        let a = $0.createEntity(with: Book(isbn: "a"))
        let b = $0.createEntity(with: Book(isbn: "b"))
        let c = $0.createEntity(with: Book(isbn: "c"))
        a.relate(Near.self, to: c).relate(Near.self, to: b).relate(WrittenBy.self, to: c)
      })
    expectEqual(Array(a.targets(Near.self)), [c, b])
    expectEqual(a.target(WrittenBy.self), c)
    expectEqual(Array(b.targets(Near.self)), [c])
    expectEqual(report.links, 2)
  }

  @Test func `parents may change places`() throws {
    let a = context.createEntity(with: Book(isbn: "a"))
    let b = context.createEntity(with: Book(isbn: "b"))
    let c = context.createEntity(with: Book(isbn: "c"))
    try b.setParent(a)
    try c.setParent(b)
    try world.merge(
      try world.snapshot {
        let b = $0.createEntity(with: Book(isbn: "b"))
        let c = $0.createEntity(with: Book(isbn: "c"))
        let a = $0.createEntity(with: Book(isbn: "a"))
        try a.setParent(b)
        try b.setParent(c)
        try c.setParent($0.createEntity())
      })
    expectTrue(a.parent == b && b.parent == c && c.parent?.parent == nil && c.parent != nil)
  }

  @Test func `a parent that would be below its child is an error, and nothing happens`() throws {
    let root = context.createEntity(with: Book(isbn: "root"))
    let middle = context.createEntity()
    let leaf = context.createEntity(with: Book(isbn: "leaf"))
    try middle.setParent(root)
    try leaf.setParent(middle)
    let snapshot = try world.snapshot {
      let root = $0.createEntity(with: Book(isbn: "root"))
      let between = $0.createEntity(with: Book(isbn: "between"))
      try root.setParent(between)
      try between.setParent($0.createEntity(with: Book(isbn: "leaf")))
    }
    let error = world.error(snapshot)
    if case .badLinks = error?.reason {} else { Issue.record("\(String(describing: error))") }
    expectEqual(error?.name, "childOf")
  }

  @Test(arguments: [false, true])
  func `in a chain, a new source takes a target away from another`(isReversed: Bool) throws {
    let schema = try MergeWorld.numbers {
      Links(Chain.self, as: "chain")
    }
    let a = context.createEntity(with: Book(isbn: "a"))
    let b = context.createEntity(with: Book(isbn: "b"))
    a.relate(Chain.self, to: b)
    let source = Context()
    var made: [String: Entity] = [:]
    for isbn in isReversed ? ["c", "b", "a"] : ["a", "b", "c"] {
      made[isbn] = source.createEntity(with: Book(isbn: isbn))
    }
    let (first, second) = (try #require(made["a"]), try #require(made["b"]))
    try #require(made["c"]).relate(Chain.self, to: second)
    second.relate(Chain.self, to: first)
    try expectEqual(source.snapshot(schema).merge(into: context, schema, by: books).links, 2)
    let c = try #require(books["c"])
    expectTrue(c.target(Chain.self) == b && b.target(Chain.self) == a)
    expectNil(a.target(Chain.self))
    // What stays a cycle is refused.
    let other = Context()
    let last = other.createEntity(with: Book(isbn: "a"))
    last.relate(Chain.self, to: other.createEntity(with: Book(isbn: "c")))
    #expect {
      try other.snapshot(schema).merge(into: context, schema, by: books)
    } throws: {
      if case .badLinks = ($0 as? SnapshotError)?.reason { true } else { false }
    }
    expectTrue(a.target(Chain.self) == nil && b.target(Chain.self) == a)
  }
}

private enum Chain: OneToOneRelation, Hierarchy {}
