#if SQLite
  import ECS
  import ECSRecipes
  import ECSStore
  import ECSTestSupport
  import Testing

  struct Member: Component, Equatable { var id = 0 }
  struct Team: Component, Equatable { var name = "" }

  struct Membership: Component, Codable, Equatable {
    enum Role: String, Codable { case guest, member, admin }

    var role = Role.member
    var since: Int?

    /// What the file does not have.
    var isShown = false
  }

  enum MemberOf: Relation { typealias Value = Membership }
  enum LedBy: ToOneRelation { typealias Value = Membership }

  /// Members and teams, with a table of pairs that have values.
  enum Club {
    static let teams = defined {
      try Table("team", key: \Team.name) { Fields(of: Team()) { Field(\.name, at: "name") } }
    }

    static func memberships() -> Fields<Membership> {
      Fields(of: Membership()) {
        Field(\.role, at: "role", as: .rawValue)
        Field(\.since, at: "since")
      }
    }

    static func members(_ values: some LinkValues<Membership>) throws -> Table<Member, Int> {
      try Table("member", key: \Member.id) {
        Fields(of: Member()) { Field(\.id, at: "id") }
        Nested(
          many: teams.recipe, at: "teams", as: .key,
          through: .targets(of: MemberOf.self, at: "team", values: values))
        Nested(
          one: teams.recipe, at: "leads", as: .key,
          through: .targets(of: LedBy.self, at: "team", values: values))
      }
    }

    static func schema(isMadeAtOnce: Bool) throws -> Schema {
      let members =
        try isMadeAtOnce ? members(AutomaticFields(of: Membership())) : members(memberships())
      return try Schema {
        teams
        members
      }
    }

    /// `isMadeAtOnce`: whether values are made of all columns at once, or field by field.
    static func shared(_ folder: Folder, isMadeAtOnce: Bool = false) throws -> Store {
      var options = Store.Options()
      options.sharing = .processes(checkingEvery: .seconds(3600))
      return try Store(
        at: .file(folder.file()), schema: schema(isMadeAtOnce: isMadeAtOnce), options: options)
    }
  }

  extension StoreSession {
    func member(_ id: Int) -> Entity? {
      context.group(Member.matcher).first { $0.get(Member.self)?.id == id }
    }

    func team(_ name: String) -> Entity? {
      context.group(Team.matcher).first { $0.get(Team.self)?.name == name }
    }

    /// Saves a member of two teams that leads a third one.
    func fillClub() throws {
      let teams = ["a", "b", "c"].map { context.createEntity(with: Team(name: $0)) }
      let ada = context.createEntity(with: Member(id: 1))
      ada.relate(MemberOf.self, to: teams[0], Membership(role: .admin, since: 2001))
      ada.relate(MemberOf.self, to: teams[1], Membership(role: .guest))
      ada.relate(LedBy.self, to: teams[2], Membership(since: 7))
      try save()
    }

    /// The teams of a member with the values of the links, in their order.
    func teams(_ id: Int) -> [String] {
      member(id)?.targets(MemberOf.self).links().map {
        "\($0.target.get(Team.self)?.name ?? "") \($0.value.role) \($0.value.since ?? 0)"
      } ?? []
    }
  }
#endif
