import ECSTestSupport
import Testing

/// What the compiler refuses of storages that are lent.
@Suite(.longRunning, .enabled(if: SwiftCompiler.isAvailable)) struct ComponentStorageCompileTests {
  @Test func `A storage is used in its closure`() throws {
    try expectEqual(messages(for: "context.withStorage(Mark.self) { $0[entity]?.count += 1 }"), "")
  }

  @Test(arguments: [
    ("kept = context.withStorage(Mark.self) { $0 }", ""),
    ("context.withStorage(Mark.self) { marks in escaping { _ = marks[entity] } }", ""),
    ("context.withStorage(Mark.self) { marks in Task { _ = marks[entity] } }", ""),
    ("await context.withStorage(Mark.self) { marks in await wait() }", "async"),
  ])
  func `A storage cannot leave its closure`(call: String, word: String) throws {
    let messages = try messages(for: call)
    // Swift 6.3.1 refuses the second one by stopping, with a request for a report.
    expectTrue(messages.contains("error: ") || messages.contains("submit a bug report"))
    expectTrue(word.isEmpty || messages.contains(word), "\(messages)")
    expectFalse(messages.contains("cannot find"))
  }

  private func messages(for call: String) throws -> String {
    try SwiftCompiler.messages(
      for: """
        import ECS

        struct Mark: Component { var count = 0 }
        func wait() async {}
        func escaping(_ body: @escaping () -> Void) {}
        func use(_ context: Context, _ entity: Entity) async {
          var kept: Any? = 1
          _ = kept
          kept = nil
          \(call)
          _ = kept
        }
        """)
  }
}
