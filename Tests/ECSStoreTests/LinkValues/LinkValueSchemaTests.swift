#if SQLite
  import ECS
  import ECSRecipes
  import ECSStore
  import ECSTestSupport
  import Foundation
  import Testing

  /// Tables that keep values of links, as they are described, and as files have them.
  @Suite(.noHangs) struct LinkValueSchemaTests {
    private enum PlainlyLedBy: ToOneRelation {}

    // MARK: Descriptions

    private func reason(_ body: () throws -> Void) -> SchemaError.Reason? {
      do {
        try body()
        return nil
      } catch {
        return (error as? SchemaError)?.reason
      }
    }

    private static let teams = defined {
      try Recipe("team") {
        Fields(of: Team()) { Field(\.name, at: "name") }
        Identity(\Team.name)
      }
    }

    /// Members that say what their teams are, in roles alone unless they have other fields.
    private func members(_ values: Fields<Membership>? = nil) throws -> Recipe {
      let values =
        values ?? Fields(of: Membership()) { Field(\.role, at: "role", as: .rawValue) }
      return try Recipe("member") {
        Fields(of: Member()) { Field(\.id, at: "id") }
        Identity(\Member.id)
        Nested(
          many: Self.teams, at: "teams", as: .key,
          through: .targets(of: MemberOf.self, at: "team", values: values))
      }
    }

    /// What is wrong with teams that say what their members are, beside members.
    private func reason(
      _ members: Recipe, teams values: Fields<Membership>,
      _ adjustments: [ColumnAdjustment] = []
    ) -> SchemaError.Reason? {
      reason {
        let teams = try Table("team", key: \Team.name) {
          Fields(of: Team()) { Field(\.name, at: "name") }
          Nested(
            many: members, at: "members", as: .key,
            through: .sources(of: MemberOf.self, at: "member", values: values))
        } columns: {
          for adjustment in adjustments { adjustment }
        }
        let table = try Table(members, key: \Member.id)
        _ = try Schema {
          teams
          table
        }
      }
    }

    @Test func `fields that the table of the links does not keep are refused`() throws {
      let roles = Fields(of: Membership()) { Field(\.role, at: "role", as: .rawValue) }
      let (some, all) = (try members(), try members(Club.memberships()))
      expectEqual(
        reason(some, teams: Club.memberships()),
        .linkValuesElsewhere("Membership.since", table: "member"))
      expectNil(reason(some, teams: roles))
      expectNil(reason(all, teams: roles))
      expectNil(reason(all, teams: Club.memberships()))
      expectEqual(
        reason(all, teams: Club.memberships(), [Column(\Membership.since).named("year")]),
        .linkValuesElsewhere("Membership.since", table: "member"))
    }

    @Test func `a table nested in itself from both sides has the columns of targets`() throws {
      let table = try Table("member", key: \Member.id) {
        Fields(of: Member()) { Field(\.id, at: "id") }
        Nested.itself(
          manyAt: "teaches", as: .key,
          through: .targets(of: MemberOf.self, at: "id", values: Club.memberships()))
        Nested.itself(
          manyAt: "learns", as: .key,
          through: .sources(
            of: MemberOf.self, at: "id",
            values: Fields(of: Membership()) { Field(\.since, at: "year") }))
      }
      let folder = try Folder()
      let store = try Store(at: .file(folder.file()), schema: Schema { table })
      try expectEqual(
        store.rows("SELECT name FROM pragma_table_info('member_teaches') WHERE cid > 2"),
        ["role", "since"])
    }

    /// What is wrong with members that have teams, and lead one.
    private func reason(
      _ values: Fields<Membership> = Club.memberships(), adjusted adjustment: ColumnAdjustment?
    ) -> SchemaError.Reason? {
      reason {
        let table = try Table("member", key: \Member.id) {
          Fields(of: Member()) { Field(\.id, at: "id") }
          Nested(
            one: Club.teams.recipe, at: "leads", as: .key,
            through: .targets(of: LedBy.self, at: "team", values: values))
        } columns: {
          if let adjustment { adjustment }
        }
        _ = try Schema {
          Club.teams
          table
        }
      }
    }

    @Test func `what a table of pairs can't do is refused`() throws {
      let role = Column(\Membership.role)
      expectEqual(reason(adjusted: role.unique()), .notForPairs("Membership.role", "unique()"))
      expectEqual(reason(adjusted: role.indexed()), .notForPairs("Membership.role", "indexed()"))
      expectEqual(reason(adjusted: Link(LedBy.self).notNull()), .notForPairs("leads", "notNull()"))
      expectNil(reason(adjusted: role.named("as")))
      expectNil(reason(adjusted: Link(LedBy.self).unique()))
    }

    @Test func `a column of values has no name that SQLite uses`() throws {
      let values = Fields(of: Membership()) { Field(\.since, at: "rowid") }
      expectEqual(reason(values, adjusted: nil), .badName("rowid"))
      expectNil(reason(values, adjusted: Column(\Membership.since).named("since")))
      expectEqual(
        reason(values, adjusted: Column(\Membership.since).named("_rowid_")),
        .badName("_rowid_"))
    }

    // MARK: Files without values

    private func fillWithoutValues(_ url: URL, named name: String? = nil) throws {
      let members = try Table("member", key: \Member.id) {
        Fields(of: Member()) { Field(\.id, at: "id") }
        Nested(
          one: Club.teams.recipe, at: "leads", as: .key,
          through: .targets(of: PlainlyLedBy.self))
      } columns: {
        if let name { Link(PlainlyLedBy.self).named(name) }
      }
      let schema = try Schema {
        Club.teams
        members
      }
      let store = try Store(at: .file(url), schema: schema)
      let session = try store.session()
      let team = session.context.createEntity(with: Team(name: "a"))
      session.context.createEntity(with: Member(id: 1)).relate(PlainlyLedBy.self, to: team)
      try session.save()
      try store.close()
    }

    private func withValues(named name: String? = nil) throws -> Table<Member, Int> {
      try Table("member", key: \Member.id) {
        Fields(of: Member()) { Field(\.id, at: "id") }
        Nested(
          one: Club.teams.recipe, at: "leads", as: .key,
          through: .targets(of: LedBy.self, at: "team", values: Club.memberships()))
      } columns: {
        if let name { Link(LedBy.self).named(name) }
      }
    }

    @Test(arguments: [nil, "led"])
    func `a file whose links had no values is refused, and stays as it was`(name: String?) throws {
      let folder = try Folder()
      let url = folder.file()
      try fillWithoutValues(url, named: name)
      let before = try Data(contentsOf: url)
      let later = try withValues(named: name)
      let schema = try Schema {
        Club.teams
        later
      }
      let error = storeError { _ = try Store(at: .file(url), schema: schema) }
      guard case .schemaMismatch("member", let detail)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      expectTrue(detail.hasPrefix("links are in the column \(name ?? "leads")"))
      try expectEqual(Data(contentsOf: url), before)
    }

    @Test func `a step moves links to a table of pairs`() throws {
      let folder = try Folder()
      let url = folder.file()
      try fillWithoutValues(url)
      let later = try withValues()
      let step = Migration(to: 2) {
        try $0.execute("DROP INDEX member_leads")
        try $0.execute(
          """
          CREATE TABLE member_leads (
            ecs_row INTEGER PRIMARY KEY,
            member_id INTEGER NOT NULL, team_name TEXT NOT NULL,
            role TEXT NOT NULL DEFAULT 'member', since INTEGER,
            FOREIGN KEY (member_id) REFERENCES member (id) DEFERRABLE INITIALLY DEFERRED,
            FOREIGN KEY (team_name) REFERENCES team (name) DEFERRABLE INITIALLY DEFERRED) STRICT
          """)
        try $0.execute(
          """
          INSERT INTO member_leads (member_id, team_name)
          SELECT id, leads FROM member WHERE leads IS NOT NULL
          """)
        try $0.execute("UPDATE member SET leads = NULL")
      }
      let schema = try Schema(version: 2, migrations: [step]) {
        Club.teams
        later
      }
      let store = try Store(at: .file(url), schema: schema)
      let session = try store.session()
      let member = try #require(session.member(1))
      expectEqual(member.target(LedBy.self), session.team("a"))
      expectEqual(member.value(of: LedBy.self), Membership())
      session.team("a")?.destroy()
      try session.save()
      try expectTrue(store.rows("SELECT * FROM member_leads").isEmpty)
      try store.close()
    }
  }
#endif
