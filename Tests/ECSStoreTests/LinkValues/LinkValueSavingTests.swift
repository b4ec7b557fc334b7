#if SQLite
  import ECS
  import ECSRecipes
  import ECSStore
  import ECSTestSupport
  import Foundation
  import GRDB
  import Testing

  /// Values of links that are saved while keys change, and values that can't be read.
  @Suite(.noHangs) struct LinkValueSavingTests {
    let folder: Folder
    let store: Store
    let session: StoreSession

    init() throws {
      folder = try Folder()
      store = try Club.shared(folder)
      session = try store.session(merging: .manual)
      try session.fillClub()
    }

    private func team(_ name: String) throws -> Entity { try #require(session.team(name)) }
    private func ada() throws -> Entity { try #require(session.member(1)) }

    private func rows() throws -> [String] {
      try store.rows("SELECT member_id, team_name, role, since FROM member_teams ORDER BY ecs_row")
    }

    // MARK: Keys

    @Test func `a link to one that gets the key of a former target has its own value`() throws {
      let (ada, a, b) = (try ada(), try team("a"), try team("b"))
      ada.unrelate(MemberOf.self, from: b)
      try session.save()
      a.update(Team.self) { $0.name = "z" }
      let other = session.context.createEntity(with: Team(name: "a"))
      ada.unrelate(MemberOf.self, from: a)
      ada.relate(MemberOf.self, to: other, Membership(role: .guest))
      try session.save()
      try expectEqual(rows(), ["1 a guest NULL"])
      try expectEqual(store.session().teams(1), ["a guest 0"])
      try expectEqual(session.save(), SaveReport())
    }

    @Test func `links to two that change keys and places keep their values`() throws {
      let (ada, a, b) = (try ada(), try team("a"), try team("b"))
      a.update(Team.self) { $0.name = "b" }
      b.update(Team.self) { $0.name = "a" }
      ada.targets(MemberOf.self).reverse()
      expectEqual(session.teams(1), ["a guest 0", "b admin 2001"])
      try session.save()
      try expectEqual(rows(), ["1 a guest NULL", "1 b admin 2001"])
      try expectEqual(store.session().teams(1), ["a guest 0", "b admin 2001"])
      try expectEqual(session.save(), SaveReport())
    }

    // MARK: Texts that are not in UTF-8

    /// A value with a text and bytes.
    private struct Note: Component, Equatable {
      var text: String?
      var bytes: Data?
    }

    private enum Noted: Relation { typealias Value = Note }

    private func notes(_ url: URL) throws -> Store {
      let members = try Table("member", key: \Member.id) {
        Fields(of: Member()) { Field(\.id, at: "id") }
        Nested(
          many: Club.teams.recipe, at: "teams", as: .key,
          through: .targets(
            of: Noted.self, at: "team",
            values: Fields(of: Note()) {
              Field(\.text, at: "text")
              Field(\.bytes, at: "bytes")
            }))
      }
      let schema = try Schema {
        Club.teams
        members
      }
      return try Store(at: .file(url), schema: schema)
    }

    @Test(arguments: ["text", "bytes"])
    func `a text that is not in UTF-8 is no value of a link`(column: String) throws {
      let url = folder.file("notes.sqlite")
      let queue = try DatabaseQueue(path: url.path)
      // A loose table takes texts for bytes.
      try queue.write {
        try $0.execute(
          sql: """
            CREATE TABLE team (name TEXT PRIMARY KEY NOT NULL);
            CREATE TABLE member (id INTEGER PRIMARY KEY NOT NULL);
            CREATE TABLE member_teams (
              ecs_row INTEGER PRIMARY KEY, member_id INTEGER NOT NULL REFERENCES member (id),
              team_name TEXT NOT NULL REFERENCES team (name), text TEXT, bytes BLOB);
            INSERT INTO team VALUES ('a'), ('b');
            INSERT INTO member VALUES (1);
            INSERT INTO member_teams (member_id, team_name, \(column))
            VALUES (1, 'a', CAST(x'ff41' AS TEXT)), (1, 'b', NULL);
            """)
      }
      try queue.close()
      let store = try notes(url)
      let session = try store.session()
      expectEqual(session.loaded.dangling.count, 1)
      let member = try #require(session.member(1))
      let b = try #require(session.team("b"))
      expectEqual(Array(member.targets(Noted.self)), [b])
      member.update(Noted.self, to: b) { $0.text = "x" }
      try session.save()
      try expectEqual(
        store.rows("SELECT team_name, hex(\(column)) FROM member_teams WHERE team_name = 'a'"),
        ["a FF41"])
      try store.close()
    }
  }
#endif
