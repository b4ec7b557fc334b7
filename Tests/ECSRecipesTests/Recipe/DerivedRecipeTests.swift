import ECS
import ECSRecipes
import ECSTestSupport
import Foundation
import Testing

@Suite struct DerivedRecipeTests {
  struct Admin: Component {}

  let context = Context()
  let mapper: Mapper

  init() { mapper = Mapper(context) }

  @Test func `A recipe can be read`() throws {
    let articles = try Catalog.articles()
    let fields = articles.fields
    expectEqual(
      fields.map(\.name),
      [
        "ArticleID.value", "Article.title", "Article.body", "Article.state", "Article.published",
      ])
    expectEqual(fields.map(\.path.description), ["id", "title", "text.body", "state", "published"])
    expectEqual(fields[1].keyPath as AnyKeyPath?, \Article.title)
    expectEqual(fields.map(\.isIdentity), [true, false, false, false, false])
    expectEqual(articles.key, fields[0])
    expectEqual(fields.map(\.isOptional), [false, false, true, false, true])
    expectEqual(fields.map(\.isRequired), [false, true, false, false, false])
    expectTrue(fields[4].valueType is Date.Type)
    expectTrue(fields[2].valueType is String.Type)
    expectEqual(fields.map(\.expected), ["integer", "string", "string", "string", "string"])
    expectEqual(fields[3].initial, "draft")
    expectEqual(fields[3].component, Article.cid)
    let components = articles.components
    expectEqual(components.map(\.component), [ArticleID.cid, Article.cid])
    expectEqual((components[1].template as? Article)?.state, .draft)
    let relations = articles.relations
    expectEqual(relations.map(\.path.description), ["author", "tags"])
    expectEqual(relations.map(\.isMany), [false, true])
    expectEqual(relations.map(\.recipe.name), ["user", "tag"])
    guard case .field(let keyPath, let component) = relations[0].link.kind else {
      Issue.record("The author is a field.")
      return
    }
    expectEqual(component, Author.cid)
    expectEqual(keyPath as AnyKeyPath, \Author.entity)
    expectEqual("\(fields[4])", "published: Article.published, string, optional")
    expectEqual("\(articles)".split(separator: "\n").count, 8)
  }

  @Test func `Equal recipes have equal hashes`() throws {
    let recipes: Set = [try Catalog.articles(), try Catalog.articles(), try Catalog.users()]
    expectEqual(recipes.count, 2)
    try expectNotEqual(Catalog.users(), Catalog.users().removing(at: "score"))
    try expectNotEqual(Catalog.users(), Catalog.users().named("person"))
  }

  @Test func `Parts can be added, even to a component that is already mapped`() throws {
    let names = try Recipe("user") {
      Identity(\UserID.value, at: "id", of: UserID(value: 0))
      Fields(of: User(name: "?")) { Field(\.name, at: "name") }
    }
    let detailed = try names.adding {
      Fields(of: User()) { Field(\.score, at: "score") }
      Flag(Admin(), at: "admin")
    }
    let user = try mapper.make(detailed, from: ["id": 1, "score": 3, "admin": true])
    expectEqual(user.get(User.self)?.name, "?")
    expectEqual(user.get(User.self)?.score, 3)
    expectTrue(user.has(Admin.self))
    expectEqual(names.fields.count, 2)
    #expect(throws: RecipeDefinitionError.self) {
      try names.adding { Fields(of: User()) { Field(\.email, at: "name") } }
    }
  }

  @Test func `Fields and relations are removed by path and by key path`() throws {
    let articles = try Catalog.articles()
    let short = try articles.removing(at: "text.body", "author").removing([\Article.published])
    expectEqual(short.fields.map(\.path.description), ["id", "title", "state"])
    expectEqual(short.relations.map(\.path.description), ["tags"])
    try expectNil(short.removing(at: "id").key)
    let error = RecipeDefinitionError(recipe: "article", path: "x", reason: .unknownPath)
    #expect(throws: error) { try articles.removing(at: "x") }
    #expect(throws: RecipeDefinitionError.self) { try articles.removing([\User.name]) }
  }

  @Test func `Places are renamed`() throws {
    let german = try Catalog.articles().renaming([
      "title": "titel", "text.body": "inhalt.text", "author": "autor", "id": "nummer",
    ])
    let data: JSONValue = [
      "nummer": 1, "titel": "T", "inhalt": ["text": "B"], "autor": ["id": 2, "name": "A"],
    ]
    let article = try mapper.make(german, from: data)
    expectEqual(article.get(Article.self)?.body, "B")
    try expectEqual(mapper.decompose(article, with: german, only: [\Article.title]), ["titel": "T"])
    try expectEqual(mapper.update(article, with: german, from: data), .unchanged)
    #expect(throws: RecipeDefinitionError.self) {
      try Catalog.articles().renaming(["title": "id"])
    }
    let swapped = try Catalog.users().renaming(["name": "score", "score": "name"])
    expectEqual(
      swapped.fields.map(\.path.description), ["id", "score", "contact.emails[0]", "name"])
  }

  struct Settings: Component, Codable, Equatable {
    var fontSize = 12
    var theme = "light"
  }

  @Test func `Automatic fields are removed and renamed, too`() throws {
    let settings = try Recipe("settings") { AutomaticFields(of: Settings(), keys: .snakeCase) }
    let less = try settings.removing(at: "theme").renaming(["font_size": "text.size"])
    let entity = try mapper.make(less, from: ["text": ["size": 9], "theme": "dark"])
    expectEqual(entity.get(Settings.self), Settings(fontSize: 9))
    try expectEqual(mapper.decompose(entity, with: less), ["text": ["size": 9]])
  }

  @Test func `Data is processed without an entity`() throws {
    let users = try Catalog.users()
    let data: JSONValue = ["id": 7, "name": "Ada"]
    let user = try users.component(User.self, from: data)
    expectEqual(user?.name, "Ada")
    try expectEqual(users.component(User.self, from: ["score": 9], over: user)?.name, "Ada")
    try expectEqual(users.component(User.self, from: ["id": 7], over: user)?.score, 0.5)
    #expect(throws: RecipeError.self) { try users.component(User.self, from: ["score": 1]) }
    #expect(throws: RecipeError.self) { try users.component(Tag.self, from: data) }
    let components = try users.components(from: data)
    expectEqual(components.count, 2)
    expectEqual((components.first as? UserID)?.value, 7)
    try expectEqual(
      users.data(of: components),
      ["id": 7, "name": "Ada", "contact": ["emails": [.null]], "score": 0.5])
    expectEqual(context.count, 0)
  }

  struct FixedID: Component { let value: UUID }
  struct Slug: Component {
    var text = ""
    var count = 0
  }

  @Test func `An identity, even a constant one, is mapped in one line`() throws {
    let id = UUID()
    let fixed = try Recipe("fixed") {
      Identity(\FixedID.value, at: "id", make: FixedID.init(value:))
      Fields(of: Tag()) { Field(\.name, at: "name") }
    }
    let data: JSONValue = ["id": .string(id.uuidString), "name": "a"]
    let entity = try mapper.make(fixed, from: data)
    expectEqual(entity.get(FixedID.self)?.value, id)
    try expectEqual(mapper.make(fixed, from: data), entity)
    try expectEqual(mapper.update(entity, with: fixed, from: data), .unchanged)
    try expectEqual(mapper.decompose(entity, with: fixed), data)
    #expect(throws: RecipeError.self) {
      try mapper.update(entity, with: fixed, from: ["id": .string(UUID().uuidString)])
    }
    #expect(throws: RecipeError(recipe: "fixed", path: try JSONPath("id"), reason: .missing)) {
      try mapper.make(fixed, from: ["name": "b"])
    }
    let slugs = try Recipe("slug") {
      Identity(\Slug.text, at: "slug")
      Fields(of: Slug()) { Field(\.count, at: "count") }
      Nested(one: fixed, at: "fixed", as: .key, through: .toOne(\Author.entity, of: Author()))
    }
    let slug = try mapper.make(
      slugs, from: ["slug": "x", "count": 2, "fixed": .string(id.uuidString)])
    expectEqual(slug.get(Slug.self)?.count, 2)
    expectEqual(slug.get(Author.self)?.entity, entity)
    try expectEqual(mapper.make(slugs, from: ["slug": "x"]), slug)
    #expect(
      throws: RecipeDefinitionError(
        recipe: "r", path: "slug", reason: .identityWithoutTemplate("Slug.text"))
    ) { try Recipe("r") { Identity(\Slug.text, at: "slug") } }
  }

  struct Stamp: Component, Equatable {
    var date: Date?
    var text = ""
  }

  @Test func `Transformers compose, and can be used on their own`() throws {
    let dates = Transformer<Date>.secondsSince1970.or(.iso8601)
    try expectEqual(dates.decode(7), Date(timeIntervalSince1970: 7))
    try expectEqual(dates.decode("1970-01-01T00:00:07Z"), Date(timeIntervalSince1970: 7))
    try expectEqual(dates.encode(Date(timeIntervalSince1970: 7)), 7)
    #expect(throws: TransformFailure.mismatch(expected: "number or string", found: true)) {
      try dates.decode(true)
    }
    #expect(throws: TransformFailure.invalid("'x' is not an ISO 8601 date")) {
      try dates.decode("x")
    }
    #expect(throws: TransformFailure.mismatch(expected: "number or string", found: .null)) {
      try dates.decode(.null)
    }
    let trimmed = String.transformer.then("trimmed") {
      $0.trimmingCharacters(in: .whitespaces)
    } encode: {
      $0
    }
    let length = trimmed.then("length") { $0.count }
    try expectEqual(length.decode("  abc "), 3)
    expectTrue(length.isOneWay)
    expectEqual(length.name, "String, trimmed, length")
    #expect(throws: TransformFailure(.oneWay(length.name))) { try length.encode(3) }
    expectTrue(Transformer.list(length).isOneWay)
    let stamps = try Recipe("stamp") {
      Fields(of: Stamp()) {
        Field(\.date, at: "date", as: .iso8601.or(.millisecondsSince1970))
        Field(\.text, at: "text", as: trimmed)
      }
    }
    let stamp = try mapper.make(stamps, from: ["date": 1500, "text": " x "])
    expectEqual(
      stamp.get(Stamp.self), Stamp(date: Date(timeIntervalSince1970: 1.5), text: "x"))
  }
}
