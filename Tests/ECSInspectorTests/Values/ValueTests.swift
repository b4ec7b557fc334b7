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
      #expect(row == value || (row["text"]?.string?.count ?? .max) <= 200)
      return value
    }

    @Test func `values are described as Swift describes them`() async throws {
      #expect(try await shown(Position(x: 1, y: -2.5))["text"] == "Position(x: 1.0, y: -2.5)")
      #expect(try await shown(Name(text: "Ada \"A\""))["text"] == #"Name(text: "Ada \"A\"")"#)
      #expect(
        try await shown(Inventory(items: ["a", "b"], worth: ["a": 1], best: nil))["text"]
          == #"Inventory(items: ["a", "b"], worth: ["a": 1], best: nil)"#)
      #expect(try await shown(Box(value: 7))["text"] == "Box<Int>(value: 7)")
      #expect(try await shown(Mode.idle)["text"] == "idle")
      #expect(try await shown(Mode.running(speed: 3))["text"] == "running(speed: 3)")
    }

    @Test func `fields are told one by one`() async throws {
      let value = try await shown(Position(x: 1, y: 2))
      #expect(
        value["fields"] == [["name": "x", "text": "1.0"], ["name": "y", "text": "2.0"]])
    }

    @Test func `fields that are entities say which`() async throws {
      let context = Context()
      let target = context.createEntity(with: Name(text: "target"))
      let entity = context.createEntity(with: Target(entity: target))
      let visitor = try await Visitor { $0.add(context) }
      let details = try await visitor.get("/api/contexts/0/entities/\(entity.label)")
      let field = details["components"]?[0]?["value"]?["fields"]?[0]
      #expect(field?["entity"]?.string == target.label)
    }

    @Test func `texts are cut`() async throws {
      let value = try await shown(Name(text: String(repeating: "ä", count: 3_000_000)))
      #expect(value["cut"] == true)
      #expect(value["text"]?.string?.count == 1_000)
      #expect(value["fields"]?[0]?["cut"] == true)
      #expect(value["fields"]?[0]?["text"]?.string?.count == 1_000)
    }

    @Test func `a character of any number of bytes is cut, too`() async throws {
      let marks = String(repeating: "\u{301}", count: 5_000_000)
      let value = try await shown(Name(text: "e" + marks))
      #expect(value["cut"] == true)
      #expect((value["text"]?.string?.utf8.count ?? .max) <= 4_000)
      #expect((value["fields"]?[0]?["text"]?.string?.utf8.count ?? .max) <= 4_000)
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
      #expect(try answer.json()["rows"]?.array?.count == 200)
      #expect(answer.body.count < 4 << 20)
    }

    @Test func `names and causes are cut`() async throws {
      let context = Context()
      let flight = FlightRecorder(context)
      let cause = String(repeating: "c", count: 100_000)
      context.perform(cause) { _ = context.createEntity(with: Position()) }
      for number in 0..<30 { context.perform("\(number)") { _ = context.createEntity() } }
      let visitor = try await Visitor { $0.add(flight) }
      let commits = try await visitor.get("/api/timelines/0/commits?count=1")
      #expect(commits["commits"]?[0]?["cause"]?.string?.count == 200)
      let overview = try await visitor.get("/api/timelines/0?buckets=1")
      let causes = try #require(overview["buckets"]?[0]?["causes"]?.object)
      #expect(causes.keys.allSatisfy { $0.count <= 200 })
      #expect(causes.count == 21 && causes["others"] == 11)
    }

    @Test func `fields that are entities of other contexts are no links`() async throws {
      let (context, other) = (Context(), Context())
      let entity = context.createEntity(with: Target(entity: other.createEntity()))
      let visitor = try await Visitor { $0.add(context) }
      let details = try await visitor.get("/api/contexts/0/entities/\(entity.label)")
      let field = details["components"]?[0]?["value"]?["fields"]?[0]
      #expect(field != nil && field?["entity"] == nil)
    }

    @Test func `fields that are dead entities are no links`() async throws {
      let context = Context()
      let target = context.createEntity()
      let entity = context.createEntity(with: Target(entity: target))
      target.destroy()
      let visitor = try await Visitor { $0.add(context) }
      let details = try await visitor.get("/api/contexts/0/entities/\(entity.label)")
      let field = details["components"]?[0]?["value"]?["fields"]?[0]
      #expect(field != nil && field?["entity"] == nil)
    }

    @Test func `of long lists only the first elements are looked at`() async throws {
      let value = try await shown(Box(value: Array(repeating: Position(), count: 1_000_000)))
      #expect(value["cut"] == true)
      #expect(
        value["text"]?.string?.hasPrefix("Box<Array<Position>>(value: [Position(x: 0.0") == true)
    }

    @Test func `deep values are cut`() async throws {
      indirect enum Chain: Sendable {
        case end
        case link(Chain)
      }
      var chain = Chain.end
      for _ in 0..<1_000 { chain = .link(chain) }
      let value = try await shown(Box(value: chain))
      #expect(value["cut"] == true)
    }

    @Test func `markup and turned text are values as any are`() async throws {
      let text = "</script><img src=x onerror=alert(1)>\u{202E}evil\u{0}\u{7}\u{2028}\"'`${x}"
      let value = try await shown(Name(text: text))
      #expect(value["fields"]?[0]?["text"]?.string == text)
    }

    @Test func `numbers that JSON has not are texts`() async throws {
      let value = try await shown(Position(x: .nan, y: -.infinity))
      #expect(value["text"] == "Position(x: nan, y: -inf)")
    }

    @Test func `objects are not followed in circles`() async throws {
      let first = Circle()
      let value = try await shown(Circle(other: first))
      #expect(value["text"] == "Circle")
      #expect(value["fields"]?.array?.count == 3)
      #expect(value["fields"]?[1]?["text"] == "Circle")
      withExtendedLifetime(first) {}
    }

    @Test func `no more than fifty fields are shown`() async throws {
      struct Wide: Component, CustomReflectable {
        var customMirror: Mirror {
          Mirror(self, children: (0..<1_000).map { (label: "field\($0)", value: $0 as Any) })
        }
      }
      #expect(try await shown(Wide())["fields"]?.array?.count == 50)
    }
  }
#endif
