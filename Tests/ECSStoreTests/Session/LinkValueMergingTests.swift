#if SQLite
  import ECS
  import ECSRecipes
  import ECSStore
  import ECSTestSupport
  import Foundation
  import GRDB
  import Testing

  /// Values of links that others have changed: other sessions, other stores of the file, and other
  /// programs.
  @Suite(.noHangs) struct LinkValueMergingTests {
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

    private func rows() throws -> [String] {
      try store.rows("SELECT member_id, team_name, role, since FROM member_teams ORDER BY ecs_row")
    }

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
        try expectEqual(here.refresh().updated, 1)
        expectEqual(here.teams(1), ["a guest 9", "b admin 0"])
        let value = here.member(1)?.value(of: MemberOf.self, to: try #require(here.team("a")))
        expectEqual(value?.isShown, true)
        try here.save()
        try expectEqual(rows(), ["1 a guest 9", "1 b admin NULL"])
        try expectEqual(here.save(), SaveReport())
        try there.refresh()
        expectEqual(there.teams(1), here.teams(1))
        expectFalse(there.hasChanges)
      }
    }

    @Test(arguments: [true, false])
    func `a column that both have changed is a conflict`(isOneStore: Bool) throws {
      try both(
        .resolve { conflict in
          expectTrue(conflict.table == "member_teams" && conflict.key == "1, a")
          expectEqual(conflict.base, .number(2001))
          return conflict.column == "since" ? .value(12) : .stored
        }, isOneStore: isOneStore
      ) { there, here in
        try change(there, "a") { $0.since = 10 }
        try there.save()
        try change(here, "a") { $0.since = 11 }
        let report = try here.refresh()
        expectEqual(report.conflicts.map(\.column), ["since"])
        expectEqual(report.conflicts.first?.local, .number(11))
        expectEqual(report.conflicts.first?.stored, .number(10))
        expectEqual(here.teams(1).first, "a admin 12")
        try here.save()
        try expectEqual(rows().first, "1 a admin 12")
      }
    }

    @Test func `a conflict that is an error changes nothing`() throws {
      try both(.error, isOneStore: true) { there, here in
        try change(there, "a") { $0.since = 10 }
        try there.save()
        try change(here, "a") { $0.since = 11 }
        #expect(throws: StoreError.self) { try here.refresh() }
        expectEqual(here.teams(1).first, "a admin 11")
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
        expectEqual(here.teams(1), ["b guest 0", "c guest 3"])
        expectEqual(here.member(1)?.value(of: LedBy.self)?.since, 4)
        expectFalse(here.hasChanges)
      }
    }

    @Test func `an entity whose row others have deleted stays if a value was changed`() throws {
      try both(.localWins, isOneStore: true) { there, here in
        there.member(1)?.destroy()
        try there.save()
        try change(here, "a") { $0.since = 5 }
        try here.refresh()
        expectEqual(here.teams(1), ["a admin 5", "b guest 0"])
        try here.save()
        try expectEqual(rows(), ["1 a admin 5", "1 b guest NULL"])
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
        expectEqual(here.teams(9), ["z guest 4", "b guest 0"])
        try here.save()
        try expectEqual(rows(), ["9 z guest 4", "9 b guest NULL"])
        try there.refresh()
        expectEqual(there.teams(9), ["z guest 4", "b guest 0"])
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
        expectTrue(here.member(1) == nil && here.team("x") != nil)
        here.rollback()
        expectEqual(here.teams(1), ["a admin 4", "x guest 0"])
        try here.save()
        try expectEqual(rows(), ["1 a admin 4", "1 x guest NULL"])
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
        expectEqual(entity, session.member(1))
      }
      #expect(throws: UnsavedEntities.self) { try session.saveWhatFits() }
      try expectEqual(store.rows("SELECT since FROM member_teams ORDER BY since"), ["1", "7"])
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
      expectEqual(session.teams(1), ["a admin 2001", "b member 5", "c member 0"])
      try expectEqual(session.save(), SaveReport())
    }

    @Test func `a value that can't be read leaves its pair in the file`() throws {
      try fill()
      try store.write {
        try $0.execute(sql: "UPDATE member_teams SET role = 'queen' WHERE team_name = 'a'")
      }
      let other = try store.session(merging: .manual)
      expectEqual(other.teams(1), ["b guest 0"])
      expectEqual(other.loaded.dangling.count, 1)
      try change(other, "b") { $0.since = 1 }
      try other.save()
      try expectEqual(rows(), ["1 a queen 2001", "1 b guest 1"])
    }
  }
#endif
