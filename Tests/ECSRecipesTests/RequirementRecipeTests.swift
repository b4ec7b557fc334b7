import ECS
import ECSRecipes
import ECSTestSupport
import Testing

private struct Number: Component, Equatable { var value = 0 }

private struct Heading: Component, Equatable {
  var text = ""
  static var requires: Requirement { Style() }
}

private struct Style: Component, Equatable { var size = 12 }

@Suite struct RequirementRecipeTests {
  @Test func `records bring what their components require, and leave it as it is later`() throws {
    let context = Context()
    let mapper = Mapper(context)
    let recipe = try Recipe("heading") {
      Identity(\Number.value, at: "number", of: Number())
      Fields(of: Heading()) { Field(\.text, at: "text") }
    }
    let entity = try mapper.make(recipe, from: ["number": 1, "text": "One"])
    expectTrue(entity.get() == Heading(text: "One") && entity.get() == Style())
    entity.set(Style(size: 20))
    try mapper.make(recipe, from: ["number": 1, "text": "Two"])
    expectTrue(entity.get() == Heading(text: "Two") && entity.get() == Style(size: 20))
  }
}
