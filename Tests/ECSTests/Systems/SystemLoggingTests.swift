import Dispatch
import ECS
import ECSTestSupport
import Testing

@Suite struct SystemLoggingTests {
  let context = Context()
  let recorder = Recorder<String>()

  @Test func `A logger is called before and after each call`() {
    let loop = Loop(
      name: "loop", systems: [Chatty("a", Recorder())], logger: recorder)
    loop.initialise()
    loop.execute()
    loop.cleanup()
    loop.teardown()
    expectEqual(
      recorder.take(),
      [
        "will init a", "did init a", "will execute a", "did execute a",
        "will clean a", "did clean a", "will end a", "did end a",
      ])
  }

  @Test func `A logger hears of an error between before and after`() {
    let loop = Loop(
      name: "loop", systems: [ClosureExecuteSystem("a") { throw Refusal() }], logger: recorder)
    loop.execute()
    expectEqual(recorder.take(), ["will execute a", "a threw Refusal()", "did execute a"])
  }

  @Test func `A logger hears nothing of a reactive system that has nothing to do`() {
    let collector = context.collector(for: Tag.matcher)
    let loop = Loop(
      name: "loop", systems: [ClosureSystem("a", collector: collector) { _ in }], logger: recorder)
    loop.execute()
    expectEqual(recorder.take(), [])
  }

  @Test func `Named loggers are inside of the first, and each replaces the one with its name`() {
    let loop = Loop(
      name: "loop", systems: [ClosureExecuteSystem("a") { throw Refusal() }],
      logger: Around("first", recorder), errorHandler: { _ in })
    for name in ["old", "new"] { loop.setLogger(Around(name, recorder), named: "second") }
    loop.execute()
    let calls = recorder.take()
    expectEqual(
      calls,
      [
        "first pass", "new pass", "first run a 0", "new run a 0", "new ran a 0", "first ran a 0",
        "new passed", "first passed",
      ])
    loop.setLogger(nil, named: "second")
    loop.setLogger(nil, named: "third")
    loop.execute()
    expectEqual(recorder.take(), ["first pass", "first run a 0", "first ran a 0", "first passed"])
  }

  @Test func `A logger that is replaced may call its loop as it ends`() async {
    /// Asks its loop for what it has done.
    final class Summary: SystemLogger {
      private weak let loop: ReactiveLoop?
      private let recorder: Recorder<String>

      init(_ loop: ReactiveLoop, _ recorder: Recorder<String>) {
        (self.loop, self.recorder) = (loop, recorder)
      }

      deinit { recorder.append("\(loop?.statistics.count ?? -1)") }
    }
    let loop = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "loop"), systems: [], name: "loop")
    loop.on(context.collector(for: Tag.matcher), name: "a") { _ in }
    for _ in 0..<2 { loop.setLogger(Summary(loop, recorder), named: "summary") }
    context.createEntity(with: Tag())
    await loop.settled()
    loop.setLogger(nil, named: "summary")
    context.createEntity(with: Tag())
    await loop.settled()
    expectEqual(recorder.take(), ["1", "1"])
    loop.cancel()
  }

  @Test func `A logger is around passes and works of a reactive loop from the next pass on`() async
  {
    let loop = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "loop"), systems: [], name: "loop")
    loop.onAsync(Tag.matcher, name: "a", limit: 1) { _ in {} }
    context.createEntity(with: Tag())
    await loop.settled()
    loop.setLogger(Around("new", recorder), named: "new")
    context.createEntities(2, with: Tag())
    await loop.settled()
    let calls = recorder.take()
    expectEqual(
      calls.filter { $0 != "new work a" },
      [
        "new pass", "new run a 2", "new ran a 2", "new passed",
      ])
    expectEqual(calls.count, 6)
    loop.setLogger(nil, named: "new")
    context.createEntity(with: Tag())
    await loop.settled()
    expectEqual(recorder.take(), [])
  }

  @Test func `Statistics count runs, entities, time and errors of each system`() {
    let time = ManualClock()
    var failing = true
    let loop = Loop(
      name: "loop",
      systems: [
        ClosureSystem("work", collector: context.collector(for: Tag.matcher)) { entities in
          time.advance(by: .seconds(entities.count))
          if failing { throw Refusal() }
        },
        ClosureCleanupSystem("clean") {},
      ], clock: time.clock)
    context.createEntities(2, with: Tag())
    loop.execute()
    failing = false
    _ = context.createEntity(with: Tag())
    loop.execute()
    loop.cleanup()
    loop.execute()
    let work = loop.statistics[0]
    expectEqual(work.name, "work")
    expectEqual(work.runs, 2)
    expectEqual(work.entities, 5)
    expectEqual(work.totalTime, .seconds(5))
    expectEqual(work.lastTime, .seconds(3))
    expectEqual(work.errors, 1)
    expectEqual(work.description, "work: 2 runs, 5 entities, 5.0 seconds, 1 errors")
    expectEqual(loop.statistics[1].runs, 1)
  }

  @Test func `A system of every kind counts its execution and its cleaning up as runs`() {
    let loop = Loop(name: "loop", systems: [Chatty("a", recorder)])
    loop.initialise()
    loop.execute()
    loop.cleanup()
    loop.teardown()
    expectEqual(loop.statistics.map(\.runs), [2])
  }
}

/// A logger that says what it is around.
private struct Around: SystemLogger {
  let name: String
  let recorder: Recorder<String>

  init(_ name: String, _ recorder: Recorder<String>) {
    (self.name, self.recorder) = (name, recorder)
  }

  func pass(_ body: () -> Void) {
    recorder.append("\(name) pass")
    body()
    recorder.append("\(name) passed")
  }

  func run(_ system: String, in phase: LoopFailure.Phase, entities: Int, _ body: () -> Void) {
    recorder.append("\(name) run \(system) \(entities)")
    body()
  }

  func didRun(_ system: String, in phase: LoopFailure.Phase, entities: Int, time: Duration) {
    recorder.append("\(name) ran \(system) \(entities)")
  }

  func work(
    _ system: String, _ body: () async throws -> @Sendable () -> Void
  ) async throws -> @Sendable () -> Void {
    recorder.append("\(name) work \(system)")
    return try await body()
  }
}
