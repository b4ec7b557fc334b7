import Dispatch
import ECS
import ECSTestSupport
import Synchronization
import Testing

/// Loops beside producers on many threads; worth running under the thread sanitizer.
@Suite(.optimizedOrSanitized, .noHangs) struct LoopRaceTests {
  struct Order: Component {
    let number: Int
  }

  struct Receipt: Component {
    let number: Int
  }

  static let producers = 4
  static let eventsEach = Effort.raceSteps

  /// Counts how often each event came.
  ///
  /// Used on one queue at a time.
  final class Tally: ReactiveSystem {
    let collector: Collector
    let counts: Counts
    private let isDestroying: Bool

    init(_ collector: Collector, _ counts: Counts, isDestroying: Bool) {
      self.collector = collector
      self.counts = counts
      self.isDestroying = isDestroying
    }

    func execute(entities: EntitySet) {
      for entity in entities {
        guard let order = entity.get(Order.self) else { continue }
        counts.note(order.number)
        if isDestroying { entity.destroy() }
      }
    }
  }

  /// How often each number was noted.
  // Written by one system, read when its loop has settled.
  final class Counts: @unchecked Sendable {
    private var counts = [UInt8](
      repeating: 0, count: LoopRaceTests.producers * LoopRaceTests.eventsEach)

    func note(_ number: Int) { counts[number] &+= 1 }

    var isOnceEach: Bool { counts.allSatisfy { $0 == 1 } }
  }

  /// Counts the runs that a logger is around.
  final class Calls: SystemLogger {
    let begun = Atomic(0)
    let ended = Atomic(0)
    let open = Atomic(0)

    func willBegin(_ phase: LoopFailure.Phase) { open.add(1, ordering: .relaxed) }

    func didEnd(_ phase: LoopFailure.Phase) { open.subtract(1, ordering: .relaxed) }

    func run(_ name: String, in phase: LoopFailure.Phase, entities: Int, _ body: () -> Void) {
      begun.add(1, ordering: .relaxed)
      body()
    }

    func didRun(_ name: String, in phase: LoopFailure.Phase, entities: Int, time: Duration) {
      ended.add(1, ordering: .relaxed)
    }
  }

  /// Tells another thread to stop.
  final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .acquiring) }

    func set() { value.store(true, ordering: .releasing) }
  }

  /// Runs a body on as many threads as there are producers, and waits for all.
  static func produce(_ body: @escaping @Sendable (_ producer: Int) -> Void) {
    let group = DispatchGroup()
    for producer in 0..<producers {
      DispatchQueue(label: "producer \(producer)").async(group: group) { body(producer) }
    }
    group.wait()
  }

  static func numbers(of producer: Int) -> Range<Int> {
    producer * eventsEach..<(producer + 1) * eventsEach
  }

  @Test func `Four producers and a loop on a background queue: each event is processed once`() {
    let (context, counts) = (Context(), Counts())
    let loop = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "loop"),
      systems: [
        Tally(context.collector(for: Order.matcher), counts, isDestroying: true)
      ])
    Self.produce { producer in
      for number in Self.numbers(of: producer) {
        _ = context.createEntity(with: Order(number: number))
      }
    }
    loop.runUntilSettled()
    expectTrue(counts.isOnceEach)
    expectEqual(context.count, 0)
  }

  @Test func `Two loops on different queues hand events on: each is processed once by both`() {
    let (context, counts, receipts) = (Context(), Counts(), Counts())
    let first = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "first"),
      systems: [
        ClosureSystem("receive", collector: context.collector(for: Order.matcher)) { entities in
          for entity in entities {
            guard let order = entity.get(Order.self) else { continue }
            counts.note(order.number)
            entity.set(Receipt(number: order.number))
          }
        }
      ])
    let second = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "second"),
      systems: [
        ClosureSystem("file", collector: context.collector(for: Receipt.matcher)) { entities in
          for entity in entities {
            if let receipt = entity.get(Receipt.self) { receipts.note(receipt.number) }
            entity.destroy()
          }
        }
      ])
    Self.produce { producer in
      for number in Self.numbers(of: producer) {
        _ = context.createEntity(with: Order(number: number))
      }
    }
    first.runUntilSettled()
    second.runUntilSettled()
    expectTrue(counts.isOnceEach)
    expectTrue(receipts.isOnceEach)
    expectEqual(context.count, 0)
  }

  @Test func `Loggers that come and go while a loop runs see whole runs`() {
    let (context, counts, calls) = (Context(), Counts(), Calls())
    let loop = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "loop"),
      systems: [
        Tally(context.collector(for: Order.matcher), counts, isDestroying: true)
      ])
    Self.produce { producer in
      for number in Self.numbers(of: producer) {
        if number % 8 == 0 {
          loop.setLogger(number % 16 == 0 ? calls : nil, named: "\(producer % 2)")
        }
        _ = context.createEntity(with: Order(number: number))
      }
    }
    loop.runUntilSettled()
    expectTrue(counts.isOnceEach)
    expectEqual(calls.begun.load(ordering: .relaxed), calls.ended.load(ordering: .relaxed))
    expectEqual(calls.open.load(ordering: .relaxed), 0)
  }

  @Test func `A loop that fails now and then loses nothing`() {
    let (context, counts) = (Context(), Counts())
    var pass = 0
    let loop = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "loop"), systems: [], retry: .withNextTrigger)
    loop.on(Order.matcher, name: "moody") { entities in
      pass += 1
      if pass.isMultiple(of: 3) { throw Refusal() }
      for entity in entities {
        if let order = entity.get(Order.self) { counts.note(order.number) }
        entity.destroy()
      }
    }
    Self.produce { producer in
      for number in Self.numbers(of: producer) {
        _ = context.createEntity(with: Order(number: number))
      }
    }
    while context.count > 0 { loop.runUntilSettled() }
    expectTrue(counts.isOnceEach)
  }

  @Test func `A loop that is paused, resumed, settled and extended meanwhile loses nothing`() async
  {
    let (context, counts) = (Context(), Counts())
    let loop = ReactiveLoop(
      ctx: context, queue: .global(),
      systems: [Tally(context.collector(for: Order.matcher), counts, isDestroying: true)])
    let end = Flag()
    await withTaskGroup { group in
      group.addTask {
        while !end.isSet {
          loop.pause()
          await Task.yield()
          loop.resume()
          await loop.settled()
        }
      }
      group.addTask {
        while !end.isSet {
          loop.runUntilSettled()
          if loop.statistics.count < 20 { loop.on(Order.matcher, name: "idle") { _ in } }
          await Task.yield()
        }
      }
      await withCheckedContinuation { continuation in
        DispatchQueue(label: "producers").async {
          Self.produce { producer in
            for number in Self.numbers(of: producer) {
              _ = context.createEntity(with: Order(number: number))
            }
          }
          continuation.resume()
        }
      }
      end.set()
    }
    loop.resume()
    loop.runUntilSettled()
    expectTrue(counts.isOnceEach)
  }

  @Test func `Loops come and go while producers work`() {
    let context = Context()
    let end = Flag()
    let group = DispatchGroup()
    DispatchQueue(label: "owner").async(group: group) {
      let queue = DispatchQueue(label: "loop")
      while !end.isSet {
        let loop = ReactiveLoop(ctx: context, queue: queue, systems: [Farewell {}])
        loop.on(Order.matcher, .addedUpdatedOrRemoved, name: "look") { entities in
          for entity in entities { _ = entity.get(Order.self) }
        }
        if context.count.isMultiple(of: 2) { loop.runUntilSettled() }
      }
      queue.sync {}
    }
    Self.produce { producer in
      for number in Self.numbers(of: producer) {
        context.createEntity(with: Order(number: number)).destroy()
      }
    }
    end.set()
    group.wait()
    expectEqual(context.count, 0)
    expectEqual(context.statistics.collectors, 0)
  }

  @Test func `A task that awaits values gets each event once`() async {
    let (context, counts) = (Context(), Counts())
    let collector = context.collector(for: Order.matcher)
    let consumer = Task {
      var seen = 0
      for await entities in collector.values {
        for entity in entities {
          if let order = entity.get(Order.self) { counts.note(order.number) }
          entity.destroy()
        }
        seen += entities.count
        if seen == Self.producers * Self.eventsEach { break }
      }
    }
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "producers").async {
        Self.produce { producer in
          for number in Self.numbers(of: producer) {
            _ = context.createEntity(with: Order(number: number))
          }
        }
        continuation.resume()
      }
    }
    await consumer.value
    expectTrue(counts.isOnceEach)
    expectEqual(context.count, 0)
  }

  /// A system that a loop begins to listen to for long, and to its own collector last.
  final class Attentive: ReactiveSystem {
    let collector: Collector
    let triggers: [Collector]
    private let seen: Flag

    init(_ collector: Collector, _ triggers: [Collector], _ seen: Flag) {
      (self.collector, self.triggers, self.seen) = (collector, triggers, seen)
    }

    func execute(entities: EntitySet) { if !entities.isEmpty { seen.set() } }
  }

  /// A change between the moments in which a loop looks at a collector and begins to wait for it.
  @Test func `A change while a system is added is not missed`() {
    let context = Context()
    let others = (0..<1000).map { _ in context.collector(for: Receipt.matcher, type: .added) }
    for number in 0..<min(Effort.full(200, debug: 100), LoopRaceTests.eventsEach) {
      let entity = context.createEntity()
      let queue = DispatchQueue(label: "loop")
      let loop = ReactiveLoop(ctx: context, queue: queue, systems: [])
      let seen = Flag()
      let collector = context.collector(for: Order.matcher, type: .added)
      Threads.run(2) { thread in
        if thread == 0 {
          for _ in 0..<number % 50 * 20 { _ = entity.isAlive }
          entity.set(Order(number: number))
        } else {
          loop.add(Attentive(collector, others, seen))
        }
      }
      // Not until the loop has settled, which looks for changes itself.
      for _ in 0..<3 { queue.sync {} }
      expectTrue(seen.isSet, "Change \(number) was missed.")
      if !seen.isSet { break }
      entity.destroy()
    }
  }
}
