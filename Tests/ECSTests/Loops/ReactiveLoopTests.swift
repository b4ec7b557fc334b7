import Dispatch
import ECS
import ECSTestSupport
import Testing

@Suite(.noHangs) struct ReactiveLoopTests {
  let context = Context()
  let recorder = Recorder<String>()
  let queue = DispatchQueue(label: "loop")

  @Test func `Any number of changes makes one pass`() async {
    let loop = counting(Tag.matcher)
    queue.sync {
      for _ in 1...1000 { _ = context.createEntity(with: Tag()) }
    }
    await loop.settled()
    expectEqual(recorder.take(), ["1000"])
  }

  @Test func `Each change after a pass makes a further one`() async {
    let loop = counting(Tag.matcher)
    for _ in 1...3 {
      _ = context.createEntity(with: Tag())
      await loop.settled()
    }
    expectEqual(recorder.take(), ["1", "1", "1"])
  }

  @Test func `Changes that no system collects make no pass`() async {
    let loop = ReactiveLoop(
      ctx: context, queue: queue,
      systems: [
        Chatty("all", recorder),
        ClosureSystem("tags", collector: context.collector(for: Tag.matcher)) { _ in },
      ])
    await loop.settled()
    _ = context.createEntity(with: Health(points: 1))
    await loop.settled()
    queue.sync {}
    expectEqual(recorder.take(), ["init all"])
    _ = context.createEntity(with: Tag())
    await loop.settled()
    expectEqual(recorder.take(), ["execute all", "cleanup all"])
  }

  @Test func `A pass executes all systems in their order, and then cleans up`() async {
    let recorder = recorder
    let loop = ReactiveLoop(
      ctx: context, queue: queue,
      systems: [
        Chatty("a", recorder),
        ClosureSystem("b", collector: context.collector(for: Tag.matcher)) { _ in
          recorder.append("b")
        },
        Chatty("c", recorder),
      ])
    _ = context.createEntity(with: Tag())
    await loop.settled()
    expectEqual(
      recorder.take(),
      [
        "init a", "init c", "execute a", "b", "execute c", "cleanup a", "cleanup c",
      ])
  }

  @Test func `What was collected before the loop was made is worked on`() async {
    let collector = context.collector(for: Tag.matcher)
    _ = context.createEntity(with: Tag())
    let recorder = recorder
    let loop = ReactiveLoop(
      ctx: context, queue: queue,
      systems: [ClosureSystem("a", collector: collector) { recorder.append("\($0.count)") }])
    await loop.settled()
    expectEqual(recorder.take(), ["1"])
  }

  @Test func `What a system changes for a later one takes no further pass`() async {
    let (context, recorder) = (context, recorder)
    let loop = ReactiveLoop(
      ctx: context, queue: queue,
      systems: [
        Chatty("pass", recorder),
        ClosureSystem("a", collector: context.collector(for: Tag.matcher)) { entities in
          for entity in entities { entity.set(Health(points: 1)) }
        },
        ClosureSystem("b", collector: context.collector(for: Health.matcher)) {
          recorder.append("b \($0.count)")
        },
      ])
    _ = context.createEntity(with: Tag())
    await loop.settled()
    expectEqual(recorder.take(), ["init pass", "execute pass", "b 1", "cleanup pass"])
  }

  @Test func `What a system changes for an earlier one takes a further pass`() async {
    let (context, recorder) = (context, recorder)
    let loop = ReactiveLoop(
      ctx: context, queue: queue,
      systems: [
        Chatty("pass", recorder),
        ClosureSystem("b", collector: context.collector(for: Health.matcher)) {
          recorder.append("b \($0.count)")
        },
        ClosureSystem("a", collector: context.collector(for: Tag.matcher)) { entities in
          for entity in entities { entity.set(Health(points: 1)) }
        },
      ])
    _ = context.createEntity(with: Tag())
    await loop.settled()
    expectEqual(
      recorder.take().filter { !$0.contains("cleanup") },
      [
        "init pass", "execute pass", "execute pass", "b 1",
      ])
  }

  @Test func `A system that changes what it collects runs again until it stops`() async {
    let (context, recorder) = (context, recorder)
    let loop = ReactiveLoop(
      ctx: context, queue: queue,
      systems: [
        ClosureSystem(
          "countdown", collector: context.collector(for: Health.matcher, type: .addedOrUpdated)
        ) { entities in
          for entity in entities {
            guard let points = entity.get(Health.self)?.points, points > 0 else { continue }
            recorder.append("\(points)")
            entity.set(Health(points: points - 1))
          }
        }
      ])
    _ = context.createEntity(with: Health(points: 3))
    await loop.settled()
    expectEqual(recorder.take(), ["3", "2", "1"])
  }

  @Test func `Further passes leave the queue to other work in between`() async {
    let (context, recorder, queue) = (context, recorder, queue)
    let loop = ReactiveLoop(
      ctx: context, queue: queue,
      systems: [
        ClosureSystem("again", collector: context.collector(for: Health.matcher, type: .updated)) {
          entities in
          for entity in entities {
            guard let points = entity.get(Health.self)?.points, points > 0 else { continue }
            recorder.append("pass")
            queue.async { recorder.append("other") }
            entity.set(Health(points: points - 1))
          }
        }
      ])
    context.createEntity(with: Health(points: 9)).set(Health(points: 2))
    await loop.settled()
    queue.sync {}
    expectEqual(recorder.take(), ["pass", "other", "pass", "other"])
  }

  @Test func `A system drains further triggers at its own rate, and nothing is lost`() async {
    final class TwoSpeeds: ReactiveSystem {
      let collector: Collector
      let slow: Collector
      let recorder: Recorder<String>
      var triggers: [Collector] { [slow] }

      init(_ context: Context, _ recorder: Recorder<String>) {
        collector = context.collector(for: Tag.matcher)
        slow = context.collector(for: Tag.matcher)
        self.recorder = recorder
      }

      func execute(entities: EntitySet) { recorder.append("fast \(entities.count)") }
    }
    final class Slow: ExecuteSystem {
      let system: TwoSpeeds
      init(_ system: TwoSpeeds) { self.system = system }
      func execute() {
        if system.slow.popFirst() != nil { system.recorder.append("slow 1") }
      }
    }
    let system = TwoSpeeds(context, recorder)
    let loop = ReactiveLoop(ctx: context, queue: queue, systems: [system, Slow(system)])
    queue.sync { _ = context.createEntities(3, with: Tag()) }
    await loop.settled()
    expectEqual(recorder.take(), ["fast 3", "slow 1", "slow 1", "slow 1"])
  }

  @Test func `Systems and closures can be added to a running loop`() async {
    let recorder = recorder
    let loop = ReactiveLoop(ctx: context, queue: queue, systems: [])
    loop.add(Chatty("a", recorder))
    loop.on(Tag.matcher, name: "b") { recorder.append("b \($0.count)") }
    await loop.settled()
    expectEqual(recorder.take(), ["init a"])
    _ = context.createEntity(with: Tag())
    await loop.settled()
    expectEqual(recorder.take(), ["execute a", "b 1", "cleanup a"])
    expectEqual(loop.statistics.map(\.name), ["a", "b"])
  }

  @Test func `A loop inside a reactive loop wakes it`() async {
    let recorder = recorder
    let collector = context.collector(for: Tag.matcher)
    let loop = ReactiveLoop(
      ctx: context, queue: queue,
      systems: [
        Loop(
          name: "inner",
          systems: [ClosureSystem("a", collector: collector) { recorder.append("\($0.count)") }])
      ])
    _ = context.createEntity(with: Tag())
    await loop.settled()
    expectEqual(recorder.take(), ["1"])
  }

  @Test func `Several loops may wait for the same collector`() async {
    let collector = context.collector(for: Tag.matcher)
    let recorder = recorder
    let first = ReactiveLoop(
      ctx: context, queue: queue,
      systems: [ClosureSystem("a", collector: collector) { recorder.append("\($0.count)") }])
    let second = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "other"),
      systems: [ClosureSystem("b", collector: collector) { recorder.append("\($0.count)") }])
    first.pause()
    _ = context.createEntity(with: Tag())
    await second.settled()
    expectEqual(recorder.take(), ["1"])
  }

  @Test func `Passes of one loop do not overlap on a concurrent queue`() async {
    let (context, recorder) = (context, recorder)
    let loop = ReactiveLoop(
      ctx: context, queue: .global(),
      systems: [
        ClosureSystem("again", collector: context.collector(for: Tag.matcher)) { entities in
          recorder.append("begin")
          recorder.append("end")
        }
      ])
    for number in 1...100 {
      _ = context.createEntity(with: Tag())
      if number.isMultiple(of: 3) { loop.runUntilSettled() }
    }
    await loop.settled()
    let events = recorder.take()
    expectEqual(events, (0..<events.count).map { $0.isMultiple(of: 2) ? "begin" : "end" })
  }

  // MARK: Making loops

  private func counting(_ matcher: Matcher) -> ReactiveLoop {
    ReactiveLoop(
      ctx: context, queue: queue,
      systems: [
        ClosureSystem("count", collector: context.collector(for: matcher)) { [recorder] in
          recorder.append("\($0.count)")
        }
      ])
  }
}
