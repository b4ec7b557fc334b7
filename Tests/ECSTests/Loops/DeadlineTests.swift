import Dispatch
import ECS
import ECSTestSupport
import Testing

/// Components that entities get at a time.
@Suite(.noHangs) struct DeadlineTests {
  let context = Context()
  let queue = DispatchQueue(label: "loop")
  let time = ManualClock(wallTime: .seconds(1_000_000))
  let recorder = Recorder<Int32>()

  private func makeLoop() -> ReactiveLoop {
    let loop = ReactiveLoop(
      ctx: context, queue: queue, systems: [], name: "loop", clock: time.clock)
    loop.on(Health.matcher, .added, name: "Record") { [recorder] entities in
      for entity in entities { recorder.append(entity.get(Health.self)?.points ?? 0) }
    }
    loop.addDeadlines(of: Health.self)
    return loop
  }

  private func set(_ points: Int32, after seconds: Int, at entity: Entity? = nil) -> Entity {
    let entity = entity ?? context.createEntity()
    entity.set(Deadline(Health(points: points), at: .seconds(1_000_000 + seconds)))
    return entity
  }

  /// Goes on in steps, as timers do that set other ones.
  private func advance(by seconds: Int, of loop: ReactiveLoop) async {
    for _ in 0..<seconds {
      time.advance(by: .seconds(1))
      await loop.settled()
    }
  }

  @Test func `A component is set when its time has come, and the deadline is gone`() async {
    let loop = makeLoop()
    let entity = set(7, after: 10)
    await loop.settled()
    await advance(by: 9, of: loop)
    expectFalse(entity.has(Health.self))
    await advance(by: 1, of: loop)
    expectEqual(entity.get(Health.self), Health(points: 7))
    expectFalse(entity.has(Deadline<Health>.self))
    await advance(by: 100, of: loop)
    expectEqual(recorder.take(), [7])
  }

  @Test func `A deadline comes at its time, whatever parts of nanoseconds the clock has`() async {
    let loop = makeLoop()
    let part = Duration(secondsComponent: 0, attosecondsComponent: 400_000_000)
    time.advance(by: part)
    let entity = set(7, after: 1)
    await loop.settled()
    time.advance(by: .seconds(1) - part)
    await loop.settled()
    expectTrue(entity.has(Health.self))
  }

  @Test func `Deadlines come in the order of their times, however they were set`() async {
    let loop = makeLoop()
    for seconds in [5, 3, 9, 1, 7, 3] { _ = set(Int32(seconds), after: seconds) }
    await loop.settled()
    await advance(by: 10, of: loop)
    expectEqual(recorder.take(), [1, 3, 3, 5, 7, 9])
    expectEqual(time.timerCount, 0)
  }

  @Test func `A deadline can be taken back, replaced, and gone with its entity`() async {
    let loop = makeLoop()
    let (first, second, third) = (set(1, after: 5), set(2, after: 5), set(3, after: 5))
    await loop.settled()
    first.remove(Deadline<Health>.self)
    _ = set(4, after: 8, at: second)
    third.destroy()
    await advance(by: 7, of: loop)
    expectEqual(recorder.take(), [])
    await advance(by: 1, of: loop)
    expectEqual(recorder.take(), [4])
  }

  @Test func `An earlier deadline does not wait for a later one`() async {
    let loop = makeLoop()
    _ = set(1, after: 50)
    await loop.settled()
    _ = set(2, after: 5)
    await loop.settled()
    await advance(by: 5, of: loop)
    expectEqual(recorder.take(), [2])
    await advance(by: 45, of: loop)
    expectEqual(recorder.take(), [1])
  }

  @Test func `What has passed before there was a loop is set at once, in sections`() async {
    for number in 0..<1000 { _ = set(Int32(number), after: number - 2000) }
    let loop = makeLoop()
    await loop.settled()
    expectEqual(recorder.take(), Array(0..<1000))
  }

  @Test func `A change has the system as its cause, and is one with the deadline's end`() async {
    let commits = Recorder<[String]>()
    let journal = context.journal(of: Health.self, Deadline<Health>.self)
    let token = journal.observe { commit in commits.append(commit.map { "\($0.kind) \($0.cause)" })
    }
    let loop = makeLoop()
    _ = set(1, after: -1)
    await loop.settled()
    let last = commits.take().last
    expectEqual(last?.count, 2)
    expectEqual(last?.allSatisfy { $0.hasSuffix("system Deadline<Health> of loop loop") }, true)
    withExtendedLifetime(token) {}
  }

  @Test func `A clock that is set, or slept, is noticed within a minute`() async {
    let jump = Recorder<Duration>()
    let clock = LoopClock(
      now: time.clock.now,
      wallTime: { [time] in time.clock.wallTime() + (jump.items.last ?? .zero) },
      run: time.clock.run)
    let loop = ReactiveLoop(ctx: context, queue: queue, systems: [], clock: clock)
    loop.addDeadlines(of: Health.self)
    let entity = set(1, after: 86_400)
    await loop.settled()
    jump.append(.seconds(86_400))
    await advance(by: 60, of: loop)
    expectTrue(entity.has(Health.self))
  }

  @Test func `A transaction that throws takes a deadline back`() async {
    let loop = makeLoop()
    let entity = context.createEntity()
    try? context.transaction {
      _ = set(1, after: 1, at: entity)
      throw Refusal()
    }
    await loop.settled()
    await advance(by: 2, of: loop)
    expectEqual(recorder.take(), [])
  }

  @Test func `Deadlines are seen though the transaction throws that adds their system`() async {
    let entity = set(1, after: -1)
    let loop = ReactiveLoop(
      ctx: context, queue: queue, systems: [], name: "loop", clock: time.clock)
    try? context.transaction {
      loop.addDeadlines(of: Health.self)
      throw Refusal()
    }
    await loop.settled()
    expectTrue(entity.has(Health.self))
  }

  @Test func `Timers that others came before end`() async {
    let loop = makeLoop()
    _ = set(0, after: 100_000)
    await loop.settled()
    for _ in 0..<40 {
      let due = time.clock.wallTime() + .milliseconds(5_007)
      context.createEntity().set(Deadline(Health(points: 1), at: due))
      await loop.settled()
      time.advance(by: .milliseconds(7_011))
      queue.sync {}
      await loop.settled()
    }
    expectEqual(recorder.take(), Array(repeating: 1, count: 40))
    // Those of the last minute, and the newest.
    expectLessThanOrEqual(time.timerCount, 10)
  }

  @Test func `Deadlines behind those of many dead entities come in time`() async {
    let loop = makeLoop()
    let dead = (0..<300).map { _ in set(0, after: 1) }
    let living = set(1, after: 2)
    await loop.settled()
    for entity in dead { entity.destroy() }
    time.advance(by: .seconds(5))
    queue.sync {}
    await loop.settled()
    expectTrue(living.has(Health.self))
  }

  @Test func `Times beyond the ends are at the ends`() {
    expectEqual(Deadline(Tag(), at: .seconds(Int64.max)).nanoseconds, .max)
    expectEqual(Deadline(Tag(), at: .seconds(Int64.min)).nanoseconds, -.max)
    var deadline = Deadline(Tag(), at: .seconds(2))
    expectEqual(deadline.time, .seconds(2))
    deadline.time = .milliseconds(1)
    expectEqual(deadline.nanoseconds, 1_000_000)
  }

  @Test func `The time of day is that of the machine by default`() {
    let sinceCommit = LoopClock.dispatch.wallTime()
    // Between 2020 and 2100.
    expectTrue(sinceCommit > .seconds(1_577_836_800) && sinceCommit < .seconds(4_102_444_800))
  }

  @Test func `A closure is called once in a period, and what was missed once`() async {
    let loop = makeLoop()
    loop.every(.seconds(10), name: "Sweep") { [recorder] in recorder.append(0) }
    await advance(by: 9, of: loop)
    expectEqual(recorder.take(), [])
    await advance(by: 21, of: loop)
    expectEqual(recorder.take(), [0, 0, 0])
    _ = context.createEntity(with: Health(points: 1))
    await loop.settled()
    expectEqual(recorder.take(), [1])
    loop.pause()
    for _ in 0..<30 {
      time.advance(by: .seconds(1))
      // A loop that is paused has settled, whatever is due.
      queue.sync {}
    }
    expectEqual(recorder.take(), [])
    loop.resume()
    await loop.settled()
    expectEqual(recorder.take(), [0])
    await advance(by: 10, of: loop)
    expectEqual(recorder.take(), [0])
    expectEqual(loop.statistics.last?.runs, 5)
    loop.cancel()
    await advance(by: 20, of: loop)
    expectEqual(recorder.take(), [])
    expectEqual(time.timerCount, 0)
  }

  @Test func `Times that pass while the loop is busy are made up for by one call`() async {
    let loop = makeLoop()
    loop.every(.seconds(10), name: "Sweep") { [recorder] in recorder.append(0) }
    time.advance(by: .seconds(35))
    await loop.settled()
    expectEqual(recorder.take(), [0])
    await advance(by: 9, of: loop)
    expectEqual(recorder.take(), [])
    await advance(by: 1, of: loop)
    expectEqual(recorder.take(), [0])
  }

  @Test func `A period shorter than a debounce does not hold the loop`() async {
    let loop = ReactiveLoop(
      ctx: context, queue: queue, systems: [], timing: .debounce(.seconds(2)), clock: time.clock)
    loop.on(Health.matcher, name: "Record") { [recorder] _ in recorder.append(1) }
    loop.every(.seconds(1), name: "Sweep") { [recorder] in recorder.append(0) }
    _ = context.createEntity(with: Health(points: 1))
    for _ in 0..<4 {
      time.advance(by: .seconds(1))
      queue.sync {}
      queue.sync {}
    }
    expectTrue(recorder.items.contains(1))
    expectTrue(recorder.items.contains(0))
  }

  @Test func `A closure that throws is called again in the next period`() async {
    let failures = Recorder<String>()
    let loop = ReactiveLoop(
      ctx: context, queue: queue, systems: [], clock: time.clock
    ) { failures.append($0.system) }
    loop.every(.seconds(1), name: "Sweep") { throw Refusal() }
    await advance(by: 3, of: loop)
    expectEqual(failures.take(), ["Sweep", "Sweep", "Sweep"])
  }

  @Test func `A period of nothing stops`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let loop = ReactiveLoop(ctx: Context(), queue: DispatchQueue(label: "loop"), systems: [])
      loop.every(.zero, name: "Sweep") {}
    }
    expectTrue(stopped(result, saying: "System Sweep", "period"))
  }

  @Test(arguments: 0..<2) func `Random deadlines come as in a list`(seed: UInt64) async {
    var random = SplitMix64(seed: seed)
    let loop = makeLoop()
    var expected: [Entity: (seconds: Int, points: Int32)] = [:]
    var now = 0
    let entities = (0..<20).map { _ in context.createEntity() }
    for _ in 0..<200 {
      let entity = entities[Int(random.next() % 20)]
      switch random.next() % 4 {
      case 0, 1:
        let deadline = (
          seconds: now + 1 + Int(random.next() % 30), points: Int32(random.next() % 1000)
        )
        _ = set(deadline.points, after: deadline.seconds, at: entity)
        expected[entity] = deadline
      case 2:
        entity.remove(Deadline<Health>.self)
        expected[entity] = nil
      default:
        await loop.settled()
        await advance(by: 1, of: loop)
        now += 1
        for (entity, deadline) in expected where deadline.seconds <= now {
          expected[entity] = nil
          expectEqual(entity.get(Health.self)?.points, deadline.points)
        }
      }
      let waiting = entities.filter { $0.has(Deadline<Health>.self) }
      expectEqual(Set(waiting), Set(expected.keys))
    }
  }
}
