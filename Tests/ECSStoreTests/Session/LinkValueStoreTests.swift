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

    private func fill() throws {
      for name in ["a", "b", "c"] { context.createEntity(with: Team(name: name)) }
      let ada = context.createEntity(with: Member(id: 1))
      ada.relate(MemberOf.self, to: try team("a"), Membership(role: .admin, since: 2001))
      ada.relate(MemberOf.self, to: try team("b"), Membership(role: .guest))
      ada.relate(LedBy.self, to: try team("c"), Membership(since: 7))
      try session.save()
    }

    private func team(_ name: String) throws -> Entity { try #require(session.team(name)) }
    private func ada() throws -> Entity { try #require(session.member(1)) }

    private func rows() throws -> [String] {
      try store.rows("SELECT member_id, team_name, role, since FROM member_teams ORDER BY ecs_row")
    }

    // MARK: Saving

    @Test func `values are columns of the table of pairs`() throws {
      try fill()
      #expect(try rows() == ["1 a admin 2001", "1 b guest NULL"])
      #expect(
        try store.rows("SELECT member_id, team_name, role, since FROM member_leads") == [
          "1 c member 7"
        ])
      #expect(
        try store.rows(
          "SELECT \"notnull\", dflt_value FROM pragma_table_info('member_teams') WHERE name = 'role'"
        )
          == ["1 'member'"])
      let other = try store.session()
      #expect(other.teams(1) == ["a admin 2001", "b guest 0"])
      #expect(other.member(1)?.value(of: LedBy.self)?.since == 7)
      #expect(try session.save() == SaveReport())
    }

    @Test func `only values that differ are written`() throws {
      try fill()
      let (ada, a) = (try ada(), try team("a"))
      ada.relate(MemberOf.self, to: a, Membership(role: .admin, since: 2001))
      ada.update(MemberOf.self, to: a) { $0.isShown = true }
      #expect(session.hasChanges)
      #expect(try session.save() == SaveReport())
      try store.write {
        try $0.execute(
          sql: """
            CREATE TABLE log (text TEXT);
            CREATE TRIGGER noted AFTER UPDATE OF role ON member_teams
            BEGIN INSERT INTO log VALUES ('role'); END;
            """)
      }
      ada.update(MemberOf.self, to: a) { $0.since = 2002 }
      #expect(try session.save() == SaveReport(updated: 1))
      #expect(try store.rows("SELECT * FROM log").isEmpty)
      ada.update(MemberOf.self, to: a) { $0.role = .member }
      try session.save()
      #expect(try store.rows("SELECT * FROM log") == ["role"])
      #expect(try rows() == ["1 a member 2002", "1 b guest NULL"])
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
      #expect(try rows() == ["5 b guest NULL", "5 z admin 3", "5 c member NULL"])
      let other = try store.session()
      #expect(other.teams(5) == ["b guest 0", "z admin 3", "c member 0"])
      #expect(try session.save() == SaveReport())
    }

    @Test func `a link to one that is replaced takes its value along`() throws {
      try fill()
      try ada().relate(LedBy.self, to: try team("b"), Membership(role: .admin))
      try session.save()
      #expect(
        try store.rows("SELECT team_name, role, since FROM member_leads") == ["b admin NULL"])
      try ada().unrelate(LedBy.self)
      try session.save()
      #expect(try store.rows("SELECT count(*) FROM member_leads") == ["0"])
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
      #expect(try rows() == ["1 a admin 2001", "1 b guest NULL", "2 a member NULL"])
      try ada().update(MemberOf.self, to: try team("a")) { $0.since = 1 }
      try session.save()
      #expect(try rows().first == "1 a admin 1")
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
      #expect(session.teams(1) == ["a admin 2001", "b guest 0"])
      #expect(ada.value(of: MemberOf.self, to: a)?.isShown == true)
      #expect(try session.save() == SaveReport())
      ada.destroy()
      session.rollback()
      #expect(session.teams(1) == ["a admin 2001", "b guest 0"])
      #expect(try self.ada().value(of: LedBy.self)?.since == 7)
      try self.ada().update(MemberOf.self, to: a) { $0.since = 1 }
      try session.revert(try self.ada())
      #expect(session.teams(1) == ["a admin 2001", "b guest 0"])
      #expect(try session.save() == SaveReport())
    }

    // MARK: Merging

    private func both(
      _ policy: MergePolicy, isOneStore: Bool,
      _ body: (StoreSession, StoreSession) throws -> Void
    ) throws {
      try fill()
      let other = try isOneStore ? store : Club.shared(folder)
      try body(session, try other.session(merging: .manual, policy: policy))
    }

    private func change(
      _ session: StoreSession, _ team: String, _ body: (inout Membership) -> Void
    ) throws {
      try #require(session.member(1)).update(MemberOf.self, to: try #require(session.team(team))) {
        body(&$0)
      }
    }

    @Test(arguments: [true, false])
    func `what others change of a value comes, column by column`(isOneStore: Bool) throws {
      try both(.error, isOneStore: isOneStore) { there, here in
        try change(there, "a") { $0.role = .guest }
        try there.save()
        try change(here, "a") { value in
          value.since = 9
          value.isShown = true
        }
        try change(here, "b") { $0.role = .admin }
        #expect(try here.refresh().updated == 1)
        #expect(here.teams(1) == ["a guest 9", "b admin 0"])
        let value = here.member(1)?.value(of: MemberOf.self, to: try #require(here.team("a")))
        #expect(value?.isShown == true)
        try here.save()
        #expect(try rows() == ["1 a guest 9", "1 b admin NULL"])
        #expect(try here.save() == SaveReport())
        try there.refresh()
        #expect(there.teams(1) == here.teams(1))
        #expect(!there.hasChanges)
      }
    }

    @Test(arguments: [true, false])
    func `a column that both have changed is a conflict`(isOneStore: Bool) throws {
      try both(
        .resolve { conflict in
          #expect(conflict.table == "member_teams" && conflict.key == "1, a")
          #expect(conflict.base == .number(2001))
          return conflict.column == "since" ? .value(12) : .stored
        }, isOneStore: isOneStore
      ) { there, here in
        try change(there, "a") { $0.since = 10 }
        try there.save()
        try change(here, "a") { $0.since = 11 }
        let report = try here.refresh()
        #expect(report.conflicts.map(\.column) == ["since"])
        #expect(report.conflicts.first?.local == .number(11))
        #expect(report.conflicts.first?.stored == .number(10))
        #expect(here.teams(1).first == "a admin 12")
        try here.save()
        #expect(try rows().first == "1 a admin 12")
      }
    }

    @Test func `a conflict that is an error changes nothing`() throws {
      try both(.error, isOneStore: true) { there, here in
        try change(there, "a") { $0.since = 10 }
        try there.save()
        try change(here, "a") { $0.since = 11 }
        #expect(throws: StoreError.self) { try here.refresh() }
        #expect(here.teams(1).first == "a admin 11")
      }
    }

    @Test(arguments: [true, false])
    func `links that come from others have their values`(isOneStore: Bool) throws {
      try both(.localWins, isOneStore: isOneStore) { there, here in
        let member = try #require(there.member(1))
        member.relate(
          MemberOf.self, to: try #require(there.team("c")), Membership(role: .guest, since: 3))
        member.relate(
          LedBy.self, to: try #require(there.team("a")), Membership(role: .admin, since: 4))
        member.unrelate(MemberOf.self, from: try #require(there.team("a")))
        try there.save()
        try here.refresh()
        #expect(here.teams(1) == ["b guest 0", "c guest 3"])
        #expect(here.member(1)?.value(of: LedBy.self)?.since == 4)
        #expect(!here.hasChanges)
      }
    }

    @Test func `an entity whose row others have deleted stays if a value was changed`() throws {
      try both(.localWins, isOneStore: true) { there, here in
        there.member(1)?.destroy()
        try there.save()
        try change(here, "a") { $0.since = 5 }
        try here.refresh()
        #expect(here.teams(1) == ["a admin 5", "b guest 0"])
        try here.save()
        #expect(try rows() == ["1 a admin 5", "1 b guest NULL"])
      }
    }

    @Test(arguments: [true, false])
    func `values are merged although keys change`(isOneStore: Bool) throws {
      try both(.localWins, isOneStore: isOneStore) { there, here in
        try #require(there.team("a")).update(Team.self) { $0.name = "z" }
        try #require(there.member(1)).update(Member.self) { $0.id = 9 }
        let member = try #require(there.member(9))
        member.update(MemberOf.self, to: try #require(there.team("z"))) { $0.since = 4 }
        try there.save()
        try change(here, "a") { value in
          value.role = .guest
          value.isShown = true
        }
        try here.refresh()
        #expect(here.teams(9) == ["z guest 4", "b guest 0"])
        try here.save()
        #expect(try rows() == ["9 z guest 4", "9 b guest NULL"])
        try there.refresh()
        #expect(there.teams(9) == ["z guest 4", "b guest 0"])
      }
    }

    @Test func `an entity that comes back has the values that others have saved`() throws {
      try both(.storeWins, isOneStore: true) { there, here in
        try change(there, "a") { $0.since = 4 }
        try #require(there.team("b")).update(Team.self) { $0.name = "x" }
        try there.save()
        here.member(1)?.destroy()
        here.team("b")?.destroy()
        try here.refresh()
        if here.member(1) == nil { here.rollback() }
        #expect(here.teams(1) == ["a admin 4", "x guest 0"])
        try here.save()
        #expect(try rows() == ["1 a admin 4", "1 x guest NULL"])
      }
    }

    @Test func `a value without a form keeps no others from being saved`() throws {
      let odd = Transformer<Int>("odd", expects: "integer") { value throws(TransformFailure) in
        guard let number = value.number?.int else {
          throw .mismatch(expected: "integer", found: value)
        }
        return number
      } encode: { value throws(TransformFailure) in
        if value < 0 { throw .invalid("it is below zero") }
        return .number(JSONNumber(value))
      }
      let members = try Table("member", key: \Member.id) {
        Fields(of: Member()) { Field(\.id, at: "id") }
        Nested(
          many: Club.teams.recipe, at: "teams", as: .key,
          through: .targets(
            of: MemberOf.self, at: "team",
            values: Fields(of: Membership()) { Field(\.since, at: "since", as: odd) }))
      }
      let store = try Store(
        at: .memory,
        schema: try Schema {
          Club.teams
          members
        })
      let session = try store.session()
      let team = session.context.createEntity(with: Team(name: "a"))
      for id in 1...2 {
        session.context.createEntity(with: Member(id: id))
          .relate(MemberOf.self, to: team, Membership(since: id))
      }
      try session.save()
      for (id, since) in [(1, -1), (2, 7)] {
        session.member(id)?.update(MemberOf.self, to: team) { $0.since = since }
      }
      do throws(StoreError) {
        try session.save()
        Issue.record("It was saved.")
      } catch {
        guard case .unstorable("member_teams", "since", let entity, "it is below zero") = error
        else {
          Issue.record(error)
          return
        }
        #expect(entity == session.member(1))
      }
      #expect(throws: UnsavedEntities.self) { try session.saveWhatFits() }
      #expect(try store.rows("SELECT since FROM member_teams ORDER BY since") == ["1", "7"])
    }

    @Test func `what another program writes comes in`() throws {
      try fill()
      let other = try DatabaseQueue(path: folder.file().path)
      try other.write {
        try $0.execute(
          sql: """
            UPDATE member_teams SET role = 'member', since = 5 WHERE team_name = 'b';
            INSERT INTO member_teams (member_id, team_name) VALUES (1, 'c');
            """)
      }
      try session.refresh()
      #expect(session.teams(1) == ["a admin 2001", "b member 5", "c member 0"])
      #expect(try session.save() == SaveReport())
    }

    @Test func `a value that can't be read leaves its pair in the file`() throws {
      try fill()
      try store.write {
        try $0.execute(sql: "UPDATE member_teams SET role = 'queen' WHERE team_name = 'a'")
      }
      let other = try store.session(merging: .manual)
      #expect(other.teams(1) == ["b guest 0"])
      #expect(other.loaded.dangling.count == 1)
      try change(other, "b") { $0.since = 1 }
      try other.save()
      #expect(try rows() == ["1 a queen 2001", "1 b guest 1"])
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
      #expect(try store.session().teams(1) == ["a admin 1999"])
      #expect(try store.rows("SELECT role, year FROM member_teams") == ["admin 1999"])
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
      #expect(reason(.targets(of: MemberOf.self, default: Membership())) == .linkValues("teams"))
      let link = RecipeLink.targets(of: MemberOf.self, at: "team", values: Club.memberships())
      #expect(reason(link) == nil)
      #expect(
        reason(link, adjustments: [Column(\Membership.role).named("team_name")])
          == .duplicateColumn("team_name"))
      #expect(
        reason(link, adjustments: [Column(\Membership.role).transient()])
          == .notSeparable("Membership.role"))
    }
  }
#endif
