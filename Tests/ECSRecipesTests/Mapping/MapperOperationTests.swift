import ECS
import ECSRecipes
import ECSTestSupport
import Foundation
import Testing

@Suite(.noHangs) struct MapperOperationTests {
  let context = Context()
  let mapper: Mapper

  init() { mapper = Mapper(context) }

  @Test func `The same key gives the same entity`() throws {
    let users = try Catalog.users()
    let user = try mapper.make(users, from: ["id": 1, "name": "Ada"])
    try expectEqual(mapper.make(users, from: ["id": 1, "score": 3]), user)
    try expectNotEqual(mapper.make(users, from: ["id": 2, "name": "Eve"]), user)
    expectEqual(user.get(User.self)?.score, 3)
    expectEqual(context.count, 2)
  }

  @Test func `An entity is found by its key as data has it`() throws {
    let users = try Catalog.users()
    try expectNil(mapper.entity(withKey: 1, of: users))
    let user = context.createEntity(with: UserID(value: 1))
    try expectEqual(mapper.entity(withKey: 1, of: users), user)
    try expectNil(mapper.entity(withKey: 2, of: users))
    user.destroy()
    try expectNil(mapper.entity(withKey: 1, of: users))
    #expect(throws: RecipeError.self) { try mapper.entity(withKey: "one", of: users) }
    let keyless = try Recipe("keyless") { Fields(of: Point()) { Field(\.x, at: "x") } }
    try expectNil(mapper.entity(withKey: 1, of: keyless))
    let tag = try mapper.make(try Catalog.tags(), from: "new")
    try expectEqual(mapper.entity(withKey: "new", of: try Catalog.tags()), tag)
    expectEqual(context.count, 1)
  }

  @Test func `A relation of a recipe tells whom it leads to`() throws {
    let recipe = try Catalog.users()
    let letters = try Recipe("letter") {
      Identity(\Letter.number, at: "number", of: Letter())
      Nested(many: recipe, at: "readers", through: .toMany(\.readers, of: Letter()))
    }
    let users = [1, 2].map { context.createEntity(with: UserID(value: $0)) }
    let letter = context.createEntity(with: Letter(readers: users))
    let relation = try #require(letters.relations.first)
    expectEqual(relation.targets(of: letter), users)
    users[0].destroy()
    expectEqual(relation.targets(of: letter), [users[1]])
  }

  @Test func `An existing index is used`() throws {
    let index = context.primaryIndex { (id: UserID) in id.value }
    let user = index.getOrCreate(UserID(value: 1))
    mapper.use(index, for: \UserID.value)
    try expectEqual(mapper.make(try Catalog.users(), from: ["id": 1, "name": "Ada"]), user)
    expectEqual(context.statistics.indexes, 1)
  }

  @Test func `A paused index is refused`() async {
    await #expect(processExitsWith: .failure) {
      let context = Context()
      let index = context.primaryIndex(paused: true) { (id: UserID) in id.value }
      Mapper(context).use(index, for: \UserID.value)
    }
  }

  @Test func `An index of another context is refused`() async {
    await #expect(processExitsWith: .failure) {
      let other = Context()
      let index = other.primaryIndex { (id: UserID) in id.value }
      Mapper(Context()).use(index, for: \UserID.value)
    }
  }

  @Test func `Inside an iteration, a mapper sees what it has written`() throws {
    let users = try Catalog.users()
    _ = context.createEntity(with: Point())
    context.group(Point.matcher).withEach { (_, _: Point) in
      let first = try? mapper.make(users, from: ["id": 1, "name": "Ada"])
      let second = try? mapper.make(users, from: ["id": 1, "name": "Eve", "score": 2])
      expectTrue(first != nil && first == second)
      let third = try? mapper.make(users, from: ["id": 1, "score": 3])
      expectEqual(third, first)
      expectEqual(first?.get(User.self)?.name, "Eve")
    }
    let made = context.group(User.matcher).sorted()
    expectEqual(made.map { $0.get(User.self)?.name }, ["Eve"])
    expectEqual(made.map { $0.get(User.self)?.score }, [3])
  }

  @Test func `Existing entities are found`() throws {
    let user = context.createEntity(with: UserID(value: 1))
    try expectEqual(mapper.make(try Catalog.users(), from: ["id": 1, "name": "Ada"]), user)
  }

  @Test func `Two entities with the same identity are an error`() throws {
    context.createEntities(2, with: UserID(value: 1))
    let error = RecipeError(recipe: "user", path: try JSONPath("id"), reason: .duplicateIdentity)
    #expect(throws: error) { try mapper.make(try Catalog.users(), from: ["id": 1, "name": "A"]) }
  }

  @Test func `An update can't change an identity or take another entity's`() throws {
    let users = try Catalog.users()
    let user = try mapper.make(users, from: ["id": 1, "name": "Ada"])
    let path = try JSONPath("id")
    #expect(throws: RecipeError(recipe: "user", path: path, reason: .identityMismatch)) {
      try mapper.update(user, with: users, from: ["id": 2])
    }
    let stranger = context.createEntity()
    #expect(throws: RecipeError(recipe: "user", path: path, reason: .duplicateIdentity)) {
      try mapper.update(stranger, with: users, from: ["id": 1, "name": "Eve"])
    }
    expectTrue(stranger.isEmpty)
    try mapper.update(stranger, with: users, from: ["id": 3, "name": "Eve"])
    try expectEqual(mapper.make(users, from: ["id": 3]), stranger)
  }

  @Test func `No recipe gives an entity a key that another one has`() throws {
    let users = try Catalog.users()
    let plain = try Recipe("plain") {
      Fields(of: UserID(value: 0)) { Field(\.value, at: "number") }
    }
    let ada = try mapper.make(users, from: ["id": 1, "name": "Ada"])
    let error = RecipeError(
      recipe: "plain", path: try JSONPath("number"), reason: .duplicateIdentity)
    #expect(throws: error) { try mapper.make(plain, from: ["number": 1]) }
    #expect(throws: ImportError.self) {
      try mapper.importList([["number": 2], ["number": 2]], with: plain, policy: .allOrNothing)
    }
    expectEqual(context.count, 1)
    try expectEqual(mapper.update(ada, with: plain, from: ["number": 1]), .unchanged)
    #expect(
      throws: RecipeError(
        recipe: "plain", path: try JSONPath("number"), reason: .identityMismatch)
    ) { try mapper.update(ada, with: plain, from: ["number": 3]) }
    expectEqual(ada.get(UserID.self)?.value, 1)
    try expectEqual(mapper.importList([["number": 4], ["number": 4]], with: plain).refused, 1)
  }

  @Test func `Nested data with the key of the updated entity is about that entity`() throws {
    let users = try Catalog.users()
    let managed = try Recipe("managed") {
      Identity(\UserID.value)
      Fields(of: UserID(value: 0)) { Field(\.value, at: "id") }
      Nested(one: users, at: "manager", through: .toOne(\Author.entity, of: Author()))
    }
    let user = context.createEntity()
    try mapper.update(user, with: managed, from: ["id": 1, "manager": ["id": 1, "name": "Ada"]])
    expectEqual(context.count, 1)
    expectEqual(user.get(Author.self)?.entity, user)
    expectEqual(user.get(User.self)?.name, "Ada")
  }

  @Test func `A component that two recipes map is written once`() throws {
    let users = try Catalog.users()
    let outer = try Recipe("outer") {
      Identity(\UserID.value)
      Fields(of: UserID(value: 0)) { Field(\.value, at: "id") }
      Fields(of: User()) { Field(\.score, at: "score") }
      Nested(one: users, at: "self", through: .toOne(\Author.entity, of: Author()))
    }
    let data: JSONValue = ["id": 1, "score": 2, "self": ["id": 1, "name": "Ada"]]
    let user = try mapper.make(outer, from: data)
    let events = Tally()
    let token = context.group(User.matcher).observeChanges { _ in events.add() }
    try expectEqual(mapper.update(user, with: outer, from: data), .unchanged)
    try mapper.update(
      user, with: outer, from: ["score": 3, "self": ["id": 1, "name": "Eve", "score": 4]])
    expectEqual(events.value, 1)
    expectEqual(user.get(User.self)?.score, 4)
    // Changed and changed back.
    let back: JSONValue = ["score": 9, "self": ["id": 1, "score": 4]]
    try expectFalse(mapper.wouldChange(user, with: outer, from: back))
    try expectEqual(mapper.update(user, with: outer, from: back), .unchanged)
    expectEqual(events.value, 1)
    token.cancel()
  }

  @Test func `Dead entities and those of another context are errors`() throws {
    let users = try Catalog.users()
    let error = RecipeError(recipe: "user", path: .root, reason: .deadEntity)
    let dead = context.createEntity()
    dead.destroy()
    for entity in [dead, Context().createEntity()] {
      #expect(throws: error) { try mapper.update(entity, with: users, from: ["score": 1]) }
      #expect(throws: error) { try mapper.decompose(entity, with: users) }
    }
  }

  @Test func `Comparing says whether an update would change anything, and changes nothing`() throws
  {
    let articles = try Catalog.articles()
    let data: JSONValue = ["id": 1, "title": "T", "tags": ["a"], "author": ["id": 1, "name": "A"]]
    let article = try mapper.make(articles, from: data)
    func wouldChange(_ data: JSONValue) throws -> Bool {
      try mapper.wouldChange(article, with: articles, from: data)
    }
    try expectFalse(wouldChange(data))
    try expectTrue(wouldChange(["title": "U"]))
    try expectTrue(wouldChange(["tags": ["a", "b"]]))
    try expectTrue(wouldChange(["author": .null]))
    try expectTrue(wouldChange(["author": ["id": 1, "name": "B"]]))
    try expectFalse(wouldChange(["text": ["body": .null]]))
    expectEqual(article.get(Article.self)?.title, "T")
    expectEqual(context.count, 3)
  }

  @Test func `A dry run lists the differences`() throws {
    let articles = try Catalog.articles()
    let article = try mapper.make(
      articles, from: ["id": 1, "title": "T", "author": ["id": 1, "name": "A"]])
    let author = try #require(article.get(Author.self)?.entity)
    let differences = try mapper.differences(
      article, with: articles,
      from: ["id": 1, "title": "U", "state": "draft", "author": ["id": 1, "name": "B"]])
    expectEqual(differences.map(\.path.description), ["title", "author.name"])
    expectEqual(differences.map(\.old), ["T", "A"])
    expectEqual(differences.map(\.new), ["U", "B"])
    expectEqual(differences.map(\.entity), [article, author])
    let making = try mapper.differences(making: articles, from: ["id": 9, "title": "N"])
    expectEqual(making.map(\.path.description), ["id", "title"])
    expectEqual(making.map(\.entity), [nil, nil])
    let relating = try mapper.differences(article, with: articles, from: ["tags": ["a"]])
    expectEqual(relating.map(\.path.description), ["tags", "tags[0]"])
    expectEqual(context.count, 2)
  }

  @Test func `Decomposing gives the data back, in the order of the recipe`() throws {
    let articles = try Catalog.articles()
    let json =
      #"{"id":1,"title":"T","text":{"body":"B"},"state":"live","published":"2024-05-01T12:30:00Z","#
      + #""author":{"id":2,"name":"Ada","contact":{"emails":["a@b.c"]},"score":1.5},"tags":["x","a"]}"#
    let article = try mapper.make(articles, from: try JSONValue(json: json))
    try expectEqual(mapper.decompose(article, with: articles).json(), json)
  }

  @Test func `Gaps in lists are filled with null`() throws {
    let points = try Recipe {
      Fields(of: Point()) {
        Field(\.x, at: "list[2].x")
        Field(\.y, at: "list[4]")
      }
    }
    let entity = context.createEntity(with: Point(x: 1, y: 2))
    let data = try mapper.decompose(entity, with: points)
    expectEqual(data, ["list": [.null, .null, ["x": 1], .null, 2]])
    try expectEqual(mapper.update(entity, with: points, from: data), .unchanged)
  }

  @Test func `A list that can't be written without changing what it reads is an error`() throws {
    let recipe = try Recipe("mixed") {
      Fields(of: Point()) { Field(\.x, at: "list[0]") }
      Fields(of: Tag()) { Field(\.name, at: "list[1]") }
    }
    let entity = context.createEntity(with: Tag(name: "a"))
    #expect(throws: RecipeError(recipe: "mixed", path: try JSONPath("list[0]"), reason: .gap)) {
      try mapper.decompose(entity, with: recipe)
    }
    try expectEqual(
      mapper.decompose(context.createEntity(with: Point(x: 1, y: 2)), with: recipe),
      ["list": [1]])
    try expectEqual(mapper.decompose(context.createEntity(), with: recipe), [:])
  }

  @Test func `A field that is only read is left out, and can't be asked for`() throws {
    let recipe = try Recipe("sum") {
      Fields(of: Point()) {
        Field(\.x, at: "x", as: Int.transformer.readOnly)
        Field(\.y, at: "y")
      }
    }
    try expectEqual(mapper.decompose(mapper.make(recipe, from: ["x": 7]), with: recipe), ["y": 0])
    let entity = try mapper.make(recipe, from: ["x": 7])
    expectEqual(entity.get(Point.self)?.x, 7)
    #expect(
      throws: RecipeError(
        recipe: "sum", path: try JSONPath("x"), reason: .oneWay("Int, read-only"))
    ) { try mapper.decompose(entity, with: recipe, only: [\Point.x, \Point.y]) }
  }

  @Test func `Related entities with an identity are shared and reused`() throws {
    let articles = try Catalog.articles()
    let first = try mapper.make(
      articles,
      from: ["id": 1, "title": "T", "author": ["id": 7, "name": "A"], "tags": ["x", "y", "x"]])
    let second = try mapper.make(
      articles, from: ["id": 2, "title": "U", "author": ["id": 7, "name": "B"], "tags": ["y"]])
    let author = try #require(first.get(Author.self)?.entity)
    expectEqual(second.get(Author.self)?.entity, author)
    expectEqual(author.get(User.self)?.name, "B")
    expectEqual(first.get(Tags.self)?.entities.count, 2)
    expectEqual(first.get(Tags.self)?.entities.last, second.get(Tags.self)?.entities.first)
    expectEqual(context.count, 5)
  }

  @Test func `Null ends a relation, a missing key keeps it, and targets live on`() throws {
    let articles = try Catalog.articles()
    let article = try mapper.make(
      articles,
      from: ["id": 1, "title": "T", "author": ["id": 7, "name": "A"], "tags": ["x", "y"]])
    try mapper.update(article, with: articles, from: ["title": "U"])
    expectNotNil(article.get(Author.self)?.entity)
    try mapper.update(article, with: articles, from: ["author": .null, "tags": ["y"]])
    expectNil(article.get(Author.self)?.entity)
    expectEqual(article.get(Tags.self)?.entities.count, 1)
    expectEqual(context.count, 4)
    #expect(throws: RecipeError.self) {
      try mapper.update(article, with: articles, from: ["tags": .null])
    }
  }

  @Test func `Related entities without an identity are updated in place`() throws {
    let point = try Recipe("point") {
      Fields(of: Point()) {
        Field(\.x, at: "x")
        Field(\.y, at: "y")
      }
    }
    let path = try Recipe("path") {
      Fields(of: Tag()) { Field(\.name, at: "name") }
      Nested(many: point, at: "points", through: .toMany(\Tags.entities, of: Tags()))
      Nested(one: point, at: "center", through: .toOne(\Author.entity, of: Author()))
    }
    let entity = try mapper.make(
      path, from: ["name": "p", "points": [["x": 1, "y": 1], ["x": 2]], "center": ["x": 5]])
    let points = try #require(entity.get(Tags.self)?.entities)
    let center = try #require(entity.get(Author.self)?.entity)
    try mapper.update(
      entity, with: path,
      from: ["points": [["x": 3], ["y": 4], ["x": 9]], "center": ["y": 6]])
    let now = try #require(entity.get(Tags.self)?.entities)
    expectEqual(Array(now.prefix(2)), points)
    expectEqual(now.map { $0.get(Point.self)?.x }, [3, 2, 9])
    expectEqual(now.map { $0.get(Point.self)?.y }, [1, 4, 0])
    expectEqual(entity.get(Author.self)?.entity, center)
    expectEqual(center.get(Point.self)?.y, 6)
  }

  @Test func `Data does not reach entities of other contexts`() throws {
    let tags = try Catalog.tags()
    let part = try Recipe("part") {
      Fields(of: Point()) { Field(\.x, at: "x") }
      Nested(many: tags, at: "tags", through: .targets(of: RelationLinkTests.TaggedWith.self))
    }
    let recipe = try Recipe("path") {
      Nested(one: part, at: "part", through: .toOne(\Author.entity, of: Author()))
    }
    let elsewhere = Context()
    let foreigner = elsewhere.createEntity()
    let entity = context.createEntity(with: Author(entity: foreigner))
    let error = RecipeError(recipe: "part", path: try JSONPath("part"), reason: .deadEntity)
    #expect(throws: error) {
      try mapper.update(entity, with: recipe, from: ["part": ["x": 1, "tags": ["a"]]])
    }
    expectTrue(!foreigner.has(Point.cid) && entity.get(Author.self)?.entity == foreigner)
    expectEqual(context.count, 1)
  }

  @Test func `A relation can be written as just the key`() throws {
    let users = try Catalog.users()
    let articles = try Recipe("article") {
      Fields(of: Article()) { Field(\.title, at: "title") }
      Nested(one: users, at: "user_id", as: .key, through: .toOne(\Author.entity, of: Author()))
    }
    let user = try mapper.make(users, from: ["id": 7, "name": "Ada"])
    let article = try mapper.make(articles, from: ["title": "T", "user_id": 7])
    expectEqual(article.get(Author.self)?.entity, user)
    try expectEqual(mapper.decompose(article, with: articles), ["title": "T", "user_id": 7])
    try mapper.update(article, with: articles, from: ["user_id": 8])
    let stub = try #require(article.get(Author.self)?.entity)
    try expectEqual(mapper.make(users, from: ["id": 8, "name": "Eve"]), stub)
  }

  @Test func `Custom links link and unlink what differs, in order`() throws {
    let tags = try Catalog.tags()
    let link = RecipeLink("own") {
      $0.get(Tags.self)?.entities ?? []
    } link: { entity, target in
      entity.set(Tags(entities: (entity.get(Tags.self)?.entities ?? []) + [target]))
    } unlink: { entity, target in
      entity.update(Tags.self) { $0.entities.removeAll { $0 == target } }
    }
    let recipe = try Recipe { Nested(many: tags, at: "tags", through: link) }
    let entity = context.createEntity()
    for list: JSONValue in [["a", "b", "c"], ["c", "a"], ["d", "a", "c"], []] {
      try mapper.update(entity, with: recipe, from: ["tags": list])
      try expectEqual(mapper.decompose(entity, with: recipe), ["tags": list])
    }
  }
}
