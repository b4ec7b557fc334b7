#if Inspector
  import ECS
  import ECSHistory
  import ECSInspector
  import ECSRecipes
  import ECSSnapshots
  import ECSTestSupport
  import Foundation
  import JSONValues
  import Synchronization
  import Testing

  /// Changing entities from outside.
  @Suite(.noHangs) struct EditingTests {
    private let context = Context()

    private struct Crew: Component, Equatable { var members: [Entity] = [] }
    private struct Volume: Component {
      var level = 1
      static var requires: Requirement { Settings() }
    }
    private struct Named: Component {
      var level = 1
      static var requires: Requirement {
        Volume()
        Name(text: "none")
      }
    }
    private enum Other { struct Position: Component {} }

    private static func schema() throws -> Schema {
      try Schema("test") {
        Stored(of: Position(), as: "position") {
          Field(\.x, at: "x")
          Field(\.y, at: "y")
        }
        Stored(of: Name(text: ""), as: "name") { Field(\.text, at: "text") }
        Stored(of: Target(), as: "target") { Field(\.entity, at: "entity") }
        Stored(of: Crew(), as: "crew") { Field(\.members, at: "members") }
        Stored(of: Volume(), as: "volume") { Field(\.level, at: "level") }
        Stored(of: Named(), as: "named") { Field(\.level, at: "level") }
        Stored(of: Settings(), as: "settings") { Field(\.volume, at: "volume") }
      }
    }

    private func visitor(readOnly: Bool = false) async throws -> Visitor {
      let schema = try EditingTests.schema()
      return try await Visitor(readOnly: readOnly) { $0.add(context, schema) }
    }

    private func path(_ entity: Entity, _ component: String? = nil) -> String {
      "/api/contexts/0/entities/\(entity.label)" + (component.map { "/components/\($0)" } ?? "")
    }

    @Test func `values are shown as they are edited`() async throws {
      let other = context.createEntity()
      let entity = context.createEntity(
        with: Position(x: 1.5, y: .nan), Name(text: "\"\u{1}<b>"), Target(entity: other),
        Box(value: 1))
      let visitor = try await visitor()
      let shown = try await visitor.get(path(entity))
      var values: [String: JSONValue] = [:]
      for component in shown["components"]?.array ?? [] {
        let name = try #require(component["name"]?.string)
        values[name] = component["value"]?["json"]
        expectEqual(component["editable"]?.bool, (name != "Box<Int>"))
      }
      expectEqual(values["Position"], ["x": 1.5, "y": "nan"])
      expectEqual(values["Name"], ["text": "\"\u{1}<b>"])
      expectEqual(values["Target"], ["entity": .string(other.label)])
      expectNil(values["Box<Int>"])
      let components = try await visitor.get("/api/contexts/0/components")
      expectEqual(
        components.array?.map { $0["editable"]?.bool }, [false, true, true, true])
    }

    @Test func `a value that is put is set, in a commit of the inspector`() async throws {
      let flight = FlightRecorder(context)
      let entity = context.createEntity(with: Position())
      let visitor = try await visitor()
      let answer = try await visitor.ask(
        "PUT", path(entity, "Position"), body: #"{"x": 2, "y": -3.5}"#)
      expectEqual(answer.status, 200)
      expectEqual(entity.get(Position.self), Position(x: 2, y: -3.5))
      let value = try answer.json()["value"]
      expectEqual(value?["text"], "Position(x: 2.0, y: -3.5)")
      expectEqual(value?["json"], ["x": 2, "y": -3.5])
      let entry = try #require(flight.why(entity, Position.self).first)
      expectEqual(entry.kind, .replaced)
      expectEqual(entry.cause.kind, .section)
      expectEqual(entry.cause.name, "inspector")
    }

    @Test func `edits that wait for the program hold up nothing else`() async throws {
      let entity = context.createEntity(with: Position())
      let visitor = try await visitor()
      let section = HeldSection(context)
      while !section.isHeld { await pause() }
      // More than there are threads for tasks.
      let clients = try (0..<2 * ProcessInfo.processInfo.activeProcessorCount + 8).map { _ in
        try visitor.client()
      }
      for client in clients {
        await client.send(visitor.request("PUT", path(entity, "Position"), body: #"{"x": 2}"#))
      }
      for _ in 0..<20 { _ = try await visitor.get("/api/program") }
      section.end()
      for client in clients { try await expectEqual(client.answer().status, 200) }
    }

    @Test func `a value with many entities is put back as it was`() async throws {
      let crew = Crew(members: (0..<1_500).map { _ in context.createEntity() })
      let entity = context.createEntity(with: crew)
      let visitor = try await visitor()
      let shown = try await visitor.get(path(entity))
      let json = try #require(shown["components"]?[0]?["value"]?["json"])
      try await expectEqual(
        visitor.ask("PUT", path(entity, "Crew"), body: json.json()).status, 200)
      expectEqual(entity.get(Crew.self), crew)
    }

    @Test func `a reference to a dead entity is not lost, and can be replaced`() async throws {
      let target = context.createEntity()
      let entity = context.createEntity(with: Target(entity: target))
      target.destroy()
      let visitor = try await visitor()
      let shown = try await visitor.get(path(entity))
      let json = try #require(shown["components"]?[0]?["value"]?["json"])
      expectEqual(json, ["entity": .string(target.label)])
      let answer = try await visitor.ask("PUT", path(entity, "Target"), body: json.json())
      expectEqual(answer.status, 400)
      expectTrue(answer.text.contains(target.label), "\(answer.text)")
      expectEqual(entity.get(Target.self)?.entity, target)
      try await expectEqual(
        visitor.ask("PUT", path(entity, "Target"), body: #"{"entity": null}"#).status,
        200)
      expectEqual(entity.get(Target.self), Target(entity: nil))
    }

    @Test func `large values can't be edited, and are not written for that`() async throws {
      struct Counted: Component, Codable {
        // Guarded by being the only test that encodes it.
        static let encodings = Mutex(0)
        var items: [Int] = []
        func encode(to encoder: any Encoder) throws {
          Counted.encodings.withLock { $0 += 1 }
          var container = encoder.singleValueContainer()
          try container.encode(items)
        }
        init(items: [Int]) { self.items = items }
        init(from decoder: any Decoder) throws {
          items = try decoder.singleValueContainer().decode([Int].self)
        }
      }
      let schema = try Schema("test") { Stored(Counted.self, as: "counted") }
      let small = context.createEntity(with: Counted(items: [1, 2]))
      let large = context.createEntity(with: Counted(items: Array(0..<200_000)))
      let visitor = try await Visitor(readOnly: false) { $0.add(context, schema) }
      let shown = try await visitor.get(path(small))
      expectEqual(shown["components"]?[0]?["editable"], true)
      expectEqual(Counted.encodings.withLock(\.self), 1)
      let other = try await visitor.get(path(large))
      expectEqual(other["components"]?[0]?["editable"], false)
      expectNil(other["components"]?[0]?["value"]?["json"])
      expectEqual(Counted.encodings.withLock(\.self), 1)
      // Whose text is long only when it is written.
      large.remove(Counted.self)
      large.set(Name(text: String(repeating: "\u{1}", count: 100_000)))
      let named = try await self.visitor().get(path(large))
      expectEqual(named["components"]?[0]?["editable"], false)
    }

    @Test func `a value with an entity of another context can't be edited`() async throws {
      let other = Context()
      let foreign = other.createEntity()
      let entity = context.createEntity(with: Crew(members: [context.createEntity(), foreign]))
      let visitor = try await visitor()
      let shown = try await visitor.get(path(entity))
      expectEqual(shown["components"]?[0]?["editable"], false)
      expectNil(shown["components"]?[0]?["value"]?["json"])
    }

    @Test func `what is required is checked as what is set`() async throws {
      let index = context.primaryIndex { (name: Name) in name.text }
      let holder = context.createEntity(with: Settings())
      let entity = context.createEntity()
      let visitor = try await visitor()
      let body = #"{"level": 7}"#
      try await expectEqual(visitor.ask("PUT", path(entity, "Volume"), body: body).status, 409)
      expectTrue(holder.has(Settings.self) && !entity.has(Volume.self))
      let named = context.createEntity(with: Name(text: "none"))
      holder.destroy()
      try await expectEqual(visitor.ask("PUT", path(entity, "Named"), body: body).status, 409)
      named.destroy()
      try await expectEqual(visitor.ask("PUT", path(entity, "Named"), body: body).status, 200)
      expectTrue(entity.has(Volume.self) && entity.has(Settings.self) && entity.has(Name.self))
      withExtendedLifetime(index) {}
    }

    @Test func `names of several components are refused`() async throws {
      let entity = context.createEntity(with: Position(), Other.Position())
      let visitor = try await visitor()
      let body = #"{"x": 7}"#
      try await expectEqual(visitor.ask("PUT", path(entity, "Position"), body: body).status, 409)
      try await expectEqual(visitor.ask("DELETE", path(entity, "Position")).status, 409)
      expectTrue(entity.get(Position.self) == Position() && entity.has(Other.Position.self))
    }

    @Test func `components are added and removed`() async throws {
      let entity = context.createEntity(with: Position())
      let visitor = try await visitor()
      let added = try await visitor.ask("PUT", path(entity, "Name"), body: #"{"text":"Ada"}"#)
      expectEqual(added.status, 200)
      expectEqual(entity.get(Name.self), Name(text: "Ada"))
      try await expectEqual(visitor.ask("DELETE", path(entity, "Name")).status, 204)
      expectFalse(entity.has(Name.self))
      try await expectEqual(visitor.ask("DELETE", path(entity, "Name")).status, 404)
    }

    @Test func `entities are created, destroyed and referred to`() async throws {
      let visitor = try await visitor()
      let answer = try await visitor.ask("POST", "/api/contexts/0/entities")
      let label = try #require(try answer.json()["id"]?.string)
      let entity = context.createEntity(with: Target())
      let put = try await visitor.ask(
        "PUT", path(entity, "Target"), body: #"{"entity": "\#(label)"}"#)
      expectEqual(put.status, 200)
      expectEqual(entity.get(Target.self)?.entity?.label, label)
      try await expectEqual(visitor.ask("DELETE", "/api/contexts/0/entities/\(label)").status, 204)
      expectEqual(entity.get(Target.self)?.entity?.isAlive, false)
      try await expectEqual(visitor.ask("DELETE", "/api/contexts/0/entities/\(label)").status, 410)
      let dead = try await visitor.ask(
        "PUT", path(entity, "Target"), body: #"{"entity": "\#(label)"}"#)
      expectEqual(dead.status, 400)
    }

    @Test(arguments: [
      "", "{", "[]", "7", "{\"x\": \"a\"}", "{\"x\": null}", "{\"z\": 1}", "{\"x\": 1} 2",
      "{\"x\": 1, \"x\": 2}", "{\"x\": {\"y\": 1}}",
    ])
    func `what is no value changes nothing`(_ body: String) async throws {
      let entity = context.createEntity(with: Position(x: 1))
      let visitor = try await visitor()
      let answer = try await visitor.ask("PUT", path(entity, "Position"), body: body)
      expectEqual(answer.status, 400, "\(answer.text)")
      expectEqual(entity.get(Position.self), Position(x: 1))
    }

    @Test func `components that the schema lacks are refused`() async throws {
      let entity = context.createEntity(with: Box(value: 1))
      let visitor = try await visitor()
      let answer = try await visitor.ask("PUT", path(entity, "Box%3CInt%3E"), body: "{}")
      expectEqual(answer.status, 409)
    }

    @Test func `the keys of primary indexes stay`() async throws {
      let index = context.primaryIndex { (name: Name) in name.text }
      let ada = context.createEntity(with: Name(text: "ada"))
      let bob = context.createEntity(with: Position())
      let visitor = try await visitor()
      let taken = try await visitor.ask("PUT", path(bob, "Name"), body: #"{"text":"ada"}"#)
      expectEqual(taken.status, 409)
      expectFalse(bob.has(Name.self))
      let changed = try await visitor.ask("PUT", path(ada, "Name"), body: #"{"text":"eve"}"#)
      expectEqual(changed.status, 409)
      expectEqual(ada.get(Name.self)?.text, "ada")
      let same = try await visitor.ask("PUT", path(ada, "Name"), body: #"{"text":"ada"}"#)
      expectEqual(same.status, 200)
      let free = try await visitor.ask("PUT", path(bob, "Name"), body: #"{"text":"bob"}"#)
      expectEqual(free.status, 200)
      withExtendedLifetime(index) {}
    }

    @Test func `a unique component is not taken away from its holder`() async throws {
      let holder = context.createEntity(with: Settings())
      let other = context.createEntity()
      let visitor = try await visitor()
      let body = #"{"volume": 7}"#
      try await expectEqual(visitor.ask("PUT", path(other, "Settings"), body: body).status, 409)
      try await expectEqual(visitor.ask("PUT", path(holder, "Settings"), body: body).status, 200)
      expectEqual(holder.get(Settings.self)?.volume, 7)
    }

    @Test func `relations and requirements refuse`() async throws {
      enum Pinned: ToOneRelation { static let deleteRule = DeleteRule.deny }
      struct Base: Component {}
      struct Top: Component {
        static var requires: Requirement { Requirement(Base(), whenRemoved: .refused) }
      }
      let (target, source) = (
        context.createEntity(with: Position()), context.createEntity(with: Top())
      )
      source.relate(Pinned.self, to: target)
      let visitor = try await visitor()
      try await expectEqual(visitor.ask("DELETE", path(target)).status, 409)
      expectTrue(target.isAlive)
      try await expectEqual(visitor.ask("DELETE", path(source, "Base")).status, 409)
      expectTrue(source.has(Base.self))
    }

    @Test func `nothing is changed unless that is allowed`() async throws {
      let entity = context.createEntity(with: Position())
      let visitor = try await visitor(readOnly: true)
      let tries = [
        try await visitor.ask("PUT", path(entity, "Position"), body: #"{"x": 2}"#),
        try await visitor.ask("DELETE", path(entity, "Position")),
        try await visitor.ask("DELETE", path(entity)),
        try await visitor.ask("POST", "/api/contexts/0/entities"),
      ]
      expectTrue(tries.allSatisfy { $0.status == 403 })
      expectEqual(entity.get(Position.self), Position())
      expectEqual(context.statistics.entities, 1)
    }

    @Test func `other addresses take no changes`() async throws {
      let entity = context.createEntity(with: Position())
      let visitor = try await visitor()
      for (method, target) in [
        ("PUT", path(entity)), ("POST", path(entity)), ("DELETE", "/api/contexts/0/entities"),
        ("DELETE", "/api/contexts/0/groups"), ("PUT", "/api/contexts/0/statistics"),
        ("POST", path(entity, "Position")),
      ] {
        try await expectEqual(visitor.ask(method, target).status, 405)
      }
      expectTrue(entity.isAlive)
    }
  }

  /// A section that goes on until it is ended.
  private final class HeldSection: Sendable {
    private let hasBegun = Atomic(false)
    private let release = DispatchSemaphore(value: 0)

    init(_ context: Context) {
      Thread.detachNewThread { [self] in
        context.perform {
          hasBegun.store(true, ordering: .releasing)
          release.wait()
        }
      }
    }

    var isHeld: Bool { hasBegun.load(ordering: .acquiring) }

    func end() { release.signal() }
  }
#endif
