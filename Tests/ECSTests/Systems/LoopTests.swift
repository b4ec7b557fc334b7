import ECS
import ECSTestSupport
import Testing

@Suite struct LoopTests {
  let context = Context()
  let recorder = Recorder<String>()

  @Test func `A loop calls its systems in order, and tears down in reverse`() {
    let loop = Loop(name: "loop", systems: [Chatty("a", recorder), Chatty("b", recorder)])
    loop.initialise()
    loop.execute()
    loop.cleanup()
    loop.teardown()
    expectEqual(
      recorder.take(),
      [
        "init a", "init b", "execute a", "execute b", "cleanup a", "cleanup b",
        "teardown b", "teardown a",
      ])
  }

  @Test func `A system is initialized once, even if it is added later`() {
    let loop = Loop(name: "loop", systems: [Chatty("a", recorder)])
    loop.initialise()
    loop.add(Chatty("b", recorder))
    loop.initialise()
    expectEqual(recorder.take(), ["init a", "init b"])
  }

  @Test func `A system that was never initialized is not torn down`() {
    Loop(name: "loop", systems: [Chatty("a", recorder)]).teardown()
    expectEqual(recorder.take(), [])
  }

  @Test func `A reactive system gets what was collected, in that order, dead entities as well`() {
    var seen: [EntitySet] = []
    let collector = context.collector(for: Tag.matcher, type: .addedUpdatedOrRemoved)
    let loop = Loop(
      name: "loop", systems: [ClosureSystem("see", collector: collector) { seen.append($0) }])
    let a = context.createEntity(with: Tag())
    let b = context.createEntity(with: Tag())
    a.destroy()
    loop.execute()
    expectEqual(seen, [[a, b]])
    expectTrue(collector.isEmpty)
  }

  @Test func `A reactive system is not called if nothing was collected`() {
    var runs = 0
    let collector = context.collector(for: Tag.matcher)
    let loop = Loop(
      name: "loop", systems: [ClosureSystem("count", collector: collector) { _ in runs += 1 }])
    loop.execute()
    expectEqual(runs, 0)
  }

  @Test func `A strict reactive system gets only entities that are alive and match`() {
    var seen: [EntitySet] = []
    let collector = context.collector(for: Tag.matcher)
    let loop = Loop(name: "loop", systems: [StrictClosureSystem(collector) { seen.append($0) }])
    let dead = context.createEntity(with: Tag())
    let other = context.createEntity(with: Tag())
    let matching = context.createEntity(with: Tag())
    dead.destroy()
    other.remove(Tag.cid)
    loop.execute()
    expectEqual(seen, [[matching]])
    matching.destroy()
    loop.execute()
    expectEqual(seen.count, 1)
  }

  @Test func `What an earlier system changes a later one sees in the same pass`() {
    var seen = 0
    let first = context.collector(for: Tag.matcher)
    let second = context.collector(for: Health.matcher)
    let loop = Loop(
      name: "loop",
      systems: [
        ClosureSystem("heal", collector: first) { entities in
          for entity in entities { entity.set(Health(points: 1)) }
        },
        ClosureSystem("see", collector: second) { seen += $0.count },
      ])
    _ = context.createEntity(with: Tag())
    loop.execute()
    expectEqual(seen, 1)
  }

  @Test func `A loop is a system of another loop`() {
    let inner = Loop(name: "inner", systems: [Chatty("a", recorder)])
    let outer = Loop(name: "outer", systems: [inner, Chatty("b", recorder)])
    outer.initialise()
    outer.execute()
    outer.cleanup()
    outer.teardown()
    expectEqual(
      recorder.take(),
      [
        "init a", "init b", "execute a", "execute b", "cleanup a", "cleanup b",
        "teardown b", "teardown a",
      ])
  }

  @Test func `Closures execute and clean up in every pass`() {
    let recorder = recorder
    let loop = Loop(
      name: "loop",
      systems: [
        ClosureCleanupSystem("clean") { recorder.append("clean") },
        ClosureExecuteSystem("run") { recorder.append("run") },
      ])
    for _ in 1...2 {
      loop.execute()
      loop.cleanup()
    }
    expectEqual(recorder.take(), ["run", "clean", "run", "clean"])
  }

  @Test func `The name of a system is that of its type if it has no other`() {
    expectEqual(Farewell {}.name, "Farewell")
  }
}
