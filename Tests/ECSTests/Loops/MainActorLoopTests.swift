import Dispatch
import ECS
import ECSTestSupport
import Testing

/// Systems and closures of the main actor run there, or not at all.
@Suite(.noHangs) struct MainActorLoopTests {
  @MainActor final class Screen: @MainActor ReactiveSystem {
    let collector: Collector
    var shown: [String] = []

    init(_ context: Context) { collector = context.collector(for: Tag.matcher) }

    func execute(entities: EntitySet) { show("system", entities) }

    func show(_ name: String, _ entities: EntitySet) {
      MainActor.preconditionIsolated()
      shown.append("\(name) \(entities.count)")
    }

    func showAll(_ entities: EntitySet) { show("method", entities) }
  }

  /// Gets a system past the compiler, as code of earlier language modes does.
  // Used by one task at a time.
  struct Box: @unchecked Sendable { let system: any System }

  @MainActor
  @Test func `Closures, methods and systems of the main actor are added to a loop on its queue`()
    async
  {
    let context = Context()
    let screen = Screen(context)
    let loop = ReactiveLoop(ctx: context, systems: [])
    loop.onMainActor(Tag.matcher, name: "closure") { screen.show("closure", $0) }
    loop.onMainActor(context.collector(for: Tag.matcher), name: "method", screen.showAll)
    loop.on(Tag.matcher, name: "explicit") { @MainActor in screen.show("explicit", $0) }
    loop.on(Tag.matcher, name: "passed on", screen.showAll)
    loop.addOnMainActor(screen)
    context.createEntities(2, with: Tag())
    await loop.settled()
    expectEqual(screen.shown, ["closure 2", "method 2", "explicit 2", "method 2", "system 2"])
    context.createEntity(with: Tag())
    loop.runUntilSettled()
    expectEqual(screen.shown.count, 10)
    expectEqual(
      loop.statistics.map(\.name), ["closure", "method", "explicit", "passed on", "Screen"])
  }

  @MainActor
  @Test func `What they throw is a failure of the loop`() async {
    let (context, failures) = (Context(), Recorder<LoopFailure>())
    let loop = ReactiveLoop(ctx: context, systems: [], retry: .withNextTrigger) {
      failures.append($0)
    }
    loop.onMainActor(Tag.matcher, name: "closure") { _ in throw Refusal() }
    context.createEntity(with: Tag())
    await loop.settled()
    expectEqual(failures.take().map(\.system), ["closure"])
  }

  @MainActor
  @Test func `A loop on the main queue that is made elsewhere takes closures of the main actor`()
    async
  {
    let context = Context()
    let screen = Screen(context)
    let loop = await Task.detached {
      let loop = ReactiveLoop(ctx: context, queue: .main, systems: [])
      loop.onMainActor(Tag.matcher, name: "closure") { screen.show("closure", $0) }
      return loop
    }.value
    context.createEntity(with: Tag())
    await loop.settled()
    expectEqual(screen.shown, ["closure 1"])
  }

  @Test func `A loop on another queue refuses closures of the main actor`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = Context()
      let loop = ReactiveLoop(
        ctx: context, queue: DispatchQueue(label: "work"), systems: [], name: "loop")
      loop.onMainActor(Tag.matcher, name: "show") { _ in }
    }
    expectTrue(
      stopped(
        result, saying: "System show belongs to the main actor", "the queue work",
        "ReactiveLoop(ctx: context, systems: [])"))
  }

  @Test func `A loop on another queue refuses methods of the main actor`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run {
        let context = Context()
        let screen = Screen(context)
        let loop = ReactiveLoop(
          ctx: context, queue: DispatchQueue(label: "work"), systems: [], name: "loop")
        loop.on(Tag.matcher, name: "show", screen.showAll)
      }
    }
    expectTrue(stopped(result, saying: "System show belongs to the main actor", "the queue work"))
  }

  @Test func `A loop on another queue stops before it calls a system of the main actor`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = Context()
      let loop = await MainActor.run {
        // As code that does not heed the compiler's warning, or is of an earlier language mode.
        @safe nonisolated(unsafe) let systems: [any System] = [Screen(context)]
        return ReactiveLoop(
          ctx: context, queue: DispatchQueue(label: "work"), systems: systems, name: "loop")
      }
      context.createEntity(with: Tag())
      await loop.settled()
    }
    expectTrue(stopped(result, saying: "System Screen of loop loop belongs to an actor", "work"))
  }

  @Test func `A system of the main actor cannot be added elsewhere, where it would not be seen`()
    async
  {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = Context()
      let box = await MainActor.run { Box(system: Screen(context)) }
      let loop = ReactiveLoop(ctx: context, queue: .main, systems: [], name: "loop")
      await Task.detached { loop.add(box.system) }.value
    }
    expectTrue(stopped(result, saying: "System Screen was given to loop loop"))
  }
}
