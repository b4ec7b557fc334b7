import ECS
import ECSRecipes
import ECSTestSupport
import Synchronization
import Testing

@Suite struct ImportTests {
  let context = Context()
  let mapper: Mapper

  init() { mapper = Mapper(context) }

  private let records: [JSONValue] = [
    ["id": 1, "name": "Ada"], ["id": "2"], ["id": 3, "name": "Eve"], ["id": 1, "score": 5],
    ["id": 4], ["id": 3, "name": "Eve"],
  ]

  @Test func `Bad records are left out and reported with their positions`() throws {
    let report = try mapper.importList(records, with: try Catalog.users())
    expectTrue((report.made, report.updated, report.unchanged, report.refused) == (2, 1, 1, 2))
    expectEqual(report.failures.map(\.position), [1, 4])
    expectEqual(report.failures.map(\.error.path.description), ["id", "name"])
    expectEqual(context.count, 2)
  }

  @Test func `One bad record rejects all, and all bad ones are reported`() throws {
    let users = try Catalog.users()
    var expected: [Int] = []
    do throws(ImportError) {
      try mapper.importList(records, with: users, policy: .allOrNothing)
    } catch {
      expected = error.failures.map(\.position)
    }
    expectEqual(expected, [1])
    expectEqual(context.count, 0)
    do throws(ImportError) {
      try mapper.importList([["id": 4], ["id": 5]], with: users, policy: .allOrNothing)
    } catch {
      expected = error.failures.map(\.position)
    }
    expectEqual(expected, [0, 1])
    expectEqual(context.count, 0)
  }

  @Test func `All good records are imported as one change`() throws {
    let users = try Catalog.users()
    let good: [JSONValue] = [
      ["id": 1], ["id": 2, "name": "Eve"], ["id": 1, "name": "Ada", "score": 2],
    ]
    let sizes = Mutex<[Int]>([])
    let context = context
    let token = context.group(User.matcher).observeChanges { _ in
      sizes.withLock { $0.append(context.count) }
    }
    let report = try mapper.importList(good, with: users, policy: .allOrNothing)
    expectTrue((report.made, report.unchanged, report.count) == (2, 1, 3))
    expectEqual(sizes.withLock { $0 }, [2, 2])
    let again = try mapper.importList(good, with: users, policy: .allOrNothing)
    expectTrue((again.made, again.updated, again.unchanged) == (0, 0, 3))
    expectEqual(sizes.withLock { $0.count }, 2)
    token.cancel()
  }

  @Test func `A change of a related entity counts as an update`() throws {
    let articles = try Catalog.articles()
    let article: JSONValue = ["id": 1, "title": "T", "author": ["id": 2, "name": "A"]]
    let changed: JSONValue = ["id": 1, "title": "T", "author": ["id": 2, "name": "B"]]
    for policy in [ImportPolicy.allOrNothing, .skipAndReport] {
      try mapper.importList([article], with: articles, policy: policy)
      let report = try mapper.importList([changed], with: articles, policy: policy)
      expectEqual(report.updated, 1)
    }
  }

  @Test func `A change of an entity that only an earlier record names counts as an update`() throws
  {
    let articles = try Catalog.articles()
    func article(_ author: Int, _ name: String) -> JSONValue {
      [
        "id": 1, "title": "T",
        "author": ["id": .number(JSONNumber(author)), "name": .string(name)],
      ]
    }
    for policy in [ImportPolicy.allOrNothing, .skipAndReport] {
      try mapper.importList([article(2, "A"), article(3, "C")], with: articles, policy: policy)
      let report = try mapper.importList(
        [article(2, "B"), article(3, "C")], with: articles, policy: policy)
      // One by one, the second record names another author again.
      let updated = policy == .allOrNothing ? 1 : 2
      expectTrue((report.updated, report.unchanged) == (updated, 2 - updated))
    }
  }

  @Test func `Unknown fields fail the whole import`() throws {
    let users = try Catalog.users()
    #expect(throws: ImportError.self) {
      try mapper.importList(records, with: users, only: [\Point.x])
    }
    expectEqual(context.count, 0)
  }
}
