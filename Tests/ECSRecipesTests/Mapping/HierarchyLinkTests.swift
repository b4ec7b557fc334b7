import ECS
import ECSRecipes
import ECSTestSupport
import Testing

@Suite struct HierarchyLinkTests {
  enum Inside: Hierarchy {}

  let context = Context()
  let mapper: Mapper

  init() { mapper = Mapper(context) }

  private func tags() throws -> Recipe { try Catalog.tags() }

  /// Tags with the tag around them, and with those inside.
  private func outward() throws -> Recipe {
    let tags = try tags()
    return try Recipe("outward") {
      Identity(\Tag.name)
      Fields(of: Tag()) { Field(\.name, at: "name") }
      Nested(one: tags, at: "in", through: .targets(of: Inside.self))
    }
  }

  private func inward() throws -> Recipe {
    let (tags, outward) = (try tags(), try outward())
    return try Recipe("inward") {
      Identity(\Tag.name)
      Fields(of: Tag()) { Field(\.name, at: "name") }
      Nested(many: tags, at: "has", through: .sources(of: Inside.self))
      Nested(one: outward, at: "around", through: .targets(of: Inside.self))
    }
  }

  private func name(_ entity: Entity?) -> String? { entity?.get(Tag.self)?.name }

  @Test func `A child that its parent no longer lists may become the parent`() throws {
    let tree = try Recipe("tree") {
      Identity(\Tag.name)
      Fields(of: Tag()) { Field(\.name, at: "name") }
      Nested.itself(manyAt: "has", through: .sources(of: Inside.self))
    }
    let a = try mapper.make(tree, from: ["name": "a", "has": [["name": "b"], ["name": "c"]]])
    let b = try mapper.make(tree, from: ["name": "b", "has": [["name": "a", "has": []]]])
    expectTrue(a.target(Inside.self) == b && b.target(Inside.self) == nil)
    expectTrue(a.sources(Inside.self).isEmpty)
  }

  @Test func `Parents and children are nested from both sides`() throws {
    let (inward, outward) = (try inward(), try outward())
    let root = try mapper.make(inward, from: ["name": "r", "has": ["a", "b"]])
    let leaf = try mapper.make(outward, from: ["name": "l", "in": "a"])
    expectEqual(root.sources(Inside.self).entities().map { name($0) }, ["a", "b"])
    expectEqual(leaf.ancestors(in: Inside.self).map { name($0) }, ["a", "r"])
    try expectEqual(mapper.decompose(root, with: inward)["has"], ["a", "b"])
    try expectEqual(mapper.decompose(leaf, with: outward), ["name": "l", "in": "a"])
    try mapper.update(root, with: inward, from: ["has": ["b"]])
    expectEqual(leaf.ancestors(in: Inside.self).map { name($0) }, ["a"])
    try mapper.update(leaf, with: outward, from: ["in": .null])
    expectNil(leaf.target(Inside.self))
  }

  @Test func `Data that asks for a cycle is refused and changes nothing`() throws {
    let (inward, outward) = (try inward(), try outward())
    let a = try mapper.make(outward, from: ["name": "a", "in": "b"])
    try mapper.make(outward, from: ["name": "b", "in": "c"])
    let c = try mapper.make(outward, from: ["name": "c"])
    let error = RecipeError(recipe: "outward", path: try JSONPath("in"), reason: .cycle)
    #expect(throws: error) { try mapper.update(c, with: outward, from: ["in": "a"]) }
    #expect(throws: error) { try mapper.wouldChange(c, with: outward, from: ["in": "c"]) }
    #expect(throws: error) { try mapper.make(outward, from: ["name": "new", "in": "new"]) }
    #expect(throws: RecipeError.self) { try mapper.update(a, with: inward, from: ["has": ["c"]]) }
    #expect(throws: RecipeError.self) {
      try mapper.make(inward, from: ["name": "x", "has": ["y"], "around": ["name": "y"]])
    }
    let report = try mapper.importList([["name": "c", "in": "a"], ["name": "d"]], with: outward)
    expectTrue((report.made, report.failures.map(\.position)) == (1, [0]))
    #expect(throws: ImportError.self) {
      try mapper.importList(
        [["name": "e", "in": "f"], ["name": "f", "in": "e"]], with: outward, policy: .allOrNothing)
    }
    expectEqual(context.count, 4)
    expectEqual(a.ancestors(in: Inside.self).map { name($0) }, ["b", "c"])
  }

  @Test func `One change can turn a tree around`() throws {
    let outward = try outward()
    let tree: [JSONValue] = [
      ["name": "a", "in": "b"], ["name": "b", "in": "c"], ["name": "c", "in": .null],
    ]
    let turned: [JSONValue] = [
      ["name": "a", "in": .null], ["name": "b", "in": "a"], ["name": "c", "in": "b"],
    ]
    for records in [tree, turned, tree, turned.reversed(), tree.reversed()] {
      try mapper.importList(records, with: outward, policy: .allOrNothing)
      for record in records {
        let entity = try mapper.make(outward, from: record)
        try expectEqual(mapper.decompose(entity, with: outward), record)
      }
    }
    expectEqual(context.count, 3)
  }

  enum PartOf: Hierarchy { static let deleteRule = DeleteRule.cascade }

  @Test func `What a part has that ends can be given to another part`() throws {
    let recipe = try Recipe("part") {
      Identity(\Tag.name)
      Fields(of: Tag()) { Field(\.name, at: "name") }
      Nested.itself(manyAt: "parts", through: .sources(of: PartOf.self)).owned()
    }
    let old: JSONValue = [
      "name": "a", "parts": [["name": "b", "parts": [["name": "c", "parts": [["name": "d"]]]]]],
    ]
    let a = try mapper.make(recipe, from: old)
    let c = try mapper.make(recipe, from: ["name": "c"])
    let new: JSONValue = ["name": "a", "parts": [["name": "x", "parts": [["name": "c"]]]]]
    try mapper.update(a, with: recipe, from: new)
    expectEqual(c.ancestors(in: PartOf.self).map { name($0) }, ["x", "a"])
    expectEqual(a.descendants(in: PartOf.self).map { name($0) }, ["x", "c", "d"])
    expectEqual(context.count, 4)
  }

  @Test func `Where data contradicts itself, what it says last counts`() throws {
    let (inward, outward) = (try inward(), try outward())
    let records: [JSONValue] = [
      ["name": "a", "has": ["a", "b"]], ["name": "c", "has": ["b"], "around": ["name": "a"]],
      ["name": "d", "has": ["a"]],
    ]
    let report = try mapper.importList(records, with: inward, policy: .allOrNothing)
    let b = try mapper.make(outward, from: ["name": "b"])
    expectEqual(b.ancestors(in: Inside.self).map { name($0) }, ["c", "a", "d"])
    expectEqual(report.made, 3)
  }

  @Test func `A list that is as deep as it is long is imported as one change`() throws {
    let outward = try outward()
    let count = 1_000
    let records = (0..<count).map { number -> JSONValue in
      ["name": "\(number)", "in": number == 0 ? .null : "\(number - 1)"]
    }
    let report = try mapper.importList(records, with: outward, policy: .allOrNothing)
    expectEqual(report.made, count)
    let last = try mapper.make(outward, from: ["name": "\(count - 1)"])
    expectEqual(last.ancestors(in: Inside.self).count, count - 1)
    let cycle: JSONValue = ["name": "0", "in": "\(count - 1)"]
    #expect(throws: ImportError.self) {
      try mapper.importList(records + [cycle], with: outward, policy: .allOrNothing)
    }
  }
}
