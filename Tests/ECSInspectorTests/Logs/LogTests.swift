#if Inspector
  import ECS
  import ECSHistory
  import ECSInspector
  import ECSTestSupport
  import Foundation
  import JSONValues
  import Testing

  /// The event log.
  @Suite(.noHangs) struct LogTests {
    private let context = Context(name: "shop")

    @Test func `events are asked for`() async throws {
      let log = EventLog([context])
      let visitor = try await Visitor { $0.add(log) }
      let entity = context.perform("import") { context.createEntity(with: Position()) }
      log.error("no route", entity: entity)
      let all = try await visitor.get("/api/log")
      expectEqual(all["more"], false)
      let events = try #require(all["events"]?.array)
      expectEqual(events.map { $0["kind"]?.string }, ["created", "added", "errorLog"])
      expectEqual(events.map { $0["number"]?.number?.int }, [0, 1, 2])
      expectEqual(events[1]["text"], "Position")
      expectEqual(events[1]["entity"]?.string, entity.label)
      expectEqual(events[1]["cause"], "import")
      expectEqual(events[2]["text"], "no route")
      let some = try await visitor.get("/api/log?query=events+where+all(errorLog)&limit=5")
      expectEqual(some["events"]?.array?.count, 1)
      let last = try await visitor.get("/api/log?query=events&limit=1")
      expectEqual(last["more"], true)
      expectEqual(last["events"]?[0]?["number"], 2)
      try await expectEqual(visitor.get("/api/program")["log"], true)
    }

    @Test func `counts are a line each`() async throws {
      let log = EventLog([context])
      let visitor = try await Visitor { $0.add(log) }
      context.createEntity(with: Position())
      let counts = try await visitor.get("/api/log?query=components")
      expectEqual(counts["events"]?[0]?["text"], "1 Position")
    }

    @Test func `what is wrong in a query is said, and where`() async throws {
      let log = EventLog([context])
      let visitor = try await Visitor { $0.add(log) }
      let query = "events where all(info:\"😀\" x:1)"
      let text = try #require(query.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
      let answer = try await visitor.ask("GET", "/api/log?query=\(text)")
      expectEqual(answer.status, 400)
      try expectEqual(answer.json()["at"], 27)
    }

    @Test func `without a log there is none`() async throws {
      let visitor = try await Visitor()
      try await expectEqual(visitor.ask("GET", "/api/log").status, 404)
      try await expectEqual(visitor.get("/api/program")["log"], false)
    }
  }
#endif
