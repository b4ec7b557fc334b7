import ECS
import ECSRecipes
import ECSTestSupport
import Testing

/// Random records about a few entities, most of which contradict one another: the parents of all
/// come to what a dictionary says, or are refused because they would go round in a circle.
@Suite(.longRunning) struct HostileHierarchyTests {
  enum Inside: Hierarchy {}
  enum PartOf: Hierarchy { static let deleteRule = DeleteRule.cascade }
  enum Before: Hierarchy, OneToOneRelation {}

  /// What is written about a relation.
  struct Side {
    let key: String
    let nested: Nested
    let listsChildren: Bool
    let isKey: Bool
  }

  /// A recipe, and how it writes about its hierarchy.
  struct Form {
    let recipe: Recipe
    let sides: [Side]
    let isOwned: Bool
    let isOneToOne: Bool
    let parent: @Sendable (Entity) -> Entity?

    init<R: Hierarchy>(
      _ sides: [Side], of hierarchy: R.Type, isOwned: Bool = false
    ) throws {
      recipe = try Recipe("tag") {
        Identity(\Tag.name)
        Fields(of: Tag()) { Field(\.name, at: "name") }
        for side in sides { side.nested }
      }
      (self.sides, self.isOwned) = (sides, isOwned)
      isOneToOne = R.self is any OneToOneRelation.Type
      parent = { $0.target(R.self) }
    }

    /// Children listed, parents named, by records or keys, in either order.
    static func all<R: Hierarchy>(of hierarchy: R.Type, isOwned: Bool = false) throws -> [Form] {
      try [Nested.Form.object, .key].flatMap { form in
        let list = Nested.itself(manyAt: "has", as: form, through: .sources(of: R.self))
        let has = Side(
          key: "has", nested: isOwned ? list.owned() : list, listsChildren: true,
          isKey: form == .key)
        let isIn = Side(
          key: "in", nested: .itself(oneAt: "in", as: form, through: .targets(of: R.self)),
          listsChildren: false, isKey: form == .key)
        return try [[has], [isIn], [has, isIn], [isIn, has]].map {
          try Form($0, of: hierarchy, isOwned: isOwned)
        }
      }
    }
  }

  /// The parent of each, by names.
  struct Model {
    var parents: [String: String] = [:]
    var names: Set<String> = []

    /// What is said about one entity: its children, or its parent, for each side.
    struct Statement {
      let name: String
      var links: [[String]?]
    }

    /// Takes up what records say; false, without a change, if one would be above itself.
    mutating func apply(_ records: [JSONValue], _ form: Form) -> Bool {
      var statements: [Statement] = []
      for record in records { _ = add(record, form, to: &statements) }
      let before = self
      let parts = parents
      for statement in statements { names.insert(statement.name) }
      for statement in statements {
        for (side, linked) in zip(form.sides, statement.links) {
          guard let linked else { continue }
          if side.listsChildren {
            for child in parents.keys where parents[child] == statement.name {
              parents[child] = nil
            }
            for child in linked { link(child, to: statement.name, form) }
          } else if let parent = linked.first {
            link(statement.name, to: parent, form)
          } else {
            parents[statement.name] = nil
          }
        }
      }
      guard names.allSatisfy({ !isAboveItself($0) }) else {
        self = before
        return false
      }
      if form.isOwned { endParts(parts, statements, form) }
      return true
    }

    private mutating func link(_ child: String, to parent: String, _ form: Form) {
      if form.isOneToOne, parents[child] != parent {
        for other in parents.keys where parents[other] == parent { parents[other] = nil }
      }
      parents[child] = parent
    }

    private func add(
      _ record: JSONValue, _ form: Form, to statements: inout [Statement]
    ) -> String {
      let name = record.string ?? record["name"]?.string ?? ""
      if !statements.contains(where: { $0.name == name }) {
        statements.append(Statement(name: name, links: form.sides.map { _ in nil }))
      }
      for (number, side) in form.sides.enumerated() {
        guard let value = record.object?[side.key] else { continue }
        let related = side.listsChildren ? value.array ?? [] : value.isNull ? [] : [value]
        var linked: [String] = []
        for record in related {
          let name = add(record, form, to: &statements)
          if !linked.contains(name) { linked.append(name) }
        }
        for index in statements.indices where statements[index].name == name {
          statements[index].links[number] = linked
        }
      }
      return name
    }

    private func isAboveItself(_ name: String) -> Bool {
      var ancestor = parents[name]
      for _ in names {
        guard let next = ancestor, next != name else { break }
        ancestor = parents[next]
      }
      return ancestor != nil
    }

    /// Former parts of those whose parts are listed, and of no other one now, end with all that
    /// they have.
    private mutating func endParts(
      _ former: [String: String], _ statements: [Statement], _ form: Form
    ) {
      let owners = statements.filter { statement in
        zip(form.sides, statement.links).contains { $0.listsChildren && $1 != nil }
      }.map(\.name)
      var ended = names.filter { name in
        parents[name] == nil && former[name].map(owners.contains) == true
      }
      while !ended.isEmpty {
        for name in ended {
          names.remove(name)
          parents[name] = nil
        }
        ended = names.filter { name in parents[name].map { !names.contains($0) } == true }
      }
    }
  }

  private struct Generator {
    var random: SplitMix64
    let nameCount: Int

    mutating func name() -> String { "\(random.below(nameCount))" }

    mutating func record(_ form: Form, depth: Int = 0) -> JSONValue {
      var record: JSONObject = ["name": .string(name())]
      for side in form.sides where !random.oneIn(3) && depth < 3 {
        if side.listsChildren {
          let count = random.below(4)
          record[side.key] = .array((0..<count).map { _ in related(side, form, depth) })
        } else {
          record[side.key] = random.oneIn(5) ? .null : related(side, form, depth)
        }
      }
      return .object(record)
    }

    private mutating func related(_ side: Side, _ form: Form, _ depth: Int) -> JSONValue {
      side.isKey ? .string(name()) : record(form, depth: depth + 1)
    }
  }

  /// Applies records in one of the ways that there are; false if they are refused.
  private func apply(
    _ records: [JSONValue], _ form: Form, _ mapper: Mapper, _ known: [String: Entity]
  ) throws -> Bool {
    do {
      if records.count > 1 {
        try mapper.importList(records, with: form.recipe, policy: .allOrNothing)
      } else if let entity = records[0]["name"]?.string.flatMap({ known[$0] }) {
        try mapper.update(entity, with: form.recipe, from: records[0])
      } else {
        try mapper.make(form.recipe, from: records[0])
      }
      return true
    } catch let error as RecipeError {
      expectEqual(error.reason, .cycle)
    } catch let error as ImportError {
      expectEqual(error.failures.map(\.error.reason), [.cycle])
    }
    return false
  }

  private func compare(_ form: Form, _ seed: UInt64) throws {
    var generator = Generator(
      random: SplitMix64(seed: seed), nameCount: 3 + Int(seed % 5))
    let context = Context()
    let mapper = Mapper(context)
    var model = Model()
    var program: [String] = []
    for _ in 0..<12 {
      let isInside = generator.random.oneIn(3)
      // An entity that is destroyed with another one is there until an iteration ends.
      let stepCount = isInside && !form.isOwned ? 1 + generator.random.below(3) : 1
      let steps = (0..<stepCount).map { _ in
        (0..<(1 + generator.random.below(3))).map { _ in generator.record(form) }
      }
      program.append("\(isInside ? "inside: " : "")\(steps)")
      var wanted: [Bool] = []
      var found: [Bool] = []
      for records in steps { wanted.append(model.apply(records, form)) }
      let known = Dictionary(
        uniqueKeysWithValues: context.group(Tag.matcher).map { ($0.get(Tag.self)?.name ?? "", $0) })
      if isInside {
        let visited = context.createEntity(with: User())
        try context.group(User.matcher).withEach { (_: Entity, _: inout User) in
          for records in steps { found.append(try apply(records, form, mapper, known)) }
        }
        visited.destroy()
      } else {
        for records in steps { found.append(try apply(records, form, mapper, known)) }
      }
      var parents: [String: String] = [:]
      var names: Set<String> = []
      for entity in context.group(Tag.matcher) {
        let name = entity.get(Tag.self)?.name ?? ""
        names.insert(name)
        parents[name] = form.parent(entity)?.get(Tag.self)?.name
      }
      guard found == wanted, parents == model.parents, names == model.names,
        context.count == names.count
      else {
        Issue.record(
          """
          seed \(seed), \(form.sides.map(\.key)) \(form.sides[0].isKey)
          \(program.joined(separator: "\n"))
          \(found) not \(wanted), \(parents) not \(model.parents), \(names) not \(model.names)
          """)
        return
      }
    }
  }

  private func compareAll(_ forms: [Form]) throws {
    for form in forms {
      for seed in Effort.seeds() { try compare(form, seed) }
    }
  }

  @Test func `Records come to the parents that a dictionary has, or are refused`() throws {
    try compareAll(try Form.all(of: Inside.self))
  }

  @Test func `A hierarchy is one where only a relation is asked for`() throws {
    func links<R: Relation>(_ relation: R.Type) -> [RecipeLink] {
      [.targets(of: relation), .sources(of: relation)]
    }
    let mapper = Mapper(Context())
    let recipe = try Recipe("tag") {
      Identity(\Tag.name)
      Fields(of: Tag()) { Field(\.name, at: "name") }
      Nested.itself(oneAt: "in", as: .key, through: links(Inside.self)[0])
      Nested.itself(manyAt: "has", as: .key, through: links(Inside.self)[1])
    }
    for record: JSONValue in [["name": "a", "in": "a"], ["name": "a", "has": ["a"]]] {
      let path = try JSONPath(record["in"] == nil ? "has" : "in")
      #expect(throws: RecipeError(recipe: "tag", path: path, reason: .cycle)) {
        try mapper.make(recipe, from: record)
      }
    }
    expectEqual(mapper.context.count, 0)
  }

  @Test func `Those that have room for one child come to the parents that a dictionary has`() throws
  {
    try compareAll(try Form.all(of: Before.self))
  }

  @Test func `Parts of parts end when nobody has them any more`() throws {
    try compareAll(try Form.all(of: PartOf.self, isOwned: true))
  }
}
