#if Inspector
  import ECS
  import ECSHistory
  import ECSInspector
  import ECSRecipes
  import ECSSnapshots
  import ECSTestSupport
  import Foundation
  import JSONValues
  import Testing

  /// What changed, and what there was then.
  @Suite(.noHangs) struct TimelineTests {
    /// Moves all that has a position.
    private struct Move: ExecuteSystem {
      let name = "Move"
      let context: Context
      var step = 1.0

      func execute() {
        for entity in context.group(Position.matcher) {
          entity.update(Position.self) { $0.x += step }
        }
      }
    }

    // MARK: Flight recorders

    @Test func `a recorder has its commits in order, with causes`() async throws {
      let context = Context()
      let flight = FlightRecorder(context)
      let visitor = try await Visitor {
        $0.add(Context())
        $0.add(context)
        $0.add(flight, as: "flight")
      }
      let entity = context.perform("import") { context.createEntity(with: Position()) }
      for number in 1...9 {
        context.perform("pay") { _ = entity.set(Position(x: Double(number))) }
      }
      let program = try await visitor.get("/api/program")
      expectEqual(program["timelines"]?[0]?["name"], "flight")
      expectEqual(program["timelines"]?[0]?["context"], 1)
      expectEqual(program["timelines"]?[0]?["entities"], false)
      let overview = try await visitor.get("/api/timelines/0?buckets=5")
      expectEqual(overview["first"], 1)
      expectEqual(overview["last"], 10)
      expectEqual(overview["dropped"], 0)
      let buckets = try #require(overview["buckets"]?.array)
      expectEqual(buckets.count, 5)
      expectEqual(
        buckets[0], ["from": 1, "to": 2, "changes": 2, "causes": ["import": 1, "pay": 1]])
      expectEqual(buckets[4], ["from": 9, "to": 10, "changes": 2, "causes": ["pay": 2]])
      let page = try await visitor.get("/api/timelines/0/commits?from=3&count=2")
      let commits = try #require(page["commits"]?.array)
      expectEqual(commits.map { $0["commit"]?.number?.int }, [3, 4])
      let change = try #require(commits[0]["changes"]?[0])
      expectEqual(change["kind"], "replaced")
      expectEqual(change["entity"]?.string, entity.label)
      expectEqual(change["component"], "Position")
      expectEqual(change["old"], "Position(x: 1.0, y: 0.0)")
      expectEqual(change["new"], "Position(x: 2.0, y: 0.0)")
      expectEqual(change["cause"], "pay")
      expectGreaterThan((change["seconds"]?.number?.double ?? 0), 1_700_000_000)
    }

    @Test func `commits with many changes are cut`() async throws {
      let context = Context()
      let flight = FlightRecorder(context)
      let visitor = try await Visitor { $0.add(flight) }
      context.perform {
        for _ in 0..<250 {
          context.createEntity(with: Name(text: String(repeating: "x", count: 9_000)))
        }
      }
      let page = try await visitor.get("/api/timelines/0/commits")
      expectEqual(page["commits"]?[0]?["more"], 50)
      expectEqual(page["commits"]?[0]?["changes"]?.array?.count, 200)
      expectEqual(page["commits"]?[0]?["changes"]?[0]?["new"]?.string?.count, 1_000)
    }

    @Test func `why says what changed, the newest first, of the dead, too`() async throws {
      let context = Context()
      let flight = FlightRecorder(context)
      let visitor = try await Visitor {
        $0.add(context)
        $0.add(flight)
      }
      let entity = context.createEntity(with: Position())
      let owner = context.createEntity()
      entity.set(Name(text: "a"))
      entity.set(Position(x: 2))
      entity.relate(OwnedBy.self, to: owner)
      let details = try await visitor.get("/api/contexts/0/entities/\(entity.label)")
      expectEqual(
        details["changes"]?.array?.map { $0["kind"]?.string },
        ["linked", "replaced", "added", "created"])
      expectEqual(details["changes"]?[0]?["relation"], "OwnedBy")
      expectEqual(details["changes"]?[0]?["target"]?.string, owner.label)
      entity.destroy()
      let all = try await visitor.get("/api/timelines/0/why?entity=\(entity.label)")
      expectEqual(all["changes"]?.array?.map { $0["kind"]?.string }.contains("destroyed"), true)
      let some = try await visitor.get(
        "/api/timelines/0/why?entity=\(entity.label)&component=Position")
      expectEqual(
        some["changes"]?.array?.map { $0["kind"]?.string },
        ["destroyed", "replaced", "created"])
      try await expectEqual(visitor.ask("GET", "/api/timelines/0/why?entity=x").status, 400)
    }

    @Test func `a recorder does not show entities of then`() async throws {
      let context = Context()
      let flight = FlightRecorder(context)
      let visitor = try await Visitor(readOnly: false) { $0.add(flight) }
      try await expectEqual(visitor.ask("GET", "/api/timelines/0/at/1/entities").status, 409)
      let body = #"{"loop": "game", "from": 1}"#
      try await expectEqual(visitor.ask("POST", "/api/timelines/0/run", body: body).status, 409)
      try await expectEqual(visitor.ask("GET", "/api/timelines/1").status, 404)
      let empty = try await visitor.get("/api/timelines/0")
      expectEqual(empty, ["first": 0, "last": 0, "dropped": 0, "buckets": []])
    }

    // MARK: Recorded runs

    /// An entity that a loop moves three times, another one that is named, linked and destroyed.
    private func recording() throws -> RunRecording {
      let context = Context()
      context.createEntity(with: Position(x: 10))
      let recorder = try RunRecorder(context, try recordedSchema())
      let loop = Loop(name: "game", systems: [Move(context: context)], logger: recorder)
      loop.execute()
      let other = context.perform("import") { context.createEntity(with: Name(text: "a")) }
      loop.execute()
      other.relate(OwnedBy.self, to: context.createEntity())
      loop.execute()
      other.destroy()
      return try recorder.recording()
    }

    private func visitor(_ step: Double = 1) async throws -> Visitor {
      let (recording, schema) = (try recording(), try recordedSchema())
      return try await Visitor(readOnly: false) {
        $0.add(
          recording, schema, as: "run",
          loops: [
            "game": { context in
              Loop(name: "game", systems: [Move(context: context, step: step)])
            }
          ])
      }
    }

    @Test func `entities are shown as they were`() async throws {
      let visitor = try await visitor()
      let program = try await visitor.get("/api/program")
      expectEqual(program["timelines"]?[0]?["entities"], true)
      expectEqual(program["timelines"]?[0]?["context"], .null)
      let overview = try await visitor.get("/api/timelines/0")
      let last = try #require(overview["last"]?.number?.int)
      var seen: [[String]] = []
      // Backwards and forwards.
      for commit in Array((0...last).reversed()) + Array(0...last) {
        let page = try await visitor.get("/api/timelines/0/at/\(commit)/entities")
        seen.append(
          (page["rows"]?.array ?? []).map { row in
            (row["values"]?.object?.values ?? []).map { $0["text"]?.string ?? "" }.joined()
          })
      }
      let forwards = Array(seen.suffix(last + 1))
      expectEqual(Array(seen.prefix(last + 1).reversed()), forwards)
      expectEqual(forwards[0], ["Position(x: 10.0, y: 0.0)"])
      expectEqual(forwards[1], ["Position(x: 11.0, y: 0.0)"])
      expectTrue(forwards.contains(["Position(x: 11.0, y: 0.0)", #"Name(text: "a")"#]))
      expectEqual(forwards[last], ["Position(x: 13.0, y: 0.0)", ""])
      let statistics = try await visitor.get("/api/timelines/0/at/1/statistics")
      expectEqual(statistics["entities"], 1)
      let components = try await visitor.get("/api/timelines/0/at/1/components")
      expectEqual(components.array?.first { $0["name"] == "Position" }?["entities"], 1)
    }

    @Test func `changes have the causes that they had`() async throws {
      let visitor = try await visitor()
      let page = try await visitor.get("/api/timelines/0/commits")
      let changes = (page["commits"]?.array ?? []).flatMap { $0["changes"]?.array ?? [] }
      expectEqual(changes[0]["kind"], "replaced")
      expectEqual(changes[0]["cause"], "Move")
      expectEqual(changes[0]["old"], "Position(x: 10.0, y: 0.0)")
      expectEqual(changes[0]["new"], "Position(x: 11.0, y: 0.0)")
      expectEqual(changes[1]["kind"], "created")
      expectEqual(changes[1]["cause"], "import")
      let named = try #require(changes[1]["entity"]?.string)
      let why = try await visitor.get("/api/timelines/0/why?entity=\(named)")
      expectEqual(why["changes"]?.array?.last?["kind"], "created")
      expectEqual(why["changes"]?.array?.contains { $0["kind"] == "linked" }, true)
      let commit = try #require(page["commits"]?[1]?["commit"]?.number?.int)
      let then = try await visitor.get("/api/timelines/0/at/\(commit)/entities/\(named)")
      expectEqual(then["changes"]?.array?.map { $0["kind"]?.string }, ["created"])
      expectEqual(then["components"]?[0]?["value"]?["text"], #"Name(text: "a")"#)
      expectEqual(then["components"]?[0]?["editable"], false)
    }

    @Test func `a loop that does the same again ends, another one differs`() async throws {
      let body = #"{"loop": "game", "from": 1}"#
      let same = try await visitor()
      let ended = try await same.ask("POST", "/api/timelines/0/run", body: body)
      expectEqual(ended.status, 200)
      try expectNotNil(ended.json()["ended"])
      let other = try await visitor(2)
      let differs = try await other.ask("POST", "/api/timelines/0/run", body: body)
      expectEqual(differs.status, 200)
      let difference = try #require(try differs.json()["difference"])
      expectEqual(difference["commit"], 1)
      expectEqual(difference["cause"], "Move")
      expectEqual(difference["component"], "position")
      expectEqual(difference["recorded"]?.string?.contains("11"), true)
      expectEqual(difference["found"]?.string?.contains("12"), true)
    }

    @Test func `runs that can't be are refused`() async throws {
      let visitor = try await visitor()
      for (body, status) in [
        (#"{"loop": "other", "from": 1}"#, 404), (#"{"loop": "game"}"#, 400), ("[]", 400),
        (#"{"loop": "game", "from": 99}"#, 409),
      ] {
        let answer = try await visitor.ask("POST", "/api/timelines/0/run", body: body)
        expectEqual(answer.status, status)
      }
      try await expectEqual(visitor.ask("GET", "/api/timelines/0/at/x/entities").status, 400)
      try await expectEqual(visitor.ask("GET", "/api/timelines/0/at/1").status, 404)
    }

    @Test func `a recording of another schema is refused, and nothing stops`() async throws {
      let (recording, other) = (
        try recording(),
        try Schema("other") {
          Stored(of: Settings(), as: "s") { Field(\.volume, at: "volume") }
        }
      )
      let visitor = try await Visitor { $0.add(recording, other) }
      let answer = try await visitor.ask("GET", "/api/timelines/0")
      expectEqual(answer.status, 409)
    }
  }
#endif
