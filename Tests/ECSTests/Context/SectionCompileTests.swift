import ECSTestSupport
import Testing

/// A section belongs to a thread, and an async function may go on in another one: so no section may
/// reach over an `await`.
@Suite(.enabled(if: SwiftCompiler.isAvailable)) struct SectionCompileTests {
  private static let declarations = """
    import ECS

    struct Mark: Component { var count = 0 }
    func wait() async -> Int { 1 }

    """

  @Test(arguments: [
    "context.perform { _ = await wait() }",
    "_ = await context.perform { await wait() }",
    "_ = await context.reading { await wait() }",
    "await entity.update(Mark.self) { $0.count = await wait() }",
    "await group.withEach { (_, mark: inout Mark) in mark.count = await wait() }",
    "await group.withChunks { (chunk, _: Span<Mark>) in _ = await wait() }",
    "_ = await context.index { (mark: Mark) in await wait() }",
    "_ = await group.observe { _ in _ = await wait() }",
    "_ = await group.observeChanges { _ in _ = await wait() }",
    "_ = await context.observeEvents { _ in _ = await wait() }",
  ])
  func `An await inside a section is refused`(call: String) throws {
    let messages = try SwiftCompiler.messages(
      for: Self.declarations + """
        func use(_ context: Context, _ entity: Entity, _ group: Group) async {
          \(call)
        }
        """)
    expectTrue(messages.contains("error: ") && messages.contains("async"))
  }

  @Test func `Sections before and after an await are fine`() throws {
    let messages = try SwiftCompiler.messages(
      for: Self.declarations + """
        func use(_ context: Context, _ entity: Entity) async {
          context.perform { entity.update(Mark.self) { $0.count += 1 } }
          let count = await wait()
          context.perform { entity.update(Mark.self) { $0.count += count } }
        }
        """)
    expectEqual(messages, "")
  }
}
