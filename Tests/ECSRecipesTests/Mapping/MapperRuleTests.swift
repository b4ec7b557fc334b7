import ECS
import ECSRecipes
import ECSTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct MapperRuleTests {
  let context = Context()
  let mapper: Mapper

  init() { mapper = Mapper(context) }

  private func failure(_ recipe: Recipe, _ entity: Entity, _ data: JSONValue) -> RecipeError? {
    do throws(RecipeError) {
      try mapper.update(entity, with: recipe, from: data)
      return nil
    } catch {
      return error
    }
  }

  @Test func `An absent key leaves the field as it is`() throws {
    let users = try Catalog.users()
    let user = try mapper.make(
      users, from: ["id": 1, "name": "Ada", "contact": ["emails": ["a@b.c"]]])
    try mapper.update(user, with: users, from: ["score": 2])
    expectEqual(user.get(User.self)?.name, "Ada")
    expectEqual(user.get(User.self)?.email, "a@b.c")
    expectEqual(user.get(User.self)?.score, 2)
    expectEqual(user.get(UserID.self)?.value, 1)
  }

  @Test func `A position that a list does not have is absent`() throws {
    let users = try Catalog.users()
    let user = context.createEntity(with: User(name: "Ada", email: "a@b.c"))
    try expectEqual(
      mapper.update(user, with: users, from: ["contact": ["emails": []]]), .unchanged)
    expectEqual(user.get(User.self)?.email, "a@b.c")
  }

  @Test func `Null clears an optional field, also through its container`() throws {
    let users = try Catalog.users()
    for data: JSONValue in [
      ["contact": ["emails": [.null]]], ["contact": ["emails": .null]], ["contact": .null],
    ] {
      let user = context.createEntity(with: User(name: "Ada", email: "a@b.c"))
      try mapper.update(user, with: users, from: data)
      expectNil(user.get(User.self)?.email)
      expectEqual(user.get(User.self)?.name, "Ada")
    }
  }

  @Test func `Null is an error for a field that isn't optional`() throws {
    let user = context.createEntity(with: User(name: "Ada"))
    let error = failure(try Catalog.users(), user, ["score": 1, "name": .null])
    expectEqual(
      error,
      RecipeError(
        recipe: "user", path: try JSONPath("name"),
        reason: .typeMismatch(expected: "string", found: .null)))
    expectEqual(user.get(User.self)?.score, 0.5)
  }

  @Test func `Null alone makes no component`() throws {
    let entity = context.createEntity()
    let outcome = try mapper.update(
      entity, with: try Catalog.users(), from: ["contact": ["emails": [.null]]])
    expectEqual(outcome, .unchanged)
    expectFalse(entity.has(User.self))
  }

  @Test(
    arguments: [
      (["name": 7], "name", "string", .number),
      (["contact": 7], "contact", "object", .number),
      (["contact": []], "contact", "object", .array),
      (["contact": ["emails": [:]]], "contact.emails", "array", .object),
      (["contact": ["emails": [true]]], "contact.emails[0]", "string", .bool),
      ([], "$", "object", .array), (.null, "$", "object", .null), ("x", "$", "object", .string),
    ] as [(JSONValue, String, String, JSONValue.Kind)])
  func `A wrong type is reported with its path, and changes nothing`(
    data: JSONValue, path: String, expected: String, found: JSONValue.Kind
  ) throws {
    let user = context.createEntity(with: User(name: "Ada", email: "a@b.c"))
    let error = failure(try Catalog.users(), user, data)
    expectEqual(error?.path.description, path)
    expectEqual(error?.reason, .typeMismatch(expected: expected, found: found))
    expectEqual(user.get(User.self)?.name, "Ada")
  }

  @Test func `An error is silent and leaves entity and context unchanged`() throws {
    let articles = try Catalog.articles()
    let events = Mutex(0)
    let all = Matcher(any: [User.cid, Article.cid, ArticleID.cid, Tag.cid, Tags.cid, UserID.cid])
    let subscription = context.group(all).observeChanges { _ in events.withLock { $0 += 1 } }
    let data: JSONValue = [
      "id": 1, "title": "T", "author": ["id": 2, "name": "Ada"], "tags": ["a", "b", 3],
    ]
    #expect(throws: RecipeError.self) { try mapper.make(articles, from: data) }
    expectEqual(context.count, 0)
    expectEqual(events.withLock { $0 }, 0)
    subscription.cancel()
  }

  @Test func `A component that is made must have its required fields`() throws {
    let users = try Catalog.users()
    for data: JSONValue in [["id": 1], ["id": 1, "score": 2]] {
      #expect(
        throws: RecipeError(recipe: "user", path: try JSONPath("name"), reason: .missing)
      ) { try mapper.make(users, from: data) }
    }
    #expect(
      throws: RecipeError(recipe: "user", path: try JSONPath("id"), reason: .missing)
    ) { try mapper.make(users, from: ["name": "Ada"]) }
    expectEqual(context.count, 0)
  }

  @Test func `Equal values change nothing and fire nothing`() throws {
    let articles = try Catalog.articles()
    let data: JSONValue = [
      "id": 1, "title": "T", "text": ["body": "B"], "published": "2024-05-01T12:30:00Z",
      "author": ["id": 2, "name": "Ada"], "tags": ["a", "b"],
    ]
    let article = try mapper.make(articles, from: data)
    let events = Mutex(0)
    let kinds: [CID] = [
      User.cid, Article.cid, ArticleID.cid, Tag.cid, Tags.cid, UserID.cid, Author.cid,
    ]
    let tokens = kinds.map {
      context.group(Matcher(all: [$0])).observeChanges { _ in events.withLock { $0 += 1 } }
    }
    try expectEqual(mapper.update(article, with: articles, from: data), .unchanged)
    try expectEqual(mapper.make(articles, from: data), article)
    expectEqual(events.withLock { $0 }, 0)
    for token in tokens { token.cancel() }
  }

  @Test func `A component fires once, and only when all is written`() throws {
    let articles = try Catalog.articles()
    let article = try mapper.make(
      articles, from: ["id": 1, "title": "T", "author": ["id": 2, "name": "Ada"]])
    let author = try #require(article.get(Author.self)?.entity)
    let seen = Mutex<[String]>([])
    let kinds: [CID] = [User.cid, Article.cid]
    let tokens = kinds.map { cid in
      context.group(Matcher(all: [cid])).observeChanges { change in
        let state = "\(article.get(Article.self)?.title ?? "") \(author.get(User.self)?.name ?? "")"
        seen.withLock { $0.append("\(change.component?.name ?? "") \(state)") }
      }
    }
    try mapper.update(
      article, with: articles,
      from: [
        "title": "U", "text": ["body": "B"], "state": "live",
        "author": ["id": 2, "name": "Eve", "score": 3],
      ])
    expectEqual(seen.withLock { $0 }, ["Article U Eve", "User U Eve"])
    for token in tokens { token.cancel() }
  }

  @Test func `A component that also holds links is written once`() throws {
    let users = try Catalog.users()
    let letters = try Recipe("letter") {
      Identity(\Letter.number)
      Fields(of: Letter()) {
        Field(\.number, at: "no")
        Field(\.text, at: "text")
      }
      Nested(one: users, at: "from", as: .key, through: .toOne(\Letter.sender, of: Letter()))
      Nested(many: users, at: "to", as: .key, through: .toMany(\Letter.readers, of: Letter()))
    }
    let changes = Mutex<[Change.Kind]>([])
    let token = context.group(Letter.matcher).observeChanges { change in
      changes.withLock { $0.append(change.kind) }
    }
    let letter = try mapper.make(letters, from: ["no": 1, "text": "A", "from": 1, "to": [2, 3]])
    expectEqual(changes.withLock { $0 }, [.added])
    try mapper.update(letter, with: letters, from: ["text": "B", "from": 4, "to": [3, 2]])
    expectEqual(changes.withLock { $0 }, [.added, .updated])
    try expectEqual(
      mapper.decompose(letter, with: letters),
      ["no": 1, "text": "B", "from": 4, "to": [3, 2]])
    for data: JSONValue in [["from": .null], ["text": "C"]] {
      try mapper.update(letter, with: letters, from: data)
    }
    expectNil(letter.get(Letter.self)?.sender)
    expectEqual(letter.get(Letter.self)?.readers.count, 2)
    try expectFalse(mapper.wouldChange(letter, with: letters, from: ["from": .null, "text": "C"]))
    expectEqual(changes.withLock { $0 }.count, 4)
    withExtendedLifetime(token) {}
  }

  @Test func `If two recipes set a link, the later one counts`() throws {
    let users = try Catalog.users()
    func recipe(_ key: String, _ parts: [RecipePart] = []) throws -> Recipe {
      try Recipe(key) {
        Identity(\Letter.number)
        Fields(of: Letter()) { Field(\.number, at: "no") }
        Nested(one: users, at: key, as: .key, through: .toOne(\Letter.sender, of: Letter()))
        parts
      }
    }
    let inner = try recipe("by")
    let outer = try recipe(
      "from",
      RecipeBuilder.buildExpression(
        Nested(one: inner, at: "same", through: .toOne(\Author.entity, of: Author()))))
    let data: JSONValue = ["no": 1, "from": 1, "same": ["no": 1, "by": 2]]
    let letter = try mapper.make(outer, from: data)
    expectEqual(letter.get(Letter.self)?.sender?.get(UserID.self)?.value, 2)
    try expectEqual(mapper.update(letter, with: outer, from: data), .unchanged)
  }

  @Test func `Unknown fields are errors in all operations`() throws {
    let (users, data): (Recipe, JSONValue) = (try Catalog.users(), ["id": 1, "name": "Ada"])
    let user = try mapper.make(users, from: data)
    let fields: [AnyKeyPath] = [\User.name, \Point.x]
    let error = RecipeError(recipe: "user", path: .root, reason: .unknownField("\\Point.x"))
    #expect(throws: error) { try mapper.make(users, from: data, only: fields) }
    #expect(throws: error) { try mapper.update(user, with: users, from: data, only: fields) }
    #expect(throws: error) { try mapper.wouldChange(user, with: users, from: data, only: fields) }
    #expect(throws: error) { try mapper.differences(user, with: users, from: data, only: fields) }
    #expect(throws: error) { try mapper.differences(making: users, from: data, only: fields) }
    #expect(throws: error) { try mapper.decompose(user, with: users, only: fields) }
  }

  @Test func `Only the fields that are asked for count`() throws {
    let users = try Catalog.users()
    let user = try mapper.make(users, from: ["id": 1, "name": "Ada", "score": 1])
    let data: JSONValue = ["id": 1, "name": "Eve", "score": 2]
    try mapper.update(user, with: users, from: data, only: [\User.score])
    expectEqual(user.get(User.self)?.name, "Ada")
    expectEqual(user.get(User.self)?.score, 2)
    try expectEqual(mapper.decompose(user, with: users, only: [\User.name]), ["name": "Ada"])
    try expectEqual(mapper.make(users, from: data, only: [\User.name]), user)
    expectEqual(user.get(User.self)?.name, "Eve")
  }

  @Test func `A recipe may refuse keys that it does not map`() throws {
    let points = try Recipe("point", unknownKeys: .refuse) {
      Fields(of: Point()) { Field(\.x, at: "at.x") }
    }
    #expect(
      throws: RecipeError(recipe: "point", path: try JSONPath("at.z"), reason: .unknownKey)
    ) { try mapper.make(points, from: ["at": ["x": 1, "z": 2]]) }
    try expectEqual(mapper.make(points, from: ["at": ["x": 1]]).get(Point.self)?.x, 1)
  }
}
