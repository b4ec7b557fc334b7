import ECS
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Foundation
import Testing

/// Snapshots that are merged into contexts that have something of them.
@Suite struct MergeTests {
  private let world = MergeWorld()
  private var context: Context { world.context }
  private var books: PrimaryIndex<Book, String> { world.books }

  @Test func `who is found by its key gets what it has in the snapshot and keeps the rest`() throws
  {
    let known = context.createEntity(
      with: Book(isbn: "1", title: "Old", pages: 3), Score(points: 7), Cache(count: 4))
    let other = context.createEntity(with: Book(isbn: "2"), Score(points: 8))
    let snapshot = try world.snapshot {
      $0.createEntity(with: Book(isbn: "3", title: "Added"))
      $0.createEntity(with: Book(isbn: "1", title: "New"), Point(x: 1, y: 2))
    }
    let report = try world.merge(snapshot)
    expectTrue((report.created, report.merged, report.links) == (1, 1, 0))
    expectEqual(known.get(Book.self), Book(isbn: "1", title: "New"))
    expectEqual(known.get(Point.self), Point(x: 1, y: 2))
    expectEqual(known.get(Score.self), Score(points: 7))
    expectEqual(known.get(Cache.self)?.count, 4)
    expectEqual(other.get(Score.self), Score(points: 8))
    expectEqual(books["3"]?.get(Book.self)?.title, "Added")
    expectEqual(context.count, 3)
  }

  @Test func `a key that is there twice is an error, whether or not the schema names it`() throws {
    let schema = try MergeWorld.numbers()
    let source = Context()
    source.createEntities(2, with: Book(isbn: "1"))
    context.createEntity(with: Book(isbn: "1"))
    #expect(throws: SnapshotError(.duplicateKey("1"), name: "book")) {
      try source.snapshot(schema).merge(into: context, schema, by: books)
    }
    expectEqual(context.count, 1)
  }

  @Test func `a schema without the component of the index, or with a reference in it, is an error`()
    throws
  {
    let schema = try Schema("s") {
      Stored(of: Likes(), as: "likes") {
        Field(\.best, at: "best")
        Field(\.all, at: "all")
      }
    }
    let snapshot = try Context().snapshot(schema)
    #expect(throws: SnapshotError(.noIdentity, name: Book.cid.name)) {
      try snapshot.merge(into: context, schema, by: books)
    }
    let likes = context.primaryIndex { (likes: Likes) in likes.best }
    #expect(throws: SnapshotError(.noIdentity, name: Likes.cid.name)) {
      try snapshot.merge(into: context, schema, by: likes)
    }
  }

  @Test func `who was destroyed meanwhile is created`() throws {
    let known = context.createEntity(with: Book(isbn: "1"), Score(points: 1))
    let snapshot = try context.snapshot(try sampleSchema())
    known.destroy()
    try expectEqual(world.merge(snapshot).created, 1)
    expectEqual(books["1"]?.get(Score.self), Score(points: 1))
    expectNil(known.get(Book.self))
  }

  @Test func `it is one commit, with a cause, and tells only what changed`() throws {
    let known = context.createEntity(with: Book(isbn: "1"), Score(points: 1))
    let other = context.createEntity(with: Book(isbn: "2"), Score(points: 2))
    known.relate(Near.self, to: other)
    let snapshot = try world.snapshot {
      let known = $0.createEntity(with: Book(isbn: "1"), Point(x: 1, y: 1))
      let other = $0.createEntity(with: Book(isbn: "2"))
      let made = $0.createEntity(with: Book(isbn: "3"), Score(points: 3))
      known.relate(Near.self, to: other)
      made.relate(Near.self, to: other)
    }
    let told = Told()
    let token = context.journal().observe { commit in
      told.commits.append(
        commit.map { change in
          let name = change.entity.get(Book.self)?.isbn ?? "?"
          return "\(change.cause.name) \(change.kind) \(name) \(change.component?.name ?? "")"
        })
    }
    let scores = Counter()
    let scoreToken = context.group(Score.matcher).observeChanges(.added) { change in
      expectEqual(change.entity.get(Score.self), Score(points: 3))
      scores.add(1)
    }
    try world.merge(snapshot)
    withExtendedLifetime((token, scoreToken)) {}
    expectEqual(scores.count, 1)
    expectEqual(
      told.commits,
      [
        [
          "merge a snapshot created 3 ", "merge a snapshot added 1 Point",
          "merge a snapshot replaced 1 Book", "merge a snapshot replaced 2 Book",
          "merge a snapshot linked 3 ",
        ]
      ])
  }

  @Test func `a merge in a transaction that throws is taken back`() throws {
    struct Stop: Error {}
    for seed in 0..<20 as Range<UInt64> {
      let context = sampleWorld(seed: seed, count: 20)
      let index = context.primaryIndex { (book: Book) in book.isbn }
      let before = picture(of: context)
      let schema = try sampleSchema()
      let snapshot = try sampleWorld(seed: seed + 100, count: 20).snapshot(schema)
      var created: [Entity] = []
      #expect(throws: (any Error).self) {
        try context.transaction {
          let known = Set(context.entities())
          try snapshot.merge(into: context, schema, by: index)
          created = context.entities().filter { !known.contains($0) }
          throw Stop()
        }
      }
      expectEqual(picture(of: context), before)
      expectTrue(created.allSatisfy { !$0.isAlive })
      for entity in context.group(Book.matcher) {
        expectEqual(entity.get(Book.self).map { index[$0.isbn] }, entity)
      }
    }
  }

  @Test func `kept components replace those of the same names`() throws {
    let partial = try MergeWorld.numbers()
    for values in [(1, true), (2, false)] as [(Int32, Bool)] {
      let snapshot = try world.snapshot {
        let book = $0.createEntity(with: Book(isbn: "1"), Score(points: values.0))
        if values.1 { book.set(Chosen()) }
        book.set(Likes(best: book, all: []))
      }
      try snapshot.merge(into: context, partial, by: books, unknown: .keep)
    }
    let book = try #require(books["1"])
    let names = try #require(book.get(UnknownComponents.self)?.names)
    expectEqual(names, ["chosen", "score", "likes"])
    let copy = Context()
    try context.snapshot(partial).restore(into: copy, try sampleSchema())
    let restored = try #require(copy.group(Book.matcher).first)
    expectEqual(restored.get(Score.self), Score(points: 2))
    expectTrue(restored.has(Chosen.cid))
    expectEqual(restored.get(Likes.self)?.best, restored)
  }

  @Test func `kept components go if they are not there, where all others do`() throws {
    let partial = try MergeWorld.numbers()
    for names in [["chosen", "score"], ["chosen"], []] {
      let snapshot = try world.snapshot {
        let book = $0.createEntity(with: Book(isbn: "1"))
        if names.contains("chosen") { book.set(Chosen()) }
        if names.contains("score") { book.set(Score(points: 1)) }
      }
      try snapshot.replace(in: context, partial, by: books)
      let book = try #require(books["1"])
      expectEqual((book.get(UnknownComponents.self)?.names ?? []).sorted(), names)
    }
  }

  @Test func `text is merged as well`() throws {
    let known = context.createEntity(with: Book(isbn: "1", pages: 1))
    let json = """
      {"snapshot":"sample","format":1}
      {"@":"1","book":{"isbn":"1","pages":2},"near":["2"]}
      {"@":"2","book":{"isbn":"2"}}
      """
    try world.merge(try Snapshot(json: Data(json.utf8), try sampleSchema()))
    expectEqual(known.get(Book.self)?.pages, 2)
    expectEqual(known.targets(Near.self).first, books["2"])
  }

  #if !os(iOS)
    @Test func `an index that can't find anybody stops the program`() async {
      await #expect(processExitsWith: .failure) {
        let (context, other) = (Context(), Context())
        let index = other.primaryIndex { (book: Book) in book.isbn }
        try context.snapshot(try sampleSchema()).merge(
          into: context, try sampleSchema(), by: index)
      }
      await #expect(processExitsWith: .failure) {
        let context = Context()
        let index = context.primaryIndex(paused: true) { (book: Book) in book.isbn }
        try context.snapshot(try sampleSchema()).merge(
          into: context, try sampleSchema(), by: index)
      }
      // Paused while the snapshot is read, which asks for keys.
      await #expect(processExitsWith: .failure) {
        let (context, pausing) = (Context(), Pausing())
        let index = context.primaryIndex { (book: Book) in
          pausing.index?.pause()
          return book.isbn
        }
        context.createEntity(with: Book(isbn: "1"))
        let snapshot = try context.snapshot(try sampleSchema())
        pausing.index = index
        try snapshot.merge(into: context, try sampleSchema(), by: index)
      }
    }
  #endif
}

// Used by one thread.
private final class Told: @unchecked Sendable { var commits: [[String]] = [] }

// Used by one thread.
private final class Pausing: @unchecked Sendable { var index: PrimaryIndex<Book, String>? }
