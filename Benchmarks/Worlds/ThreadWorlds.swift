import Dispatch
import ECS
import Synchronization

/// A context that two threads use at the same time.
// What threads share are a context, constants and atomics.
final class PairWorld: Sendable {
  let n: Int
  let context = Context()

  let entities: [Entity]

  /// All entities in a random order, one for each thread.
  let orders: [[Entity]]
  let index: Index<Int>
  let isOver = Atomic(false)

  /// Whether a thread has begun to read until it is over.
  let isReading = Atomic(false)

  /// How many components a section replaces that a call waits for.
  static let section = 1000

  init(_ n: Int) {
    self.n = n
    index = context.index { (name: Name) in name.key }
    entities = (0..<n).map { [context] in
      context.createEntity(with: Seed.position($0), Name(key: $0))
    }
    var generator = Seed.Generator()
    orders = [entities.shuffled(using: &generator), entities.shuffled(using: &generator)]
  }

  /// How often each thread does its part in a sample, so that waking threads takes little of it.
  static let rounds = 8

  /// Calls a body so often, and adds up what it returns.
  static func repeatedly(_ rounds: Int = rounds, _ body: () -> Int) -> Int {
    (0..<rounds).reduce(0) { sum, _ in sum + body() }
  }

  /// Calls a body in rounds with 0 and with 1, one after the other.
  func onOneThread(_ body: (Int) -> Int) -> Double {
    Double(PairWorld.repeatedly { body(0) } + PairWorld.repeatedly { body(1) })
  }

  /// Calls a body in rounds on two threads at once with 0 and 1, and adds up what it returns.
  func onBothThreads(rounds: Int = rounds, _ body: @Sendable (Int) -> Int) -> Double {
    let sum = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      sum.add(PairWorld.repeatedly(rounds) { body(thread) }, ordering: .relaxed)
    }
    return Double(sum.load(ordering: .relaxed))
  }

  /// Reads every entity in the order of a thread; returns how many had a Position.
  func readAll(_ thread: Int) -> Int {
    var count = 0
    for entity in orders[thread] where entity.get(Position.self) != nil { count += 1 }
    return count
  }

  /// Looks all keys up; returns how many entities there are under them.
  func countAll() -> Int {
    var count = 0
    for key in 0..<n { count += index.count(for: key) }
    return count
  }

  /// Replaces the Position of the first or the second half of the entities.
  func replaceHalf(_ thread: Int, sectionsOf size: Int) -> Int {
    let half = n / 2 * thread..<n / 2 * (thread + 1)
    guard size > 1 else {
      for place in half { entities[place].set(Position(x: 1, y: 2)) }
      return half.count
    }
    for start in stride(from: half.lowerBound, to: half.upperBound, by: size) {
      context.perform {
        for place in start..<min(start + size, half.upperBound) {
          entities[place].set(Position(x: 1, y: 2))
        }
      }
    }
    return half.count
  }

  func readUntilOver() -> Int {
    isReading.store(true, ordering: .releasing)
    defer { isReading.store(false, ordering: .relaxed) }
    while !isOver.load(ordering: .acquiring) {
      for entity in orders[1][..<min(n, 100)] { _ = entity.get(Position.self) }
    }
    return 0
  }

  /// How long replacing a component takes, now and then, while more threads than there are
  /// processors read without a break.
  func callsBesideReaders() -> [Double] {
    let readers = DispatchGroup()
    for number in 0..<7 {
      DispatchQueue(label: "reader \(number)").async(group: readers) {
        _ = self.readUntilOver()
      }
    }
    let times = entities[..<min(n, 1000)].map { entity in
      // The thread sleeps meanwhile, and the lock is shared by the others.
      _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .microseconds(100))
      return ContinuousClock().measure { entity.set(Position(x: 1, y: 2)) } / .nanoseconds(1)
    }
    isOver.store(true, ordering: .releasing)
    readers.wait()
    return times
  }

  /// A pass over all entities that only reads; returns their number.
  func readInPass() -> Int {
    var count = 0
    context.withEach { (_, position: Position) in count += position.x > -.infinity ? 1 : 0 }
    return count
  }

  /// How long passes over all entities take for each, in sections that only read, beside another
  /// thread that reads single ones without a break, or alone.
  func passes(besideReads: Bool) -> [Double] {
    let times = Mutex<[Double]>([])
    DispatchQueue.concurrentPerform(iterations: besideReads ? 2 : 1) { thread in
      guard thread == 0 else {
        _ = readUntilOver()
        return
      }
      // Starting a thread may take longer than a pass.
      while besideReads, !isReading.load(ordering: .acquiring) {}
      for _ in 0..<PairWorld.rounds {
        var count = 0
        let time = ContinuousClock().measure { count = readInSection() }
        // What is not used is not read.
        times.withLock { $0.append(time / .nanoseconds(count)) }
      }
      isOver.store(true, ordering: .releasing)
    }
    return times.withLock(\.self)
  }

  func readInSection() -> Int { context.reading { readInPass() } }

  /// How long reading a component takes, now and then, while another thread makes one pass after the
  /// other that only reads, in sections that only read or by themselves.
  func callsBesidePasses(inSections: Bool) -> [Double] {
    let times = Mutex<[Double]>([])
    let visited = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      guard thread == 0 else {
        while !isOver.load(ordering: .acquiring) {
          visited.add(inSections ? readInSection() : readInPass(), ordering: .releasing)
        }
        return
      }
      while visited.load(ordering: .acquiring) < 2 * n {}
      for entity in entities[..<min(n / 2, 2000)] {
        let pause = ContinuousClock.now + .microseconds(20)
        while ContinuousClock.now < pause {}
        let time = ContinuousClock().measure { _ = entity.get(Position.self) }
        times.withLock { $0.append(time / .nanoseconds(1)) }
      }
      isOver.store(true, ordering: .releasing)
    }
    return times.withLock(\.self)
  }

  /// How long replacing a component takes, now and then, while another thread replaces many in one section
  /// after the other.
  func callsBesideSections() -> [Double] {
    let times = Mutex<[Double]>([])
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      guard thread == 0 else {
        while !isOver.load(ordering: .acquiring) {
          _ = replaceHalf(1, sectionsOf: PairWorld.section)
        }
        return
      }
      for entity in entities[..<min(n / 2, 2000)] {
        let pause = ContinuousClock.now + .microseconds(20)
        while ContinuousClock.now < pause {}
        let time = ContinuousClock().measure { entity.set(Position(x: 1, y: 2)) }
        times.withLock { $0.append(time / .nanoseconds(1)) }
      }
      isOver.store(true, ordering: .releasing)
    }
    return times.withLock(\.self)
  }
}

/// A loop on a queue that waits for changes.
final class WakeWorld {
  private let n: Int
  private let context = Context()
  private let queue = DispatchQueue(label: "wake")
  private let arrivals = Arrivals()

  init(_ n: Int) { self.n = min(n, 2000) }

  /// How long it takes from a change to the system that reacts to it.
  func changes() -> [Double] {
    let entity = context.createEntity(with: Seed.position(0))
    let loop = ReactiveLoop(ctx: context, queue: queue, systems: [])
    loop.on(Position.matcher, .updated, name: "arrival") { [arrivals] _ in arrivals.note() }
    defer { withExtendedLifetime(loop) {} }
    return (0..<n).map { _ in
      arrivals.time { entity.set(Position(x: 1, y: 1)) }
    }
  }

  /// How long it takes from `DispatchQueue.async` to its closure.
  func calls() -> [Double] {
    (0..<n).map { _ in
      arrivals.time { queue.async { [arrivals] in arrivals.note() } }
    }
  }
}

/// When something arrived on another thread.
private final class Arrivals: Sendable {
  private let latest = Mutex<ContinuousClock.Instant?>(nil)
  private let hasArrived = DispatchSemaphore(value: 0)

  func note() {
    let now = ContinuousClock.now
    latest.withLock { $0 = now }
    hasArrived.signal()
  }

  /// How many nanoseconds pass from the beginning of a body until something arrives.
  func time(_ body: () -> Void) -> Double {
    let start = ContinuousClock.now
    body()
    hasArrived.wait()
    // The thread that arrived goes to sleep.
    let pause = ContinuousClock.now + .microseconds(50)
    while ContinuousClock.now < pause {}
    return latest.withLock { ($0 ?? start) - start } / .nanoseconds(1)
  }
}
