import ECS
import ECSSnapshots
import ECSTestSupport
import Testing

/// What journals and transactions make of restoring.
@Suite struct JournalTests {
  private struct Stop: Error {}

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `a restore in a transaction that throws is taken back completely`(seed: UInt64) throws {
    let schema = try sampleSchema()
    let source = sampleWorld(seed: seed)
    let snapshot = try source.snapshot(schema)
    let context = Context()
    context.setUniqueComponent(Service(name: "live"))
    let service = try #require(context.uniqueEntity(Service.self))
    let index = context.primaryIndex { (book: Book) in book.isbn }
    let collector = context.collector(for: Book.matcher)
    let told = Counter()
    let token = context.group(Score.matcher).observeChanges(.added) { _ in told.add(1) }
    let journal = context.journal().observe { _ in told.add(1) }
    var made: [Entity] = []
    #expect(throws: Stop.self) {
      try context.transaction {
        service.set(Cache(count: 1))
        try snapshot.restore(into: context, schema)
        made = context.entities().filter { $0 != service }
        made.first?.destroy()
        throw Stop()
      }
    }
    expectEqual(Array(context.entities()), [service])
    expectFalse(service.has(Cache.cid))
    expectTrue(made.count == snapshot.entityCount && made.allSatisfy { !$0.isAlive })
    expectTrue(index.count == 0 && collector.isEmpty && told.count == 0)
    expectTrue(context.linkCount(Near.self) == 0 && context.linkCount(ChildOf.self) == 0)
    // And once more, for good.
    try snapshot.restore(into: context, schema)
    expectEqual(picture(of: context), picture(of: source))
    expectTrue(made.allSatisfy { !$0.isAlive })
    expectEqual(index.count, source.group(Book.matcher).count)
    withExtendedLifetime((token, journal)) {}
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `a journal tells a restore as one commit, with all values, in the order of creation`(
    seed: UInt64
  ) throws {
    let schema = try sampleSchema()
    let source = sampleWorld(seed: seed)
    let snapshot = try source.snapshot(schema)
    let context = Context()
    let told = Told()
    let token = context.journal().observe { commit in
      told.commits += 1
      for change in commit {
        expectEqual(change.cause.name, "restore a snapshot")
        switch change.kind {
        case .created:
          told.created.append(change.entity)
          expectEqual(change.new(Book.self), change.entity.get(Book.self))
          expectEqual(change.new(Likes.self), change.entity.get(Likes.self))
          expectEqual(change.newComponents().count, change.entity.components().count)
        case .linked: told.links += 1
        default: Issue.record("\(change)")
        }
      }
    }
    let report = try snapshot.restore(into: context, schema)
    withExtendedLifetime(token) {}
    expectEqual(told.commits, 1)
    expectEqual(told.created, Array(context.entities()))
    expectTrue(told.created.count == report.created && told.links == report.links)
  }

  @Test func `entities made of columns are taken back, and told with all their values`() throws {
    let context = Context()
    let old = context.createEntity(with: Score(points: 1))
    let told = Told()
    let token = context.journal().observe { commit in
      told.commits += 1
      for change in commit where change.kind == .created {
        told.created.append(change.entity)
        told.points.append(change.new(Score.self)?.points ?? -1)
      }
    }
    func make() -> [Entity] {
      let tables = [NewTable([Score.cid], [3, 0]), NewTable([Score.cid, Chosen.cid], 1..<2)]
      let made = context.createEntities(4, in: tables) { table, columns in
        columns.initialize(Score.self) { output in
          for row in 0..<columns.count { output.append(Score(points: Int32(10 * table + row))) }
        }
      }
      return Array(made)
    }
    var taken: [Entity] = []
    #expect(throws: Stop.self) {
      try context.transaction {
        taken = make()
        taken[1].set(Score(points: 100))
        old.destroy()
        throw Stop()
      }
    }
    expectTrue(Array(context.entities()) == [old] && old.get(Score.self) == Score(points: 1))
    expectTrue(taken.allSatisfy { !$0.isAlive } && told.commits == 0)
    let made = make()
    expectTrue(told.commits == 1 && told.created == made)
    expectEqual(told.points, [1, 10, -1, 0])
    expectEqual(context.group(Score.matcher).count, 4)
    expectTrue(taken.allSatisfy { !$0.isAlive })
    withExtendedLifetime(token) {}
  }

  // Used by one thread.
  private final class Told: @unchecked Sendable {
    var commits = 0
    var created: [Entity] = []
    var links = 0
    var points: [Int32] = []
  }
}
