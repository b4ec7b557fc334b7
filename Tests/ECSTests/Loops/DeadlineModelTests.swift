import Dispatch
import ECS
import ECSTestSupport
import Synchronization
import Testing

/// Deadlines of a loop beside a dictionary that is searched for those that are due.
@Suite(.noHangs) struct DeadlineModelTests {
  @Test(arguments: 0..<40)
  func `what is due is set once, in order, whatever happened to it before`(seed: Int) async {
    let run = DeadlineRun(seed: UInt64(seed))
    await run.settle()
    for number in 0..<60 {
      await run.step()
      let (found, expected) = run.take()
      expectEqual(found, expected, "seed \(seed), step \(number)")
      guard found == expected, run.agrees() else {
        Issue.record("the state differs: seed \(seed), step \(number)")
        return
      }
    }
  }

  @Test func `Many with one time come in the order of their creation`() async {
    let run = DeadlineRun(seed: 1)
    let entities = (0..<2000).map { _ in run.context.createEntity() }
    for entity in entities.shuffled(using: &run.random) { run.set(entity, after: 3) }
    await run.settle()
    await run.advance(by: 3)
    let (found, expected) = run.take()
    expectTrue(found.count >= 2000 && found == expected)
  }

  @Test func `Most of many are taken back, and set again, and the others come`() async {
    let run = DeadlineRun(seed: 2)
    let entities = (0..<5000).map { _ in run.context.createEntity() }
    for _ in 0..<4 {
      for entity in entities { run.set(entity, after: 1 + run.random.below(3)) }
      await run.settle()
      for entity in entities where !run.random.oneIn(20) { run.takeBack(entity) }
      await run.settle()
    }
    await run.advance(by: 2)
    for entity in entities where run.random.oneIn(2) {
      run.set(entity, after: 1 + run.random.below(3))
    }
    await run.settle()
    await run.advance(by: 4)
    let (found, expected) = run.take()
    expectTrue(found == expected && run.agrees())
  }
}

/// A loop with deadlines, and what is expected of it.
private final class DeadlineRun {
  let context = Context()
  var random: SplitMix64
  private let queue = DispatchQueue(label: "loop")
  private let time = ManualClock(wallTime: .seconds(1_000_000))
  private let jump = JumpingTime()
  private let recorder = Recorder<Int32>()
  private let loop: ReactiveLoop
  private var entities: [Entity] = []
  private var pending: [Entity: (due: Int, points: Int32)] = [:]
  private var values: [Entity: Int32] = [:]
  private var expected: [Int32] = []
  private var lastPoints: Int32 = 0
  private let distant: Entity

  /// The time of day, in seconds.
  private var now = 1_000_000

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    let clock = LoopClock(
      now: time.clock.now,
      wallTime: { [time, jump] in time.clock.wallTime() + .seconds(jump.seconds) },
      run: time.clock.run)
    loop = ReactiveLoop(ctx: context, queue: queue, systems: [], clock: clock)
    distant = context.createEntity()
    // Some are there before the system is.
    if random.oneIn(2) {
      for _ in 0..<random.below(8) {
        entities.append(context.createEntity())
        set(entities[entities.count - 1], after: random.below(4) - 2)
      }
    }
    loop.on(Health.matcher, .addedOrUpdated, name: "Record") { [recorder] entities in
      for entity in entities { recorder.append(entity.get(Health.self)?.points ?? 0) }
    }
    loop.addDeadlines(of: Health.self)
  }

  deinit { loop.cancel() }

  // MARK: Steps

  func step() async {
    if random.oneIn(10) { loop.pause() }
    // In one section, as what has passed already could be set in between.
    context.perform {
      for _ in 0..<random.below(6) { change() }
    }
    if loop.isPaused { loop.resume() }
    await settle()
    switch random.below(8) {
    case 0: await setClock(by: random.below(9) - 4)
    case 1...4: await advance(by: 1 + random.below(2))
    default: break
    }
  }

  private func change() {
    guard let entity = entities.randomElement(using: &random), !random.oneIn(4) else {
      entities.append(context.createEntity())
      return
    }
    switch random.below(8) {
    case 0: takeBack(entity)
    case 1:
      entities.removeAll { $0 == entity }
      (pending[entity], values[entity]) = (nil, nil)
      entity.destroy()
    case 2: changeInVain(entity)
    case 3:
      // As programs do that read and write a component in place.
      guard let due = pending[entity]?.due else { return }
      context.group(Deadline<Health>.matcher).withEach { (each, deadline: inout Deadline<Health>) in
        if each == entity { deadline.time += .seconds(1) }
      }
      pending[entity]?.due = due + 1
    default: set(entity, after: random.below(8) - 1)
    }
  }

  func set(_ entity: Entity, after seconds: Int) {
    lastPoints += 1
    pending[entity] = (now + seconds, lastPoints)
    entity.set(Deadline(Health(points: lastPoints), at: .seconds(now + seconds)))
  }

  func takeBack(_ entity: Entity) {
    pending[entity] = nil
    entity.remove(Deadline<Health>.self)
  }

  /// Changes deadlines in a transaction that throws.
  private func changeInVain(_ entity: Entity) {
    try? context.transaction {
      for _ in 0..<3 {
        switch random.below(4) {
        case 0 where entity.isAlive: entity.destroy()
        case 1: context.createEntity(with: Deadline(Health(points: -1), at: .zero))
        case 2 where entity.isAlive: entity.remove(Deadline<Health>.self)
        default:
          if entity.isAlive { entity.set(Deadline(Health(points: -2), at: .seconds(now - 1))) }
        }
      }
      throw Refusal()
    }
  }

  // MARK: Time

  func settle() async {
    queue.sync {}
    await loop.settled()
    come()
  }

  func advance(by seconds: Int) async {
    for _ in 0..<seconds {
      now += 1
      time.advance(by: .seconds(1))
      await settle()
    }
  }

  /// Sets the time of day, and gives the loop a reason to look at it.
  private func setClock(by seconds: Int) async {
    now += seconds
    jump.seconds += seconds
    distant.set(Deadline(Health(points: 0), at: .seconds(Int64.max)))
    await settle()
  }

  /// What comes to be in the reference.
  private func come() {
    let due = pending.filter { $0.value.due <= now }.sorted {
      ($0.value.due, $0.key.creationNumber ?? 0) < ($1.value.due, $1.key.creationNumber ?? 0)
    }
    for (entity, deadline) in due {
      pending[entity] = nil
      values[entity] = deadline.points
      expected.append(deadline.points)
    }
  }

  // MARK: Comparing

  func take() -> (found: [Int32], expected: [Int32]) {
    defer { expected = [] }
    return (recorder.take(), expected)
  }

  /// Whether all entities have the components that they are to have.
  func agrees() -> Bool {
    entities.allSatisfy { entity in
      entity.get(Health.self)?.points == values[entity]
        && entity.get(Deadline<Health>.self)?.value.points == pending[entity]?.points
    }
  }
}

/// By how much the time of day was set.
private final class JumpingTime: Sendable {
  private let offset = Atomic<Int>(0)

  var seconds: Int {
    get { offset.load(ordering: .acquiring) }
    set { offset.store(newValue, ordering: .releasing) }
  }
}
