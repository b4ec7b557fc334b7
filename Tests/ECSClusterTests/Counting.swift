import ECS
import ECSCluster
import ECSRecipes
import ECSSnapshots
import Foundation

/// An event: the next number of a key.
struct Count: Component, Equatable {
  var key: Int
  var number: Int

  /// What it does besides: 0 nothing, 1 throws, 2 destroys the entity, 3 adds a mark, 4 takes it
  /// away.
  var kind = 0
}

/// What counts do to.
struct Counter: Component, Equatable {
  var key: Int
  var last = 0
  var total = 0
}

/// Comes and goes.
struct Mark: Component, Equatable {
  var number: Int
}

func countingSchema(version: Int = 1) throws(SchemaError) -> Schema {
  try Schema("counting") {
    Stored(of: Count(key: 0, number: 0), as: "count", version: version) {
      Field(\.key, at: "key")
      Field(\.number, at: "number")
      Field(\.kind, at: "kind")
    }
    Stored(of: Counter(key: 0), as: "counter", version: version) {
      Field(\.key, at: "key")
      Field(\.last, at: "last")
      Field(\.total, at: "total")
    }
    Stored(of: Mark(number: 0), as: "mark") { Field(\.number, at: "number") }
  }
}

struct Refused: Error {}

typealias CountingCluster = Cluster<Count, Int>

func countingCluster(
  _ broker: any Broker, _ time: ClusterTime, partitions: Int = 4, version: Int = 1,
  _ change: (inout ClusterOptions) -> Void = { _ in }
) throws -> CountingCluster {
  var options = ClusterOptions()
  options.partitions = partitions
  options.lease = .seconds(10)
  change(&options)
  return try CountingCluster(
    "counting", by: { $0.key }, schema: try countingSchema(version: version), broker: broker,
    options: options, time: time)
}

/// A context with counters, and what applies counts to them.
final class Desk: Sendable {
  let context = Context()
  let counters: PrimaryIndex<Counter, Int>
  let worker: Worker<Count, Counter, Int>
  let mistakes: Mistakes
  let log: EventList
  private let observation: ClusterObservation

  init(_ cluster: CountingCluster, _ mistakes: Mistakes = Mistakes()) {
    let index = context.primaryIndex { (counter: Counter) in counter.key }
    counters = index
    self.mistakes = mistakes
    worker = cluster.makeWorker(in: context, by: index) {
      Counter(key: $0)
    } applying: { event, entity in
      try Desk.apply(event, entity, mistakes)
    }
    let log = EventList()
    self.log = log
    observation = worker.observe { log.add($0) }
  }

  static func apply(
    _ event: ClusterEvent<Count>, _ entity: Entity, _ mistakes: Mistakes
  ) throws {
    let count = event.value
    let last = entity.get(Counter.self)?.last ?? 0
    if count.number != last + 1 {
      mistakes.add("\(event.id): \(count.number) of \(count.key) came after \(last)")
    }
    switch count.kind {
    case 1: throw Refused()
    case 2:
      let total = entity.get(Counter.self)?.total ?? 0
      let context = entity.context
      entity.destroy()
      _ = context?.createEntity(
        with: Counter(key: count.key, last: count.number, total: total + 1))
    case 3: entity.set(Mark(number: count.number))
    case 4: entity.remove(Mark.self)
    default: break
    }
    guard count.kind != 2 else { return }
    entity.update(Counter.self) {
      $0.last = count.number
      $0.total += 1
    }
  }

  /// Sentences about all counters, in the order of their keys.
  var picture: [String] { picturesOf(context) }
}

func picturesOf(_ context: Context) -> [String] {
  context.perform {
    context.group(Counter.matcher).compactMap { entity in
      entity.get(Counter.self).map {
        "\($0.key): \($0.last), \($0.total), \(entity.get(Mark.self)?.number ?? 0)"
      }
    }
  }.sorted()
}

// Guarded by the lock.
final class Mistakes: @unchecked Sendable {
  private let lock = NSLock()
  private var list: [String] = []

  func add(_ mistake: String) { lock.withLock { list.append(mistake) } }
  var all: [String] { lock.withLock { list } }
}

// Guarded by the lock.
final class EventList: @unchecked Sendable {
  private let lock = NSLock()
  private var list: [WorkerEvent] = []

  func add(_ event: WorkerEvent) { lock.withLock { list.append(event) } }
  var all: [String] { lock.withLock { list.map { "\($0)" } } }
  var errors: [ClusterError] {
    lock.withLock {
      list.compactMap { if case .failed(let error) = $0 { error } else { nil } }
    }
  }
}
