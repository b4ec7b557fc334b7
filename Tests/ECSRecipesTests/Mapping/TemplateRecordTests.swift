import ECS
import ECSRecipes
import ECSTestSupport
import Testing

/// Records that say what an entity is made from, and what differs.
@Suite struct TemplateRecordTests {
  private struct Strength: Component, Equatable { var points = 0 }
  private struct Spot: Component, Equatable { var x = 0, y = 0 }

  private let templates = [
    "orc": Template("orc") {
      Strength(points: 80)
      Child { Strength(points: 7) }
    },
    "imp": Template("imp") { Strength(points: 5) },
  ]

  private func recipe() throws -> Recipe {
    try Recipe("creature") {
      AutomaticFields(of: InstanceOf(""))
      Fields(of: Strength()) { Field(\.points, at: "strength") }
      Fields(of: Spot()) {
        Field(\.x, at: "x")
        Field(\.y, at: "y")
      }
    }
  }

  @Test func `an entity is made from the template that its record names`() throws {
    let (context, creatures) = (Context(), try recipe())
    let mapper = Mapper(context)
    let record: JSONValue = ["template": "orc", "x": 3]
    let template = try #require(record["template"]?.string.flatMap { templates[$0] })
    let orc = context.createEntity(from: template)
    try mapper.update(orc, with: creatures, from: record)
    expectTrue(orc.template == "orc" && orc.get(Strength.self)?.points == 80)
    expectTrue(orc.get(Spot.self) == Spot(x: 3) && orc.children.count == 1)
    try expectEqual(
      mapper.decompose(orc, with: creatures),
      ["template": "orc", "strength": 80, "x": 3, "y": 0])
  }

  @Test func `a record changes what it says, and the name alone changes no other component`() throws
  {
    let (context, creatures) = (Context(), try recipe())
    let mapper = Mapper(context)
    let imp = context.createEntity(from: try #require(templates["imp"]))
    try expectEqual(mapper.update(imp, with: creatures, from: ["template": "imp"]), .unchanged)
    try mapper.update(imp, with: creatures, from: ["template": "orc", "strength": 6])
    expectTrue(imp.template == "orc" && imp.get(Strength.self)?.points == 6 && imp.children.isEmpty)
    #expect(throws: RecipeError.self) {
      try mapper.update(imp, with: creatures, from: ["template": 3])
    }
    expectEqual(imp.template, "orc")
  }
}
