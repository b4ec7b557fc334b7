import ECS
import ECSTestSupport
import Testing

/// Eight threads that do everything at once, with totals that tell whether anything was lost.
@Suite(.optimizedOrSanitized, .longRunning, .noHangs) struct EverythingRaceTests {
  static let threads = 8
  static let steps = Effort.raceSteps

  /// An event that a thread produced.
  struct Job: Component {
    let thread: Int
    let number: Int
  }

  struct Own: Component, Equatable {
    var number: Int
  }

  struct Mark: Component {}

  struct Clock: UniqueComponent {
    var ticks: Int
  }

  /// What the threads share.
  final class World: Sendable {
    let context = Context()
    let jobs: Group
    let collector: Collector
    let all: Collector
    let byThread: Index<Int>

    let produced = Tally()
    let consumed = Tally()
    let ticks = Tally()
    let wrong = Tally()

    // Guarded by the context: read and written inside of `perform` only.
    @safe nonisolated(unsafe) private var taken = [Bool](
      repeating: false, count: EverythingRaceTests.threads * EverythingRaceTests.steps)

    init() {
      jobs = context.group(Job.matcher)
      collector = Collector(group: jobs, type: .added)
      all = Collector(group: jobs, type: .addedUpdatedOrRemoved)
      byThread = context.index { (job: Job) in job.thread }
      context.setUniqueComponent(Clock(ticks: 0))
    }

    func take(_ entities: some Sequence<Entity>) {
      for entity in entities {
        guard let job = entity.get(Job.self) else {
          wrong.add()
          continue
        }
        let place = job.thread * EverythingRaceTests.steps + job.number
        context.perform {
          if taken[place] { wrong.add() }
          taken[place] = true
          entity.destroy()
        }
        consumed.add()
      }
    }
  }

  /// One thread's work.
  struct Worker {
    let world: World
    let thread: Int
    var random: SplitMix64
    var own: [Entity] = []
    var subscription: Subscription?

    init(_ world: World, _ thread: Int) {
      self.world = world
      self.thread = thread
      random = SplitMix64(seed: UInt64(thread))
    }

    mutating func run() {
      for step in 0..<EverythingRaceTests.steps { make(step) }
      for entity in own { entity.destroy() }
    }

    private mutating func make(_ step: Int) {
      switch random.below(20) {
      case 0..<6: produce(step)
      case 6..<9: world.take(world.collector.drain())
      case 9: _ = world.all.drain()
      case 10..<15: changeOwn(step)
      case 15: tick()
      case 16: look()
      case 17: watch()
      case 18 where step % 8 == 0: makeContext()
      default: mark(step)
      }
    }

    private func produce(_ step: Int) {
      world.context.createEntity(with: Job(thread: thread, number: step))
      world.produced.add()
    }

    /// Nothing else has these entities, so they are as this thread left them.
    private mutating func changeOwn(_ step: Int) {
      if own.count < 8 { return own.append(world.context.createEntity(with: Own(number: step))) }
      let entity = own[random.below(8)]
      let before = entity.get(Own.self)
      entity.set(Own(number: step)).set(Mark())
      if before == nil || entity.get(Own.self) != Own(number: step) { world.wrong.add() }
      entity.remove(Mark.self)
      if entity.has(Mark.self) { world.wrong.add() }
      guard random.oneIn(4) else { return }
      entity.destroy()
      if entity.isAlive { world.wrong.add() }
      own.removeAll { $0 == entity }
    }

    private func tick() {
      world.context.updateUniqueComponent(Clock.self) { $0.ticks += 1 }
      world.ticks.add()
      if (world.context.uniqueComponent(Clock.self)?.ticks ?? 0) <= 0 { world.wrong.add() }
    }

    private mutating func look() {
      let other = random.below(EverythingRaceTests.threads)
      for entity in world.byThread[other].prefix(4) {
        if let job = entity.get(Job.self), job.thread != other { world.wrong.add() }
      }
      world.context.perform {
        let count = world.jobs.count
        var visited = 0
        if count < 64 {
          world.jobs.withEach { (_, _: Job) in visited += 1 }
          if visited != count { world.wrong.add() }
        }
      }
      _ = world.context.group(Matcher(any: [Own.cid, Mark.cid], none: [Job.cid])).first
    }

    private mutating func watch() {
      let world = world
      subscription = world.jobs.observeChanges(.added) { change in
        if change.new(Job.self) == nil { world.wrong.add() }
      }
      if random.oneIn(2) { subscription = nil }
    }

    private func makeContext() {
      let context = Context()
      let group = context.group(Mark.matcher)
      let collector = Collector(group: group, type: .added)
      let entities = (0..<4).map { _ in context.createEntity(with: Mark(), Own(number: 1)) }
      if group.count != 4 || collector.count != 4 || entities[0] != collector.popFirst() {
        world.wrong.add()
      }
    }

    private mutating func mark(_ step: Int) {
      guard let entity = own.last else { return }
      let wanted = step % 2 == 0
      if wanted { entity.set(Mark()) } else { entity.remove(Mark.self) }
      if entity.has(Mark.cid) != wanted { world.wrong.add() }
      if entity.isEmpty || entity.context !== world.context { world.wrong.add() }
    }
  }

  @Test func `Eight threads that do everything lose no event and see none twice`() {
    let world = World()
    Threads.run(Self.threads) { thread in
      var worker = Worker(world, thread)
      worker.run()
    }
    world.take(world.collector.drain())
    expectEqual(world.wrong.value, 0)
    expectEqual(world.consumed.value, world.produced.value)
    expectTrue(world.jobs.isEmpty)
    expectEqual(world.byThread.keyCount, 0)
    expectEqual(world.context.uniqueComponent(Clock.self)?.ticks, world.ticks.value)
    expectEqual(world.context.count, 1, "Only the clock's holder is left.")
    expectEqual(world.context.statistics.staleWrites, 0)
  }
}
