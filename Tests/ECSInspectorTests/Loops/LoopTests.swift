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
      #expect(shown["name"] == "Shop")
      #expect(shown["context"] == 1)
      #expect(shown["paused"] == false)
      #expect(shown["cancelled"] == false)
      #expect(shown["canPause"] == true)
      let system = try #require(shown["systems"]?[0])
      #expect(system["name"] == "Pay")
      #expect(system["entities"] == 3)
      #expect(system["runs"]?.number?.int == loop.statistics[0].runs)
      #expect(system["failures"] == 0)
      #expect(system["lastError"] == .null)
      #expect((system["totalSeconds"]?.number?.double ?? -1) >= 0)
      let program = try await visitor.get("/api/program")
      #expect(program["loops"] == [["id": 0, "name": "Shop", "context": 1]])
    }

    @Test func `two inspectors show the errors of one loop`() async throws {
      let loop = loop(failing: true)
      let first = try await Visitor { $0.add(loop) }
      let second = try await Visitor { $0.add(loop) }
      context.createEntity(with: Name(text: "a"))
      await loop.settled()
      for visitor in [first, second] {
        let system = try await visitor.get("/api/loops")[0]?["systems"]?[0]
        #expect(system?["lastError"]?.string == "Fault()")
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
        #expect(count.take() == visitors.count)
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
        #expect(count.take() == visitors.count)
        guard let visitor = visitors.popLast() else { break }
        await visitor.inspector.stop()
      }
      let visitor = try await Visitor { $0.add(loop) }
      loop.execute()
      #expect(try await visitor.get("/api/loops")[0]?["systems"]?[0]?["failures"] == 5)
    }

    @Test func `errors are shown`() async throws {
      let loop = loop(failing: true)
      let visitor = try await Visitor { $0.add(loop) }
      context.createEntity(with: Name(text: "a"))
      await loop.settled()
      let system = try #require(try await visitor.get("/api/loops")[0]?["systems"]?[0])
      #expect(system["failures"] == 1)
      #expect(system["lastError"]?.string?.contains("Fault") == true)
    }

    @Test func `a loop is paused, resumed, and makes single passes`() async throws {
      let loop = loop()
      let visitor = try await Visitor(readOnly: false) { $0.add(loop) }
      func turn(_ what: String) async throws -> JSONValue {
        let answer = try await visitor.ask("POST", "/api/loops/0/\(what)")
        #expect(answer.status == 200)
        return try answer.json()
      }
      #expect(try await turn("pause")["paused"] == true)
      let entity = context.createEntity(with: Name(text: "a"))
      await loop.settled()
      #expect(!entity.has(Position.self))
      let stepped = try await turn("step")
      #expect(stepped["paused"] == true)
      #expect(stepped["stepped"] == true)
      #expect(entity.has(Position.self))
      let other = context.createEntity(with: Name(text: "b"))
      await loop.settled()
      #expect(!other.has(Position.self))
      #expect(try await turn("resume")["paused"] == false)
      await loop.settled()
      #expect(other.has(Position.self))
      loop.cancel()
      #expect(try await visitor.ask("POST", "/api/loops/0/pause").status == 410)
    }

    @Test func `a step that can't begin says so`() async throws {
      let queue = DispatchQueue(label: "busy")
      let loop = ReactiveLoop(ctx: context, queue: queue, systems: [], name: "Shop")
      let visitor = try await Visitor(readOnly: false) { $0.add(loop) }
      queue.suspend()
      let answer = try await visitor.ask("POST", "/api/loops/0/step")
      #expect(answer.status == 200)
      #expect(try answer.json()["stepped"] == false)
      #expect(loop.isPaused)
      queue.resume()
    }

    @Test func `reading alone pauses nothing`() async throws {
      let loop = loop()
      let visitor = try await Visitor { $0.add(loop) }
      for what in ["pause", "resume", "step"] {
        #expect(try await visitor.ask("POST", "/api/loops/0/\(what)").status == 403)
        #expect(try await visitor.ask("GET", "/api/loops/0/\(what)").status == 405)
      }
      #expect(!loop.isPaused)
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
      #expect(shown["canPause"] == false)
      #expect(shown["cancelled"] == false)
      #expect(shown["context"] == .null)
      #expect(shown["systems"]?[0]?["runs"] == 3)
      #expect(try await visitor.ask("POST", "/api/loops/0/pause").status == 409)
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
      #expect(try await visitor.get("/api/loops")[0]?["systems"]?[0]?["runs"] == 1)
    }

    @Test func `a loop that has ended was not kept`() async throws {
      var loop: ReactiveLoop? = self.loop()
      let visitor = try await Visitor(readOnly: false) { sources in
        loop.map { sources.add($0) }
      }
      #expect(try await visitor.get("/api/loops")[0]?["cancelled"] == false)
      loop = nil
      #expect(try await visitor.get("/api/loops")[0]?["cancelled"] == true)
      #expect(try await visitor.ask("POST", "/api/loops/0/step").status == 410)
      #expect(try await visitor.ask("POST", "/api/loops/1/step").status == 404)
      #expect(try await visitor.ask("POST", "/api/loops/0/jump").status == 404)
    }
  }
#endif
