import Dispatch
import ECS
import ECSTestSupport
import Testing

/// Tasks that iterate over asynchronous sequences are cancelled while threads change the context.
///
/// In processes of their own: a deadlock would stop all other tests as well.
@Suite(.optimizedOrSanitized, .longRunning, .noHangs) struct SequenceRaceTests {
  @Test(arguments: SequenceRace.Source.allCases)
  func `Tasks may be canceled in the middle of a sequence`(source: SequenceRace.Source) async {
    await #expect(processExitsWith: .success) { [source = source as SequenceRace.Source] in
      await SequenceRace(source).run()
    }
  }

  @Test func `Code that runs afterwards may take locks whose owners call the context`() async {
    await #expect(processExitsWith: .success) {
      let (context, lock, progress) = (Context(), DispatchSemaphore(value: 1), Tally())
      let watchdog = Watchdog(progress)
      let entity = context.createEntity(with: Health(points: 0))
      let observer = entity.observeAfterwards {
        lock.wait()
        lock.signal()
      }
      Threads.run { thread in
        for step in 0..<Effort.raceSteps {
          if thread < 4 {
            entity.set(Health(points: Int32(step)))
          } else {
            lock.wait()
            _ = context.count
            lock.signal()
          }
          progress.add()
        }
      }
      watchdog.stop()
      withExtendedLifetime(observer) {}
    }
  }

  @Test func `Code that may take foreign locks never runs in a critical section`() async {
    #if DEBUG
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let context = Context()
        context.assertIsNotInSection()
        context.perform { context.assertIsNotInSection() }
      }
      expectTrue(failedAssertion(result, saying: "reached in a critical section"))
    #endif
  }
}

struct SequenceRace: Sendable {
  enum Source: String, CaseIterable, Codable, Sendable {
    case entity, group, view, relation, ownBridge
    case changesOfEntity, changesOfGroup, newestChangesOfGroup
    case collector, settledLoop
  }

  private struct Item: Component { var number: Int }

  private enum Follows: Relation {}

  private static let threads = 8
  private static let steps = Effort.raceSteps / 8

  private let source: Source
  private let context = Context()
  private let entities: [Entity]
  private let group: Group
  private let progress = Tally()
  private let writers = Tally()

  init(_ source: Source) {
    self.source = source
    let context = context
    entities = (0..<8).map { context.createEntity(with: Item(number: $0)) }
    group = context.group(Item.matcher)
  }

  func run() async {
    let watchdog = Watchdog(progress)
    let loop = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "loop"), systems: [], name: "loop")
    if source == .settledLoop { loop.on(Item.matcher, .addedOrUpdated, name: "nothing") { _ in } }
    startWriters(loop)
    var random = SplitMix64(seed: 1)
    while writers.value < Self.threads {
      let tasks = (0..<4).map { number in
        let entity = entities[number]
        return Task { await iterate(entity, loop) }
      }
      for _ in 0..<random.below(4) { await Task.yield() }
      for task in tasks {
        // The thread that cancels a task may be in a section itself.
        if random.oneIn(4) { context.perform { task.cancel() } } else { task.cancel() }
      }
      for task in tasks { await task.value }
      progress.add()
    }
    loop.cancel()
    // A bridge of one's own ends its observation a little later.
    while context.statistics.observers > 0 { await Task.yield() }
    watchdog.stop()
    guard source == .settledLoop || context.statistics.collectors == 0 else {
      fatalError("Collectors are left: \(context.statistics)")
    }
  }

  private func startWriters(_ loop: ReactiveLoop) {
    for thread in 0..<Self.threads {
      DispatchQueue(label: "writer \(thread)").async {
        var random = SplitMix64(seed: UInt64(thread))
        for step in 0..<Self.steps {
          let entity = entities[random.below(8)]
          switch random.below(8) {
          case 0: entity.relate(Follows.self, to: entities[random.below(8)])
          case 1: entity.unrelate(Follows.self)
          case 2: entity.remove(Item.self)
          case 3: context.createEntity(with: Item(number: step)).destroy()
          case 4 where source == .settledLoop:
            // A task that waits for the loop is woken, but not in here.
            context.perform {
              loop.pause()
              loop.resume()
            }
          default: entity.set(Item(number: step))
          }
          progress.add()
        }
        writers.add()
      }
    }
  }

  private func iterate(_ entity: Entity, _ loop: ReactiveLoop) async {
    switch source {
    case .entity: for await _ in entity.observations {}
    case .group: for await _ in group.observations {}
    case .view: for await _ in group.sorted(by: \Item.number).observations {}
    case .relation: for await _ in entity.targets(Follows.self).observations {}
    case .ownBridge: for await _ in bridge(entity) {}
    case .changesOfEntity: for await _ in entity.changes() {}
    case .changesOfGroup: for await _ in group.changes() {}
    case .newestChangesOfGroup:
      for await _ in group.changes(.removed, buffering: .bufferingNewest(2)) {}
    case .collector:
      for await _ in context.collector(for: Item.matcher, type: .addedUpdatedOrRemoved).values {}
    case .settledLoop:
      while !Task.isCancelled {
        await loop.settled()
        // A loop with nothing to do lets no task wait.
        await Task.yield()
      }
    }
  }

  /// A bridge as a user would write it, and as the article about concurrency says.
  private func bridge(_ entity: Entity) -> AsyncStream<Int> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let subscription = entity.observeAfterwards {
        continuation.yield(entity.get(Item.self)?.number ?? 0)
      }
      continuation.onTermination = { _ in
        DispatchQueue.global().async { subscription.cancel() }
      }
    }
  }
}
