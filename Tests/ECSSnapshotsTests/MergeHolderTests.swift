import ECS
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Foundation
import Testing

/// Unique components of snapshots that are merged, and entities that are several.
@Suite struct MergeHolderTests {
  private let world = MergeWorld()
  private var context: Context { world.context }
  private var books: PrimaryIndex<Book, String> { world.books }

  @Test func `an entity without a key is the one that holds its unique component, or a new one`()
    throws
  {
    context.setUniqueComponent(Clock(seconds: 1))
    let holder = try #require(context.uniqueEntity(Clock.self))
    let snapshot = try world.snapshot {
      $0.setUniqueComponent(Clock(seconds: 2))
      $0.createEntity(with: Score(points: 1))
    }
    for round in 1...2 {
      let report = try world.merge(snapshot)
      expectTrue((report.created, report.merged) == (1, 1))
      expectEqual(context.uniqueEntity(Clock.self), holder)
      expectEqual(context.uniqueComponent(Clock.self), Clock(seconds: 2))
      expectEqual(context.group(Score.matcher).count, round)
    }
    expectEqual(world.error(snapshot, keyless: .fail), SnapshotError(.noKey, name: "book"))
  }

  @Test func `a unique component goes to the entity that has it in the snapshot`() throws {
    let a = context.createEntity(with: Book(isbn: "a"), Clock(seconds: 1))
    let b = context.createEntity(with: Book(isbn: "b"))
    try world.merge(
      try world.snapshot { $0.createEntity(with: Book(isbn: "b"), Clock(seconds: 2)) })
    expectNil(a.get(Clock.self))
    expectEqual(b.get(Clock.self), Clock(seconds: 2))
    try world.merge(
      try world.snapshot { $0.createEntity(with: Book(isbn: "c"), Clock(seconds: 3)) })
    expectEqual(books["c"]?.get(Clock.self), Clock(seconds: 3))
    expectEqual(context.uniqueEntity(Clock.self), books["c"])
  }

  @Test func `an entity that is two of the snapshot is an error`() throws {
    context.createEntity(with: Book(isbn: "a"), Clock(seconds: 1))
    let snapshot = try world.snapshot {
      $0.createEntity(with: Book(isbn: "a"))
      $0.createEntity(with: Clock(seconds: 2))
    }
    expectEqual(world.error(snapshot), SnapshotError(.ambiguous, name: "clock"))
  }

  @Test func `an entity that is two of the context is an error`() throws {
    let schema = try MergeWorld.numbers {
      Stored(of: Clock(), as: "clock") { Field(\.seconds, at: "seconds") }
      Stored(of: Service(), as: "service") { Field(\.name, at: "name") }
    }
    let source = Context()
    source.createEntity(with: Clock(), Service())
    let snapshot = try source.snapshot(schema)
    let clock = context.createEntity(with: Clock(seconds: 1))
    context.createEntity(with: Service(name: "live"))
    #expect(throws: SnapshotError(.severalFound, name: "service")) {
      try snapshot.merge(into: context, schema, by: books)
    }
    expectEqual(clock.get(Clock.self), Clock(seconds: 1))
    expectEqual(
      "\(SnapshotError(.severalFound, name: "service"))",
      "service: an entity of the snapshot is several of the context")
  }

  @Test(arguments: ["1", "2"])
  func `who would end with the holder of a unique component is not lost`(isbn: String) throws {
    context.setUniqueComponent(Clock(seconds: 1))
    let holder = try #require(context.uniqueEntity(Clock.self))
    let known = context.createEntity(with: Book(isbn: "1"), Score(points: 1))
    try known.setParent(holder)
    let below = context.createEntity()
    try below.setParent(known)
    let snapshot = try world.snapshot {
      let first = $0.createEntity(with: Book(isbn: "1", title: "New"), Point(x: 1, y: 2))
      let owner = isbn == "1" ? first : $0.createEntity(with: Book(isbn: isbn))
      owner.set(Clock(seconds: 2))
      owner.relate(Near.self, to: first)
    }
    expectEqual(world.error(snapshot), SnapshotError(.endsWithHolder, name: "clock"))
    expectEqual(context.uniqueEntity(Clock.self), holder)
    expectTrue(books["1"] == known && books["2"] == nil)
    expectTrue(known.parent == holder && below.parent == known)
    // An entity that has something else stays.
    holder.set(Chosen())
    let report = try world.merge(snapshot)
    expectTrue((report.created, report.merged) == (isbn == "1" ? 0 : 1, isbn == "1" ? 1 : 1))
    expectEqual(known.get(Book.self)?.title, "New")
    expectEqual(known.get(Point.self), Point(x: 1, y: 2))
    expectEqual(known.parent, holder)
    expectEqual(context.uniqueEntity(Clock.self), books[isbn])
  }

  @Test func `a holder that has nothing else ends, with those related to it that nobody found`()
    throws
  {
    context.setUniqueComponent(Clock(seconds: 1))
    let holder = try #require(context.uniqueEntity(Clock.self))
    let child = context.createEntity(with: Score(points: 1))
    try child.setParent(holder)
    let known = context.createEntity(with: Book(isbn: "1"))
    try world.merge(
      try world.snapshot { $0.createEntity(with: Book(isbn: "1"), Clock(seconds: 2)) })
    expectTrue(!holder.isAlive && !child.isAlive)
    expectEqual(context.uniqueEntity(Clock.self), known)
  }
}
