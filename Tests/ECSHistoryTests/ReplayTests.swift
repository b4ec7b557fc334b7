import Dispatch
import ECS
import ECSHistory
import ECSRecipes
import ECSSnapshots
import ECSTestSupport
import Foundation
import Synchronization
import Testing

private typealias Value = ReplayWorld.Value
private typealias Text = ReplayWorld.Text

/// Adds a number to values, which may be another one each time.
private struct Add: ExecuteSystem {
  let name = "Add"
  let context: Context
  let number: @Sendable () -> Int

  func execute() {
    for entity in context.group(Value.matcher) {
      entity.update(Value.self) { $0.value += number() }
    }
  }
}

@Suite(.noHangs) struct ReplayTests {
  private func loop(
    _ context: Context, logger: (any SystemLogger)? = nil, _ number: @escaping @Sendable () -> Int
  ) -> Loop {
    Loop(name: "add", systems: [Add(context: context, number: number)], logger: logger)
  }

  /// Two entities, to whose values a loop adds 1, 2, 3 and so on.
  private func sample() throws -> (RunRecording, last: [Int]) {
    let context = Context()
    let entities = [1, 2].map { context.createEntity(with: Value(value: $0)) }
    let recorder = try RunRecorder(context, try ReplayWorld.schema())
    let next = Atomic(0)
    let loop = loop(context, logger: recorder) { next.add(1, ordering: .relaxed).newValue }
    for pass in 0..<3 {
      entities[0].set(Text(text: "pass \(pass)"))
      loop.execute()
    }
    return (try recorder.recording(), entities.compactMap { $0.get(Value.self)?.value })
  }

  private func values(_ context: Context) -> [Int] {
    context.group(Value.matcher).sorted().compactMap { $0.get(Value.self)?.value }
  }

  private func replay(_ recording: RunRecording) throws -> (Context, Replay) {
    let context = Context()
    return (context, try Replay(recording, into: context, try ReplayWorld.schema()))
  }

  private func difference(_ body: () throws(ReplayError) -> Void) throws -> ReplayDifference {
    do {
      try body()
    } catch {
      return try #require(error.difference)
    }
    Issue.record("There was no difference.")
    throw UndoWorld.Failure()
  }

  @Test func `a recording goes to a file and comes back`() throws {
    let (recording, last) = try sample()
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("run-\(UInt64.random(in: 0 ... .max)).ecsrun")
    defer { try? FileManager.default.removeItem(at: url) }
    try recording.write(to: url)
    let read = try RunRecording(contentsOf: url)
    expectEqual(read.data, recording.data)
    expectTrue(
      read.commits.count == 9 && read.commits == recording.commits && read.loops == ["add"])
    let (context, replay) = try replay(read)
    expectTrue(values(context) == [1, 2] && replay.commit == nil)
    try replay.seek(to: .end)
    expectTrue(values(context) == last && replay.commit == read.commits.last)
    #expect(throws: ReplayError.self) {
      try RunRecording(contentsOf: url.appendingPathExtension("none"))
    }
    #expect(throws: ReplayError.self) { try recording.write(to: url.appendingPathComponent("no")) }
  }

  @Test func `a loop that does the same is replayed, as often as one likes`() throws {
    let (recording, last) = try sample()
    let (context, replay) = try replay(recording)
    for _ in 0..<3 {
      let next = Atomic(0)
      try replay.run(loop(context) { next.add(1, ordering: .relaxed).newValue })
      expectEqual(values(context), last)
      try replay.seek(to: .start)
      expectEqual(values(context), [1, 2])
    }
  }

  @Test func `a run stops where it is to, and goes on from there`() throws {
    let (recording, last) = try sample()
    let (context, replay) = try replay(recording)
    let next = Atomic(0)
    let loop = loop(context) { next.add(1, ordering: .relaxed).newValue }
    try replay.run(loop, until: .commit(recording.commits[0]))
    expectTrue(replay.commit == recording.commits[0] && values(context) == [1, 2])
    // A pass that has begun is finished.
    try replay.run(loop, until: .commit(recording.commits[1]))
    expectEqual(values(context), [3, 3])
    try replay.run(loop)
    expectEqual(values(context), last)
    #expect { try replay.run(loop) } throws: {
      if case .noPass("add") = ($0 as? ReplayError)?.reason { true } else { false }
    }
  }

  @Test func `a system that reads what is not in the context is found at the first difference`()
    throws
  {
    let (recording, last) = try sample()
    let (context, replay) = try replay(recording)
    let count = Atomic(0)
    let found = try difference { () throws(ReplayError) in
      try replay.run(
        loop(context) {
          let next = count.add(1, ordering: .relaxed).newValue
          return next == 4 ? 100 : next
        })
    }
    expectTrue(found.commit == recording.commits[5] && found.component == "value")
    expectEqual(found.entity, context.group(Value.matcher).sorted()[0])
    expectEqual(found.recorded, "replaced Value(value: 7)")
    expectEqual(found.found, "replaced Value(value: 103)")
    expectTrue(found.cause.name == "Add" && found.cause.loop == "add")
    let label = try #require(found.entity.map { "\($0)".split(separator: " ")[1] })
    expectEqual(
      "\(found)",
      "commit \(recording.commits[5]): value of entity \(label): replaced Value(value: 7) was recorded, replaced Value(value: 103) was found, by system Add of loop add"
    )
    // Nothing leads on from there, but back and on again.
    #expect(throws: ReplayError.self) { try replay.seek(to: .end) }
    try replay.seek(to: .commit(recording.commits[2]))
    expectEqual(values(context), [3, 3])
    try replay.seek(to: .end)
    expectEqual(values(context), last)
  }

  @Test func `a loop that does less, or more, or something else is found out`() throws {
    let (recording, _) = try sample()
    var (context, replay) = try replay(recording)
    var found = try difference { () throws(ReplayError) in
      try replay.run(Loop(name: "add", systems: []))
    }
    expectTrue(found.commit == recording.commits[1] && found.found == nil)
    expectEqual(found.recorded, "replaced Value(value: 3)")

    (context, replay) = try self.replay(recording)
    let next = Atomic(0)
    let more = loop(context) { next.add(1, ordering: .relaxed).newValue }
    more.add(
      ClosureExecuteSystem("More") { [context] in
        context.createEntity(with: Text(text: "more"), Value(value: 0))
      })
    found = try difference { () throws(ReplayError) in try replay.run(more) }
    expectTrue(found.commit == nil && found.recorded == nil && found.found == "created")
    expectEqual(found.cause.name, "More")

    (context, replay) = try self.replay(recording)
    let other = Loop(
      name: "add",
      systems: [
        ClosureExecuteSystem("Destroy") { [context] in
          for entity in context.group(Value.matcher) { entity.destroy() }
        }
      ])
    found = try difference { () throws(ReplayError) in try replay.run(other) }
    expectTrue(found.recorded == "replaced Value(value: 3)" && found.found == "destroyed")
    try replay.seek(to: .start)
    expectEqual(values(context), [1, 2])
  }

  @Test func `changes of somebody else end a replay`() throws {
    let (recording, _) = try sample()
    let (context, replay) = try replay(recording)
    // What is not recorded may change.
    context.createEntity(with: ReplayWorld.Extra(value: 1))
    try replay.seek(to: .commit(recording.commits[3]))
    context.createEntity(with: Value(value: 1))
    for position in [Replay.Position.start, .end] {
      #expect { try replay.seek(to: position) } throws: {
        if case .changed = ($0 as? ReplayError)?.reason { true } else { false }
      }
    }
    #expect { try Replay(recording, into: context, try ReplayWorld.schema()) } throws: {
      guard case .snapshot(let error) = ($0 as? ReplayError)?.reason else { return false }
      return error.reason == .contextNotEmpty
    }
  }

  @Test func `what other threads did meanwhile is made between the commits of a system`() throws {
    struct Mix: ExecuteSystem {
      let name = "Mix"
      let context: Context
      let meanwhile: @Sendable (Entity) -> Void

      func execute() {
        guard let entity = context.group(Value.matcher).first else { return }
        entity.set(Value(value: 1))
        meanwhile(entity)
        entity.set(Value(value: entity.get(Text.self)?.text.utf8.count ?? 0))
      }
    }
    let context = Context()
    let recorder = try RunRecorder(context, try ReplayWorld.schema())
    context.createEntity(with: Value(value: 0))
    let loop = Loop(
      name: "mix",
      systems: [
        Mix(context: context) { entity in
          let done = DispatchSemaphore(value: 0)
          Thread.detachNewThread {
            entity.set(Text(text: "four"))
            done.signal()
          }
          done.wait()
        }
      ], logger: recorder)
    loop.execute()
    let (copy, replay) = try replay(try recorder.recording())
    try replay.run(Loop(name: "mix", systems: [Mix(context: copy) { _ in }]))
    expectTrue(values(copy) == [4] && ReplayWorld.digest(copy) == ReplayWorld.digest(context))
  }

  @Test func `a reactive loop is replayed by a loop with its systems`() async throws {
    let context = Context()
    let recorder = try RunRecorder(context, try ReplayWorld.schema())
    let loop = ReactiveLoop(
      ctx: context, queue: DispatchQueue(label: "replay"),
      systems: [ReplayWorld.Tell(context)], name: "tell", logger: recorder)
    for value in [1, 3, 6, 5] {
      context.createEntity(with: Value(value: value))
      await loop.settled()
    }
    loop.cancel()
    let (copy, replay) = try replay(try recorder.recording())
    try replay.run(Loop(name: "tell", systems: [ReplayWorld.Tell(copy)]))
    expectEqual(ReplayWorld.digest(copy), ReplayWorld.digest(context))
  }

  @Test func `a commit that would take somebody's key changes nothing`() throws {
    let context = Context()
    let recorder = try RunRecorder(context, try ReplayWorld.schema())
    context.createEntity(with: Value(value: 1))
    context.perform {
      context.createEntity(with: Value(value: 2))
      context.createEntity(with: Value(value: 1))
    }
    let recording = try recorder.recording()
    let (copy, replay) = try replay(recording)
    let index = copy.primaryIndex { (value: Value) in value.value }
    #expect { try replay.seek(to: .end) } throws: {
      if case .malformed = ($0 as? ReplayError)?.reason { true } else { false }
    }
    expectTrue(values(copy) == [1] && index.count == 1)
    expectEqual(replay.commit, recording.commits[0])
    try replay.seek(to: .start)
    expectEqual(values(copy), [])
  }
}
