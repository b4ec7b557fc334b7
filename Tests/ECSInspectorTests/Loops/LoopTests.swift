#if Inspector
  import Dispatch
  import ECS
  import ECSInspector
  import ECSTestSupport
  import Foundation
  import JSONValues
  import Synchronization
  import Testing

  /// Loops and their systems.
  @Suite(.noHangs) struct LoopTests {
    private let context = Context()

    private struct Fault: Error {}

    /// An error that counts how often it is described, as each inspector does.
    private struct Counted: Error, CustomStringConvertible {
      final class Count: Sendable {
        let number = Mutex(0)
        func take() -> Int {
          number.withLock { number in
            defer { number = 0 }
            return number
          }
        }
      }
      let count: Count
      var description: String {
        count.number.withLock { $0 += 1 }
        return "counted"
      }
    }

    /// Counts each named entity once.
    private func loop(failing: Bool = false) -> ReactiveLoop {
      let loop = ReactiveLoop(
        ctx: context, queue: DispatchQueue(label: "loop"), systems: [], name: "Shop",
        errorHandler: { $0.dropsEntities = true })
      loop.on(Name.matcher, name: "Pay") { entities in
        if failing { throw Fault() }
        for entity in entities { entity.set(Position(x: 1)) }
      }
      return loop
    }

    @Test func `systems have their numbers`() async throws {
      let loop = loop()
      let visitor = try await Visitor {
        $0.add(Context())
        $0.add(context)
        $0.add(loop)
      }
      for _ in 0..<3 { context.createEntity(with: Name(text: "a")) }
      await loop.settled()
      let shown = try #require(try await visitor.get("/api/loops")[0])
      expectEqual(shown["name"], "Shop")
      expectEqual(shown["context"], 1)
      expectEqual(shown["paused"], false)
      expectEqual(shown["cancelled"], false)
      expectEqual(shown["canPause"], true)
      let system = try #require(shown["systems"]?[0])
      expectEqual(system["name"], "Pay")
      expectEqual(system["entities"], 3)
      expectEqual(system["runs"]?.number?.int, loop.statistics[0].runs)
      expectEqual(system["failures"], 0)
      expectEqual(system["lastError"], .null)
      expectGreaterThanOrEqual((system["totalSeconds"]?.number?.double ?? -1), 0)
      let program = try await visitor.get("/api/program")
      expectEqual(program["loops"], [["id": 0, "name": "Shop", "context": 1]])
    }

    @Test func `two inspectors show the errors of one loop`() async throws {
      let loop = loop(failing: true)
      let first = try await Visitor { $0.add(loop) }
      let second = try await Visitor { $0.add(loop) }
      context.createEntity(with: Name(text: "a"))
      await loop.settled()
      for visitor in [first, second] {
        let system = try await visitor.get("/api/loops")[0]?["systems"]?[0]
        expectEqual(system?["lastError"]?.string, "Fault()")
      }
    }

    @Test func `inspectors that have ended follow loops no more`() async throws {
      let count = Counted.Count()
      let loop = ReactiveLoop(
        ctx: context, queue: DispatchQueue(label: "loop"), systems: [], name: "Shop",
        errorHandler: { $0.dropsEntities = true })
      loop.on(Name.matcher, name: "Pay") { _ in throw Counted(count: count) }
      var visitors: [Visitor] = []
      for _ in 0..<3 { visitors.append(try await Visitor { $0.add(loop) }) }
      while true {
        context.createEntity(with: Name(text: "a"))
        await loop.settled()
        expectEqual(count.take(), visitors.count)
        guard let visitor = visitors.popLast() else { break }
        await visitor.inspector.stop()
      }
    }

    @Test func `inspectors that have ended follow loops of the program no more`() async throws {
      struct Failing: ExecuteSystem {
        let name = "Failing"
        let count: Counted.Count
        func execute() throws { throw Counted(count: count) }
      }
      let count = Counted.Count()
      let loop = Loop(name: "game", systems: [Failing(count: count)], errorHandler: { _ in })
      var visitors: [Visitor] = []
      for _ in 0..<3 { visitors.append(try await Visitor { $0.add(loop) }) }
      while true {
        loop.execute()
        expectEqual(count.take(), visitors.count)
        guard let visitor = visitors.popLast() else { break }
        await visitor.inspector.stop()
      }
      let visitor = try await Visitor { $0.add(loop) }
      loop.execute()
      try await expectEqual(visitor.get("/api/loops")[0]?["systems"]?[0]?["failures"], 5)
    }

    @Test func `errors are shown`() async throws {
      let loop = loop(failing: true)
      let visitor = try await Visitor { $0.add(loop) }
      context.createEntity(with: Name(text: "a"))
      await loop.settled()
      let system = try #require(try await visitor.get("/api/loops")[0]?["systems"]?[0])
      expectEqual(system["failures"], 1)
      expectEqual(system["lastError"]?.string?.contains("Fault"), true)
    }

    @Test func `a loop is paused, resumed, and makes single passes`() async throws {
      let loop = loop()
      let visitor = try await Visitor(readOnly: false) { $0.add(loop) }
      func turn(_ what: String) async throws -> JSONValue {
        let answer = try await visitor.ask("POST", "/api/loops/0/\(what)")
        expectEqual(answer.status, 200)
        return try answer.json()
      }
      try await expectEqual(turn("pause")["paused"], true)
      let entity = context.createEntity(with: Name(text: "a"))
      await loop.settled()
      expectFalse(entity.has(Position.self))
      let stepped = try await turn("step")
      expectEqual(stepped["paused"], true)
      expectEqual(stepped["stepped"], true)
      expectTrue(entity.has(Position.self))
      let other = context.createEntity(with: Name(text: "b"))
      await loop.settled()
      expectFalse(other.has(Position.self))
      try await expectEqual(turn("resume")["paused"], false)
      await loop.settled()
      expectTrue(other.has(Position.self))
      loop.cancel()
      try await expectEqual(visitor.ask("POST", "/api/loops/0/pause").status, 410)
    }

    @Test func `a step that can't begin says so`() async throws {
      let queue = DispatchQueue(label: "busy")
      let loop = ReactiveLoop(ctx: context, queue: queue, systems: [], name: "Shop")
      let visitor = try await Visitor(readOnly: false) { $0.add(loop) }
      queue.suspend()
      let answer = try await visitor.ask("POST", "/api/loops/0/step")
      expectEqual(answer.status, 200)
      try expectEqual(answer.json()["stepped"], false)
      expectTrue(loop.isPaused)
      queue.resume()
    }

    @Test func `reading alone pauses nothing`() async throws {
      let loop = loop()
      let visitor = try await Visitor { $0.add(loop) }
      for what in ["pause", "resume", "step"] {
        try await expectEqual(visitor.ask("POST", "/api/loops/0/\(what)").status, 403)
        try await expectEqual(visitor.ask("GET", "/api/loops/0/\(what)").status, 405)
      }
      expectFalse(loop.isPaused)
    }

    @Test func `a loop that its program runs is followed`() async throws {
      struct Count: ExecuteSystem {
        let name = "Count"
        func execute() {}
      }
      let loop = Loop(name: "game", systems: [Count()])
      loop.execute()
      let visitor = try await Visitor(readOnly: false) { $0.add(loop) }
      loop.execute()
      loop.execute()
      let shown = try #require(try await visitor.get("/api/loops")[0])
      expectEqual(shown["canPause"], false)
      expectEqual(shown["cancelled"], false)
      expectEqual(shown["context"], .null)
      expectEqual(shown["systems"]?[0]?["runs"], 3)
      try await expectEqual(visitor.ask("POST", "/api/loops/0/pause").status, 409)
    }

    @MainActor @Test func `a loop of the main actor is followed`() async throws {
      struct Count: ExecuteSystem {
        let name = "Count"
        func execute() { MainActor.assertIsolated() }
      }
      let loop = Loop(name: "game", systems: [Count()])
      let inspector = try await Inspector(allowInRelease: true) { $0.add(loop) }
      let visitor = Visitor(inspector)
      loop.execute()
      try await expectEqual(visitor.get("/api/loops")[0]?["systems"]?[0]?["runs"], 1)
    }

    @Test func `a loop that has ended was not kept`() async throws {
      var loop: ReactiveLoop? = self.loop()
      let visitor = try await Visitor(readOnly: false) { sources in
        loop.map { sources.add($0) }
      }
      try await expectEqual(visitor.get("/api/loops")[0]?["cancelled"], false)
      loop = nil
      try await expectEqual(visitor.get("/api/loops")[0]?["cancelled"], true)
      try await expectEqual(visitor.ask("POST", "/api/loops/0/step").status, 410)
      try await expectEqual(visitor.ask("POST", "/api/loops/1/step").status, 404)
      try await expectEqual(visitor.ask("POST", "/api/loops/0/jump").status, 404)
    }
  }
#endif
