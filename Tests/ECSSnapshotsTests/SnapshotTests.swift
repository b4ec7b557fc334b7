import ECS
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Foundation
import Testing

@Suite struct SnapshotTests {
  @Test(arguments: 0..<40)
  func `what was saved is restored, with all orders`(seed: Int) throws {
    let schema = try sampleSchema()
    let context = sampleWorld(seed: UInt64(seed))
    let snapshot = try context.snapshot(schema)
    let before = picture(of: context)
    for source in [snapshot, try Snapshot(snapshot.data)] {
      let copy = Context()
      copy.setUniqueComponent(Service(name: "other"))
      let report = try source.restore(into: copy, schema)
      expectEqual(picture(of: copy), before)
      expectEqual(report.created, snapshot.entityCount)
      expectTrue(report.unknownComponents.isEmpty && report.unknownRelations.isEmpty)
      expectEqual(
        report.links,
        context.linkCount(WrittenBy.self) + context.linkCount(Near.self)
          + context.linkCount(ChildOf.self))
      // What is restored is saved alike.
      try expectEqual(copy.snapshot(schema).restore(into: Context(), schema), report)
    }
  }

  @Test func `the same context gives the same bytes`() throws {
    let schema = try sampleSchema()
    let first = try sampleWorld(seed: 7).snapshot(schema).data
    let second = try sampleWorld(seed: 7).snapshot(schema).data
    expectEqual(first, second)
    expectEqual(first.count, (try Snapshot(first)).byteCount)
  }

  @Test func `inside of a section that only reads it is the same`() throws {
    let schema = try sampleSchema()
    let context = sampleWorld(seed: 7)
    let outside = try context.snapshot(schema).data
    try expectEqual(context.reading { try context.snapshot(schema).data }, outside)
    let nested = try context.perform { try context.reading { try context.snapshot(schema).data } }
    expectEqual(nested, outside)
  }

  @Test func `an empty context has a snapshot`() throws {
    let schema = try sampleSchema()
    let snapshot = try Snapshot(try Context().snapshot(schema).data)
    let copy = Context()
    try expectEqual(snapshot.restore(into: copy, schema).created, 0)
    expectEqual(copy.count, 0)
    expectEqual(snapshot.name, "sample")
  }

  @Test func `the first of many entities to be destroyed do not change the others' order`() throws {
    let schema = try sampleSchema()
    let context = Context()
    let all = (0..<5000).map {
      context.createEntity(with: Score(points: Int32($0), isFinal: true))
    }
    for number in stride(from: 0, to: 5000, by: 3) { all[number].destroy() }
    let copy = Context()
    try context.snapshot(schema).restore(into: copy, schema)
    expectEqual(picture(of: copy), picture(of: context))
  }

  @Test func `creation numbers that are far apart keep their order`() throws {
    let schema = try sampleSchema()
    let context = Context()
    for number: Int32 in 0..<3 { context.createEntity(with: Score(points: number)) }
    for _ in 0..<2 {
      context.skipCreations(leaving: 1)
      for number: Int32 in 3..<6 { context.createEntity(with: Score(points: number), Chosen()) }
    }
    let copy = Context()
    try context.snapshot(schema).restore(into: copy, schema)
    expectEqual(picture(of: copy), picture(of: context))
  }

  @Test func `types that the schema does not mention are reported, those left out are not`() throws
  {
    let schema = try sampleSchema()
    let context = Context()
    context.createEntity(with: Chosen(), Cache(count: 1))
    let other = context.createEntity(with: Cache(count: 2))
    context.setUniqueComponent(Service(name: "live"))
    context.createEntity(with: Likes(best: other, all: [other]))
    let snapshot = try context.snapshot(schema)
    expectEqual(snapshot.unlisted, [Cache.cid])
    expectEqual(snapshot.entityCount, 2)
    let copy = Context()
    try snapshot.restore(into: copy, schema)
    expectEqual(copy.group(Likes.matcher).first?.get(Likes.self), Likes())
  }

  @Test func `a context that has something of it is refused, and stays as it is`() throws {
    let schema = try sampleSchema()
    let snapshot = try sampleWorld(seed: 1).snapshot(schema)
    let context = Context(name: "full")
    context.createEntity(with: Point(x: 1, y: 1))
    #expect(throws: SnapshotError(.contextNotEmpty, name: "full")) {
      try snapshot.restore(into: context, schema)
    }
    expectEqual(context.count, 1)
  }

  @Test func `whoever listens sees all values in place, once`() throws {
    let schema = try sampleSchema()
    let context = sampleWorld(seed: 3)
    let copy = Context()
    let index = copy.primaryIndex { (book: Book) in book.isbn }
    let collector = copy.collector(for: Book.matcher)
    let seen = Counter()
    let token = copy.group(Matcher(all: [Book.cid])).observeChanges(.added) { change in
      seen.add(change.entity.get(Book.self) != nil ? 1 : 1000)
    }
    try context.snapshot(schema).restore(into: copy, schema)
    let count = context.group(Book.matcher).count
    expectEqual(seen.count, count)
    expectEqual(collector.count, count)
    for entity in copy.group(Book.matcher) {
      expectEqual(entity.get(Book.self).map { index[$0.isbn] }, entity)
    }
    withExtendedLifetime(token) {}
  }

  @Test func `two entities with one key are an error where the schema names the key`() throws {
    let schema = try sampleSchema()
    let context = Context()
    context.createEntities(2, with: Book(isbn: "1"))
    let copy = Context()
    #expect {
      try context.snapshot(schema).restore(into: copy, schema)
    } throws: {
      ($0 as? SnapshotError)?.reason == .duplicateKey("1")
    }
    expectEqual(copy.count, 0)
  }

  @Test func `a file is written and read, and replaces the one before`() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("world.ecs")
    let schema = try sampleSchema()
    for seed in 0..<3 {
      let context = sampleWorld(seed: UInt64(seed))
      let snapshot = try context.snapshot(schema)
      try snapshot.write(to: url)
      try expectEqual(Data(contentsOf: url), snapshot.data)
      let copy = Context()
      try Snapshot(contentsOf: url).restore(into: copy, schema)
      expectEqual(picture(of: copy), picture(of: context))
    }
    try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.url.path), ["world.ecs"])
  }

  @Test func `a file that can't be written or read says so`() throws {
    let url = URL(fileURLWithPath: "/nowhere/at/all.ecs")
    let snapshot = try Context().snapshot(try sampleSchema())
    let folder = try TemporaryFolder()
    for action in [
      { try snapshot.write(to: url) }, { _ = try Snapshot(contentsOf: url) },
      { try snapshot.write(to: folder.url) },
    ] {
      #expect {
        try action()
      } throws: {
        if case .file = ($0 as? SnapshotError)?.reason { true } else { false }
      }
    }
  }
}
