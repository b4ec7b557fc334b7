import ECS
import ECSHistory
import ECSSnapshots

extension Benchmark {
  /// Changes that are taken back, kept to be taken back, or recorded.
  static var histories: [Benchmark] {
    [
      transaction("TX1", "two changes in a transaction that is kept", throwing: false),
      transaction("TX2", "two changes in a transaction that throws", throwing: true),
      history("UN1", "replace Position, in one step of an undo history", "change") {
        $0.makeStep()
      },
      history("UN2", "take such a step back and make it again", "change and way") {
        $0.moveStep()
      } operations: {
        $0 * 2
      },
      history("UN3", "replace Position, in steps of one change", "step") { $0.makeSteps() },
      Benchmark(
        "FL1", "replace Position under a flight recorder", .nanoseconds(per: "change"),
        ecs: Workload(
          .kept, forms: [.call], setUp: FlightWorld.init,
          run: { world in
            world.replacePositions()
            return 0
          },
          check: { world, _ in
            Checksum(Double(world.lastReplaced()), expected: Double(world.n))
          })),
      Benchmark(
        "RE1", "replay commits of one change for the first time", .nanoseconds(per: "commit"),
        sizes: [10_000],
        ecs: Workload(
          plain: .kept, setUp: ReplayedWorld.init, prepare: { $0.begin() }, run: { $0.goToEnd() },
          check: { world, count in Checksum(count, expected: Double(world.n)) })),
      Benchmark(
        "RE2", "go to a random moment of so many commits of one change each",
        .nanoseconds(per: "way"), sizes: [100_000, 1_000_000],
        operations: { _ in ReplayedWorld.wayCount },
        ecs: Workload(
          plain: .kept, setUp: ReplayedWorld.init, run: { $0.wander() },
          check: { world, sum in Checksum(sum, expected: world.sumOfWays) })),
    ]
  }

  private static func transaction(_ id: String, _ title: String, throwing: Bool) -> Benchmark {
    Benchmark(
      id, title, .nanoseconds(per: "transaction"),
      ecs: Workload(
        plain: .kept, setUp: ContextWorld.moving, prepare: { $0.resetPositions() },
        run: { $0.makeTransactions(throwing: throwing) },
        check: { world, count in
          Checksum(count, expected: Double(world.n))
            .and(
              Int(world.sumOfPositions()),
              expected: Int(throwing ? Seed.sum(world.n) : triangle(world.n)))
        }))
  }

  private static func history(
    _ id: String, _ title: String, _ noun: String,
    _ run: @escaping (HistoryWorld) -> Double,
    operations: @escaping (Int) -> Int = { $0 }
  ) -> Benchmark {
    Benchmark(
      id, title, .nanoseconds(per: noun), operations: operations,
      ecs: Workload(
        plain: .kept, setUp: HistoryWorld.init, prepare: { $0.resetPositions() }, run: run,
        check: { world, count in
          Checksum(count, expected: Double(world.n))
            .and(Int(world.sumOfPositions()), expected: Int(triangle(world.n)))
        }))
  }
}

extension ContextWorld {
  private struct Failure: Error {}

  /// Changes two components of each entity in a transaction of its own; returns how many there were.
  fileprivate func makeTransactions(throwing: Bool) -> Double {
    var count = 0.0
    for entity in entities {
      do throws(Failure) {
        try context.transaction { () throws(Failure) in
          count += 1
          entity.set(Position(x: Float(count), y: 2)).set(Velocity(dx: 2, dy: 1))
          if throwing { throw Failure() }
        }
      } catch {}
    }
    return count
  }
}

/// A context with an undo history.
private final class HistoryWorld: ContextWorld {
  private let history: UndoHistory

  init(_ n: Int) {
    let context = Context()
    history = UndoHistory(context, of: Position.self, limit: .bytes(16 << 20))
    super.init(n, context)
    fillMoving()
    _ = makeStep()
  }

  /// Replaces the Position of all entities in one step.
  func makeStep() -> Double {
    history.group("Move") { replacePositions() }
    return Double(n)
  }

  /// Takes the last step back and makes it again, whatever else has changed.
  func moveStep() -> Double {
    let names = try? [history.undo(.overwrite), history.redo(.overwrite)]
    return names == ["Move", "Move"] ? Double(n) : 0
  }

  /// Replaces the Position of each entity in a step of its own.
  func makeSteps() -> Double {
    var x: Float = 0
    for entity in entities {
      x += 1
      history.group("Move") { _ = entity.set(Position(x: x, y: 2)) }
    }
    return Double(x)
  }
}

/// A context with a flight recorder.
private final class FlightWorld: ContextWorld {
  private let flight: FlightRecorder

  init(_ n: Int) {
    let context = Context()
    flight = FlightRecorder(context)
    super.init(n, context)
    fillMoving()
  }

  /// What the last commit has set.
  func lastReplaced() -> Float {
    flight.commits.last?.reduce(0) { $1.new(Position.self)?.x ?? $0 } ?? 0
  }
}

/// A context in which a run is replayed, whose commits replace a component of one of 1,000 entities
/// each.
private final class ReplayedWorld {
  /// How many ways are gone at a time.
  static let wayCount = 100
  private static let entityCount = 1_000

  let n: Int
  private let recording: RunRecording
  private let schema: Schema
  private var replay: Replay
  private var context: Context

  /// The number of the last commit before the first replaced component.
  private let first: Int

  init(_ n: Int) {
    self.n = n
    let recorded = SnapshotWorld(n)
    let context = recorded.context
    schema = recorded.schema
    do throws(any Error) {
      let recorder = try RunRecorder(context, schema)
      let entities = context.createEntities(
        ReplayedWorld.entityCount, with: Position(x: 0, y: 0))
      for number in 1...n {
        entities[number &* 7_919 % entities.count].set(Position(x: Float(number), y: 2))
      }
      recording = try recorder.recording()
      first = recording.commits[0]
      self.context = Context()
      replay = try Replay(recording, into: self.context, schema)
      // What is made for the first time is decoded.
      try replay.seek(to: .end)
    } catch {
      fatalError("The run of the benchmarks cannot be replayed: \(error)")
    }
  }

  /// Begins anew, so that nothing is known of the run.
  func begin() {
    context = Context()
    do { replay = try Replay(recording, into: context, schema) } catch { fatalError("\(error)") }
  }

  /// Goes to the end; returns how many components were replaced.
  func goToEnd() -> Double {
    try? replay.seek(to: .end)
    return Double((replay.commit ?? 0) - first)
  }

  /// Goes to random moments; returns the sum of the values that were set last at each.
  func wander() -> Double {
    var sum = 0.0
    for way in 0..<ReplayedWorld.wayCount {
      try? replay.seek(to: .commit(first + target(of: way)))
      sum += Double(
        context.group(Position.matcher).lazy.compactMap { $0.get(Position.self)?.x }.max() ?? 0)
    }
    return sum
  }

  /// That sum as it should be.
  var sumOfWays: Double {
    (0..<ReplayedWorld.wayCount).reduce(0) { $0 + Double(target(of: $1)) }
  }

  private func target(of way: Int) -> Int { (way + 1) &* 514_229 % n + 1 }
}
