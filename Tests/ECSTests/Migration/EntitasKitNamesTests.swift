import ECSTestSupport
import Testing

/// What the compiler says to code that was written for EntitasKit.
@Suite(.longRunning, .enabled(if: SwiftCompiler.isAvailable)) struct EntitasKitNamesCompileTests {
  private static let declarations = """
    import Dispatch
    import ECS

    struct Mark: Component { var count = 0 }
    struct Other: Component {}
    final class Show {}

    """

  @Test(arguments: [
    ("entity += Mark()", "entity.set(component)"),
    ("entity -= Mark.cid", "entity.remove(C.self)"),
    ("entity.with { (mark: Mark, other: Other) in print(mark, other) }", "if let c = entity.get"),
    ("print(entity.creationIndex)", "renamed to 'creationNumber'"),
    ("print(entity < entity)", "sortedByCreation()"),
    ("print(entity === entity)", "compare with `==`"),
    ("entity.observer(add: Show())", "Call `observeChanges` with a closure"),
    ("group.observer(add: Show())", "Call `observeChanges` with a closure"),
    ("group.observer(remove: Show())", "Cancel or release the token"),
    ("context.observer(add: Show())", "Call `observeEvents` with a closure"),
    ("_ = group.sorted(forObject: ObjectIdentifier(context)) { $1 == $0 }", "forObject: self"),
    (
      "group.withEach(sorted: true) { (e: Entity, m: Mark) in print(e, m) }",
      "group.sorted().withEach"
    ),
    ("print(collector.collected)", "renamed to 'drain()'"),
    ("print(collector.collectedAndMatching)", "renamed to 'drainMatching()'"),
    ("print(collector.first as Any)", "renamed to 'popFirst()'"),
    ("print(collector.matcher)", "renamed to 'group.matcher'"),
    ("let type: Collector.ChangeOptions = .added; print(type)", "renamed to 'ChangeKinds'"),
    (
      "_ = context.index(keyBuilder: { (mark: Mark) in mark.count })",
      "renamed to 'index(paused:key:)'"
    ),
    (
      "_ = ReactiveLoop(ctx: context, queue: .main, delay: 0.5, systems: [])",
      ".milliseconds(500)"
    ),
    (
      "_ = ReactiveLoop(ctx: context, logger: nil, systems: [])",
      "the logger comes after the systems"
    ),
    ("func f(_: some GroupObserver) {}", "Call `group.observeChanges`"),
    ("func f(_: some EntityObserver) {}", "Call `entity.observeChanges`"),
    ("func f(_: some ContextObserver) {}", "Call `context.observeEvents`"),
    ("func f(_: any SystemExecuteLogger) {}", "renamed to 'SystemLogger'"),
  ])
  func `An old name points to the new one`(call: String, advice: String) throws {
    let messages = try SwiftCompiler.messages(
      for: Self.declarations + """
        func use(_ context: Context, _ entity: Entity, _ group: Group, _ collector: Collector) {
          \(call)
        }
        """)
    expectTrue(messages.contains("error: ") && messages.contains(advice), "\(messages)")
  }

  @Test func `New names don't conflict`() throws {
    let messages = try SwiftCompiler.messages(
      for: Self.declarations + """
        func use(_ context: Context, _ entities: [Entity], _ group: Group, _ queue: DispatchQueue) {
          var sum = 1
          sum += 1
          sum -= 2
          print(sum < 3, group === group, entities[0] == entities[1])
          _ = ReactiveLoop(ctx: context, queue: queue, delay: .seconds(1), systems: [])
          _ = ReactiveLoop(ctx: context, queue: queue, systems: [], logger: nil)
          _ = ReactiveLoop(ctx: context, queue: queue, systems: [])
          _ = context.index { (mark: Mark) in mark.count }
          _ = group.sorted(forObject: group) { $0 == $1 }
          group.withEach { (entity, mark: inout Mark) in mark.count += 1 }
          group.withEach { (entity, mark: Mark, other: Other?) in print(entity, mark, other as Any) }
          entities.withEach { (entity, mark: Mark) in print(entity, mark) }
        }
        """)
    expectEqual(messages, "", "\(messages)")
  }
}
