import ECS
import ECSRecipes
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
    #expect(
      fields.map(\.name) == [
        "ArticleID.value", "Article.title", "Article.body", "Article.state", "Article.published",
      ])
    #expect(fields.map(\.path.description) == ["id", "title", "text.body", "state", "published"])
    #expect(fields[1].keyPath as AnyKeyPath? == \Article.title)
    #expect(fields.map(\.isIdentity) == [true, false, false, false, false])
    #expect(articles.key == fields[0])
    #expect(fields.map(\.isOptional) == [false, false, true, false, true])
    #expect(fields.map(\.isRequired) == [false, true, false, false, false])
    #expect(fields[4].valueType is Date.Type)
    #expect(fields[2].valueType is String.Type)
    #expect(fields.map(\.expected) == ["integer", "string", "string", "string", "string"])
    #expect(fields[3].initial == "draft")
    #expect(fields[3].component == Article.cid)
    let components = articles.components
    #expect(components.map(\.component) == [ArticleID.cid, Article.cid])
    #expect((components[1].template as? Article)?.state == .draft)
    let relations = articles.relations
    #expect(relations.map(\.path.description) == ["author", "tags"])
    #expect(relations.map(\.isMany) == [false, true])
    #expect(relations.map(\.recipe.name) == ["user", "tag"])
    guard case .field(let keyPath, let component) = relations[0].link.kind else {
      Issue.record("The author is a field.")
      return
    }
    #expect(component == Author.cid)
    #expect(keyPath as AnyKeyPath == \Author.entity)
    #expect("\(fields[4])" == "published: Article.published, string, optional")
    #expect("\(articles)".split(separator: "\n").count == 8)
  }

  @Test func `Equal recipes have equal hashes`() throws {
    let recipes: Set = [try Catalog.articles(), try Catalog.articles(), try Catalog.users()]
    #expect(recipes.count == 2)
    #expect(try Catalog.users() != Catalog.users().removing(at: "score"))
    #expect(try Catalog.users() != Catalog.users().named("person"))
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
    #expect(user.get(User.self)?.name == "?")
    #expect(user.get(User.self)?.score == 3)
    #expect(user.has(Admin.self))
    #expect(names.fields.count == 2)
    #expect(throws: RecipeDefinitionError.self) {
      try names.adding { Fields(of: User()) { Field(\.email, at: "name") } }
    }
  }

  @Test func `Fields and relations are removed by path and by key path`() throws {
    let articles = try Catalog.articles()
    let short = try articles.removing(at: "text.body", "author").removing([\Article.published])
    #expect(short.fields.map(\.path.description) == ["id", "title", "state"])
    #expect(short.relations.map(\.path.description) == ["tags"])
    #expect(try short.removing(at: "id").key == nil)
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
    #expect(article.get(Article.self)?.body == "B")
    #expect(try mapper.decompose(article, with: german, only: [\Article.title]) == ["titel": "T"])
    #expect(try mapper.update(article, with: german, from: data) == .unchanged)
    #expect(throws: RecipeDefinitionError.self) {
      try Catalog.articles().renaming(["title": "id"])
    }
    let swapped = try Catalog.users().renaming(["name": "score", "score": "name"])
    #expect(swapped.fields.map(\.path.description) == ["id", "score", "contact.emails[0]", "name"])
  }

  struct Settings: Component, Codable, Equatable {
    var fontSize = 12
    var theme = "light"
  }

  @Test func `Automatic fields are removed and renamed, too`() throws {
    let settings = try Recipe("settings") { AutomaticFields(of: Settings(), keys: .snakeCase) }
    let less = try settings.removing(at: "theme").renaming(["font_size": "text.size"])
    let entity = try mapper.make(less, from: ["text": ["size": 9], "theme": "dark"])
    #expect(entity.get(Settings.self) == Settings(fontSize: 9))
    #expect(try mapper.decompose(entity, with: less) == ["text": ["size": 9]])
  }

  @Test func `Data is processed without an entity`() throws {
    let users = try Catalog.users()
    let data: JSONValue = ["id": 7, "name": "Ada"]
    let user = try users.component(User.self, from: data)
    #expect(user?.name == "Ada")
    #expect(try users.component(User.self, from: ["score": 9], over: user)?.name == "Ada")
    #expect(try users.component(User.self, from: ["id": 7], over: user)?.score == 0.5)
    #expect(throws: RecipeError.self) { try users.component(User.self, from: ["score": 1]) }
    #expect(throws: RecipeError.self) { try users.component(Tag.self, from: data) }
    let components = try users.components(from: data)
    #expect(components.count == 2)
    #expect((components.first as? UserID)?.value == 7)
    #expect(
      try users.data(of: components)
        == ["id": 7, "name": "Ada", "contact": ["emails": [.null]], "score": 0.5])
    #expect(context.count == 0)
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
    #expect(entity.get(FixedID.self)?.value == id)
    #expect(try mapper.make(fixed, from: data) == entity)
    #expect(try mapper.update(entity, with: fixed, from: data) == .unchanged)
    #expect(try mapper.decompose(entity, with: fixed) == data)
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
    #expect(slug.get(Slug.self)?.count == 2)
    #expect(slug.get(Author.self)?.entity == entity)
    #expect(try mapper.make(slugs, from: ["slug": "x"]) == slug)
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
    #expect(try dates.decode(7) == Date(timeIntervalSince1970: 7))
    #expect(try dates.decode("1970-01-01T00:00:07Z") == Date(timeIntervalSince1970: 7))
    #expect(try dates.encode(Date(timeIntervalSince1970: 7)) == 7)
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
    #expect(try length.decode("  abc ") == 3)
    #expect(length.isOneWay)
    #expect(length.name == "String, trimmed, length")
    #expect(throws: TransformFailure(.oneWay(length.name))) { try length.encode(3) }
    #expect(Transformer.list(length).isOneWay)
    let stamps = try Recipe("stamp") {
      Fields(of: Stamp()) {
        Field(\.date, at: "date", as: .iso8601.or(.millisecondsSince1970))
        Field(\.text, at: "text", as: trimmed)
      }
    }
    let stamp = try mapper.make(stamps, from: ["date": 1500, "text": " x "])
    #expect(
      stamp.get(Stamp.self) == Stamp(date: Date(timeIntervalSince1970: 1.5), text: "x"))
  }
}
