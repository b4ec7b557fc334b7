import ECS
import ECSRecipes

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
