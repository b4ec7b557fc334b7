import ECS
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Foundation
import Testing

/// Snapshots that are merged into contexts that have something of them.
@Suite struct MergeTests {
  private let context = Context(name: "shop")
  private let books: PrimaryIndex<Book, String>

  init() { books = context.primaryIndex { (book: Book) in book.isbn } }

  private func snapshot(_ build: (Context) throws -> Void) throws -> Snapshot {
    let source = Context()
    try build(source)
    return try Snapshot(try source.snapshot(try sampleSchema()).data)
  }

  @discardableResult
  private func merge(
    _ snapshot: Snapshot, keyless: KeylessPolicy = .create
  ) throws -> RestoreReport {
    try snapshot.merge(into: context, try sampleSchema(), by: books, keyless: keyless)
  }

  private func error(_ snapshot: Snapshot, keyless: KeylessPolicy = .create) -> SnapshotError? {
    let before = picture(of: context)
    let journal = Counter()
    let token = context.journal().observe { _ in journal.add(1) }
    defer { withExtendedLifetime(token) {} }
    do {
      try merge(snapshot, keyless: keyless)
      return nil
    } catch {
      #expect(picture(of: context) == before)
      #expect(journal.count == 0)
      return error as? SnapshotError
    }
  }

  @Test func `who is found by its key gets what it has in the snapshot and keeps the rest`() throws
  {
    let known = context.createEntity(
      with: Book(isbn: "1", title: "Old", pages: 3), Score(points: 7), Cache(count: 4))
    let other = context.createEntity(with: Book(isbn: "2"), Score(points: 8))
    let snapshot = try snapshot {
      $0.createEntity(with: Book(isbn: "3", title: "Added"))
      $0.createEntity(with: Book(isbn: "1", title: "New"), Point(x: 1, y: 2))
    }
    let report = try merge(snapshot)
    #expect((report.created, report.merged, report.links) == (1, 1, 0))
    #expect(known.get(Book.self) == Book(isbn: "1", title: "New"))
    #expect(known.get(Point.self) == Point(x: 1, y: 2))
    #expect(known.get(Score.self) == Score(points: 7))
    #expect(known.get(Cache.self)?.count == 4)
    #expect(other.get(Score.self) == Score(points: 8))
    #expect(books["3"]?.get(Book.self)?.title == "Added")
    #expect(context.count == 3)
  }

  @Test func `links and references lead to those who were there and to those who were not`() throws
  {
    let known = context.createEntity(with: Book(isbn: "1"))
    let reader = context.createEntity(with: Book(isbn: "2"))
    let snapshot = try snapshot {
      let a = $0.createEntity(with: Book(isbn: "1"))
      let b = $0.createEntity(with: Book(isbn: "2"))
      let c = $0.createEntity(with: Book(isbn: "3"))
      b.set(Likes(best: a, all: [c, a])).relate(Near.self, to: c).relate(Near.self, to: a)
      c.set(Likes(best: b, all: [c])).relate(WrittenBy.self, to: a)
      try c.setParent(b)
    }
    #expect(try merge(snapshot).links == 4)
    let made = try #require(books["3"])
    #expect(reader.get(Likes.self) == Likes(best: known, all: [made, known]))
    #expect(made.get(Likes.self) == Likes(best: reader, all: [made]))
    #expect(Array(reader.targets(Near.self)) == [made, known])
    #expect(made.target(WrittenBy.self) == known)
    #expect(made.parent == reader)
    #expect(try merge(snapshot).links == 0)
  }

  @Test func `targets become those of the snapshot, if it has some`() throws {
    let a = context.createEntity(with: Book(isbn: "a"))
    let b = context.createEntity(with: Book(isbn: "b"))
    let c = context.createEntity(with: Book(isbn: "c"))
    a.relate(Near.self, to: a).relate(Near.self, to: b).relate(WrittenBy.self, to: b)
    b.relate(Near.self, to: c)
    let report = try merge(
      try snapshot {
        let a = $0.createEntity(with: Book(isbn: "a"))
        let b = $0.createEntity(with: Book(isbn: "b"))
        let c = $0.createEntity(with: Book(isbn: "c"))
        a.relate(Near.self, to: c).relate(Near.self, to: b).relate(WrittenBy.self, to: c)
      })
    #expect(Array(a.targets(Near.self)) == [c, b])
    #expect(a.target(WrittenBy.self) == c)
    #expect(Array(b.targets(Near.self)) == [c])
    #expect(report.links == 2)
  }

  @Test func `parents may change places`() throws {
    let a = context.createEntity(with: Book(isbn: "a"))
    let b = context.createEntity(with: Book(isbn: "b"))
    let c = context.createEntity(with: Book(isbn: "c"))
    try b.setParent(a)
    try c.setParent(b)
    try merge(
      try snapshot {
        let b = $0.createEntity(with: Book(isbn: "b"))
        let c = $0.createEntity(with: Book(isbn: "c"))
        let a = $0.createEntity(with: Book(isbn: "a"))
        try a.setParent(b)
        try b.setParent(c)
        try c.setParent($0.createEntity())
      })
    #expect(a.parent == b && b.parent == c && c.parent?.parent == nil && c.parent != nil)
  }

  @Test func `a parent that would be below its child is an error, and nothing happens`() throws {
    let root = context.createEntity(with: Book(isbn: "root"))
    let middle = context.createEntity()
    let leaf = context.createEntity(with: Book(isbn: "leaf"))
    try middle.setParent(root)
    try leaf.setParent(middle)
    let snapshot = try snapshot {
      let root = $0.createEntity(with: Book(isbn: "root"))
      let between = $0.createEntity(with: Book(isbn: "between"))
      try root.setParent(between)
      try between.setParent($0.createEntity(with: Book(isbn: "leaf")))
    }
    let error = error(snapshot)
    if case .badLinks = error?.reason {} else { Issue.record("\(String(describing: error))") }
    #expect(error?.name == "childOf")
  }

  @Test func `an entity without a key is the one that holds its unique component, or a new one`()
    throws
  {
    context.setUniqueComponent(Clock(seconds: 1))
    let holder = try #require(context.uniqueEntity(Clock.self))
    let snapshot = try snapshot {
      $0.setUniqueComponent(Clock(seconds: 2))
      $0.createEntity(with: Score(points: 1))
    }
    for round in 1...2 {
      let report = try merge(snapshot)
      #expect((report.created, report.merged) == (1, 1))
      #expect(context.uniqueEntity(Clock.self) == holder)
      #expect(context.uniqueComponent(Clock.self) == Clock(seconds: 2))
      #expect(context.group(Score.matcher).count == round)
    }
    #expect(error(snapshot, keyless: .fail) == SnapshotError(.noKey, name: "book"))
  }

  @Test func `a unique component goes to the entity that has it in the snapshot`() throws {
    let a = context.createEntity(with: Book(isbn: "a"), Clock(seconds: 1))
    let b = context.createEntity(with: Book(isbn: "b"))
    try merge(try snapshot { $0.createEntity(with: Book(isbn: "b"), Clock(seconds: 2)) })
    #expect(a.get(Clock.self) == nil)
    #expect(b.get(Clock.self) == Clock(seconds: 2))
    try merge(try snapshot { $0.createEntity(with: Book(isbn: "c"), Clock(seconds: 3)) })
    #expect(books["c"]?.get(Clock.self) == Clock(seconds: 3))
    #expect(context.uniqueEntity(Clock.self) == books["c"])
  }

  @Test func `an entity that is two of the snapshot is an error`() throws {
    context.createEntity(with: Book(isbn: "a"), Clock(seconds: 1))
    let snapshot = try snapshot {
      $0.createEntity(with: Book(isbn: "a"))
      $0.createEntity(with: Clock(seconds: 2))
    }
    #expect(error(snapshot) == SnapshotError(.ambiguous, name: "clock"))
  }

  @Test func `an entity that is two of the context is an error`() throws {
    let schema = try Schema("s") {
      Stored(of: Book(), as: "book") { Field(\.isbn, at: "isbn") }
        .leaving(\.title, \.pages, \.tags, \.published, \.id)
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
    #expect(clock.get(Clock.self) == Clock(seconds: 1))
    #expect(
      "\(SnapshotError(.severalFound, name: "service"))"
        == "service: an entity of the snapshot is several of the context")
  }

  @Test(arguments: ["1", "2"])
  func `who would end with the holder of a unique component is not lost`(isbn: String) throws {
    context.setUniqueComponent(Clock(seconds: 1))
    let holder = try #require(context.uniqueEntity(Clock.self))
    let known = context.createEntity(with: Book(isbn: "1"), Score(points: 1))
    try known.setParent(holder)
    let below = context.createEntity()
    try below.setParent(known)
    let snapshot = try snapshot {
      let first = $0.createEntity(with: Book(isbn: "1", title: "New"), Point(x: 1, y: 2))
      let owner = isbn == "1" ? first : $0.createEntity(with: Book(isbn: isbn))
      owner.set(Clock(seconds: 2))
      owner.relate(Near.self, to: first)
    }
    #expect(error(snapshot) == SnapshotError(.endsWithHolder, name: "clock"))
    #expect(context.uniqueEntity(Clock.self) == holder)
    #expect(books["1"] == known && books["2"] == nil)
    #expect(known.parent == holder && below.parent == known)
    // Whoever has something else stays.
    holder.set(Chosen())
    let report = try merge(snapshot)
    #expect((report.created, report.merged) == (isbn == "1" ? 0 : 1, isbn == "1" ? 1 : 1))
    #expect(known.get(Book.self)?.title == "New")
    #expect(known.get(Point.self) == Point(x: 1, y: 2))
    #expect(known.parent == holder)
    #expect(context.uniqueEntity(Clock.self) == books[isbn])
  }

  @Test func `a holder that has nothing else ends, with those related to it that nobody found`()
    throws
  {
    context.setUniqueComponent(Clock(seconds: 1))
    let holder = try #require(context.uniqueEntity(Clock.self))
    let child = context.createEntity(with: Score(points: 1))
    try child.setParent(holder)
    let known = context.createEntity(with: Book(isbn: "1"))
    try merge(try snapshot { $0.createEntity(with: Book(isbn: "1"), Clock(seconds: 2)) })
    #expect(!holder.isAlive && !child.isAlive)
    #expect(context.uniqueEntity(Clock.self) == known)
  }

  @Test(arguments: [false, true])
  func `in a chain, a new source takes a target away from another`(isReversed: Bool) throws {
    let schema = try Schema("s") {
      Stored(of: Book(), as: "book") { Field(\.isbn, at: "isbn") }
        .leaving(\.title, \.pages, \.tags, \.published, \.id)
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
    #expect(try source.snapshot(schema).merge(into: context, schema, by: books).links == 2)
    let c = try #require(books["c"])
    #expect(c.target(Chain.self) == b && b.target(Chain.self) == a)
    #expect(a.target(Chain.self) == nil)
    // What stays a cycle is refused.
    let other = Context()
    let last = other.createEntity(with: Book(isbn: "a"))
    last.relate(Chain.self, to: other.createEntity(with: Book(isbn: "c")))
    #expect {
      try other.snapshot(schema).merge(into: context, schema, by: books)
    } throws: {
      if case .badLinks = ($0 as? SnapshotError)?.reason { true } else { false }
    }
    #expect(a.target(Chain.self) == nil && b.target(Chain.self) == a)
  }

  @Test func `a key that is there twice is an error, whether or not the schema names it`() throws {
    let schema = try Schema("s") {
      Stored(of: Book(), as: "book") { Field(\.isbn, at: "isbn") }
        .leaving(\.title, \.pages, \.tags, \.published, \.id)
    }
    let source = Context()
    source.createEntities(2, with: Book(isbn: "1"))
    context.createEntity(with: Book(isbn: "1"))
    #expect(throws: SnapshotError(.duplicateKey("1"), name: "book")) {
      try source.snapshot(schema).merge(into: context, schema, by: books)
    }
    #expect(context.count == 1)
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
    #expect(try merge(snapshot).created == 1)
    #expect(books["1"]?.get(Score.self) == Score(points: 1))
    #expect(known.get(Book.self) == nil)
  }

  @Test func `it is one commit, with a cause, and tells only what changed`() throws {
    let known = context.createEntity(with: Book(isbn: "1"), Score(points: 1))
    let other = context.createEntity(with: Book(isbn: "2"), Score(points: 2))
    known.relate(Near.self, to: other)
    let snapshot = try snapshot {
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
      #expect(change.entity.get(Score.self) == Score(points: 3))
      scores.add(1)
    }
    try merge(snapshot)
    withExtendedLifetime((token, scoreToken)) {}
    #expect(scores.count == 1)
    #expect(
      told.commits == [
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
      #expect(picture(of: context) == before)
      #expect(created.allSatisfy { !$0.isAlive })
      for entity in context.group(Book.matcher) {
        #expect(entity.get(Book.self).map { index[$0.isbn] } == entity)
      }
    }
  }

  @Test func `kept components replace those of the same names`() throws {
    let partial = try Schema("sample") {
      Stored(of: Book(), as: "book") {
        Field(\.isbn, at: "isbn")
      }
      .leaving(\.title, \.pages, \.tags, \.published, \.id)
    }
    for values in [(1, true), (2, false)] as [(Int32, Bool)] {
      let snapshot = try snapshot {
        let book = $0.createEntity(with: Book(isbn: "1"), Score(points: values.0))
        if values.1 { book.set(Chosen()) }
        book.set(Likes(best: book, all: []))
      }
      try snapshot.merge(into: context, partial, by: books, unknown: .keep)
    }
    let book = try #require(books["1"])
    let names = try #require(book.get(UnknownComponents.self)?.names)
    #expect(names == ["chosen", "score", "likes"])
    let copy = Context()
    try context.snapshot(partial).restore(into: copy, try sampleSchema())
    let restored = try #require(copy.group(Book.matcher).first)
    #expect(restored.get(Score.self) == Score(points: 2))
    #expect(restored.has(Chosen.cid))
    #expect(restored.get(Likes.self)?.best == restored)
  }

  @Test func `text is merged as well`() throws {
    let known = context.createEntity(with: Book(isbn: "1", pages: 1))
    let json = """
      {"snapshot":"sample","format":1}
      {"@":"1","book":{"isbn":"1","pages":2},"near":["2"]}
      {"@":"2","book":{"isbn":"2"}}
      """
    try merge(try Snapshot(json: Data(json.utf8), try sampleSchema()))
    #expect(known.get(Book.self)?.pages == 2)
    #expect(known.targets(Near.self).first == books["2"])
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

private enum Chain: OneToOneRelation, Hierarchy {}
