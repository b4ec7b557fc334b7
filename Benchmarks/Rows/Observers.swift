import ECS

extension Benchmark {
  /// Changes of which observers are notified.
  static var observers: [Benchmark] {
    [
      replacing("O1", "replace Position, one observer of updates, which reads both values") {
        ObservedWorld(.group(observers: 1), $0)
      },
      replacing("O2", "replace Position, one observer on each entity") {
        ObservedWorld(.entities, $0)
      },
      comingAndGoing,
      Benchmark(
        "O4", "a perform for each replaced Position, one observer of the whole group",
        .nanoseconds(per: "change"),
        ecs: Workload(
          .kept, forms: [.call], setUp: { ObservedWorld(.whole, $0) },
          prepare: { $0.reset() },
          run: { world in
            var x: Float = 0
            for entity in world.entities {
              x += 1
              world.context.perform { _ = entity.set(Position(x: x, y: 2)) }
            }
            return 0
          },
          check: { world, _ in
            Checksum(Double(world.told.calls), expected: Double(world.n))
              .and(Int(world.sumOfPositions()), expected: Int(triangle(world.n)))
          })),
      replacing("O5", "replace Position, ten observers of updates, which read both values") {
        ObservedWorld(.group(observers: 10), $0)
      },
    ]
  }

  /// Replaces all positions, and checks that all observers received all old and new values.
  private static func replacing(
    _ id: String, _ title: String, _ setUp: @escaping (_ n: Int) -> ObservedWorld
  ) -> Benchmark {
    Benchmark(
      id, title, .nanoseconds(per: "change"),
      ecs: Workload(
        .kept, setUp: setUp, prepare: { $0.reset() },
        run: { world in
          world.replacePositions()
          return 0
        },
        check: { world, _ in
          let growth = triangle(world.n) - Seed.sum(world.n)
          return Checksum(
            Double(world.told.calls), expected: Double(world.n * world.observersOfEach)
          )
          .and(Int(world.told.growth), expected: Int(growth) * world.observersOfEach)
        }))
  }

  private static var comingAndGoing: Benchmark {
    Benchmark(
      "O3", "create with Position, then destroy; an observer of additions, one of removals",
      .nanoseconds(per: "pair"),
      ecs: Workload(
        .fresh, setUp: { ObservedWorld(.additionsAndRemovals, $0) },
        run: { world in
          // No observer would be notified of entities that are gone by the end of the batch.
          let context = world.context
          var entities: [Entity] = []
          entities.reserveCapacity(world.n)
          world.step {
            for i in 0..<world.n {
              entities.append(context.createEntity(with: Seed.position(i)))
            }
          }
          world.step { for entity in entities { entity.destroy() } }
          return 0
        },
        check: { world, _ in
          Checksum(Double(world.told.calls), expected: 2 * Double(world.n))
            .and(Int(world.told.growth), expected: 0)
            .and(world.context.count, expected: 0)
        }))
  }
}

/// A context with observers.
final class ObservedWorld: ContextWorld {
  enum Audience {
    /// Observers of the updates of the group of all positions.
    case group(observers: Int)

    /// An observer on each entity.
    case entities

    /// An observer of the additions to the group of all positions, and one of the removals.
    case additionsAndRemovals

    /// An observer of the group as a whole.
    case whole
  }

  /// What observers received.
  // Used on the thread that makes the changes.
  final class Told: @unchecked Sendable {
    var calls = 0
    var growth = 0.0

    @inline(__always)
    func note(_ old: Position?, _ new: Position?) {
      calls += 1
      growth += Double(new?.x ?? 0) - Double(old?.x ?? 0)
    }
  }

  let told = Told()
  let observersOfEach: Int
  private var subscriptions: [Subscription] = []
  private let hasSteps: Bool
  private var isBatch = false

  init(_ audience: Audience, _ n: Int) {
    if case .group(let count) = audience { observersOfEach = count } else { observersOfEach = 1 }
    if case .additionsAndRemovals = audience { hasSteps = true } else { hasSteps = false }
    super.init(n)
    if !hasSteps { fillMoving() }
    observe(audience)
  }

  private func observe(_ audience: Audience) {
    let told = told
    let group = context.group(Position.matcher)
    switch audience {
    case .group(let count):
      subscriptions = (0..<count).map { _ in
        group.observeChanges(of: Position.self, .updated) { _, old, new in told.note(old, new) }
      }
    case .entities:
      subscriptions = entities.map { entity in
        entity.observeChanges(of: Position.self, .updated) { _, old, new in told.note(old, new) }
      }
    case .additionsAndRemovals:
      subscriptions = [
        group.observeChanges(of: Position.self, .added) { _, old, new in told.note(old, new) },
        group.observeChanges(of: Position.self, .removed) { _, old, new in told.note(old, new) },
      ]
    case .whole:
      subscriptions = [group.observe(initial: false) { _ in told.calls += 1 }]
    }
  }

  override func batch(_ body: () -> Double) -> Double {
    guard hasSteps else { return super.batch(body) }
    isBatch = true
    return body()
  }

  /// Runs a part of the work, of which each is a batch of its own.
  func step(_ body: () -> Void) {
    if isBatch { context.perform(body) } else { body() }
  }

  /// Puts all positions back to where they were, and forgets what was received.
  func reset() {
    resetPositions()
    told.calls = 0
    told.growth = 0
  }
}
