#if SQLite
  import ECS
  import ECSRecipes
  import ECSStore
  import ECSTestSupport
  import Testing

  /// Tables that keep values of links, as they are described, and as files have them.
  @Suite(.noHangs) struct LinkValueSchemaTests {
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
      #expect(
        reason(some, teams: Club.memberships())
          == .linkValuesElsewhere("Membership.since", table: "member"))
      #expect(reason(some, teams: roles) == nil)
      #expect(reason(all, teams: roles) == nil)
      #expect(reason(all, teams: Club.memberships()) == nil)
      #expect(
        reason(all, teams: Club.memberships(), [Column(\Membership.since).named("year")])
          == .linkValuesElsewhere("Membership.since", table: "member"))
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
      #expect(
        try store.rows("SELECT name FROM pragma_table_info('member_teaches') WHERE cid > 2")
          == ["role", "since"])
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
      #expect(reason(adjusted: role.unique()) == .notForPairs("Membership.role", "unique()"))
      #expect(reason(adjusted: role.indexed()) == .notForPairs("Membership.role", "indexed()"))
      #expect(reason(adjusted: Link(LedBy.self).notNull()) == .notForPairs("leads", "notNull()"))
      #expect(reason(adjusted: role.named("as")) == nil)
      #expect(reason(adjusted: Link(LedBy.self).unique()) == nil)
    }

    @Test func `a column of values has no name that SQLite uses`() throws {
      let values = Fields(of: Membership()) { Field(\.since, at: "rowid") }
      #expect(reason(values, adjusted: nil) == .badName("rowid"))
      #expect(reason(values, adjusted: Column(\Membership.since).named("since")) == nil)
      #expect(
        reason(values, adjusted: Column(\Membership.since).named("_rowid_"))
          == .badName("_rowid_"))
    }
  }
#endif
