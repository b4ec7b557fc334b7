#if Inspector
  import ECS
  import ECSHistory
  import ECSInspector
  import ECSSnapshots
  import ECSTestSupport
  import Foundation
  import JSONValues
  import Synchronization
  import Testing

  /// Loops that do again what was recorded.
  @Suite(.noHangs) struct RecordedLoopTests {
    /// Counts its passes, which may take a while.
    private struct Count: ExecuteSystem {
      let name = "Count"
      let context: Context
      var passes: Passes?

      func execute() {
        passes?.begin()
        for entity in context.group(Position.matcher) {
          entity.update(Position.self) { $0.x += 1 }
        }
      }
    }

    private final class Passes: Sendable {
      let count = Atomic<Int>(0)

      func begin() {
        count.add(1, ordering: .relaxed)
        Thread.sleep(forTimeInterval: 0.01)
      }
    }

    /// A run of so many passes, with further commits of others.
    private func recording(passes: Int, others: Int = 0) throws -> RunRecording {
      let context = Context()
      context.createEntity(with: Position())
      let recorder = try RunRecorder(context, try recordedSchema())
      let loop = Loop(name: "game", systems: [Count(context: context)], logger: recorder)
      for _ in 0..<passes { loop.execute() }
      for number in 0..<others { context.createEntity(with: Name(text: "\(number)")) }
      return try recorder.recording()
    }

    private func visitor(_ recording: RunRecording, _ passes: Passes) async throws -> Visitor {
      let schema = try recordedSchema()
      return try await Visitor(readOnly: false) {
        $0.add(
          recording, schema,
          loops: [
            "game": { Loop(name: "game", systems: [Count(context: $0, passes: passes)]) }
          ])
      }
    }

    private let body = #"{"loop": "game", "from": 1}"#

    @Test func `a run in several slices ends behind what others did`() async throws {
      let passes = Passes()
      let visitor = try await visitor(try recording(passes: 100, others: 300), passes)
      let answer = try await visitor.ask("POST", "/api/timelines/0/run", body: body)
      try expectEqual(answer.json(), ["ended": 400])
      expectEqual(passes.count.load(ordering: .relaxed), 100)
      let late = try await visitor.ask(
        "POST", "/api/timelines/0/run", body: #"{"loop": "game", "from": 90}"#)
      try expectEqual(late.json(), ["ended": 400])
      expectEqual(passes.count.load(ordering: .relaxed), 111)
    }

    @Test func `an inspector that ends waits for no run`() async throws {
      let passes = Passes()
      let visitor = try await visitor(try recording(passes: 3_000), passes)
      let client = try visitor.client()
      await client.send(visitor.request("POST", "/api/timelines/0/run", body: body))
      while passes.count.load(ordering: .relaxed) < 10 { await pause() }
      await visitor.inspector.stop()
      // It ends within a slice of about a tenth of a second, that is 64 passes or few more.
      let seen = passes.count.load(ordering: .relaxed)
      expectLessThan(seen, 3_000)
      try await Task.sleep(for: .milliseconds(100))
      expectLessThan(passes.count.load(ordering: .relaxed) - seen, 100)
    }

    @Test func `a run is ended by another request`() async throws {
      let passes = Passes()
      let visitor = try await visitor(try recording(passes: 3_000), passes)
      let client = try visitor.client()
      await client.send(visitor.request("POST", "/api/timelines/0/run", body: body))
      while passes.count.load(ordering: .relaxed) < 10 { await pause() }
      try await expectEqual(visitor.ask("DELETE", "/api/timelines/0/run").status, 200)
      try await expectEqual(client.answer().status, 503)
      expectLessThan(passes.count.load(ordering: .relaxed), 3_000)
    }
  }
#endif
