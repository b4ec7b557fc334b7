import ECS
import ECSSnapshots
import ECSTestSupport
import Testing

/// Random contexts that are merged, beside a naive model of what that means.
@Suite(.longRunning) struct MergeModelTests {
  /// An entity; others are named by their places in the order of creation.
  private struct Item: Equatable {
    var point: Point?
    var score: Score?
    var book: Book?
    var likesBest: Int?
    var likes: [Int]?
    var isChosen = false
    var rules: Rules?
    var clock: Clock?
    var author: Int?
    var near: [Int] = []
    var parent: Int?
  }

  private static func items(of context: Context) -> [Item] {
    context.perform {
      let entities = context.entities().filter { !$0.has(Service.cid) }
      var places: [Entity: Int] = [:]
      for (place, entity) in entities.enumerated() { places[entity] = place }
      return entities.map { entity in
        let likes = entity.get(Likes.self)
        return Item(
          point: entity.get(Point.self), score: entity.get(Score.self),
          book: entity.get(Book.self), likesBest: likes?.best.flatMap { places[$0] },
          likes: likes?.all.compactMap { places[$0] }, isChosen: entity.has(Chosen.cid),
          rules: entity.get(Rules.self), clock: entity.get(Clock.self),
          author: entity.target(WrittenBy.self).flatMap { places[$0] },
          near: entity.targets(Near.self).compactMap { places[$0] },
          parent: entity.parent.flatMap { places[$0] })
      }
    }
  }

  /// What the first become by the second; nil if one would be below itself.
  private static func merged(_ old: [Item], _ new: [Item]) -> (items: [Item], found: Int)? {
    var result = old
    var places: [Int] = []
    for item in new {
      let place =
        item.book.map { book in old.firstIndex { $0.book?.isbn == book.isbn } }
        ?? (item.clock != nil ? old.firstIndex { $0.clock != nil } : nil)
      places.append(place ?? result.count)
      if place == nil { result.append(Item()) }
    }
    for (item, place) in zip(new, places) {
      if item.clock != nil { for number in result.indices { result[number].clock = nil } }
      result[place].point = item.point ?? result[place].point
      result[place].score = item.score ?? result[place].score
      result[place].book = item.book ?? result[place].book
      result[place].rules = item.rules ?? result[place].rules
      result[place].clock = item.clock ?? result[place].clock
      if item.isChosen { result[place].isChosen = true }
      if let likes = item.likes {
        result[place].likesBest = item.likesBest.map { places[$0] }
        result[place].likes = likes.map { places[$0] }
      }
      if let author = item.author { result[place].author = places[author] }
      if !item.near.isEmpty { result[place].near = item.near.map { places[$0] } }
      if let parent = item.parent { result[place].parent = places[parent] }
    }
    for start in result.indices {
      var (next, steps) = (result[start].parent, 0)
      while let parent = next {
        steps += 1
        if steps > result.count { return nil }
        next = result[parent].parent
      }
    }
    return (result, places.filter { $0 < old.count }.count)
  }

  /// Makes most of those that have keys parents and children of each other.
  private static func addParents(_ context: Context, _ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let books = context.group(Book.matcher).sorted()
    for book in books where !random.oneIn(3) {
      try? book.setParent(books[random.below(books.count)])
    }
  }

  @Test func `a merged snapshot is what a naive merge gives, or nothing happened`() throws {
    let schema = try sampleSchema()
    var (done, refused) = (0, 0)
    for seed in 0..<UInt64(Effort.full(2000, debug: 150)) {
      let context = sampleWorld(seed: seed, count: 30)
      let other = sampleWorld(seed: seed ^ 0x5555, count: 30)
      if seed % 2 == 0 {
        Self.addParents(context, seed)
        Self.addParents(other, ~seed)
      }
      let index = context.primaryIndex { (book: Book) in book.isbn }
      let before = Self.items(of: context)
      let expected = Self.merged(before, Self.items(of: other))
      let snapshot = try Snapshot(try other.snapshot(schema).data)
      do throws(SnapshotError) {
        let report = try snapshot.merge(into: context, schema, by: index)
        expectEqual(Self.items(of: context), expected?.items, "seed \(seed)")
        expectEqual(report.merged, expected?.found, "seed \(seed)")
        expectEqual(report.created + report.merged, snapshot.entityCount, "seed \(seed)")
        done += 1
        // Once more, all that has a key is there.
        let keyed = context.group(Book.matcher).count
        try expectGreaterThanOrEqual(
          snapshot.merge(into: context, schema, by: index).merged, report.merged)
        expectEqual(context.group(Book.matcher).count, keyed, "seed \(seed)")
      } catch {
        if case .badLinks = error.reason {} else { Issue.record("seed \(seed): \(error)") }
        expectNil(expected, "seed \(seed): \(error)")
        expectEqual(Self.items(of: context), before, "seed \(seed)")
        refused += 1
      }
    }
    expectTrue(done > 20 && refused > 5)
  }
}
