import ECS
import ECSRecipes
import ECSTestSupport
import Testing

/// What journals get of changes that recipes make.
@Suite struct CauseTests {
  private struct Note: Component {
    var id = 0
    var text = ""
  }

  // Guarded by the context: observers use it in there only.
  private final class Names: @unchecked Sendable { var names: [String] = [] }

  @Test func `Recipes name themselves as the cause of what they change`() throws {
    let context = Context()
    let notes = try Recipe("notes") {
      Identity(\Note.id, at: "id")
      Fields(of: Note()) { Field(\.text, at: "text") }
    }
    let mapper = Mapper(context)
    let names = Names()
    let token = context.journal().observe { names.names += $0.map(\.cause.name) }
    let entity = try mapper.make(notes, from: ["id": 1, "text": "a"])
    try mapper.update(entity, with: notes, from: ["id": 1, "text": "b"])
    try mapper.apply(["id": 1, "text": "c"], with: notes)
    try mapper.importList([["id": 1, "text": "d"], ["id": 2, "text": "e"]], with: notes)
    expectEqual(names.names, Array(repeating: "recipe notes", count: 5))
    withExtendedLifetime(token) {}
  }
}
