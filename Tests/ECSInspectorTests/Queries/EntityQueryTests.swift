#if Inspector
  import ECS
  import ECSInspector
  import ECSTestSupport
  import Foundation
  import JSONValues
  import Testing

  /// Pages of entities.
  @Suite(.noHangs) struct EntityQueryTests {
    /// Ten entities at 0 to 9, the even ones with names.
    private func visitor() async throws -> (Visitor, Context, [Entity]) {
      let context = Context()
      let entities = (0..<10).map { number in
        let entity = context.createEntity(with: Position(x: Double(number), y: 10))
        if number.isMultiple(of: 2) { entity.set(Name(text: "Number \(number)")) }
        return entity
      }
      context.createEntity(with: Box(value: "plain"))
      _ = context.createEntity()
      return (try await Visitor { $0.add(context) }, context, entities)
    }

    /// The positions, or what there is, of the entities that a query finds.
    private func found(_ visitor: Visitor, _ query: String) async throws -> [String] {
      let page = try await visitor.get("/api/contexts/0/entities?\(query)")
      return (page["rows"]?.array ?? []).map { $0["id"]?.string ?? "" }
    }

    private func labels(_ entities: [Entity], _ numbers: [Int]) -> [String] {
      numbers.map { entities[$0].label }
    }

    @Test func `fields that no value has are errors`() async throws {
      let (visitor, context, _) = try await visitor()
      for (query, at, parameter) in [
        ("where=Position.x+%3E+3+and+Position.xx+%3E+3", 28, "where"),
        ("where=Name.text.length+%3E+3", 5, "where"), ("sort=-Position.xx", 10, "sort"),
      ] {
        let answer = try await visitor.ask("GET", "/api/contexts/0/entities?\(query)")
        expectEqual(answer.status, 400, "\(query)")
        try expectEqual(answer.json()["at"]?.number?.int, at)
        try expectEqual(answer.json()["parameter"]?.string, parameter)
      }
      context.createEntity(with: Mode.idle)
      context.createEntity(with: Target())
      for query in ["Mode.running.speed+%3E+3", "Target.entity.slot+%3E+3"] {
        try await expectTrue(found(visitor, "where=\(query)").isEmpty)
      }
    }

    @Test func `a search ends in time, whatever values say of themselves`() async throws {
      struct Slow: Component, CustomReflectable {
        var customMirror: Mirror {
          Thread.sleep(forTimeInterval: 0.01)
          return Mirror(self, children: ["x": 1])
        }
      }
      let context = Context()
      for _ in 0..<4_000 { context.createEntity(with: Slow()) }
      let visitor = try await Visitor { $0.add(context) }
      let page = try await visitor.get("/api/contexts/0/entities?where=Slow.x+%3E+3")
      expectEqual(page["complete"], false)
      // Another one may have the field.
      let other = try await visitor.get("/api/contexts/0/entities?where=Slow.y+%3E+3")
      expectTrue(other["complete"] == false && other["total"] == 0)
      withExtendedLifetime(context) {}
    }

    @Test func `components choose entities`() async throws {
      let (visitor, context, entities) = try await visitor()
      try await expectEqual(found(visitor, "all=Position").count, 10)
      try await expectEqual(
        found(visitor, "all=Position,Name"), labels(entities, [0, 2, 4, 6, 8]))
      try await expectEqual(
        found(visitor, "all=Position&none=Name"), labels(entities, [1, 3, 5, 7, 9]))
      try await expectEqual(found(visitor, "any=Name,Box%3CString%3E").count, 6)
      try await expectEqual(found(visitor, "").count, 12)
      withExtendedLifetime(context) {}
    }

    @Test func `pages say how many there are in all`() async throws {
      let (visitor, context, entities) = try await visitor()
      let page = try await visitor.get("/api/contexts/0/entities?all=Position&from=4&count=3")
      expectEqual(page["total"], 10)
      expectEqual(page["from"], 4)
      expectEqual(page["complete"], true)
      expectEqual(
        page["rows"]?.array?.compactMap { $0["id"]?.string }, labels(entities, [4, 5, 6]))
      let row = try #require(page["rows"]?[0])
      expectEqual(row["components"], ["Name", "Position"])
      expectEqual(row["values"]?.object?.keys, ["Position"])
      let behind = try await visitor.get("/api/contexts/0/entities?all=Position&from=40")
      expectEqual(behind["total"], 10)
      expectEqual(behind["rows"]?.array?.isEmpty, true)
      withExtendedLifetime(context) {}
    }

    @Test(arguments: [
      ("Position.x > 7", [8, 9]), ("Position.x >= 7 and Position.x != 8", [7, 9]),
      ("Position.x = 3", [3]), ("Position.x < 0.5", [0]), ("Position.x <= 1", [0, 1]),
      ("Name.text contains \"ber 4\"", [4]), ("Name.text contains BER", [0, 2, 4, 6, 8]),
      ("Name.text = \"Number 6\"", [6]),
      ("  Position.x  >  2  and  Name.text > \"Number 5\" ", [6, 8]),
      ("Position.x > -1e0 and Position.y = 10 AND Position.x < 1", [0]),
      ("Position.x contains 1", []),
      ("Position.x = nil", []), ("Position.x != nil and Position.x < 1", [0]),
    ])
    func `conditions choose entities by values`(_ text: String, _ numbers: [Int]) async throws {
      let (visitor, context, entities) = try await visitor()
      let query = try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
      let page = try await visitor.get("/api/contexts/0/entities?where=\(query)")
      expectEqual(page["rows"]?.array?.compactMap { $0["id"]?.string }, labels(entities, numbers))
      expectEqual(page["total"]?.number?.int, numbers.count)
      withExtendedLifetime(context) {}
    }

    @Test func `fields of fields, lists, options and entities can be asked for`() async throws {
      let context = Context()
      let first = context.createEntity(with: Inventory(items: ["a"], worth: [:], best: 3))
      let second = context.createEntity(with: Target(entity: first), Box(value: Position(x: 7)))
      let visitor = try await Visitor { $0.add(context) }
      func found(_ text: String) async throws -> [String] {
        let query = try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        return try await self.found(visitor, "where=\(query)")
      }
      try await expectEqual(found("Inventory.items.count = 1"), [first.label])
      try await expectEqual(found("Inventory.best > 2"), [first.label])
      try await expectEqual(found("Inventory.worth.count > 0"), [])
      try await expectEqual(found("Target.entity = \(first.label)"), [second.label])
      try await expectEqual(found("Box<Position>.value.x = 7"), [second.label])
      try await expectEqual(found("Box<Position>.value.x = \"7\""), [])
    }

    @Test func `entities are sorted by values`() async throws {
      let (visitor, context, entities) = try await visitor()
      try await expectEqual(
        found(visitor, "sort=-Position.x&count=3"), labels(entities, [9, 8, 7]))
      try await expectEqual(
        found(visitor, "sort=Position.x&from=8&count=5"), labels(entities, [8, 9]))
      try await expectEqual(
        found(visitor, "sort=Position.y&count=2"), labels(entities, [0, 1]))
      try await expectEqual(
        found(visitor, "sort=Name.text&where=Position.x+%3E+3"),
        labels(entities, [4, 6, 8]))
      withExtendedLifetime(context) {}
    }

    @Test(arguments: [
      ("where", "Positio.x > 3", 0), ("where", "Position.x", 10), ("where", "Position.x >", 12),
      ("where", "Position.x ~ 3", 11), ("where", "Position. > 3", 9),
      ("where", "Position.x > 3 or Name.text = \"a\"", 15), ("where", "Position.x > \"a", 13),
      ("where", "Name.text = \"😀\" and x", 21), ("where", "> 3", 0),
      ("where", "Position.x > 3 and", 18),
      ("where", "Position.x > -", 13), ("sort", "-Nothing", 1), ("sort", "Position.x, Name", 10),
      ("all", "Position, Nothing", 10), ("any", "Box<Int", 0), ("none", ",, ,Nothing", 4),
    ])
    func `what is wrong is said, and where`(
      _ name: String, _ text: String, _ position: Int
    ) async throws {
      let (visitor, context, _) = try await visitor()
      let query = try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
      let answer = try await visitor.ask("GET", "/api/contexts/0/entities?\(name)=\(query)")
      expectEqual(answer.status, 400)
      let error = try answer.json()
      expectEqual(error["at"]?.number?.int, position)
      expectEqual(error["parameter"]?.string, name)
      expectEqual(error["error"]?.string?.isEmpty, false)
      withExtendedLifetime(context) {}
    }

    @Test(arguments: ["from=x", "count=1.5", "sort=Position.x&from=10000"])
    func `numbers are checked`(_ query: String) async throws {
      let (visitor, context, _) = try await visitor()
      try await expectEqual(visitor.ask("GET", "/api/contexts/0/entities?\(query)").status, 400)
      withExtendedLifetime(context) {}
    }

    @Test func `pages have two hundred entities at most`() async throws {
      let context = Context()
      for number in 0..<10_000 { context.createEntity(with: Position(x: Double(number))) }
      let visitor = try await Visitor { $0.add(context) }
      let page = try await visitor.get("/api/contexts/0/entities?count=100000")
      expectEqual(page["rows"]?.array?.count, 200)
      let sorted = try await visitor.get(
        "/api/contexts/0/entities?sort=-Position.x&from=9800&count=200")
      expectEqual(sorted["total"], 10_000)
      expectEqual(sorted["rows"]?[0]?["values"]?["Position"]?["fields"]?[0]?["text"], "199.0")
    }

    @Test func `a search changes nothing and makes no groups`() async throws {
      let (visitor, context, _) = try await visitor()
      let before = context.statistics
      _ = try await found(visitor, "all=Position&where=Position.x+%3E+3&sort=Name.text")
      expectEqual(context.statistics, before)
    }
  }
#endif
