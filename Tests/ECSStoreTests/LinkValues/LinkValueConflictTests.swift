#if SQLite
  import ECS
  import ECSRecipes
  import ECSStore
  import ECSTestSupport
  import Foundation
  import GRDB
  import Testing

  private struct Share: Component, Codable, Equatable {
    var role = "member"
    var since: Int?
    var tags: [String] = []
  }

  private enum ShareOf: Relation { typealias Value = Share }

  /// Values of links that both sides have changed, that can't be read or written, and that another
  /// program spells in its own way.
  @Suite(.noHangs) struct LinkValueConflictTests {
    private let folder: Folder
    private let store: Store

    init() throws {
      folder = try Folder()
      store = try Club.shared(folder)
    }

    private func both(_ policy: MergePolicy) throws -> (there: StoreSession, here: StoreSession) {
      let there = try store.session(merging: .manual)
      try there.fillClub()
      return (there, try store.session(merging: .manual, policy: policy))
    }

    private func change(
      _ session: StoreSession, _ team: String, _ body: (inout Membership) -> Void
    ) throws {
      try #require(session.member(1)).update(MemberOf.self, to: try #require(session.team(team))) {
        body(&$0)
      }
    }

    private func relate(
      _ session: StoreSession, _ team: Entity?, _ value: Membership
    ) throws {
      try #require(session.member(1)).relate(MemberOf.self, to: try #require(team), value)
    }

    private func execute(_ sql: String, in folder: Folder) throws {
      try DatabaseQueue(path: folder.file().path).write { try $0.execute(sql: sql) }
    }

    private func rows(_ store: Store) throws -> [String] {
      try store.rows("SELECT team_name, role, since FROM member_teams ORDER BY team_name")
    }

    // MARK: What can't be read

    @Test(arguments: [MergePolicy.localWins, .storeWins, .error])
    func `a value that comes and can't be read leaves its pair in the file`(
      policy: MergePolicy
    ) throws {
      let here = try both(policy).here
      try execute(
        """
        UPDATE member_teams SET role = 'queen', since = 5 WHERE team_name = 'a';
        UPDATE member_leads SET role = 'queen';
        """, in: folder)
      try expectTrue(here.refresh().conflicts.isEmpty)
      expectEqual(here.teams(1), ["b guest 0"])
      expectNil(here.member(1)?.value(of: LedBy.self))
      expectFalse(here.hasChanges)
      try expectEqual(here.save(), SaveReport())
      try change(here, "b") { $0.since = 1 }
      try here.save()
      try expectEqual(rows(store), ["a queen 5", "b guest 1"])
      try expectEqual(store.rows("SELECT role, since FROM member_leads"), ["queen 7"])
      try execute("UPDATE member_teams SET role = 'member' WHERE role = 'queen'", in: folder)
      try here.refresh()
      expectEqual(here.teams(1), ["a member 5", "b guest 1"])
    }

    @Test func `a value that can't be read is a conflict if it was changed here`() throws {
      for policy in [MergePolicy.localWins, .storeWins, .error] {
        let folder = try Folder()
        let here = try Club.shared(folder).session(merging: .manual, policy: policy)
        try here.fillClub()
        try execute("UPDATE member_teams SET role = 'queen' WHERE team_name = 'a'", in: folder)
        try change(here, "a") { $0.since = 9 }
        switch policy {
        case .localWins:
          try expectEqual(here.refresh().conflicts.map(\.key), ["1, a"])
          expectEqual(here.teams(1), ["a admin 9", "b guest 0"])
          try here.save()
          try expectEqual(rows(here.store), ["a admin 9", "b guest NULL"])
        case .storeWins:
          try expectEqual(here.refresh().conflicts.map(\.key), ["1, a"])
          expectEqual(here.teams(1), ["b guest 0"])
          try here.save()
          try expectEqual(rows(here.store), ["a queen 2001", "b guest NULL"])
        default:
          #expect(throws: StoreError.self) { try here.refresh() }
          expectEqual(here.teams(1), ["a admin 9", "b guest 0"])
        }
      }
    }

    @Test func `what a closure decides and can't be read keeps no other column away`() throws {
      let (there, here) = try both(.resolve { _ in .value("queen") })
      try change(there, "a") { $0 = Membership(role: .guest, since: 3) }
      try there.save()
      try change(here, "a") { $0.role = .member }
      try expectEqual(here.refresh().conflicts.map(\.column), ["role"])
      expectEqual(here.teams(1), ["a member 3", "b guest 0"])
      try here.save()
      try expectEqual(rows(store).first, "a member 3")
    }

    // MARK: Other entities at an address

    @Test func `a link that both sides make to twins is a conflict`() throws {
      let (there, here) = try both(.localWins)
      let strict = try store.session(merging: .manual, policy: .error)
      for (session, role) in [(there, Membership.Role.admin), (here, .guest), (strict, .guest)] {
        let team = session.context.createEntity(with: Team(name: "x"))
        try relate(session, team, Membership(role: role))
      }
      try there.save()
      #expect(throws: StoreError.self) { try strict.refresh() }
      try expectEqual(here.refresh().conflicts.map(\.key), ["1, x"])
      expectEqual(here.teams(1).last, "x guest 0")
      try here.save()
      try expectEqual(rows(store).last, "x guest NULL")
    }

    @Test func `a link to what takes a row over keeps its value`() throws {
      let (there, here) = try both(.error)
      try relate(there, there.team("c"), Membership())
      try there.save()
      here.team("a")?.destroy()
      try relate(here, here.context.createEntity(with: Team(name: "a")), Membership(role: .guest))
      try here.refresh()
      expectEqual(Set(here.teams(1)), ["a guest 0", "b guest 0", "c member 0"])
      try here.save()
      try expectEqual(rows(store).first, "a guest NULL")
    }

    @Test func `a new entity with the key of one that has moved has links of its own`() throws {
      let (there, here) = try both(.error)
      try #require(there.team("a")).update(Team.self) { $0.name = "z" }
      let new = there.context.createEntity(with: Team(name: "a"))
      try relate(there, new, Membership(role: .guest, since: 3))
      try there.save()
      try change(here, "a") { $0.since = 5 }
      try expectTrue(here.refresh().conflicts.isEmpty)
      expectEqual(here.teams(1), ["z admin 5", "b guest 0", "a guest 3"])
      try here.save()
      try expectEqual(rows(store), ["a guest 3", "b guest NULL", "z admin 5"])
    }

    // MARK: What has no form

    private func odd() throws -> Schema {
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
            values: Fields(of: Membership()) {
              Field(\.role, at: "role", as: .rawValue)
              Field(\.since, at: "since", as: odd)
            }))
      }
      return try Schema {
        Club.teams
        members
      }
    }

    private func oddSession(_ policy: MergePolicy) throws -> (there: StoreSession, StoreSession) {
      let store = try Store(at: .memory, schema: odd())
      let there = try store.session(merging: .manual)
      let team = there.context.createEntity(with: Team(name: "a"))
      there.context.createEntity(with: Member(id: 1))
        .relate(MemberOf.self, to: team, Membership(role: .admin, since: 1))
      try there.save()
      return (there, try store.session(merging: .manual, policy: policy))
    }

    @Test func `a value without a form is put back`() throws {
      let here = try oddSession(.localWins).1
      try change(here, "a") { $0.since = -1 }
      #expect(throws: StoreError.self) { try here.save() }
      try here.revert(try #require(here.member(1)))
      expectEqual(here.teams(1), ["a admin 1"])
      try change(here, "a") { $0.since = -1 }
      here.rollback()
      expectEqual(here.teams(1), ["a admin 1"])
      try expectEqual(here.save(), SaveReport())
    }

    @Test func `beside a column without a form the others are merged`() throws {
      let (there, here) = try oddSession(.error)
      try change(there, "a") { $0.role = .guest }
      try there.save()
      try change(here, "a") { $0.since = -1 }
      try here.refresh()
      expectEqual(here.teams(1), ["a guest -1"])
      try change(here, "a") { $0.since = 5 }
      try here.save()
      try expectEqual(rows(here.store), ["a guest 5"])
    }

    @Test func `a value without a form is a change of an entity whose row has gone`() throws {
      let (there, here) = try oddSession(.localWins)
      there.member(1)?.destroy()
      try there.save()
      try change(here, "a") { $0.since = -1 }
      try expectEqual(here.refresh().conflicts.count, 1)
      expectEqual(here.teams(1), ["a admin -1"])
    }

    // MARK: Fields that are made at once

    private func shares(
      _ folder: Folder, _ values: some LinkValues<Share>
    ) throws -> (there: StoreSession, here: StoreSession) {
      let members = try Table("member", key: \Member.id) {
        Fields(of: Member()) { Field(\.id, at: "id") }
        Nested(
          many: Club.teams.recipe, at: "teams", as: .key,
          through: .targets(of: ShareOf.self, at: "team", values: values))
      }
      let schema = try Schema {
        Club.teams
        members
      }
      var options = Store.Options()
      options.sharing = .processes(checkingEvery: .seconds(3600))
      let store = try Store(at: .file(folder.file()), schema: schema, options: options)
      let there = try store.session(merging: .manual)
      let team = there.context.createEntity(with: Team(name: "a"))
      there.context.createEntity(with: Member(id: 1))
        .relate(ShareOf.self, to: team, Share(role: "admin", since: 2001, tags: ["a", "b"]))
      try there.save()
      return (there, try store.session(merging: .manual, policy: .error))
    }

    private func share(_ session: StoreSession) throws -> Share? {
      session.member(1)?.value(of: ShareOf.self, to: try #require(session.team("a")))
    }

    private func change(_ session: StoreSession, _ body: (inout Share) -> Void) throws {
      try #require(session.member(1)).update(ShareOf.self, to: try #require(session.team("a"))) {
        body(&$0)
      }
    }

    @Test func `values that are made at once are merged column by column`() throws {
      let folder = try Folder()
      let (there, here) = try shares(folder, AutomaticFields(of: Share()))
      try change(there) { $0.role = "guest" }
      try there.save()
      try change(here) { $0.since = 9 }
      try here.refresh()
      try expectEqual(share(here), Share(role: "guest", since: 9, tags: ["a", "b"]))
      try here.save()
      try there.refresh()
      try expectEqual(share(there), share(here))
    }

    @Test func `how another program spells a value is no change`() throws {
      let folder = try Folder()
      let fields = Fields(of: Share()) {
        Field(\.role, at: "role")
        Field(\.tags, at: "tags")
      }
      let here = try shares(folder, fields).here
      func tags(_ text: String) throws {
        try execute("UPDATE member_teams SET tags = '\(text)'", in: folder)
      }
      try tags(#"["a", "b"]"#)
      try expectEqual(here.refresh().updated, 0)
      try expectEqual(here.save(), SaveReport())
      try tags(#"["c", "d"]"#)
      try expectTrue(here.refresh().conflicts.isEmpty)
      try expectEqual(share(here)?.tags, ["c", "d"])
      expectFalse(here.hasChanges)
      // A session that has loaded such a text.
      let other = try here.store.session(merging: .manual, policy: .error)
      try tags(#"["e", "f"]"#)
      try expectTrue(other.refresh().conflicts.isEmpty)
      try expectEqual(share(other)?.tags, ["e", "f"])
      try expectEqual(other.save(), SaveReport())
      try expectEqual(here.store.rows("SELECT tags FROM member_teams"), [#"["e", "f"]"#])
    }
  }
#endif
