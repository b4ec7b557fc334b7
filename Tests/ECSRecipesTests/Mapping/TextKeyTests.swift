import ECS
import ECSRecipes
import ECSTestSupport
import Testing

/// Keys that are texts with other bytes, although `String` takes them for equal.
@Suite(.noHangs) struct TextKeyTests {
  struct Code: Component { var text = "" }
  struct Article: Component, Equatable { var title = "" }
  enum Follows: Relation {}

  /// The second ones have as many bytes, in another order.
  static let twins = [("\u{e9}", "e\u{301}"), ("a\u{323}\u{307}", "a\u{307}\u{323}")]

  let context = Context()
  let mapper: Mapper
  let recipe: Recipe

  init() throws {
    mapper = Mapper(context)
    recipe = try Recipe("article") {
      Identity(\Code.text, at: "code", of: Code())
      Fields(of: Article()) { Field(\.title, at: "title") }
    }
  }

  private func data(_ code: String, _ title: String) -> JSONValue {
    ["code": .string(code), "title": .string(title)]
  }

  private func expectTwo(_ twins: (String, String)) throws {
    for (code, title) in [(twins.0, "one"), (twins.1, "two")] {
      let entity = try #require(try mapper.entity(withKey: .string(code), of: recipe))
      expectEqual(entity.get(Article.self)?.title, title)
      try expectTrue(#require(entity.get(Code.self)).text.utf8.elementsEqual(code.utf8))
    }
    expectEqual(context.group(Article.matcher).count, 2)
  }

  @Test(arguments: twins)
  func `Each is an entity of its own, one by one and in lists`(_ twins: (String, String)) throws {
    try mapper.make(recipe, from: data(twins.0, "first"))
    try mapper.make(recipe, from: data(twins.1, "second"))
    let all = [data(twins.1, "two"), data(twins.0, "one"), data(twins.1, "two")]
    for policy in [ImportPolicy.skipAndReport, .allOrNothing] {
      let report = try mapper.importList(all, with: recipe, policy: policy)
      expectTrue(report.made == 0 && Set(report.entities.compactMap(\.self)).count == 2)
      try expectTwo(twins)
    }
  }

  @Test(arguments: twins, [ImportPolicy.skipAndReport, .allOrNothing])
  func `Both of one list are made`(_ twins: (String, String), _ policy: ImportPolicy) throws {
    let report = try mapper.importList(
      [data(twins.0, "one"), data(twins.1, "two")], with: recipe, policy: policy)
    expectEqual(report.made, 2)
    try expectTwo(twins)
  }

  @Test(arguments: twins)
  func `Both of one tree are made, and linked`(_ twins: (String, String)) throws {
    let lists = try Recipe("list") {
      Identity(\Code.text, at: "code", of: Code())
      Nested(many: recipe, at: "articles", through: .targets(of: Follows.self))
    }
    let articles: [JSONValue] = [data(twins.0, "one"), data(twins.1, "two")]
    let list = try mapper.make(lists, from: ["code": "list", "articles": .array(articles)])
    expectEqual(list.targets(Follows.self).count, 2)
    try expectTwo(twins)
    try mapper.make(lists, from: ["code": "list", "articles": .array(articles.reversed())])
    expectEqual(list.targets(Follows.self).count, 2)
    try expectTwo(twins)
  }

  @Test(arguments: twins)
  func `No entity gets the key of the other one`(_ twins: (String, String)) throws {
    let entity = try mapper.make(recipe, from: data(twins.0, "one"))
    // Another key is another entity's, however it looks.
    #expect(throws: RecipeError.self) {
      try mapper.update(entity, with: recipe, from: data(twins.1, "x"))
    }
    let plain = try Recipe("plain") { Fields(of: Code()) { Field(\.text, at: "code") } }
    #expect(throws: RecipeError.self) {
      try mapper.update(entity, with: plain, from: ["code": .string(twins.1)])
    }
    let other = context.createEntity(with: Article(title: "two"))
    try mapper.update(other, with: recipe, from: data(twins.1, "two"))
    try expectTwo(twins)
    let third = context.createEntity()
    #expect(throws: RecipeError.self) {
      try mapper.update(third, with: plain, from: ["code": .string(twins.1)])
    }
    #expect(throws: RecipeError.self) {
      try mapper.update(third, with: recipe, from: data(twins.0, "x"))
    }
    expectFalse(third.has(Code.self))
  }

  @Test(arguments: twins)
  func `An index of one's own compares keys as it does`(_ twins: (String, String)) throws {
    let index = context.primaryIndex { (code: Code) in code.text }
    mapper.use(index, for: \Code.text)
    let entity = try mapper.make(recipe, from: data(twins.0, "one"))
    expectEqual(index.holder(of: twins.1), entity)
    try expectEqual(mapper.entity(withKey: .string(twins.1), of: recipe), entity)
  }
}
