#if Inspector
  import ECS
  import ECSInspector
  import ECSTestSupport
  import Foundation
  import JSONValues
  import Synchronization
  import Testing

  /// Contexts, their lists and single entities.
  @Suite(.noHangs) struct ContextTests {
    @Test func `statistics have the names that the program has for them`() async throws {
      let context = Context()
      let other = context.group(Name.matcher)
      let collector = context.collector(for: Position.matcher)
      for number in 0..<3 { context.createEntity(with: Position(x: Double(number))) }
      let visitor = try await Visitor { $0.add(context) }
      let shown = try await visitor.get("/api/contexts/0/statistics")
      let statistics = context.statistics
      for child in Mirror(reflecting: statistics).children {
        let name = try #require(child.label)
        if let number = child.value as? Int {
          expectEqual(shown[name]?.number?.int, number, "\(name)")
        }
      }
      expectEqual(shown.object?.count, Mirror(reflecting: statistics).children.count + 1)
      expectEqual(shown["largestBacklog"]?["matcher"], "all(Position)")
      expectEqual(shown["largestBacklog"]?["entities"], 3)
      withExtendedLifetime((collector, other)) {}
    }

    @Test func `nothing is added to a context, also while pages ask`() async throws {
      let context = Context()
      let entity = context.createEntity(with: Position(), Name(text: "a"))
      let before = (context.statistics, context.lastCommit)
      let visitor = try await Visitor { $0.add(context) }
      for list in [
        "statistics", "components", "tables", "groups", "collectors", "indexes", "aggregates",
        "entities?all=Position&sort=Position.x", "entities/\(entity.label)",
      ] {
        try await expectEqual(visitor.ask("GET", "/api/contexts/0/\(list)").status, 200, "\(list)")
      }
      // Commits are counted while a journal is observed.
      entity.set(Position(x: 1))
      expectTrue(context.statistics == before.0 && context.lastCommit == before.1)
    }

    @Test func `components are counted`() async throws {
      let context = Context()
      context.createEntity(with: Position(), Name(text: "a"))
      context.createEntity(with: Position())
      context.createEntity(with: Settings())
      let visitor = try await Visitor { $0.add(context) }
      let shown = try await visitor.get("/api/contexts/0/components")
      expectEqual(shown.array?.map { $0["name"]?.string }, ["Name", "Position", "Settings"])
      expectEqual(shown.array?.map { $0["entities"]?.number?.int }, [1, 2, 1])
      expectEqual(shown.array?.map { $0["unique"]?.bool }, [false, false, true])
    }

    @Test func `tables, groups and collectors are listed, the largest first`() async throws {
      let context = Context()
      let named = context.group(Name.matcher)
      let collector = context.collector(for: Position.matcher)
      for _ in 0..<3 { context.createEntity(with: Position()) }
      context.createEntity(with: Name(text: "a"))
      let visitor = try await Visitor { $0.add(context) }
      let tables = try await visitor.get("/api/contexts/0/tables")
      expectEqual(tables["rows"]?[0]?["components"], ["Position"])
      expectEqual(tables["rows"]?[0]?["entities"], 3)
      expectGreaterThan((tables["rows"]?[0]?["bytes"]?.number?.int ?? 0), 0)
      let groups = try await visitor.get("/api/contexts/0/groups")
      expectEqual(
        groups["rows"],
        [
          ["matcher": "all(Position)", "entities": 3], ["matcher": "all(Name)", "entities": 1],
        ])
      expectEqual(groups["more"], 0)
      let collectors = try await visitor.get("/api/contexts/0/collectors")
      expectEqual(collectors["rows"]?[0]?["matcher"], "all(Position)")
      expectEqual(collectors["rows"]?[0]?["entities"], 3)
      expectEqual(collectors["rows"]?[0]?["kinds"]?.string?.contains("added"), true)
      withExtendedLifetime((collector, named)) {}
    }

    @Test func `indexes have their largest keys`() async throws {
      let context = Context()
      let index = context.index { (name: Name) in name.text }
      let words = context.index(keys: { (box: Box<String>) in box.value.split(separator: " ") })
      for number in 0..<100 { context.createEntity(with: Name(text: "\(number % 30)")) }
      for _ in 0..<50 { context.createEntity(with: Name(text: "common")) }
      context.createEntity(with: Box(value: "a b"))
      let visitor = try await Visitor { $0.add(context) }
      let rows = try #require(try await visitor.get("/api/contexts/0/indexes")["rows"]?.array)
      expectEqual(rows.count, 2)
      expectEqual(rows[0]["name"], "Name by String")
      expectEqual(rows[0]["keys"], 31)
      expectEqual(rows[0]["entities"], 150)
      expectEqual(rows[0]["largest"]?.array?.count, 20)
      expectEqual(rows[0]["largest"]?[0], ["key": "common", "entities": 50])
      expectEqual(rows[0]["largest"]?[1]?["entities"], 4)
      expectEqual(rows[1]["keys"], 2)
      withExtendedLifetime((index, words)) {}
    }

    @Test func `aggregates have values`() async throws {
      let context = Context()
      let total = context.sum(of: \Position.x)
      let byName = context.count(by: \Name.text)
      for number in 0..<4 { context.createEntity(with: Position(x: Double(number))) }
      for _ in 0..<3 { context.createEntity(with: Name(text: "a")) }
      context.createEntity(with: Name(text: "b"))
      let visitor = try await Visitor { $0.add(context) }
      let rows = try #require(try await visitor.get("/api/contexts/0/aggregates")["rows"]?.array)
      expectEqual(rows.count, 2)
      expectTrue(rows.contains(["name": "Position", "value": "6.0"]))
      let keyed = try #require(rows.first { $0["keys"] == 2 })
      expectEqual(keyed["largest"]?[0], ["key": "a", "value": "3"])
      withExtendedLifetime((total, byName)) {}
    }

    @Test func `aggregates by what entities are linked to have values`() async throws {
      let context = Context()
      let sums = context.sum(of: \Position.x, byTarget: OwnedBy.self)
      let (owner, other) = (context.createEntity(with: Name(text: "o")), context.createEntity())
      for number in 0..<4 {
        let entity = context.createEntity(with: Position(x: Double(number)))
        entity.relate(OwnedBy.self, to: number == 3 ? other : owner)
      }
      let visitor = try await Visitor { $0.add(context) }
      let rows = try await visitor.get("/api/contexts/0/aggregates")["rows"]
      expectEqual(rows?.array?.count, 1)
      expectEqual(rows?[0]?["name"], "Position by OwnedBy")
      expectEqual(rows?[0]?["keys"], 2)
      expectEqual(rows?[0]?["value"], "6.0")
      expectEqual(rows?[0]?["largest"]?.array?.count, 2)
      expectEqual(rows?[0]?["largest"]?[0]?["key"]?.string, "\(owner)")
      expectEqual(rows?[0]?["largest"]?[0]?["value"], "3.0")
      withExtendedLifetime(sums) {}
    }

    @Test func `ordered indexes have their lowest and highest key`() async throws {
      let context = Context()
      var index: OrderedIndex<String>? = context.orderedIndex { (name: Name) in name.text }
      let numbers = context.orderedIndex { (position: Position) in position.x }
      // The order of something else.
      let view = context.group(Position.matcher).sorted(by: \Position.y)
      let visitor = try await Visitor { $0.add(context) }
      func rows() async throws -> [JSONValue]? {
        try await visitor.get("/api/contexts/0/indexes")["rows"]?.array
      }
      try await expectEqual(
        rows()?.first {
          $0["name"] == "Name by String, in order"
        },
        [
          "name": "Name by String, in order", "entities": 0, "lowest": .null, "highest": .null,
        ])
      for text in ["b", "c", "a"] { context.createEntity(with: Name(text: text)) }
      let last = context.createEntity(with: Position(x: 7))
      context.createEntity(with: Position(x: .nan))
      context.createEntity(with: Position(x: -2))
      last.set(Position(x: 9))
      try await expectEqual(
        rows(),
        [
          ["name": "Name by String, in order", "entities": 3, "lowest": "a", "highest": "c"],
          [
            "name": "Position by Double, in order", "entities": 2, "lowest": "-2.0",
            "highest": "9.0",
          ],
        ])
      index = nil
      try await expectEqual(rows()?.count, 1)
      withExtendedLifetime((index, numbers, view)) {}
    }

    @Test func `an entity has its components and links`() async throws {
      let context = Context()
      let owner = context.createEntity(with: Name(text: "owner"))
      let thing = context.createEntity(with: Position(x: 1), Name(text: "thing"))
      thing.relate(OwnedBy.self, to: owner)
      let visitor = try await Visitor { $0.add(context) }
      let shown = try await visitor.get("/api/contexts/0/entities/\(thing.label)")
      expectEqual(shown["id"]?.string, thing.label)
      expectEqual(
        shown["components"]?.array?.compactMap { $0["name"]?.string }, ["Name", "Position"])
      expectEqual(shown["links"]?[0]?["relation"], "OwnedBy")
      expectEqual(shown["links"]?[0]?["to"]?.string, owner.label)
      expectEqual(shown["backlinks"]?.array?.isEmpty, true)
      let other = try await visitor.get("/api/contexts/0/entities/\(owner.label)")
      expectEqual(other["backlinks"]?[0]?["from"]?.string, thing.label)
      expectEqual(other["moreLinks"], 0)
    }

    @Test func `of many links the first are shown`() async throws {
      let context = Context()
      let owner = context.createEntity()
      for _ in 0..<250 { context.createEntity().relate(OwnedBy.self, to: owner) }
      let visitor = try await Visitor { $0.add(context) }
      let shown = try await visitor.get("/api/contexts/0/entities/\(owner.label)")
      expectEqual(shown["backlinks"]?.array?.count, 200)
      expectEqual(shown["moreLinks"], 50)
    }

    @Test func `dead entities are gone`() async throws {
      let context = Context()
      let entity = context.createEntity(with: Position())
      entity.destroy()
      let next = context.createEntity(with: Position())
      let visitor = try await Visitor { $0.add(context) }
      let answer = try await visitor.ask("GET", "/api/contexts/0/entities/\(entity.label)")
      expectEqual(answer.status, 410)
      try await expectEqual(
        visitor.ask("GET", "/api/contexts/0/entities/\(next.label)").status, 200)
    }

    @Test(arguments: ["1", "1.", "a.b", "1.1.1", "-1.0", "99999999999.1", "1.4294967295", "é"])
    func `what names no entity is refused`(_ label: String) async throws {
      let context = Context()
      let visitor = try await Visitor { $0.add(context) }
      let name = label.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      try await expectEqual(visitor.ask("GET", "/api/contexts/0/entities/\(name)").status, 400)
    }

    @Test func `a context that has ended is gone, and was not kept`() async throws {
      var context: Context? = Context()
      context?.createEntity(with: Position())
      let visitor = try await Visitor { sources in context.map { sources.add($0) } }
      try await expectEqual(visitor.ask("GET", "/api/contexts/0/statistics").status, 200)
      context = nil
      for name in ["statistics", "entities", "components", "tables", "entities/1.0"] {
        try await expectEqual(visitor.ask("GET", "/api/contexts/0/\(name)").status, 410)
      }
      try await expectEqual(visitor.ask("GET", "/api/contexts/1/statistics").status, 404)
    }

    @Test func `other threads come in between while a search runs`() async throws {
      final class Turns: Sendable {
        let hasBegun = Atomic(false)
        let release = DispatchSemaphore(value: 0)
      }
      struct Held: Component, CustomReflectable {
        let turns: Turns
        var customMirror: Mirror {
          turns.hasBegun.store(true, ordering: .releasing)
          turns.release.wait()
          turns.release.signal()
          return Mirror(self, children: ["x": 1])
        }
      }
      let turns = Turns()
      let context = Context()
      for _ in 0..<100 { context.createEntity(with: Held(turns: turns)) }
      let visitor = try await Visitor { $0.add(context) }
      let client = try visitor.client()
      await client.send(
        visitor.request("GET", "/api/contexts/0/entities?where=Held.x+%3E+0"))
      while !turns.hasBegun.load(ordering: .acquiring) { await pause() }
      // The search goes on only behind this.
      context.createEntity(with: Name(text: "a"))
      turns.release.signal()
      let answer = try await client.answer()
      expectEqual(answer.status, 200)
      try expectEqual(answer.json()["total"], 100)
    }
  }
#endif
