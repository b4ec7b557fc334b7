import Dispatch
import ECS
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Testing

/// Deadlines that outlive the context in which they were set.
@Suite(.noHangs) struct DeadlineSnapshotTests {
  private func schema() throws -> Schema {
    try Schema("deadlines") {
      Stored(of: Health(points: 0), as: "health") { Field(\.points, at: "points") }
      Stored(of: Deadline(Health(points: 0), at: .zero), as: "deadline") {
        Field(\.nanoseconds, at: "due")
        Field(\.value.points, at: "points")
      }
    }
  }

  @Test func `A deadline of a snapshot comes once in the context that it is restored into`()
    async throws
  {
    let context = Context()
    context.createEntity(with: Deadline(Health(points: 7), at: .seconds(1010)))
    context.createEntity(with: Deadline(Health(points: 5), at: .seconds(900)))
    let snapshot = try Snapshot(try context.snapshot(schema()).data)

    let copy = Context()
    let time = ManualClock(wallTime: .seconds(1000))
    let queue = DispatchQueue(label: "loop")
    let loop = ReactiveLoop(ctx: copy, queue: queue, systems: [], clock: time.clock)
    let recorder = Recorder<Int32>()
    loop.on(Health.matcher, .addedOrUpdated, name: "Record") { entities in
      for entity in entities { recorder.append(entity.get(Health.self)?.points ?? 0) }
    }
    loop.addDeadlines(of: Health.self)
    try expectEqual(snapshot.restore(into: copy, schema()).created, 2)
    await loop.settled()
    expectEqual(recorder.take(), [5])
    for _ in 0..<20 {
      time.advance(by: .seconds(1))
      queue.sync {}
      await loop.settled()
    }
    expectEqual(recorder.take(), [7])
    expectTrue(copy.group(Deadline<Health>.matcher).isEmpty)
  }
}
