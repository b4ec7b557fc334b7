import ECS
import ECSRecipes
import ECSTestSupport
import Testing

/// Random data about teams and their members, on both sides of a relation with values, does what a
/// naive picture of it says; what is written is what was said, and writing it again changes
/// nothing.
@Suite struct RandomLinkValueTests {
  /// The members of each team, in their order, and the value of each link.
  private struct Picture: Equatable {
    struct Value: Equatable {
      var role = "member"
      var since: Int?
    }

    struct Link: Hashable {
      var team: Int
      var user: Int
    }

    var members: [[Int]] = Array(repeating: [], count: 3)
    var teams: [[Int]] = Array(repeating: [], count: 4)
    var values: [Link: Value] = [:]

    mutating func setMembers(_ users: [Int], of team: Int) {
      for user in members[team] where !users.contains(user) {
        teams[user].removeAll { $0 == team }
        values[Link(team: team, user: user)] = nil
      }
      for user in users where !members[team].contains(user) { teams[user].append(team) }
      members[team] = users
    }

    mutating func setTeams(_ wanted: [Int], of user: Int) {
      for team in teams[user] where !wanted.contains(team) {
        members[team].removeAll { $0 == user }
        values[Link(team: team, user: user)] = nil
      }
      for team in wanted where !teams[user].contains(team) { members[team].append(user) }
      teams[user] = wanted
    }
  }

  /// Something that data says about a link.
  private struct Said {
    var other: Int
    var role: String?
    var since: Int??

    var isComplete: Bool { role != nil }

    func json(_ key: String) -> JSONValue {
      var object: JSONObject = [key: .number(JSONNumber(other))]
      if let role { object["role"] = .string(role) }
      if let since { object["since"] = since.map { .number(JSONNumber($0)) } ?? .null }
      return .object(object)
    }

    func apply(to value: inout Picture.Value) {
      if let role { value.role = role }
      if let since { value.since = since }
    }
  }

  private func random(below count: Int, _ random: inout SeededGenerator) -> [Said] {
    var numbers = Array(0..<count)
    numbers.shuffle(using: &random)
    return numbers.prefix(Int.random(in: 0...count, using: &random)).map { number in
      Said(
        other: number,
        role: Bool.random(using: &random)
          ? ["guest", "member", "admin"].randomElement(using: &random) : nil,
        since: [nil, .some(nil), .some(Int.random(in: 0..<3, using: &random))]
          .randomElement(using: &random) ?? nil)
    }
  }

  private static func recipes(
    required: Bool
  ) throws -> (teams: Recipe, users: Recipe) {
    let values = Fields(of: Membership()) {
      required
        ? Field(\.role, at: "role", as: .rawValue).required()
        : Field(\.role, at: "role", as: .rawValue)
      Field(\.since, at: "since")
    }
    let (ids, users) = (
      try Recipe("t") { Identity(\ArticleID.value, at: "id", of: ArticleID(value: 0)) },
      try Recipe("u") { Identity(\UserID.value, at: "id", of: UserID(value: 0)) }
    )
    return (
      try ids.adding {
        Nested(
          many: users, at: "members", as: .key,
          through: .sources(of: MemberOf.self, at: "user", values: values))
      },
      try users.adding {
        Nested(
          many: ids, at: "teams",
          through: .targets(of: MemberOf.self, values: values))
      }
    )
  }

  @Test(arguments: 0..<UInt64(Effort.full(60, debug: 30)))
  func `random data does what a naive picture says`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let isRequired = seed % 2 == 0
    let (teams, users) = try Self.recipes(required: isRequired)
    let context = Context()
    let mapper = Mapper(context)
    var picture = Picture()
    var program: [String] = []
    for id in 0..<3 { try mapper.make(teams, from: ["id": .number(JSONNumber(id))]) }
    for id in 0..<4 { try mapper.make(users, from: ["id": .number(JSONNumber(id))]) }
    for _ in 0..<40 {
      let isTeam = Bool.random(using: &random)
      let owner = Int.random(in: 0..<(isTeam ? 3 : 4), using: &random)
      let said = self.random(below: isTeam ? 4 : 3, &random)
      let list = JSONValue.array(JSONArray(said.map { $0.json(isTeam ? "user" : "id") }))
      let data: JSONValue = ["id": .number(JSONNumber(owner)), isTeam ? "members" : "teams": list]
      program.append("\(isTeam ? "team" : "user") \(data)")
      var wanted = picture
      let others = said.map(\.other)
      if isTeam {
        wanted.setMembers(others, of: owner)
      } else {
        wanted.setTeams(others, of: owner)
      }
      var isRefused = false
      for one in said {
        let link =
          isTeam
          ? Picture.Link(team: owner, user: one.other) : Picture.Link(team: one.other, user: owner)
        if picture.values[link] == nil, isRequired, !one.isComplete { isRefused = true }
        one.apply(to: &wanted.values[link, default: Picture.Value()])
      }
      do {
        let result = try mapper.apply(data, with: isTeam ? teams : users)
        let isSame = wanted == picture
        try #require(!isRefused && (result.outcome == .unchanged) == isSame, "\(seed) \(program)")
        picture = wanted
      } catch let error as RecipeError {
        try #require(isRefused && error.reason == .missing, "\(seed) \(program) \(error)")
      }
      try check(picture, mapper, teams, users, "\(seed) \(program)")
    }
  }

  private func check(
    _ picture: Picture, _ mapper: Mapper, _ teams: Recipe, _ users: Recipe, _ program: String
  ) throws {
    for (recipe, lists, isTeam) in [(teams, picture.members, true), (users, picture.teams, false)] {
      for (owner, others) in lists.enumerated() {
        let entity = try #require(
          try mapper.entity(withKey: .number(JSONNumber(owner)), of: recipe))
        let written = try mapper.decompose(entity, with: recipe)
        let expected = others.map { other -> JSONValue in
          let link =
            isTeam
            ? Picture.Link(team: owner, user: other) : Picture.Link(team: other, user: owner)
          let value = picture.values[link]
          return [
            isTeam ? "user" : "id": .number(JSONNumber(other)),
            "role": .string(value?.role ?? "none"),
            "since": (value?.since).map { .number(JSONNumber($0)) } ?? .null,
          ]
        }
        try #require(
          written[isTeam ? "members" : "teams"] == .array(JSONArray(expected)), "\(program)")
        try #require(
          try mapper.update(entity, with: recipe, from: written) == .unchanged, "\(program)")
      }
    }
  }
}
