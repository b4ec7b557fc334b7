#if SQLite
  import Dispatch
  import ECS
  import ECSStore
  import ECSTestSupport
  import Testing

  private struct Reminder: Component { var id = 0 }
  private struct Rung: Component, Equatable { var volume = 0 }

  /// Deadlines that outlive a process in a store.
  @Suite(.noHangs) struct DeadlineStoreTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func openStore() throws -> Store {
      let reminders = try Table("reminder", key: \Reminder.id) {
        Fields(of: Reminder()) { Field(\.id, at: "id") }
        Fields(of: Deadline(Rung(), at: .zero)) {
          Field(\.nanoseconds, at: "due")
          Field(\.value.volume, at: "volume")
        }
        Fields(of: Rung()) { Field(\.volume, at: "rung") }
      }
      return try Store(at: .file(folder.file()), schema: Schema { reminders })
    }

    /// Runs a loop over what a store has until its deadlines are due; returns what came, in order.
    private func run(from start: Duration) async throws -> [Int] {
      let store = try openStore()
      let session = try store.session()
      let time = ManualClock(wallTime: start)
      let queue = DispatchQueue(label: "loop")
      let loop = ReactiveLoop(ctx: session.context, queue: queue, systems: [], clock: time.clock)
      let recorder = Recorder<Int>()
      loop.on(Rung.matcher, .addedOrUpdated, name: "Record") { entities in
        for entity in entities { recorder.append(entity.get(Rung.self)?.volume ?? 0) }
      }
      loop.addDeadlines(of: Rung.self)
      await loop.settled()
      for _ in 0..<20 {
        time.advance(by: .seconds(1))
        queue.sync {}
        await loop.settled()
      }
      try session.save()
      try store.close()
      loop.cancel()
      return recorder.take()
    }

    @Test func `A deadline that is loaded comes once, and is not kept any more`() async throws {
      let store = try openStore()
      let session = try store.session()
      for (id, volume, due) in [(1, 7, 1010), (2, 5, 900), (3, 3, 5000)] {
        session.context.createEntity(
          with: Reminder(id: id), Deadline(Rung(volume: volume), at: .seconds(due)))
      }
      try store.close()
      try await expectEqual(run(from: .seconds(1000)), [5, 7])
      try await expectEqual(run(from: .seconds(2000)), [])
      try await expectEqual(run(from: .seconds(4990)), [3])
    }
  }
#endif
