import ECS
import ECSRecipes
import ECSTestSupport
import Foundation
import Testing

private struct Open: Component {}

/// What recipes make of links that have values, and of these.
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
    expectEqual(members(team), ["7 admin 2021", "8 guest 0"])
    let written = try mapper.decompose(team, with: recipe)
    expectEqual(
      written.json(),
      """
      {"name":"Core","members":[{"user":{"id":7,"name":"Ada","contact":{"emails":[null]},"score":0.5},\
      "role":"admin","since":2021},{"user":{"id":8,"name":"Bob","contact":{"emails":[null]},\
      "score":0.5},"role":"guest","since":null}]}
      """)
    try expectEqual(mapper.update(team, with: recipe, from: written), .unchanged)
  }

  @Test func `values stand beside the key of the entity`() throws {
    let recipe = try Teams.byKey()
    try mapper.make(try Catalog.users(), from: ["id": 7, "name": "Ada"])
    let data: JSONValue = ["name": "Core", "memberships": [["userId": 7, "role": "admin"]]]
    let team = try mapper.make(recipe, from: data)
    expectEqual(members(team), ["7 admin 0"])
    try expectEqual(
      mapper.decompose(team, with: recipe),
      ["name": "Core", "memberships": [["userId": 7, "role": "admin", "since": .null]]])
  }

  @Test func `values stand in the object of the entity`() throws {
    let recipe = try Teams.mixed()
    let data: JSONValue = [
      "name": "Core", "members": [["id": 7, "name": "Ada", "role": "admin", "since": 3]],
    ]
    let team = try mapper.make(recipe, from: data)
    expectEqual(members(team), ["7 admin 3"])
    let written = try mapper.decompose(team, with: recipe)
    expectEqual(
      written.json(),
      """
      {"name":"Core","members":[{"id":7,"name":"Ada","contact":{"emails":[null]},"score":0.5,\
      "role":"admin","since":3}]}
      """)
    try expectEqual(mapper.update(team, with: recipe, from: written), .unchanged)
  }

  @Test func `data without values gives new links a default and leaves others`() throws {
    let recipe = try Teams.team(
      Nested(
        many: try Catalog.users(), at: "ids", as: .key,
        through: .sources(of: MemberOf.self, default: Membership(role: .guest))))
    let team = try mapper.make(recipe, from: ["name": "Core", "ids": [7]])
    try user(7).relate(MemberOf.self, to: team, Membership(role: .admin))
    try mapper.update(team, with: recipe, from: ["ids": [8, 7]])
    expectEqual(members(team), ["8 guest 0", "7 admin 0"])
    try expectEqual(mapper.decompose(team, with: recipe), ["name": "Core", "ids": [8, 7]])
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
    expectEqual(ada.targets(MemberOf.self).links().map(\.value.role), [.admin, .guest])
    expectEqual(ada.value(of: LedBy.self), Membership(role: .guest, since: 4))
    try mapper.update(ada, with: users, from: ["lead": ["team": "D"]])
    expectEqual(ada.value(of: LedBy.self), Membership())
    let written = try mapper.decompose(ada, with: users)
    expectEqual(written["lead"], ["team": "D", "role": "member", "since": .null])
    try expectEqual(mapper.update(ada, with: users, from: written), .unchanged)
    try mapper.update(ada, with: users, from: ["lead": .null])
    expectNil(ada.target(LedBy.self))
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
    expectEqual(members(team), ["9 guest 0", "7 member 1", "6 admin 0"])
    let kinds = told.take()
    for kind in ["linked", "unlinked", "linkUpdated"] {
      expectEqual(kinds.filter { $0 == kind }.count, 1)
    }
    withExtendedLifetime(subscription) {}
    expectEqual(
      changed.changes.map(\.path.description), ["memberships", "memberships[1].role", "id"])
    expectTrue(changed.changes[1].old == "admin" && changed.changes[1].new == "member")
  }

  @Test func `what the data says of a link already changes it, and is told before`() throws {
    let recipe = try Teams.byKey()
    let team = try mapper.make(
      recipe, from: ["name": "Core", "memberships": [["userId": 7, "role": "admin", "since": 1]]])
    let same: JSONValue = ["memberships": [["userId": 7]]]
    try expectFalse(mapper.wouldChange(team, with: recipe, from: same))
    try expectEqual(mapper.update(team, with: recipe, from: same), .unchanged)
    let other: JSONValue = ["memberships": [["userId": 7, "since": .null]]]
    try expectTrue(mapper.wouldChange(team, with: recipe, from: other))
    try expectEqual(
      mapper.differences(team, with: recipe, from: other).map(\.description),
      ["memberships[0].since: 1 -> null"])
    try expectEqual(mapper.update(team, with: recipe, from: other), .updated)
    expectEqual(members(team), ["7 admin 0"])
    try expectEqual(mapper.update(team, with: recipe, from: other), .unchanged)
  }

  @Test func `what is said twice about a link is joined`() throws {
    let recipe = try Teams.byKey()
    let report = try mapper.importList(
      [
        ["name": "Core", "memberships": [["userId": 7, "role": "admin"]]],
        ["name": "Core", "memberships": [["userId": 7, "since": 5], ["userId": 7, "since": 6]]],
      ], with: recipe, policy: .allOrNothing)
    let team = try #require(report.entities.first ?? nil)
    expectEqual(members(team), ["7 admin 6"])
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
    expectEqual(
      ada.targets(MemberOf.self).links().map(\.value), [Membership(role: .admin, since: 9)])
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
    expectFalse(a.isAlive)
    expectEqual(team.sources(OwnedBy.self).links().map(\.value.value), [100])
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
    try expectEqual(mapper.decompose(a, with: recipe), data)
    let b = try #require(a.sources(BelowTeam.self).first)
    let c = try #require(b.sources(BelowTeam.self).first)
    let failure = error {
      try mapper.update(c, with: recipe, from: ["teams": [["team": ["name": "a"]]]])
    }
    expectEqual(failure?.reason, .cycle)
    try mapper.update(a, with: recipe, from: ["teams": [["team": ["name": "c"], "percent": 6]]])
    expectEqual(a.sources(BelowTeam.self).links().map(\.value.value), [6])
    expectTrue(b.target(BelowTeam.self) == nil && b.sources(BelowTeam.self).isEmpty)
  }

  @Test func `a recipe that nests itself has values among its own fields`() throws {
    let recipe = try Recipe("team", unknownKeys: .refuse) {
      Identity(\Team.name, at: "name", of: Team())
      Flag(Open(), at: "isOpen")
      Fields(of: Point(), presentAt: "spot") { Field(\.x, at: "x") }
      Nested.itself(
        manyAt: "teams",
        through: .sources(
          of: BelowTeam.self,
          values: Fields(of: Percent(), presentAt: "share.of") { Field(\.value, at: "percent") }))
    }
    let data: JSONValue = [
      "name": "a", "isOpen": false, "spot": .null,
      "teams": [
        [
          "name": "b", "isOpen": true, "spot": ["x": 3], "share": ["of": ["percent": 4]],
          "teams": [
            [
              "name": "c", "isOpen": false, "spot": .null, "teams": [],
              "share": ["of": ["percent": 5]],
            ]
          ],
        ]
      ],
    ]
    let a = try mapper.make(recipe, from: data)
    try expectEqual(mapper.decompose(a, with: recipe), data)
    try expectEqual(mapper.update(a, with: recipe, from: data), .unchanged)
    let gone = error {
      try mapper.update(a, with: recipe, from: ["teams": [["name": "b", "share": ["of": .null]]]])
    }
    expectEqual(gone?.path.description, "teams[0].share.of")
    // The value of the outermost is that of no link.
    expectEqual(
      error { try mapper.make(recipe, from: ["name": "d", "share": [:]]) }?.reason, .unknownKey)
    try mapper.update(a, with: recipe, from: ["teams": [["name": "d"], ["name": "b"]]])
    expectEqual(a.sources(BelowTeam.self).links().map(\.value.value), [0, 4])
  }

  @Test func `links may be lists, and names are moved with the relation`() throws {
    let recipe = try Teams.team(
      Nested(
        many: try Catalog.tags(), at: "a.tags",
        through: .targets(
          of: OwnedBy.self, at: "[1]",
          values: Fields(of: Percent()) { Field(\.value, at: "[0]") })))
    let data: JSONValue = ["name": "Core", "a": ["tags": [[4, "x"], [5, "y"]]]]
    let team = try mapper.make(recipe, from: data)
    expectEqual(team.targets(OwnedBy.self).links().map(\.value.value), [4, 5])
    try expectEqual(mapper.decompose(team, with: recipe), data)
    let moved = try recipe.renaming(["a.tags": "tags"])
    try expectEqual(mapper.decompose(team, with: moved)["tags"], data["a"]?["tags"])
    try expectTrue(recipe.removing(at: "a.tags").relations.isEmpty)
    let failure = error {
      try mapper.update(team, with: moved, from: ["tags": [[4, "x"], ["y"]]])
    }
    expectEqual(failure?.path.description, "tags[1][1]")
  }

  @Test func `streams have links with values`() throws {
    let recipe = try Teams.mixed()
    let lines = """
      {"name":"a","members":[{"id":1,"name":"x","role":"admin"}]}
      {"name":"b","members":[{"id":1,"name":"x"}]}
      {"name":"c","members":[{"id":1,"role":"guest"},{"id":2,"name":"y","role":"member"}]}
      """
    let file = FileManager.default.temporaryDirectory.appending(path: "teams-\(UUID()).jsonl")
    try lines.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let report = try mapper.importFile(file, with: recipe)
    expectTrue(report.made == 2 && report.refused == 1)
    expectEqual(report.failures.first?.error.path.description, "members[0].role")
    let roles = try user(1).targets(MemberOf.self).links().map {
      "\($0.target.get(Team.self)?.name ?? "") \($0.value.role)"
    }
    expectEqual(roles, ["a admin", "c guest"])
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
    expectEqual(members(team).map { $0.prefix(1) }, ["7", "8"])
  }
}
