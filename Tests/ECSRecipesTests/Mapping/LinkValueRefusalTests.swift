import ECS
import ECSRecipes
import ECSTestSupport
import Testing

/// What recipes refuse about links that have values, and what they say about these.
@Suite struct LinkValueRefusalTests {
  let context = Context()
  let mapper: Mapper

  init() { mapper = Mapper(context) }

  private func error(_ body: () throws -> Void) -> RecipeError? {
    do { try body() } catch { return error as? RecipeError }
    return nil
  }

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
    expectEqual(refused(["user": bob]), "members[1].role: a value is missing")
    expectEqual(
      refused(["user": bob, "role": 3]), "members[1].role: expected string, found number")
    expectEqual(
      refused(["user": bob, "role": .null]), "members[1].role: expected string, found null")
    expectEqual(refused(["role": "admin"]), "members[1].user: a value is missing")
    expectEqual(
      refused(["role": "admin", "user": 7])?.hasPrefix("members[1].user: expected object"), true)
    expectEqual(
      refused(["role": "admin", "user": ["id": "x"]]),
      "members[1].user.id: expected integer, found string")
    expectEqual(refused(.null), "members[1]: expected object, found null")
    expectEqual(refused(7), "members[1]: expected object, found number")
    try expectEqual(mapper.decompose(team, with: recipe), before)
    expectEqual(context.group(UserID.matcher).count, 0)
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
    expectEqual(failure?.reason, .missing)
    expectEqual(failure?.path.description, "owners[0].percent")
    expectEqual(context.group(Team.matcher).count, 0)
    let team = try mapper.make(try teams(default: Percent(value: 5)), from: data)
    expectEqual(team.targets(OwnedBy.self).links().map(\.value.value), [5])
    try mapper.update(team, with: strict, from: ["owners": [["id": 7, "percent": 6]]])
    try mapper.update(team, with: strict, from: data)
    expectEqual(team.targets(OwnedBy.self).links().map(\.value.value), [6])
    let null = error {
      try mapper.update(team, with: strict, from: ["owners": [["id": 7, "percent": .null]]])
    }
    expectEqual(null?.reason, .typeMismatch(expected: "integer", found: .null))
    expectEqual(null?.path.description, "owners[0].percent")
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
    expectEqual(error { try mapper.make(beside, from: data) }?.path.description, "members[0].x")
    let strictUsers = try Recipe("user", unknownKeys: .refuse) {
      Identity(\UserID.value, at: "id", of: UserID(value: 0))
    }
    let mixed = try Teams.team(
      Nested(
        many: strictUsers, at: "members",
        through: .sources(of: MemberOf.self, values: Teams.membership())))
    try mapper.make(mixed, from: ["name": "Core", "members": [["id": 7, "role": "admin"]]])
    let odd: JSONValue = ["name": "Core", "members": [["id": 7, "role": "admin", "x": 1]]]
    expectEqual(error { try mapper.make(mixed, from: odd) }?.reason, .unknownKey)
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
    expectEqual(key?.reason, .valuesInKey("sources of MemberOf"))
    let clash = reason(
      Nested(
        many: users, at: "members",
        through: .sources(
          of: MemberOf.self,
          values: Fields(of: Membership()) { Field(\.role, at: "name", as: .rawValue) })))
    expectEqual(clash?.reason, .pathMappedTwice)
    expectEqual(clash?.path, "members.name")
    let below = reason(
      Nested(
        many: users, at: "members",
        through: .sources(
          of: MemberOf.self, at: "role",
          values: Fields(of: Membership()) { Field(\.role, at: "role.name", as: .rawValue) })))
    expectEqual(below?.path, "members.role")
  }

  @Test func `a relation with values needs to be told how data has them`() async {
    await #expect(processExitsWith: .failure) {
      _ = RecipeLink.targets(of: MemberOf.self)
    }
  }

  // MARK: Reading recipes

  @Test func `recipes say how values are mapped, and differ by it`() throws {
    let (beside, byKey) = (try Teams.beside(), try Teams.byKey())
    expectEqual(
      "\(byKey)",
      """
      recipe team
        name: Team.name, string, identity
        memberships: many user as key at userId, sources of MemberOf
          role: Membership.role, string, required
          since: Membership.since, integer, optional
      """)
    expectNotEqual(beside, byKey)
    try expectEqual(Teams.byKey(), byKey)
    let relation = try #require(byKey.relations.first)
    expectEqual(relation.entityPath?.description, "userId")
    expectEqual(relation.values?.fields.map(\.name), ["Membership.role", "Membership.since"])
    expectEqual(relation.entityData(in: ["userId": 7, "role": "x"]), 7)
  }

  @Test func `entities that are only named in links are not reported as absent`() throws {
    let recipe = try Teams.byKey()
    try mapper.make(
      recipe, from: ["name": "Core", "memberships": [["userId": 7, "role": "admin"]]])
    let group = context.group(UserID.matcher)
    let report = try mapper.importList(
      [["name": "Core", "memberships": [["userId": 7, "role": 1]]]], with: recipe,
      absentFrom: group)
    expectEqual(report.refused, 1)
    expectEqual(report.absent?.isEmpty, true)
  }

  @Test func `a required field has to be there, whatever new links start from`() throws {
    let recipe = try Teams.team(
      Nested(
        many: try Catalog.users(), at: "memberships", as: .key,
        through: .sources(
          of: MemberOf.self, at: "userId", values: Teams.membership(),
          default: Membership(role: .guest, since: 1999))))
    func made(_ link: JSONValue) throws -> [Membership] {
      let team = try mapper.make(recipe, from: ["name": "Core", "memberships": [link]])
      return team.sources(MemberOf.self).links().map(\.value)
    }
    for link in [["userId": 7], ["userId": 7, "since": 3]] as [JSONValue] {
      let error = error { _ = try made(link) }
      expectTrue(error?.reason == .missing && error?.path.description == "memberships[0].role")
    }
    expectEqual(context.count, 0)
    try expectEqual(made(["userId": 7, "role": "admin"]), [Membership(role: .admin, since: 1999)])
  }

  @Test func `links with values nest as deeply as others, on a small stack`() throws {
    let teams = try Recipe("team") {
      Fields(of: Team()) { Field(\.name, at: "name") }
      Nested.itself(
        manyAt: "parts",
        through: .sources(
          of: BelowTeam.self, at: "team",
          values: Fields(of: Percent()) { Field(\.value, at: "share") }))
    }
    @Sendable func nested(_ depth: Int) -> JSONValue {
      var data: JSONValue = ["name": "end", "parts": []]
      for _ in 0..<depth { data = ["name": "x", "parts": [["team": data, "share": 7]]] }
      return data
    }
    let mapper = mapper
    let isSame = try onSmallStack { () -> Bool in
      let data = nested(Recipe.maximumNesting)
      return try mapper.decompose(try mapper.make(teams, from: data), with: teams) == data
    }
    expectTrue(isSame)
    let failure = try onSmallStack { () -> RecipeError? in
      do throws(RecipeError) {
        try mapper.make(teams, from: nested(Recipe.maximumNesting + 1))
        return nil
      } catch {
        return error
      }
    }
    expectEqual(failure?.reason, .tooDeep)
  }
}
