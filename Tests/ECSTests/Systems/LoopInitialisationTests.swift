import Dispatch
import ECS
import ECSTestSupport
import Testing

/// A reactive system that throws some times when it is initialized.
private final class Importer: InitSystem, ReactiveSystem {
  let collector: Collector
  private let recorder: Recorder<String>
  private var refusals: Int

  init(_ collector: Collector, _ recorder: Recorder<String>, refusals: Int) {
    self.collector = collector
    self.recorder = recorder
    self.refusals = refusals
  }

  func initialise() throws {
    recorder.append("init")
    refusals -= 1
    if refusals >= 0 { throw Refusal() }
  }

  func execute(entities: EntitySet) { recorder.append("\(entities.count)") }
}

/// A system that could not be initialized is not called as if it had been.
@Suite(.noHangs) struct LoopInitialisationTests {
  let context = Context()
  let recorder = Recorder<String>()
  let failures = Recorder<LoopFailure>()
  let queue = DispatchQueue(label: "loop")
  let time = ManualClock()

  private func importer(refusals: Int) -> Importer {
    Importer(context.collector(for: Tag.matcher), recorder, refusals: refusals)
  }

  private func makeLoop(_ retry: ReactiveLoop.Retry, refusals: Int) -> ReactiveLoop {
    ReactiveLoop(
      ctx: context, queue: queue, systems: [importer(refusals: refusals)], name: "loop",
      retry: retry, clock: time.clock
    ) { [failures] in failures.append($0) }
  }

  private func advance(by milliseconds: Int) {
    queue.sync {}
    time.advance(by: .milliseconds(milliseconds))
    queue.sync {}
    queue.sync {}
  }

  @Test func `A system that threw is left out until it has been initialized`() {
    let failures = failures
    let loop = Loop(
      name: "loop",
      systems: [Chatty("bad", recorder, throwing: [.initialise]), Chatty("good", recorder)]
    ) { failures.append($0) }
    loop.initialise()
    loop.execute()
    loop.cleanup()
    expectEqual(recorder.take(), ["init bad", "init good", "execute good", "cleanup good"])
    expectEqual(
      failures.take().map(\.description),
      [
        "System bad of loop loop threw in initialise: Refusal()"
      ])
    loop.initialise()
    loop.execute()
    expectEqual(recorder.take(), ["init bad", "execute bad", "execute good"])
    loop.teardown()
    expectEqual(recorder.take(), ["teardown good", "teardown bad"])
    expectEqual(loop.statistics.map(\.errors), [1, 0])
  }

  @Test func `A system that was never initialized is not torn down`() {
    let loop = Loop(
      name: "loop", systems: [Chatty("bad", recorder, throwing: [.initialise])]
    ) { _ in }
    loop.initialise()
    loop.teardown()
    expectEqual(recorder.take(), ["init bad"])
  }

  @Test func `In a loop inside a loop, only the system that threw is left out`() {
    let inner = Loop(
      name: "inner",
      systems: [Chatty("bad", recorder, throwing: [.initialise]), Chatty("good", recorder)])
    let outer = Loop(name: "outer", systems: [inner]) { _ in }
    outer.initialise()
    outer.execute()
    expectEqual(recorder.take(), ["init bad", "init good", "execute good"])
    outer.initialise()
    outer.execute()
    expectEqual(recorder.take(), ["init bad", "execute bad", "execute good"])
    inner.add(Chatty("late", recorder))
    outer.initialise()
    expectEqual(recorder.take(), ["init late"])
  }

  @Test func `A reactive loop tries again after a while, and what was collected is not lost`() {
    let loop = makeLoop(.after(.milliseconds(100), upTo: .seconds(1)), refusals: 2)
    advance(by: 0)
    expectEqual(recorder.take(), ["init"])
    context.createEntity(with: Tag())
    queue.sync {}
    advance(by: 0)
    expectEqual(recorder.take(), ["init"], "a change lets it be tried again")
    context.createEntity(with: Tag())
    advance(by: 1000)
    expectEqual(recorder.take(), ["init", "2"])
    expectEqual(failures.take().count, 2)
    expectEqual(loop.statistics.map(\.errors), [2])
    expectEqual(loop.statistics.map(\.runs), [1])
  }

  @Test func `Without changes a reactive loop tries less and less often`() {
    let loop = makeLoop(.after(.milliseconds(100), upTo: .milliseconds(300)), refusals: 5)
    advance(by: 0)
    expectEqual(recorder.take(), ["init"])
    for wait in [100, 200, 300, 300] {
      advance(by: wait - 1)
      expectEqual(recorder.take(), [])
      advance(by: 1)
      expectEqual(recorder.take(), ["init"])
    }
    withExtendedLifetime(loop) {}
  }

  @Test func `After the next trigger, each change makes a system try again`() async {
    let loop = makeLoop(.withNextTrigger, refusals: 3)
    await loop.settled()
    expectEqual(recorder.take(), ["init"])
    for _ in 0..<2 {
      context.createEntity(with: Tag())
      await loop.settled()
      expectEqual(recorder.take(), ["init"])
    }
    await loop.settled()
    expectEqual(recorder.take(), [], "waiting is no cause to try again")
    context.createEntity(with: Tag())
    await loop.settled()
    expectEqual(recorder.take(), ["init", "3"])
    context.createEntity(with: Tag())
    await loop.settled()
    expectEqual(recorder.take(), ["1"])
    expectTrue(failures.take().allSatisfy { $0.system == "Importer" })
  }

  @Test func `Settling tries once, and returns`() {
    let loop = makeLoop(.withNextTrigger, refusals: .max)
    context.createEntity(with: Tag())
    loop.runUntilSettled()
    _ = recorder.take()
    loop.runUntilSettled()
    expectEqual(recorder.take(), ["init"])
    expectTrue(failures.take().allSatisfy { $0.error is Refusal })
  }

  @Test func `A loop inside a reactive loop keeps nothing awake`() async {
    let inner = Loop(name: "inner", systems: [importer(refusals: 1)])
    let loop = ReactiveLoop(
      ctx: context, queue: queue, systems: [], retry: .withNextTrigger
    ) { [failures] in failures.append($0) }
    // Used by the outer loop alone from here on.
    @safe nonisolated(unsafe) let system = inner
    loop.add(system)
    await loop.settled()
    expectEqual(recorder.take(), ["init"])
    context.createEntity(with: Tag())
    await loop.settled()
    expectEqual(recorder.take(), ["init", "1"])
    expectEqual(failures.take().map(\.loop), ["inner"])
  }
}
