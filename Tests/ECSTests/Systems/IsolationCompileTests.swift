import ECSTestSupport
import Testing

/// What the compiler accepts and refuses about the isolation of systems, without a warning.
@Suite(.longRunning, .enabled(if: SwiftCompiler.isAvailable)) struct IsolationCompileTests {
  private static let declarations = """
    import Dispatch
    import ECS

    struct Mark: Component {}

    final class Count: ReactiveSystem {
      let collector: Collector
      var count = 0
      init(_ context: Context) { collector = context.collector(for: Mark.matcher) }
      func execute(entities: EntitySet) { count += entities.count }
    }

    @MainActor final class Label: @MainActor ReactiveSystem {
      let collector: Collector
      var text = ""
      init(_ context: Context) { collector = context.collector(for: Mark.matcher) }
      func execute(entities: EntitySet) { text = "\\(entities.count)" }
    }

    """

  private func messages(for code: String) throws -> String {
    try SwiftCompiler.messages(for: Self.declarations + code)
  }

  @Test func `Systems are handed over to a background queue`() throws {
    let messages = try messages(
      for: """
        func start(_ context: Context) -> [ReactiveLoop] {
          let count = Count(context)
          return [
            ReactiveLoop(ctx: context, queue: .global(), delay: nil, systems: [count]),
            ReactiveLoop(ctx: context, queue: .main, systems: [Count(context), Count(context)]),
          ]
        }
        """)
    expectEqual(messages, "")
  }

  @Test func `Systems of the main actor go into a loop on the main queue`() throws {
    let messages = try messages(
      for: """
        @MainActor func start(_ context: Context) -> ReactiveLoop {
          let label = Label(context)
          let loop = ReactiveLoop(ctx: context, systems: [label, Count(context)])
          label.text = "started"
          return loop
        }
        """)
    expectEqual(messages, "")
  }

  @Test func `Code of the main actor adds closures, methods and systems of its own`() throws {
    let messages = try messages(
      for: """
        @MainActor final class Scores {
          private(set) var count = 0
          private let loop: ReactiveLoop

          init(_ context: Context, _ label: Label) {
            loop = ReactiveLoop(ctx: context, systems: [])
            loop.onMainActor(Mark.matcher, .addedOrUpdated, name: "show") { [weak self] entities in
              self?.show(entities)
            }
            loop.onMainActor(Mark.matcher, name: "label") { label.text = "\\($0.count)" }
            loop.onMainActor(context.collector(for: Mark.matcher), name: "method", show)
            loop.addOnMainActor(label)
            label.text = "started"
          }

          private func show(_ entities: EntitySet) { count += entities.count }
        }
        """)
    expectEqual(messages, "")
  }

  @Test func `A system of the main actor is added to a loop by main-actor code only`() throws {
    let messages = try messages(
      for: """
        func start(_ loop: ReactiveLoop, _ label: Label) { loop.addOnMainActor(label) }
        """)
    expectTrue(messages.contains("error: "))
  }

  @Test func `A system of the main actor cannot be added as one that is handed over`() throws {
    let messages = try messages(
      for: """
        @MainActor func start(_ loop: ReactiveLoop, _ label: Label) { loop.add(label) }
        """)
    expectTrue(messages.contains("error: sending"))
  }

  @Test func `A system cannot be shared by two loops`() throws {
    let messages = try messages(
      for: """
        func start(_ context: Context) -> [ReactiveLoop] {
          let count = Count(context)
          return [
            ReactiveLoop(ctx: context, queue: DispatchQueue(label: "a"), systems: [count]),
            ReactiveLoop(ctx: context, queue: DispatchQueue(label: "b"), systems: [count]),
          ]
        }
        """)
    expectTrue(messages.contains("error: sending"))
  }

  @Test func `A system cannot be used by the code that handed it over`() throws {
    let messages = try messages(
      for: """
        func start(_ context: Context) -> ReactiveLoop {
          let count = Count(context)
          let loop = ReactiveLoop(ctx: context, queue: .global(), systems: [])
          loop.add(count)
          count.count = 1
          return loop
        }
        """)
    expectTrue(messages.contains("error: sending"))
  }

  @Test func `A system of the main actor cannot go into a loop on another queue`() throws {
    let messages = try messages(
      for: """
        @MainActor func start(_ context: Context) -> ReactiveLoop {
          ReactiveLoop(ctx: context, queue: .global(), systems: [Label(context)])
        }
        """)
    expectTrue(messages.contains("error: "))
  }

  @Test func `A closure of the main actor cannot go into a loop on another queue`() throws {
    let messages = try messages(
      for: """
        @MainActor func start(_ context: Context, _ label: Label) -> ReactiveLoop {
          let loop = ReactiveLoop(ctx: context, queue: .global(), systems: [])
          loop.on(Mark.matcher, name: "show") { label.text = "\\($0.count)" }
          return loop
        }
        """)
    expectTrue(messages.contains("error: "))
  }

  @Test func `A loop that is run by hand stays where it was made`() throws {
    let messages = try messages(
      for: """
        func start(_ context: Context) {
          let loop = Loop(name: "loop", systems: [Count(context)])
          DispatchQueue.global().async { loop.execute() }
          loop.execute()
        }
        """)
    expectTrue(messages.contains("error: "))
  }
}
