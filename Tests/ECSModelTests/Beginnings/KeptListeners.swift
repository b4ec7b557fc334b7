import ECS

// What is kept up to date at each moment: collectors, indexes, aggregates.

// Guarded by the context of the world.
final class CollectorListener: Listener {
  let number: Int
  private let collector: Collector
  private let kinds: Int
  private var isPaused: Bool
  var held: [Int] = []
  private(set) var pauses = 0

  init(_ world: BeginningWorld, _ number: Int, _ kinds: Int, isPaused: Bool) {
    self.number = number
    self.kinds = kinds
    self.isPaused = isPaused
    collector = Collector(
      group: world.numbers, type: ChangeKinds(rawValue: UInt8(kinds)), paused: isPaused)
  }

  func collect(_ event: NaiveRows.Event, _ entity: Int) {
    let kind: ChangeKinds =
      switch event {
      case .added: .added
      case .updated: .updated
      case .removed: .removed
      }
    guard !isPaused, ChangeKinds(rawValue: UInt8(kinds)).isSuperset(of: kind) else { return }
    if !held.contains(entity) { held.append(entity) }
  }

  func toggle(_ world: BeginningWorld) {
    isPaused.toggle()
    if isPaused {
      collector.pause()
      pauses += 1
      held = []
    } else {
      collector.resume()
    }
  }

  func flaw(now world: BeginningWorld) -> String? {
    if let flaw = difference("is paused", isPaused, collector.isPaused)
      ?? difference("count", held.count, collector.count)
    {
      return flaw
    }
    // Of dead entities it keeps as many as it likes.
    guard held.count > 16 || held.count == 3 else { return nil }
    let expected = held
    held = []
    return difference("drains", expected, collector.drain().map(world.name))
  }
}

// Guarded by the context of the world.
final class IndexListener: Listener {
  private let index: Index<Int>
  private let ordered: OrderedIndex<Int>
  private var isPaused: Bool

  init(_ world: BeginningWorld, isPaused: Bool) {
    self.isPaused = isPaused
    index = world.context.index(paused: isPaused) { (number: BeginningWorld.Number) in
      number.value % 3
    }
    ordered = world.context.orderedIndex { (number: BeginningWorld.Number) in number.value }
  }

  func toggle(_ world: BeginningWorld) {
    isPaused.toggle()
    isPaused ? index.pause() : index.resume()
  }

  func flaw(now world: BeginningWorld) -> String? {
    var expected: [Int: [Int]] = [:]
    var ordered: [Int: [Int]] = [:]
    for name in world.rows.living {
      guard let number = world.rows[name]?.number else { continue }
      expected[number % 3, default: []].append(name)
      ordered[number, default: []].append(name)
    }
    if isPaused { expected = [:] }
    for key in 0..<3 {
      let found = index[key].map(world.name).sorted()
      if let flaw = difference("under \(key)", expected[key] ?? [], found) { return flaw }
    }
    return difference("is paused", isPaused, index.isPaused)
      ?? difference("keys", expected.count, index.keyCount)
      ?? difference("keys in order", ordered.keys.sorted(), self.ordered.keys)
      ?? difference(
        "in order", ordered.keys.sorted().flatMap { ordered[$0] ?? [] },
        self.ordered[...].map(world.name))
  }
}

// Guarded by the context of the world.
final class WordIndexListener: Listener {
  private let index: Index<String>
  private var isPaused: Bool

  init(_ world: BeginningWorld, isPaused: Bool) {
    self.isPaused = isPaused
    index = world.context.index(
      paused: isPaused,
      keys: { (words: BeginningWorld.Words) in
        words.words
      })
  }

  func toggle(_ world: BeginningWorld) {
    isPaused.toggle()
    isPaused ? index.pause() : index.resume()
  }

  func flaw(now world: BeginningWorld) -> String? {
    for number in 0..<4 {
      let expected = world.rows.living.filter {
        !isPaused && world.rows[$0]?.words?.contains("w\(number)") == true
      }
      let found = index["w\(number)"].map(world.name).sorted()
      if let flaw = difference("under w\(number)", expected, found) { return flaw }
    }
    return difference("is paused", isPaused, index.isPaused)
  }
}

// Guarded by the context of the world.
final class PrimaryIndexListener: Listener {
  private let index: PrimaryIndex<BeginningWorld.Key, Int>
  private(set) var isPaused: Bool

  /// How many transactions had begun when it began to work.
  private var beginning = 0

  init(_ world: BeginningWorld, isPaused: Bool) {
    self.isPaused = isPaused || world.rows.hasRepeatedKeys
    beginning = world.transactionCount
    index = world.context.primaryIndex(paused: self.isPaused) { (key: BeginningWorld.Key) in
      key.value
    }
  }

  func toggle(_ world: BeginningWorld) {
    guard isPaused else {
      index.pause()
      isPaused = true
      return
    }
    // What waits for the end of an iteration may come to have keys, too.
    if world.isIterating { return }
    do throws(IdentityError<Int>) {
      try index.resume()
      isPaused = false
      beginning = world.transactionCount
      if world.rows.hasRepeatedKeys { world.fail("A primary index works with repeated keys.") }
    } catch {
      if !world.rows.hasRepeatedKeys { world.fail("\(error) where no key is there twice.") }
    }
  }

  func wasTakenBack(_ number: Int, _ world: BeginningWorld) {
    if beginning >= number, world.rows.hasRepeatedKeys { isPaused = true }
  }

  func flaw(now world: BeginningWorld) -> String? {
    for key in 0..<6 {
      let expected = isPaused ? nil : world.rows.living.first { world.rows[$0]?.key == key }
      if let flaw = difference("under \(key)", expected, index[key].map(world.name)) { return flaw }
    }
    return difference("is paused", isPaused, index.isPaused)
  }
}

// Guarded by the context of the world.
final class AggregateListener: Listener, @unchecked Sendable {
  private let sums: Aggregate<Int, Int>
  private let extremes: Aggregate<Int, ClosedRange<Int>>
  private var copy: [Int?] = []
  private var subscription: Subscription?

  init(_ world: BeginningWorld) {
    sums = world.context.sum(
      of: \BeginningWorld.Number.value, by: { (number: BeginningWorld.Number) in number.value % 3 })
    extremes = world.context.extremes(
      of: \BeginningWorld.Number.value, by: { (_: BeginningWorld.Number) in 0 })
    subscription = sums.observe { [weak self, weak world] _ in
      guard let self else { return }
      copy = totals
      world?.answer()
    }
  }

  private var totals: [Int?] { [sums.total] + (0..<3).map { sums[$0] } }

  func flaw(now world: BeginningWorld) -> String? {
    let numbers = world.rows.living.compactMap { world.rows[$0]?.number }
    let groups = (0..<3).map { key in numbers.filter { $0 % 3 == key } }
    let expected = ([numbers] + groups).map { $0.isEmpty ? nil : $0.reduce(0, +) }
    var range: ClosedRange<Int>?
    if let least = numbers.min(), let most = numbers.max() { range = least...most }
    return difference("sums", expected, totals) ?? difference("extremes", range, extremes.total)
  }

  func flaw(afterwards world: BeginningWorld) -> String? {
    difference("was last notified of", totals, copy)
  }
}

// Guarded by the context of the world.
final class WordAggregateListener: Listener {
  private let counts: Aggregate<Int, Int>

  init(_ world: BeginningWorld) {
    counts = world.context.count { (words: BeginningWorld.Words) in words.words.count }
  }

  func flaw(now world: BeginningWorld) -> String? {
    let words = world.rows.living.compactMap { world.rows[$0]?.words }
    for length in 0..<6 {
      let expected = words.count { $0.count == length }
      if let flaw = difference("of \(length)", expected, counts[length] ?? 0) { return flaw }
    }
    return nil
  }
}
