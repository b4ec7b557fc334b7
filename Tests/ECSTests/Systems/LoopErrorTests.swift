import ECS
import ECSTestSupport
import Testing

@Suite struct LoopErrorTests {
  let context = Context()
  let recorder = Recorder<String>()

  @Test func `An error reaches the handler with names, phase and entities`() {
    var failures: [LoopFailure] = []
    let collector = context.collector(for: Tag.matcher)
    let loop = Loop(
      name: "loop", systems: [ClosureSystem("bad", collector: collector) { _ in throw Refusal() }]
    ) { failures.append($0) }
    let entity = context.createEntity(with: Tag())
    loop.execute()
    expectEqual(failures.count, 1)
    expectEqual(failures.first?.loop, "loop")
    expectEqual(failures.first?.system, "bad")
    expectEqual(failures.first?.systems, ["bad"])
    expectEqual(failures.first?.entities, [entity])
    expectEqual(failures.first?.error as? Refusal, Refusal())
    expectEqual(
      failures.first?.description,
      "System bad of loop loop threw in execute, with 1 entity: Refusal()")
  }

  @Test func `An error in any phase reaches the handler, and the other systems run on`() {
    var phases: [LoopFailure.Phase] = []
    let bad = Chatty("bad", recorder, throwing: [.initialise, .execute, .cleanup, .teardown])
    let loop = Loop(name: "loop", systems: [bad, Chatty("good", recorder)]) { failure in
      if case .systemThrew(_, let phase) = failure.reason { phases.append(phase) }
    }
    loop.initialise()
    loop.initialise()
    loop.execute()
    loop.cleanup()
    loop.teardown()
    expectEqual(phases, [.initialise, .execute, .cleanup, .teardown])
    expectEqual(recorder.take().filter { $0.hasSuffix("good") }.count, 4)
  }

  @Test func `Entities of a run that threw are collected again, before newer ones`() {
    var seen: [EntitySet] = []
    let (context, collector) = (context, context.collector(for: Tag.matcher))
    var newer: [Entity] = []
    let loop = Loop(
      name: "loop",
      systems: [
        ClosureSystem("bad once", collector: collector) { entities in
          seen.append(entities)
          guard seen.count == 1 else { return }
          newer.append(context.createEntity(with: Tag()))
          throw Refusal()
        }
      ])
    let a = context.createEntity(with: Tag())
    let b = context.createEntity(with: Tag())
    loop.execute()
    expectEqual(collector.count, 3)
    loop.execute()
    expectEqual(seen, [[a, b], EntitySet([a, b] + newer)])
    expectTrue(collector.isEmpty)
  }

  @Test func `The handler can drop the entities`() {
    let collector = context.collector(for: Tag.matcher)
    let loop = Loop(
      name: "loop", systems: [ClosureSystem("bad", collector: collector) { _ in throw Refusal() }]
    ) { $0.dropsEntities = true }
    _ = context.createEntity(with: Tag())
    loop.execute()
    expectTrue(collector.isEmpty)
  }

  @Test func `A strict system that throws gets those again that matched`() {
    let collector = context.collector(for: Tag.matcher)
    let loop = Loop(
      name: "loop", systems: [StrictClosureSystem(collector) { _ in throw Refusal() }])
    context.createEntity(with: Tag()).destroy()
    let matching = context.createEntity(with: Tag())
    loop.execute()
    expectEqual(collector.drain(), [matching])
  }

  @Test func `Restored entities keep their place, and each is collected once`() {
    let collector = context.collector(for: Tag.matcher, type: .addedOrUpdated)
    let a = context.createEntity(with: Tag())
    let b = context.createEntity(with: Tag())
    let taken = collector.drain()
    let c = context.createEntity(with: Tag())
    b.set(Tag())
    collector.restore(taken)
    expectEqual(collector.drain(), [a, b, c])
  }

  @Test func `Nothing is restored to a paused collector or from another context`() {
    let collector = context.collector(for: Tag.matcher)
    let stranger = Context().createEntity()
    collector.restore([stranger])
    expectTrue(collector.isEmpty)
    let entity = context.createEntity(with: Tag())
    let taken = collector.drainAndPause()
    collector.restore(taken)
    collector.resume()
    expectTrue(collector.isEmpty)
    expectTrue(entity.isAlive)
  }
}
