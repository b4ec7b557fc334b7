import Dispatch
import ECS
import ECSTestSupport
import Testing

/// What fails in a loop within a loop is not hidden in there.
@Suite(.noHangs) struct NestedLoopErrorTests {
  let context = Context()
  let recorder = Recorder<String>()

  private func bad(_ context: Context) -> ClosureSystem {
    ClosureSystem("bad", collector: context.collector(for: Tag.matcher)) { _ in throw Refusal() }
  }

  @Test func `The outer loop hears of the error, and counts it`() {
    let recorder = recorder
    let inner = Loop(name: "inner", systems: [bad(context), Chatty("good", recorder)])
    let middle = Loop(name: "middle", systems: [inner])
    let outer = Loop(name: "outer", systems: [middle], logger: recorder) {
      recorder.append("\($0)")
    }
    context.createEntity(with: Tag())
    outer.execute()
    expectEqual(
      recorder.take(),
      [
        "will execute middle", "middle threw Refusal()",
        "System bad of loop inner threw in execute, with 1 entity: Refusal()", "execute good",
        "did execute middle",
      ])
    expectEqual(outer.statistics.map(\.errors), [1])
    expectEqual(middle.statistics.map(\.errors), [1])
    expectEqual(inner.statistics.map(\.errors), [1, 0])
  }

  @Test func `Both handlers are called, the inner one first, and the outer one decides`() {
    let recorder = recorder
    let (kept, dropped) = (bad(context), bad(context))
    let inner = Loop(name: "inner", systems: [kept]) { _ in recorder.append("inner") }
    let other = Loop(name: "other", systems: [dropped]) { failure in
      recorder.append("other")
      failure.dropsEntities = true
    }
    let outer = Loop(name: "outer", systems: [inner, other]) { failure in
      recorder.append("outer \(failure.dropsEntities)")
    }
    context.createEntity(with: Tag())
    outer.execute()
    expectEqual(recorder.take(), ["inner", "outer false", "other", "outer true"])
    expectEqual(kept.collector.count, 1)
    expectTrue(dropped.collector.isEmpty)
  }

  @Test func `A reactive loop hears of failures in an inner loop, and tries again`() async {
    let failures = Recorder<LoopFailure>()
    let loop = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "loop"),
      systems: [Loop(name: "inner", systems: [bad(context)])], name: "outer",
      retry: .withNextTrigger
    ) { failures.append($0) }
    for count in 1...3 {
      context.createEntity(with: Tag())
      await loop.settled()
      expectEqual(failures.take().map(\.entities.count), [count])
    }
    expectEqual(loop.statistics.map(\.errors), [3])
  }

  @Test func `A loop that is run on its own again notifies nothing else`() {
    let recorder = recorder
    let inner = Loop(name: "inner", systems: [bad(context)]) { _ in recorder.append("inner") }
    let outer = Loop(name: "outer", systems: [inner]) { _ in recorder.append("outer") }
    context.createEntity(with: Tag())
    outer.execute()
    inner.execute()
    expectEqual(recorder.take(), ["inner", "outer", "inner"])
    expectEqual(outer.statistics.map(\.errors), [1])
  }

  @Test func `Without a handler errors are logged, once`() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      let bad = ClosureSystem("bad", collector: context.collector(for: Tag.matcher)) { _ in
        throw Refusal()
      }
      let outer = Loop(name: "outer", systems: [Loop(name: "inner", systems: [bad])])
      context.createEntity(with: Tag())
      outer.execute()
      let loop = ReactiveLoop(ctx: context, queue: DispatchQueue(label: "q"), systems: [])
      loop.on(Health.matcher, name: "worse") { _ in throw Refusal() }
      context.createEntity(with: Health(points: 1))
      loop.runUntilSettled()
      loop.cancel()
    }
    let lines = (result?.standardErrorContent ?? []).split(separator: UInt8(ascii: "\n"))
      .map { String(decoding: $0, as: UTF8.self) }
    let inner = "System bad of loop inner threw in execute, with 1 entity: Refusal()"
    let worse = "System worse of loop ReactiveLoop threw in execute, with 1 entity: Refusal()"
    expectEqual(lines.count { $0 == inner }, 1)
    expectTrue(lines.contains(worse))
  }

  @Test func `With a handler nothing is logged`() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let context = Context()
      let bad = ClosureSystem("bad", collector: context.collector(for: Tag.matcher)) { _ in
        throw Refusal()
      }
      let inner = Loop(name: "inner", systems: [bad]) { _ in }
      let outer = Loop(name: "outer", systems: [inner])
      context.createEntity(with: Tag())
      outer.execute()
    }
    expectNotNil(result)
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    expectFalse(output.contains("System bad"))
  }
}
