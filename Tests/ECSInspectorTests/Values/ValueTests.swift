#if Inspector
  import ECS
  import ECSHistory
  import ECSInspector
  import ECSTestSupport
  import Foundation
  import JSONValues
  import Testing

  /// Values in words, whatever they are.
  @Suite(.noHangs) struct ValueTests {
    /// The value of an entity as its page gets it.
    private func shown(_ component: some Component) async throws -> JSONValue {
      let context = Context()
      let entity = context.createEntity(with: component)
      let visitor = try await Visitor { $0.add(context) }
      let details = try await visitor.get("/api/contexts/0/entities/\(entity.label)")
      let value = try #require(details["components"]?[0]?["value"])
      let rows = try await visitor.get("/api/contexts/0/entities")
      let name = try #require(details["components"]?[0]?["name"]?.string)
      let row = try #require(rows["rows"]?[0]?["values"]?[name])
      expectTrue(row == value || (row["text"]?.string?.count ?? .max) <= 200)
      return value
    }

    @Test func `values are described as Swift describes them`() async throws {
      try await expectEqual(shown(Position(x: 1, y: -2.5))["text"], "Position(x: 1.0, y: -2.5)")
      try await expectEqual(shown(Name(text: "Ada \"A\""))["text"], #"Name(text: "Ada \"A\"")"#)
      try await expectEqual(
        shown(Inventory(items: ["a", "b"], worth: ["a": 1], best: nil))["text"],
        #"Inventory(items: ["a", "b"], worth: ["a": 1], best: nil)"#)
      try await expectEqual(shown(Box(value: 7))["text"], "Box<Int>(value: 7)")
      try await expectEqual(shown(Mode.idle)["text"], "idle")
      try await expectEqual(shown(Mode.running(speed: 3))["text"], "running(speed: 3)")
    }

    @Test func `fields are told one by one`() async throws {
      let value = try await shown(Position(x: 1, y: 2))
      expectEqual(
        value["fields"], [["name": "x", "text": "1.0"], ["name": "y", "text": "2.0"]])
    }

    @Test func `fields that are entities say which`() async throws {
      let context = Context()
      let target = context.createEntity(with: Name(text: "target"))
      let entity = context.createEntity(with: Target(entity: target))
      let visitor = try await Visitor { $0.add(context) }
      let details = try await visitor.get("/api/contexts/0/entities/\(entity.label)")
      let field = details["components"]?[0]?["value"]?["fields"]?[0]
      expectEqual(field?["entity"]?.string, target.label)
    }

    @Test func `texts are cut`() async throws {
      let value = try await shown(Name(text: String(repeating: "ä", count: 3_000_000)))
      expectEqual(value["cut"], true)
      expectEqual(value["text"]?.string?.count, 1_000)
      expectEqual(value["fields"]?[0]?["cut"], true)
      expectEqual(value["fields"]?[0]?["text"]?.string?.count, 1_000)
    }

    @Test func `a character of any number of bytes is cut, too`() async throws {
      let marks = String(repeating: "\u{301}", count: 5_000_000)
      let value = try await shown(Name(text: "e" + marks))
      expectEqual(value["cut"], true)
      expectLessThanOrEqual((value["text"]?.string?.utf8.count ?? .max), 4_000)
      expectLessThanOrEqual((value["fields"]?[0]?["text"]?.string?.utf8.count ?? .max), 4_000)
    }

    @Test func `pages of entities have a budget`() async throws {
      struct Wide: Component, CustomReflectable {
        var customMirror: Mirror {
          let text = String(repeating: "x", count: 9_000)
          return Mirror(self, children: (0..<50).map { (label: text + "\($0)", value: text) })
        }
      }
      let context = Context()
      for _ in 0..<200 { context.createEntity(with: Wide()) }
      let visitor = try await Visitor { $0.add(context) }
      let answer = try await visitor.ask("GET", "/api/contexts/0/entities?count=200")
      try expectEqual(answer.json()["rows"]?.array?.count, 200)
      expectLessThan(answer.body.count, 4 << 20)
    }

    @Test func `names and causes are cut`() async throws {
      let context = Context()
      let flight = FlightRecorder(context)
      let cause = String(repeating: "c", count: 100_000)
      context.perform(cause) { _ = context.createEntity(with: Position()) }
      for number in 0..<30 { context.perform("\(number)") { _ = context.createEntity() } }
      let visitor = try await Visitor { $0.add(flight) }
      let commits = try await visitor.get("/api/timelines/0/commits?count=1")
      expectEqual(commits["commits"]?[0]?["cause"]?.string?.count, 200)
      let overview = try await visitor.get("/api/timelines/0?buckets=1")
      let causes = try #require(overview["buckets"]?[0]?["causes"]?.object)
      expectTrue(causes.keys.allSatisfy { $0.count <= 200 })
      expectTrue(causes.count == 21 && causes["others"] == 11)
    }

    @Test func `fields that are entities of other contexts are no links`() async throws {
      let (context, other) = (Context(), Context())
      let entity = context.createEntity(with: Target(entity: other.createEntity()))
      let visitor = try await Visitor { $0.add(context) }
      let details = try await visitor.get("/api/contexts/0/entities/\(entity.label)")
      let field = details["components"]?[0]?["value"]?["fields"]?[0]
      expectTrue(field != nil && field?["entity"] == nil)
    }

    @Test func `fields that are dead entities are no links`() async throws {
      let context = Context()
      let target = context.createEntity()
      let entity = context.createEntity(with: Target(entity: target))
      target.destroy()
      let visitor = try await Visitor { $0.add(context) }
      let details = try await visitor.get("/api/contexts/0/entities/\(entity.label)")
      let field = details["components"]?[0]?["value"]?["fields"]?[0]
      expectTrue(field != nil && field?["entity"] == nil)
    }

    @Test func `of long lists only the first elements are looked at`() async throws {
      let value = try await shown(Box(value: Array(repeating: Position(), count: 1_000_000)))
      expectEqual(value["cut"], true)
      expectEqual(
        value["text"]?.string?.hasPrefix("Box<Array<Position>>(value: [Position(x: 0.0"), true)
    }

    @Test func `deep values are cut`() async throws {
      indirect enum Chain: Sendable {
        case end
        case link(Chain)
      }
      var chain = Chain.end
      for _ in 0..<1_000 { chain = .link(chain) }
      let value = try await shown(Box(value: chain))
      expectEqual(value["cut"], true)
    }

    @Test func `markup and turned text are values as any are`() async throws {
      let text = "</script><img src=x onerror=alert(1)>\u{202E}evil\u{0}\u{7}\u{2028}\"'`${x}"
      let value = try await shown(Name(text: text))
      expectEqual(value["fields"]?[0]?["text"]?.string, text)
    }

    @Test func `numbers that JSON has not are texts`() async throws {
      let value = try await shown(Position(x: .nan, y: -.infinity))
      expectEqual(value["text"], "Position(x: nan, y: -inf)")
    }

    @Test func `objects are not followed in circles`() async throws {
      let first = Circle()
      let value = try await shown(Circle(other: first))
      expectEqual(value["text"], "Circle")
      expectEqual(value["fields"]?.array?.count, 3)
      expectEqual(value["fields"]?[1]?["text"], "Circle")
      withExtendedLifetime(first) {}
    }

    @Test func `no more than fifty fields are shown`() async throws {
      struct Wide: Component, CustomReflectable {
        var customMirror: Mirror {
          Mirror(self, children: (0..<1_000).map { (label: "field\($0)", value: $0 as Any) })
        }
      }
      try await expectEqual(shown(Wide())["fields"]?.array?.count, 50)
    }
  }
#endif
