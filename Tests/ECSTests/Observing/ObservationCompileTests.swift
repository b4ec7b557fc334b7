import ECSTestSupport
import Testing

/// What the compiler accepts and refuses about where observers run, without a warning.
@Suite(.longRunning, .enabled(if: SwiftCompiler.isAvailable)) struct ObservationCompileTests {
  private static let declarations = """
    import Dispatch
    import ECS

    struct Mark: Component { var count = 0 }

    @MainActor final class Label { var text = "" }

    """

  private func messages(for code: String) throws -> String {
    try SwiftCompiler.messages(for: Self.declarations + code)
  }

  @Test func `Observers on the main actor may use what belongs to it`() throws {
    let messages = try messages(
      for: """
        @MainActor func show(_ context: Context, _ entity: Entity, _ group: Group, _ label: Label) {
          entity.observeOnMainActor(by: label) { label, entity in label.text = "\\(entity)" }
          group.observeChangesOnMainActor(.added, by: label, name: "n") { label, change in
            label.text = "\\(change.kind)"
          }
          entity.observeChangesOnMainActor(of: Mark.self, by: label) { label, _, old, new in
            label.text = "\\(old?.count ?? 0) \\(new?.count ?? 0)"
          }
          context.observeEventsOnMainActor(by: label) { label, event in label.text = "\\(event)" }
        }
        """)
    expectEqual(messages, "")
  }

  @Test(arguments: [
    "group.observeChanges(by: label) { label, _ in label.text = \"\" }",
    "group.observeChanges(by: label, on: .main) { label, _ in label.text = \"\" }",
    "group.observeChanges(of: Mark.self, by: label) { label, _, _, _ in label.text = \"\" }",
    "context.observeEvents(by: label) { label, _ in label.text = \"\" }",
  ])
  func `Other observers may not`(call: String) throws {
    let messages = try messages(
      for: """
        @MainActor func show(_ context: Context, _ group: Group, _ label: Label) {
          \(call)
        }
        """)
    expectTrue(messages.contains("error: ") && messages.contains("main actor"))
  }

  @Test(arguments: [
    "group.observeChangesOnMainActor(by: label) { _, _ in }",
    "group.observeChangesOnMainActor(of: Mark.self, by: label) { _, _, _, _ in }",
    "context.observeEventsOnMainActor(by: label) { _, _ in }",
  ])
  func `Observations on the main actor begin there`(call: String) throws {
    let messages = try messages(
      for: """
        func show(_ context: Context, _ group: Group, _ label: Label) {
          \(call)
        }
        """)
    expectTrue(messages.contains("error: ") && messages.contains("main actor"))
  }

  @Test(arguments: [
    "entity.sources(Follows.self).observeChanges { _ in }",
    "context.group(Mark.matcher).sorted(by: \\Mark.count).observeChanges { _ in }",
  ])
  func `Sources without single changes can't be asked for them`(call: String) throws {
    let messages = try messages(
      for: """
        enum Follows: Relation {}
        func show(_ context: Context, _ entity: Entity) {
          _ = \(call)
        }
        """)
    expectTrue(messages.contains("has no member 'observeChanges'"))
  }
}
