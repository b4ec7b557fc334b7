import ECS

extension Benchmark {
  /// Changes that a journal tells.
  static var journals: [Benchmark] {
    [
      journaling("J1", "replace Position, a journal of the one commit", .batch, reads: false),
      journaling("J2", "replace Position, a journal of a commit for each", .call, reads: false),
      journaling(
        "J3", "replace Position, a journal of the one commit that reads both values", .batch,
        reads: true),
    ]
  }

  private static func journaling(
    _ id: String, _ title: String, _ form: Form, reads: Bool
  ) -> Benchmark {
    Benchmark(
      id, title, .nanoseconds(per: "change"),
      ecs: Workload(
        .kept, forms: [form], setUp: { JournaledWorld($0, reads: reads) },
        prepare: { $0.reset() },
        run: { world in
          world.replacePositions()
          return 0
        },
        check: { world, _ in
          let growth = reads ? triangle(world.n) - Seed.sum(world.n) : 0
          return Checksum(
            Double(world.told.commits), expected: form == .batch ? 1 : Double(world.n)
          )
          .and(Int(world.told.growth), expected: Int(growth))
          .and(world.lastChanges(), expected: 1)
        }))
  }
}

/// A context with a journal.
final class JournaledWorld: ContextWorld {
  /// What the journal reported.
  // Used on the thread that makes the changes.
  final class Told: @unchecked Sendable {
    var commits = 0
    var growth = 0.0
  }

  let told = Told()
  private var subscription: Subscription?

  init(_ n: Int, reads: Bool) {
    super.init(n)
    fillMoving()
    let told = told
    subscription = context.journal(of: Position.self).observe { commit in
      told.commits += 1
      guard reads else { return }
      for change in commit {
        let (old, new) = (change.old(Position.self), change.new(Position.self))
        told.growth += Double(new?.x ?? 0) - Double(old?.x ?? 0)
      }
    }
  }

  /// Puts all positions back to where they were, and forgets what was reported.
  func reset() {
    resetPositions()
    told.commits = 0
    told.growth = 0
  }

  /// How many changes the journal tells of one more that is made.
  func lastChanges() -> Int {
    let counted = Counted()
    let other = context.journal().observe { counted.count = $0.reduce(0) { count, _ in count + 1 } }
    entities.first?.set(Position(x: 0, y: 0))
    other.cancel()
    return counted.count
  }

  // Used on the thread that makes the changes.
  private final class Counted: @unchecked Sendable {
    var count = 0
  }
}
