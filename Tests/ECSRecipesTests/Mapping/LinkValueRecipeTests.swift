import ECS
import ECSRecipes
import ECSTestSupport
import Testing

struct Membership: Component, Codable, Equatable {
  enum Role: String, Codable { case guest, member, admin }

  var role = Role.member
  var since: Int?
}

struct Team: Component { var name = "" }

struct Percent: Component, Equatable { var value = 0 }

enum MemberOf: Relation { typealias Value = Membership }
enum LedBy: ToOneRelation { typealias Value = Membership }
enum OwnedBy: Relation {
  typealias Value = Percent
  static let deleteRule = DeleteRule.cascade
}
enum BelowTeam: Hierarchy { typealias Value = Percent }

/// Recipes of teams, whose members are nested in different ways.
enum Teams {
  static func membership() -> Fields<Membership> {
    Fields(of: Membership()) {
      Field(\.role, at: "role", as: .rawValue).required()
      Field(\.since, at: "since")
    }
  }

  static func team(
    unknownKeys: Recipe.UnknownKeys = .ignore, _ nested: Nested
  ) throws -> Recipe {
    try Recipe("team", unknownKeys: unknownKeys) {
      Identity(\Team.name, at: "name", of: Team())
      nested
    }
  }

  // {"user": {…}, "role": …}
  static func beside() throws -> Recipe {
    try team(
      Nested(
        many: try Catalog.users(), at: "members",
        through: .sources(of: MemberOf.self, at: "user", values: membership())))
  }

  // {"userId": 7, "role": …}
  static func byKey() throws -> Recipe {
    try team(
      Nested(
        many: try Catalog.users(), at: "memberships", as: .key,
        through: .sources(of: MemberOf.self, at: "userId", values: membership())))
  }

  // {"id": 7, "name": …, "role": …}
  static func mixed() throws -> Recipe {
    try team(
      Nested(
        many: try Catalog.users(), at: "members",
        through: .sources(of: MemberOf.self, values: membership())))
  }
}

@Suite struct LinkValueRecipeTests {
  let context = Context()
  let mapper: Mapper

  init() { mapper = Mapper(context) }

  private func user(_ id: Int) throws -> Entity {
    try #require(try mapper.entity(withKey: .number(JSONNumber(id)), of: try Catalog.users()))
  }

  private func members(_ team: Entity) -> [String] {
    team.sources(MemberOf.self).links().map {
      "\($0.source.get(UserID.self)?.value ?? -1) \($0.value.role) \($0.value.since ?? 0)"
    }
  }

  private func error(_ body: () throws -> Void) -> RecipeError? {
    do { try body() } catch { return error as? RecipeError }
    return nil
  }

  // MARK: Forms

  @Test func `values stand beside the object of the entity`() throws {
    let recipe = try Teams.beside()
    let data = try JSONValue(
      json: """
        {"name":"Core","members":[
          {"role":"admin","since":2021,"user":{"id":7,"name":"Ada"}},
          {"role":"guest","user":{"id":8,"name":"Bob"}}]}
        """)
    let team = try mapper.make(recipe, from: data)
    #expect(members(team) == ["7 admin 2021", "8 guest 0"])
    let written = try mapper.decompose(team, with: recipe)
    #expect(
      written.json() == """
        {"name":"Core","members":[{"user":{"id":7,"name":"Ada","contact":{"emails":[null]},"score":0.5},\
        "role":"admin","since":2021},{"user":{"id":8,"name":"Bob","contact":{"emails":[null]},\
        "score":0.5},"role":"guest","since":null}]}
        """)
    #expect(try mapper.update(team, with: recipe, from: written) == .unchanged)
  }

  @Test func `values stand beside the key of the entity`() throws {
    let recipe = try Teams.byKey()
    try mapper.make(try Catalog.users(), from: ["id": 7, "name": "Ada"])
    let data: JSONValue = ["name": "Core", "memberships": [["userId": 7, "role": "admin"]]]
    let team = try mapper.make(recipe, from: data)
    #expect(members(team) == ["7 admin 0"])
    #expect(
      try mapper.decompose(team, with: recipe)
        == ["name": "Core", "memberships": [["userId": 7, "role": "admin", "since": .null]]])
  }

  @Test func `values stand in the object of the entity`() throws {
    let recipe = try Teams.mixed()
    let data: JSONValue = [
      "name": "Core", "members": [["id": 7, "name": "Ada", "role": "admin", "since": 3]],
    ]
    let team = try mapper.make(recipe, from: data)
    #expect(members(team) == ["7 admin 3"])
    let written = try mapper.decompose(team, with: recipe)
    #expect(
      written.json() == """
        {"name":"Core","members":[{"id":7,"name":"Ada","contact":{"emails":[null]},"score":0.5,\
        "role":"admin","since":3}]}
        """)
    #expect(try mapper.update(team, with: recipe, from: written) == .unchanged)
  }

  @Test func `data without values gives new links a default and leaves others`() throws {
    let recipe = try Teams.team(
      Nested(
        many: try Catalog.users(), at: "ids", as: .key,
        through: .sources(of: MemberOf.self, default: Membership(role: .guest))))
    let team = try mapper.make(recipe, from: ["name": "Core", "ids": [7]])
    try user(7).relate(MemberOf.self, to: team, Membership(role: .admin))
    try mapper.update(team, with: recipe, from: ["ids": [8, 7]])
    #expect(members(team) == ["8 guest 0", "7 admin 0"])
    #expect(try mapper.decompose(team, with: recipe) == ["name": "Core", "ids": [8, 7]])
  }

  @Test func `targets are nested as sources are, and one as many`() throws {
    let teams = try Recipe("team") { Identity(\Team.name, at: "name", of: Team()) }
    let users = try Catalog.users().adding {
      Nested(
        many: teams, at: "teams", as: .key,
        through: .targets(of: MemberOf.self, at: "team", values: Teams.membership()))
      Nested(
        one: teams, at: "lead", as: .key,
        through: .targets(of: LedBy.self, at: "team", values: AutomaticFields(of: Membership())))
    }
    let ada = try mapper.make(
      users,
      from: [
        "id": 7, "name": "Ada",
        "teams": [["team": "A", "role": "admin"], ["team": "B", "role": "guest"]],
        "lead": ["team": "C", "role": "guest", "since": 4],
      ])
    #expect(ada.targets(MemberOf.self).links().map(\.value.role) == [.admin, .guest])
    #expect(ada.value(of: LedBy.self) == Membership(role: .guest, since: 4))
    try mapper.update(ada, with: users, from: ["lead": ["team": "D"]])
    #expect(ada.value(of: LedBy.self) == Membership())
    let written = try mapper.decompose(ada, with: users)
    #expect(written["lead"] == ["team": "D", "role": "member", "since": .null])
    #expect(try mapper.update(ada, with: users, from: written) == .unchanged)
    try mapper.update(ada, with: users, from: ["lead": .null])
    #expect(ada.target(LedBy.self) == nil)
  }

  // MARK: Changes

  @Test func `only values that differ are replaced, and links that stay are not made anew`() throws
  {
    let recipe = try Teams.byKey()
    let team = try mapper.make(
      recipe,
      from: [
        "name": "Core",
        "memberships": [
          ["userId": 7, "role": "admin", "since": 1], ["userId": 8, "role": "guest"],
          ["userId": 9, "role": "guest"],
        ],
      ])
    let told = Recorder<String>()
    let subscription = context.journal().observe { commit in
      for change in commit where change.relation != nil { told.append("\(change.kind)") }
    }
    let changed = try mapper.apply(
      [
        "memberships": [
          ["userId": 9, "role": "guest"], ["userId": 7, "role": "member"],
          ["userId": 6, "role": "admin"],
        ]
      ], to: team, with: recipe)
    #expect(members(team) == ["9 guest 0", "7 member 1", "6 admin 0"])
    let kinds = told.take()
    for kind in ["linked", "unlinked", "linkUpdated"] {
      #expect(kinds.filter { $0 == kind }.count == 1)
    }
    withExtendedLifetime(subscription) {}
    #expect(
      changed.changes.map(\.path.description) == ["memberships", "memberships[1].role", "id"])
    #expect(changed.changes[1].old == "admin" && changed.changes[1].new == "member")
  }

  @Test func `what the data says of a link already changes it, and is told before`() throws {
    let recipe = try Teams.byKey()
    let team = try mapper.make(
      recipe, from: ["name": "Core", "memberships": [["userId": 7, "role": "admin", "since": 1]]])
    let same: JSONValue = ["memberships": [["userId": 7]]]
    #expect(try !mapper.wouldChange(team, with: recipe, from: same))
    #expect(try mapper.update(team, with: recipe, from: same) == .unchanged)
    let other: JSONValue = ["memberships": [["userId": 7, "since": .null]]]
    #expect(try mapper.wouldChange(team, with: recipe, from: other))
    #expect(
      try mapper.differences(team, with: recipe, from: other).map(\.description)
        == ["memberships[0].since: 1 -> null"])
    #expect(try mapper.update(team, with: recipe, from: other) == .updated)
    #expect(members(team) == ["7 admin 0"])
    #expect(try mapper.update(team, with: recipe, from: other) == .unchanged)
  }

  @Test func `what is said twice about a link is joined`() throws {
    let recipe = try Teams.byKey()
    let report = try mapper.importList(
      [
        ["name": "Core", "memberships": [["userId": 7, "role": "admin"]]],
        ["name": "Core", "memberships": [["userId": 7, "since": 5], ["userId": 7, "since": 6]]],
      ], with: recipe, policy: .allOrNothing)
    let team = try #require(report.entities.first ?? nil)
    #expect(members(team) == ["7 admin 6"])
  }

  @Test func `both sides of a relation may say something about one link`() throws {
    let teams = try Teams.byKey()
    let users = try Recipe("member") {
      Identity(\UserID.value, at: "id", of: UserID(value: 0))
      Nested(
        many: teams, at: "teams",
        through: .targets(
          of: MemberOf.self, at: "team",
          values: Fields(of: Membership()) { Field(\.since, at: "since") }))
    }
    let ada = try mapper.make(
      users,
      from: [
        "id": 7,
        "teams": [
          ["since": 9, "team": ["name": "Core", "memberships": [["userId": 7, "role": "admin"]]]]
        ],
      ])
    #expect(ada.targets(MemberOf.self).links().map(\.value) == [Membership(role: .admin, since: 9)])
  }

  @Test func `parts of an owner have values, and end when data leaves them out`() throws {
    let parts = try Recipe("part") { Identity(\Tag.name, at: "name", of: Tag()) }
    let recipe = try Teams.team(
      Nested(
        many: parts, at: "parts",
        through: .sources(
          of: OwnedBy.self,
          values: Fields(of: Percent()) { Field(\.value, at: "percent") })
      ).owned())
    let team = try mapper.make(
      recipe,
      from: [
        "name": "Core", "parts": [["name": "a", "percent": 30], ["name": "b", "percent": 70]],
      ])
    let a = try #require(team.sources(OwnedBy.self).first)
    try mapper.update(team, with: recipe, from: ["parts": [["name": "b", "percent": 100]]])
    #expect(!a.isAlive)
    #expect(team.sources(OwnedBy.self).links().map(\.value.value) == [100])
  }

  @Test func `children of a hierarchy have values, and a cycle is refused`() throws {
    let percent = Fields(of: Percent()) { Field(\.value, at: "percent") }
    let recipe = try Recipe("team") {
      Identity(\Team.name, at: "name", of: Team())
      Nested.itself(
        manyAt: "teams", through: .sources(of: BelowTeam.self, at: "team", values: percent))
    }
    let data: JSONValue = [
      "name": "a",
      "teams": [
        [
          "team": ["name": "b", "teams": [["team": ["name": "c", "teams": []], "percent": 5]]],
          "percent": 4,
        ]
      ],
    ]
    let a = try mapper.make(recipe, from: data)
    #expect(try mapper.decompose(a, with: recipe) == data)
    let b = try #require(a.sources(BelowTeam.self).first)
    let c = try #require(b.sources(BelowTeam.self).first)
    let failure = error {
      try mapper.update(c, with: recipe, from: ["teams": [["team": ["name": "a"]]]])
    }
    #expect(failure?.reason == .cycle)
    try mapper.update(a, with: recipe, from: ["teams": [["team": ["name": "c"], "percent": 6]]])
    #expect(a.sources(BelowTeam.self).links().map(\.value.value) == [6])
    #expect(b.target(BelowTeam.self) == nil && b.sources(BelowTeam.self).isEmpty)
  }

  @Test func `inside an iteration links wait with their values`() throws {
    let recipe = try Teams.byKey()
    let team = try mapper.make(
      recipe, from: ["name": "Core", "memberships": [["userId": 7, "role": "admin"]]])
    context.group(Team.matcher).withEach { (_, _: Team) in
      do {
        try mapper.update(team, with: recipe, from: ["memberships": []])
        try mapper.update(
          team, with: recipe,
          from: ["memberships": [["userId": 7, "role": "guest"], ["userId": 8, "role": "guest"]]])
      } catch {
        Issue.record(error)
      }
    }
    #expect(members(team).map { $0.prefix(1) } == ["7", "8"])
  }

  // MARK: Errors

  @Test func `errors have the path of the value, and change nothing`() throws {
    let recipe = try Teams.beside()
    let team = try mapper.make(recipe, from: ["name": "Core"])
    let before = try mapper.decompose(team, with: recipe)
    func refused(_ link: JSONValue) -> String? {
      let data: JSONValue = [
        "name": "Core",
        "members": [["role": "admin", "user": ["id": 7, "name": "Ada"]], link],
      ]
      return error { try mapper.make(recipe, from: data) }.map { "\($0.path): \($0.reason)" }
    }
    let bob: JSONValue = ["id": 8, "name": "Bob"]
    #expect(refused(["user": bob]) == "members[1].role: a value is missing")
    #expect(
      refused(["user": bob, "role": 3]) == "members[1].role: expected string, found number")
    #expect(
      refused(["user": bob, "role": .null]) == "members[1].role: expected string, found null")
    #expect(refused(["role": "admin"]) == "members[1].user: a value is missing")
    #expect(
      refused(["role": "admin", "user": 7])?.hasPrefix("members[1].user: expected object") == true)
    #expect(
      refused(["role": "admin", "user": ["id": "x"]])
        == "members[1].user.id: expected integer, found string")
    #expect(refused(.null) == "members[1]: expected object, found null")
    #expect(refused(7) == "members[1]: expected object, found number")
    #expect(try mapper.decompose(team, with: recipe) == before)
    #expect(context.group(UserID.matcher).count == 0)
  }

  @Test func `a whole value without a default has to be there`() throws {
    func teams(default value: Percent?) throws -> Recipe {
      let percent = Int.transformer.then("percent") {
        Percent(value: $0)
      } encode: {
        $0.value
      }
      return try Teams.team(
        Nested(
          many: try Catalog.users(), at: "owners", as: .key,
          through: .targets(
            of: OwnedBy.self, at: "id", values: Whole(Percent.self, at: "percent", as: percent),
            default: value)))
    }
    let data: JSONValue = ["name": "Core", "owners": [["id": 7]]]
    let strict = try teams(default: nil)
    let failure = error { try mapper.make(strict, from: data) }
    #expect(failure?.reason == .missing)
    #expect(failure?.path.description == "owners[0].percent")
    #expect(context.group(Team.matcher).count == 0)
    let team = try mapper.make(try teams(default: Percent(value: 5)), from: data)
    #expect(team.targets(OwnedBy.self).links().map(\.value.value) == [5])
    try mapper.update(team, with: strict, from: ["owners": [["id": 7, "percent": 6]]])
    try mapper.update(team, with: strict, from: data)
    #expect(team.targets(OwnedBy.self).links().map(\.value.value) == [6])
    let null = error {
      try mapper.update(team, with: strict, from: ["owners": [["id": 7, "percent": .null]]])
    }
    #expect(null?.reason == .typeMismatch(expected: "integer", found: .null))
    #expect(null?.path.description == "owners[0].percent")
  }

  @Test func `unknown keys of links are refused where others are`() throws {
    let beside = try Teams.team(
      unknownKeys: .refuse,
      Nested(
        many: try Catalog.users(), at: "members",
        through: .sources(of: MemberOf.self, at: "user", values: Teams.membership())))
    let data: JSONValue = [
      "name": "Core", "members": [["role": "admin", "user": ["id": 7, "name": "A"], "x": 1]],
    ]
    #expect(error { try mapper.make(beside, from: data) }?.path.description == "members[0].x")
    let strictUsers = try Recipe("user", unknownKeys: .refuse) {
      Identity(\UserID.value, at: "id", of: UserID(value: 0))
    }
    let mixed = try Teams.team(
      Nested(
        many: strictUsers, at: "members",
        through: .sources(of: MemberOf.self, values: Teams.membership())))
    try mapper.make(mixed, from: ["name": "Core", "members": [["id": 7, "role": "admin"]]])
    let odd: JSONValue = ["name": "Core", "members": [["id": 7, "role": "admin", "x": 1]]]
    #expect(error { try mapper.make(mixed, from: odd) }?.reason == .unknownKey)
  }

  @Test func `definitions that can't hold are refused`() throws {
    func reason(_ nested: Nested) -> RecipeDefinitionError? {
      do { _ = try Teams.team(nested) } catch { return error as? RecipeDefinitionError }
      return nil
    }
    let users = try Catalog.users()
    let key = reason(
      Nested(
        many: users, at: "ids", as: .key,
        through: .sources(of: MemberOf.self, values: Teams.membership())))
    #expect(key?.reason == .valuesInKey("sources of MemberOf"))
    let clash = reason(
      Nested(
        many: users, at: "members",
        through: .sources(
          of: MemberOf.self,
          values: Fields(of: Membership()) { Field(\.role, at: "name", as: .rawValue) })))
    #expect(clash?.reason == .pathMappedTwice)
    #expect(clash?.path == "members.name")
    let below = reason(
      Nested(
        many: users, at: "members",
        through: .sources(
          of: MemberOf.self, at: "role",
          values: Fields(of: Membership()) { Field(\.role, at: "role.name", as: .rawValue) })))
    #expect(below?.path == "members.role")
  }

  @Test func `a relation with values needs to be told how data has them`() async {
    await #expect(processExitsWith: .failure) {
      _ = RecipeLink.targets(of: MemberOf.self)
    }
  }

  // MARK: Reading recipes

  @Test func `recipes say how values are mapped, and differ by it`() throws {
    let (beside, byKey) = (try Teams.beside(), try Teams.byKey())
    #expect(
      "\(byKey)" == """
        recipe team
          name: Team.name, string, identity
          memberships: many user as key at userId, sources of MemberOf
            role: Membership.role, string, required
            since: Membership.since, integer, optional
        """)
    #expect(beside != byKey)
    #expect(try Teams.byKey() == byKey)
    let relation = try #require(byKey.relations.first)
    #expect(relation.entityPath?.description == "userId")
    #expect(relation.values?.fields.map(\.name) == ["Membership.role", "Membership.since"])
    #expect(relation.entityData(in: ["userId": 7, "role": "x"]) == 7)
  }

  @Test func `entities that are only named in links are not reported as absent`() throws {
    let recipe = try Teams.byKey()
    try mapper.make(
      recipe, from: ["name": "Core", "memberships": [["userId": 7, "role": "admin"]]])
    let group = context.group(UserID.matcher)
    let report = try mapper.importList(
      [["name": "Core", "memberships": [["userId": 7, "role": 1]]]], with: recipe,
      absentFrom: group)
    #expect(report.refused == 1)
    #expect(report.absent?.isEmpty == true)
  }
}
