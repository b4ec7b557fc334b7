import ECS
import ECSRecipes
import ECSTestSupport
import Testing

@Suite struct RelationLinkTests {
  enum WrittenBy: ToOneRelation {}
  enum TaggedWith: Relation {}

  private func articles() throws -> Recipe {
    let (users, tags) = (try Catalog.users(), try Catalog.tags())
    return try Recipe("article") {
      Identity(\ArticleID.value)
      Fields(of: ArticleID(value: 0)) { Field(\.value, at: "id") }
      Nested(one: users, at: "author", through: .targets(of: WrittenBy.self))
      Nested(many: tags, at: "tags", through: .targets(of: TaggedWith.self))
    }
  }

  @Test func `Nested entities are related from both sides`() throws {
    let (context, articles) = (Context(), try articles())
    let mapper = Mapper(context)
    let data: JSONValue = [
      "id": 1, "author": ["id": 7, "name": "Ada", "score": 1], "tags": ["x", "y"],
    ]
    let article = try mapper.make(articles, from: data)
    let author = try #require(article.target(WrittenBy.self))
    expectEqual(author.get(User.self)?.name, "Ada")
    expectEqual(Array(author.sources(WrittenBy.self)), [article])
    try expectEqual(mapper.update(article, with: articles, from: data), .unchanged)
    try mapper.update(article, with: articles, from: ["author": .null, "tags": ["z", "x"]])
    expectNil(article.target(WrittenBy.self))
    try expectEqual(mapper.decompose(article, with: articles)["tags"], ["z", "x"])
  }

  @Test func `The other side of a relation can be nested as well`() throws {
    let (context, articles) = (Context(), try articles())
    let mapper = Mapper(context)
    let authors = try Recipe("author") {
      Identity(\UserID.value)
      Fields(of: UserID(value: 0)) { Field(\.value, at: "id") }
      Nested(many: articles, at: "wrote", as: .key, through: .sources(of: WrittenBy.self))
    }
    let first = try mapper.make(authors, from: ["id": 1, "wrote": [10, 11]])
    let second = try mapper.make(authors, from: ["id": 2, "wrote": [11, 12]])
    try expectEqual(mapper.decompose(first, with: authors), ["id": 1, "wrote": [10]])
    try expectEqual(mapper.decompose(second, with: authors), ["id": 2, "wrote": [11, 12]])
  }
}
