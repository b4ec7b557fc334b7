import ECS
import ECSRecipes
import ECSTestSupport
import Foundation
import Synchronization
import Testing

/// What operations and imports tell.
@Suite(.noHangs) struct ResultTests {
  let context = Context()
  let mapper: Mapper

  init() { mapper = Mapper(context) }

  @Test func `Applying says what was made, changed or left unchanged`() throws {
    let users = try Catalog.users()
    let made = try mapper.apply(["id": 1, "name": "Ada"], with: users)
    expectEqual(made.outcome, .made)
    expectEqual(made.changes.map { "\($0)" }, ["id: nothing -> 1", "name: nothing -> \"Ada\""])
    let changed = try mapper.apply(
      ["id": 1, "name": "Ada", "contact": ["emails": ["a@b.c"]], "score": 1], with: users)
    expectEqual(changed.entity, made.entity)
    expectEqual(changed.outcome, .updated)
    expectEqual(changed.changes.map { $0.field as AnyKeyPath? }, [\User.email, \User.score])
    expectEqual(changed.changes.map(\.path.description), ["contact.emails[0]", "score"])
    expectEqual(changed.changes.map(\.old), [.null, 0.5])
    let unchanged = try mapper.apply(["score": 1], to: made.entity, with: users)
    expectEqual(unchanged.outcome, .unchanged)
    expectTrue(unchanged.changes.isEmpty)
    try expectEqual(mapper.apply(["score": 2], to: made.entity, with: users).outcome, .updated)
    #expect(throws: RecipeError.self) { try mapper.apply(["id": 2], to: made.entity, with: users) }
  }

  @Test func `Importing a list returns its entities in order, and those no longer in it`() throws {
    let users = try Catalog.users()
    func user(_ id: Int) -> JSONValue { ["id": .number(JSONNumber(id)), "name": "U"] }
    let first = try mapper.importList((1...4).map(user), with: users)
    expectEqual(first.entities.map { $0?.get(UserID.self)?.value }, [1, 2, 3, 4])
    expectNil(first.absent)
    let records: [JSONValue] = [user(3), ["id": 2, "name": 7], user(9), user(3)]
    let second = try mapper.importList(
      records, with: users, absentFrom: context.group(User.matcher))
    expectEqual(second.entities.map { $0?.get(UserID.self)?.value }, [3, nil, 9, 3])
    // The second one was refused, but it was there.
    expectEqual(second.absent?.map { $0.get(UserID.self)?.value }, [1, 4])
    let all = try mapper.importList(
      [user(1), user(2)], with: users, policy: .allOrNothing,
      absentFrom: context.group(User.matcher))
    expectEqual(all.entities.map { $0?.get(UserID.self)?.value }, [1, 2])
    expectEqual(all.absent?.map { $0.get(UserID.self)?.value }, [3, 4, 9])
    let unknown = try mapper.importList(
      [["name": "?"]], with: users, absentFrom: context.group(User.matcher))
    expectNil(unknown.absent)
  }

  @Test func `Nested and referenced entities are in the data, former targets are not`() throws {
    let articles = try Catalog.articles()
    let users = context.group(User.matcher)
    let data: JSONValue = ["id": 1, "title": "T", "author": ["id": 2, "name": "Ada"]]
    try mapper.importList([data], with: articles)
    let report = try mapper.importList(
      [["id": 1, "author": ["id": 3, "name": "Eve"]]], with: articles, absentFrom: users)
    expectEqual(report.absent?.map { $0.get(UserID.self)?.value }, [2])
    let refused = try mapper.importList(
      [["id": 1, "title": 7, "author": ["id": 3]]], with: articles, absentFrom: users)
    expectEqual(refused.absent?.map { $0.get(UserID.self)?.value }, [2])
  }

  private func stream(
    _ text: String, at path: JSONPath = .root, chunk: Int = 5,
    options: StreamOptions = StreamOptions(), absentFrom group: Group? = nil
  ) throws -> ImportReport {
    var rest = Data(text.utf8)[...]
    return mapper.importStream(
      at: path, with: try Catalog.users(), options: options, absentFrom: group
    ) {
      let next = rest.prefix(chunk)
      rest = rest.dropFirst(chunk)
      return Data(next)
    }
  }

  @Test func `Streams report entities and absent ones, too, unless they end early`() throws {
    let users = context.group(User.matcher)
    var options = StreamOptions()
    options.listsEntities = true
    let first = try stream(
      #"{"id":1,"name":"A"}"# + "\n" + #"{"id":2,"name":"B"}"#, options: options)
    expectEqual(first.entities.map { $0?.get(UserID.self)?.value }, [1, 2])
    let second = try stream(#"[{"id":2,"name":"C"}]"#, absentFrom: users)
    expectEqual(second.absent?.map { $0.get(UserID.self)?.value }, [1])
    expectTrue(second.entities.isEmpty)
    let broken = try stream(#"[{"id":2,"name":"C"}, {"id":1"#, absentFrom: users)
    expectNil(broken.absent)
  }

  @Test(arguments: [1, 3, 4096])
  func `A list may stand anywhere, in data and in streams`(chunk: Int) throws {
    let text = #"""
      {"meta": {"items": [{"id": 9}], "a\"]": "}{"}, "n": -1.5e3, "t": true, "x": null,
       "data": [1, [2, {"items": 3}], {"skip": "]", "items": [
         {"id": 1, "name": "A"}, {"id": 2, "name": "B", "tags": ["]"]}
       ], "more": 1}], "rest": 1}
      """#
    let path = try JSONPath("data[2].items")
    let report = try stream(text, at: path, chunk: chunk)
    expectEqual(report.made, 2)
    expectTrue(report.failures.isEmpty)
    let users = try Catalog.users()
    let again = try mapper.importList(at: "data[2].items", in: JSONValue(json: text), with: users)
    expectEqual(again.unchanged, 2)
    for (wrong, reason): (String, RecipeError.Reason) in [
      ("data[2].none", .missing), ("data[7]", .missing),
      ("data[2].skip", .typeMismatch(expected: "array", found: .string)),
      ("n.items", .typeMismatch(expected: "object", found: .number)),
    ] {
      let report = try stream(text, at: JSONPath(wrong), chunk: chunk)
      expectEqual(report.failures.map(\.error.reason), [reason], "\(wrong)")
      do throws(ImportError) {
        try mapper.importList(at: wrong, in: (try? JSONValue(json: text)) ?? .null, with: users)
        Issue.record("\(wrong) was found.")
      } catch {
        expectEqual(error.failures.map(\.error.reason), [reason], "\(wrong)")
      }
    }
    #expect(throws: ImportError.self) {
      try mapper.importList(at: "a..b", in: ["a": []], with: users)
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "list-\(UUID()).json")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try expectEqual(mapper.importFile(file, at: "data[2].items", with: users).unchanged, 2)
    #expect(throws: JSONPathError.self) { try mapper.importFile(file, at: "a..b", with: users) }
  }

  @Test func `Other threads can use the context while a list is imported`() throws {
    let users = try Catalog.users()
    let records = (0..<20_000).map { number -> JSONValue in
      ["id": .number(JSONNumber(number)), "name": "U", "score": 1]
    }
    let isOver = Atomic(false)
    let seen = Mutex<Set<Int>>([])
    let (context, done) = (context, DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      while !isOver.load(ordering: .acquiring) {
        let count = context.count
        seen.withLock { _ = $0.insert(count) }
      }
      done.signal()
    }
    try expectEqual(mapper.importList(records, with: users).made, 20_000)
    isOver.store(true, ordering: .releasing)
    done.wait()
    expectGreaterThan(seen.withLock { $0.filter { $0 > 0 && $0 < 20_000 }.count }, 1)
  }

  @Test func `A list that is imported inside perform is one change to observers`() throws {
    let users = try Catalog.users()
    let counts = Mutex<Set<Int>>([])
    let token = context.group(User.matcher).observeChanges { [context] _ in
      counts.withLock { _ = $0.insert(context.count) }
    }
    let records = (0..<3000).map { number -> JSONValue in
      ["id": .number(JSONNumber(number)), "name": "U"]
    }
    try context.perform { _ = try mapper.importList(records, with: users) }
    expectEqual(counts.withLock { $0 }, [3000])
    withExtendedLifetime(token) {}
  }
}
