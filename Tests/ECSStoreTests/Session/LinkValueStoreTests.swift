#if SQLite
  import ECS
  import ECSRecipes
  import ECSStore
  import ECSTestSupport
  import Foundation
  import GRDB
  import Testing

  /// Values of links in tables of pairs.
  @Suite(.noHangs) struct LinkValueStoreTests {
    let folder: Folder
    let store: Store
    let session: StoreSession
    var context: Context { session.context }

    init() throws {
      folder = try Folder()
      store = try Club.shared(folder)
      session = try store.session(merging: .manual)
    }

    private func fill() throws { try session.fillClub() }

    private func team(_ name: String) throws -> Entity { try #require(session.team(name)) }
    private func ada() throws -> Entity { try #require(session.member(1)) }

    private func rows() throws -> [String] {
      try store.rows("SELECT member_id, team_name, role, since FROM member_teams ORDER BY ecs_row")
    }

    // MARK: Saving

    @Test func `values are columns of the table of pairs`() throws {
      try fill()
      try expectEqual(rows(), ["1 a admin 2001", "1 b guest NULL"])
      try expectEqual(
        store.rows("SELECT member_id, team_name, role, since FROM member_leads"),
        [
          "1 c member 7"
        ])
      try expectEqual(
        store.rows(
          "SELECT \"notnull\", dflt_value FROM pragma_table_info('member_teams') WHERE name = 'role'"
        ),
        ["1 'member'"])
      let other = try store.session()
      expectEqual(other.teams(1), ["a admin 2001", "b guest 0"])
      expectEqual(other.member(1)?.value(of: LedBy.self)?.since, 7)
      try expectEqual(session.save(), SaveReport())
    }

    @Test func `only values that differ are written`() throws {
      try fill()
      let (ada, a) = (try ada(), try team("a"))
      ada.relate(MemberOf.self, to: a, Membership(role: .admin, since: 2001))
      ada.update(MemberOf.self, to: a) { $0.isShown = true }
      expectTrue(session.hasChanges)
      try expectEqual(session.save(), SaveReport())
      try store.write {
        try $0.execute(
          sql: """
            CREATE TABLE log (text TEXT);
            CREATE TRIGGER noted AFTER UPDATE OF role ON member_teams
            BEGIN INSERT INTO log VALUES ('role'); END;
            """)
      }
      ada.update(MemberOf.self, to: a) { $0.since = 2002 }
      try expectEqual(session.save(), SaveReport(updated: 1))
      try expectTrue(store.rows("SELECT * FROM log").isEmpty)
      ada.update(MemberOf.self, to: a) { $0.role = .member }
      try session.save()
      try expectEqual(store.rows("SELECT * FROM log"), ["role"])
      try expectEqual(rows(), ["1 a member 2002", "1 b guest NULL"])
    }

    @Test func `values stay with links whose order or keys change`() throws {
      try fill()
      let ada = try ada()
      ada.targets(MemberOf.self).reverse()
      ada.update(Member.self) { $0.id = 5 }
      try team("a").update(Team.self) { $0.name = "z" }
      ada.update(MemberOf.self, to: try team("z")) { $0.since = 3 }
      ada.relate(MemberOf.self, to: try team("c"), Membership(role: .member))
      try session.save()
      try expectEqual(rows(), ["5 b guest NULL", "5 z admin 3", "5 c member NULL"])
      let other = try store.session()
      expectEqual(other.teams(5), ["b guest 0", "z admin 3", "c member 0"])
      try expectEqual(session.save(), SaveReport())
    }

    @Test func `a link to one that is replaced takes its value along`() throws {
      try fill()
      try ada().relate(LedBy.self, to: try team("b"), Membership(role: .admin))
      try session.save()
      try expectEqual(
        store.rows("SELECT team_name, role, since FROM member_leads"), ["b admin NULL"])
      try ada().unrelate(LedBy.self)
      try session.save()
      try expectEqual(store.rows("SELECT count(*) FROM member_leads"), ["0"])
    }

    @Test func `a value that the file refuses keeps no others from being saved`() throws {
      try fill()
      try store.write {
        try $0.execute(
          sql: """
            CREATE TRIGGER refused BEFORE UPDATE OF since ON member_teams WHEN NEW.since < 0
            BEGIN SELECT RAISE(ABORT, 'too early'); END;
            """)
      }
      let bob = context.createEntity(with: Member(id: 2))
      bob.relate(MemberOf.self, to: try team("a"), Membership())
      try ada().update(MemberOf.self, to: try team("a")) { $0.since = -1 }
      #expect(throws: StoreError.self) { try session.save() }
      #expect(throws: UnsavedEntities.self) { try session.saveWhatFits() }
      try expectEqual(rows(), ["1 a admin 2001", "1 b guest NULL", "2 a member NULL"])
      try ada().update(MemberOf.self, to: try team("a")) { $0.since = 1 }
      try session.save()
      try expectEqual(rows().first, "1 a admin 1")
    }

    // MARK: Taking back

    @Test func `values are taken back, with links that come back`() throws {
      try fill()
      let (ada, a, b) = (try ada(), try team("a"), try team("b"))
      ada.update(MemberOf.self, to: a) { value in
        value.role = .guest
        value.isShown = true
      }
      ada.unrelate(MemberOf.self, from: b)
      ada.relate(MemberOf.self, to: try team("c"), Membership())
      session.rollback()
      expectEqual(session.teams(1), ["a admin 2001", "b guest 0"])
      expectEqual(ada.value(of: MemberOf.self, to: a)?.isShown, true)
      try expectEqual(session.save(), SaveReport())
      ada.destroy()
      session.rollback()
      expectEqual(session.teams(1), ["a admin 2001", "b guest 0"])
      try expectEqual(self.ada().value(of: LedBy.self)?.since, 7)
      try self.ada().update(MemberOf.self, to: a) { $0.since = 1 }
      try session.revert(try self.ada())
      expectEqual(session.teams(1), ["a admin 2001", "b guest 0"])
      try expectEqual(session.save(), SaveReport())
    }

    // MARK: Schemas

    @Test func `a value column that comes later has a default`() throws {
      struct Old: Component { var role = Membership.Role.member }
      enum OldMemberOf: Relation { typealias Value = Old }
      let url = folder.file("old.sqlite")
      let old = try Table("member", key: \Member.id) {
        Fields(of: Member()) { Field(\.id, at: "id") }
        Nested(
          many: Club.teams.recipe, at: "teams", as: .key,
          through: .targets(
            of: OldMemberOf.self, at: "team",
            values: Fields(of: Old()) { Field(\.role, at: "role", as: .rawValue) }))
      }
      let first = try Store(
        at: .file(url),
        schema: try Schema {
          Club.teams
          old
        })
      let session = try first.session()
      let team = session.context.createEntity(with: Team(name: "a"))
      session.context.createEntity(with: Member(id: 1))
        .relate(OldMemberOf.self, to: team, Old(role: .admin))
      try session.save()
      try first.close()
      let later = try Table("member", key: \Member.id) {
        Fields(of: Member()) { Field(\.id, at: "id") }
        Nested(
          many: Club.teams.recipe, at: "teams", as: .key,
          through: .targets(of: MemberOf.self, at: "team", values: Club.memberships()))
      } columns: {
        Column(\Membership.since).named("year").forExistingRows(1999)
      }
      let store = try Store(
        at: .file(url),
        schema: try Schema {
          Club.teams
          later
        })
      try expectEqual(store.session().teams(1), ["a admin 1999"])
      try expectEqual(store.rows("SELECT role, year FROM member_teams"), ["admin 1999"])
    }

    @Test func `tables that can't keep values are refused`() throws {
      func reason(_ link: RecipeLink, adjustments: [ColumnAdjustment] = []) -> SchemaError.Reason? {
        do {
          let table = try Table("member", key: \Member.id) {
            Fields(of: Member()) { Field(\.id, at: "id") }
            Nested(many: Club.teams.recipe, at: "teams", as: .key, through: link)
          } columns: {
            for adjustment in adjustments { adjustment }
          }
          _ = try Schema {
            Club.teams
            table
          }
          return nil
        } catch {
          return error.reason
        }
      }
      expectEqual(reason(.targets(of: MemberOf.self, default: Membership())), .linkValues("teams"))
      let link = RecipeLink.targets(of: MemberOf.self, at: "team", values: Club.memberships())
      expectNil(reason(link))
      expectEqual(
        reason(link, adjustments: [Column(\Membership.role).named("team_name")]),
        .duplicateColumn("team_name"))
      expectEqual(
        reason(link, adjustments: [Column(\Membership.role).transient()]),
        .notSeparable("Membership.role"))
    }
  }
#endif
