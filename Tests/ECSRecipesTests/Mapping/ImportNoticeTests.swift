import ECS
import ECSRecipes
import ECSTestSupport
import Foundation
import Testing

/// How often observers are notified of an import.
///
/// Where that depends on there being no thread that waits, tests have a process of their own: calls on dead entities of
/// other tests, whose context had the same storage before, wait for this one.
@Suite(.noHangs) struct ImportNoticeTests {
  private static func records(_ count: Int) -> [JSONValue] {
    (0..<count).map { ["id": .number(JSONNumber($0)), "name": .string("name \($0)")] }
  }

  /// Counts the notices and commits of a body.
  private static func count(in context: Context, _ body: () throws -> Void) rethrows -> [Int] {
    let (notices, commits) = (Tally(), Tally())
    let tokens = [
      context.group(User.matcher).observe(initial: false) { _ in notices.add() },
      context.journal().observe { _ in commits.add() },
    ]
    try body()
    withExtendedLifetime(tokens) {}
    return [notices.value, commits.value]
  }

  @Test(arguments: [1, 255, 256, 257, 20_000])
  func `Observers are notified once of a list, however long it takes`(size: Int) async {
    await #expect(processExitsWith: .success) { [size] in
      let context = Context()
      let (mapper, users) = (Mapper(context), try Catalog.users())
      let records = Self.records(size)
      let counts = Self.count(in: context) { _ = try? mapper.importList(records, with: users) }
      expectEqual(counts, [1, 1])
      expectEqual(context.count, size)
    }
  }

  @Test func `A list with relations and bad records is one notice, too`() async {
    await #expect(processExitsWith: .success) {
      let context = Context()
      let mapper = Mapper(context)
      let articles = try Catalog.articles()
      let records: [JSONValue] = (0..<3_000).map { number in
        number % 7 == 3
          ? ["id": "none"]
          : [
            "id": .number(JSONNumber(number)), "title": "T",
            "author": ["id": .number(JSONNumber(number % 10)), "name": "A"],
          ]
      }
      let counts = Self.count(in: context) { _ = try? mapper.importList(records, with: articles) }
      expectEqual(counts[1], 1)
    }
  }

  @Test func `A stream is one notice for each batch`() async {
    await #expect(processExitsWith: .success) {
      let context = Context()
      let mapper = Mapper(context)
      let users = try Catalog.users()
      let text = (0..<10_000).map { "{\"id\":\($0),\"name\":\"name \($0)\"}\n" }.joined()
      var options = StreamOptions()
      options.batchSize = 4_000
      var parts = [Array(text.utf8)]
      let counts = Self.count(in: context) {
        _ = mapper.importStream(with: users, options: options) { Data(parts.popLast() ?? []) }
      }
      expectEqual(counts, [3, 3])
      expectEqual(context.count, 10_000)
    }
  }

  @Test func `Threads that wait get their turn in the middle of a list`() throws {
    let context = Context()
    let (mapper, users) = (Mapper(context), try Catalog.users())
    let records = Self.records(100_000)
    let entity = context.createEntity()
    let group = DispatchGroup()
    let (began, seen) = (DispatchSemaphore(value: 0), Tally())
    let token = context.group(User.matcher).observe(initial: false) { _ in }
    DispatchQueue(label: "waiting").async(group: group) { [context] in
      began.signal()
      // In the course of the import, since calls wait for sections that are not over.
      while context.count < 2 {}
      entity.set(User(name: "own"))
      seen.add(context.count)
    }
    began.wait()
    try mapper.importList(records, with: users)
    group.wait()
    expectLessThan(seen.value, 100_001)
    withExtendedLifetime(token) {}
  }
}
