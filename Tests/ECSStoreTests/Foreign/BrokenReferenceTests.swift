#if SQLite
  import ECS
  import ECSRecipes
  import ECSStore
  import ECSTestSupport
  import Testing

  /// Foreign keys that fail when a save ends: the error names table and entity.
  @Suite(.noHangs) struct BrokenReferenceTests {
    struct Team: Component, Equatable {
      var id = 0
      var name = ""
    }
    struct Player: Component, Equatable {
      var id = 0
      var name = ""

      /// As a plain field, of which no link is made.
      var sponsor: Int?
    }
    enum PlaysFor: ToOneRelation {}
    enum Coaches: Relation {}

    let teams: ECSStore.Table<Team, Int>
    let players: ECSStore.Table<Player, Int>
    let file: OtherFile
    let session: StoreSession

    init() throws {
      let teams = try Table("team", key: \Team.id) {
        Fields(of: Team()) {
          Field(\.id, at: "id")
          Field(\.name, at: "name")
        }
      }
      let players = try Table("player", key: \Player.id) {
        Fields(of: Player()) {
          Field(\.id, at: "id")
          Field(\.name, at: "name")
          Field(\.sponsor, at: "sponsor")
        }
        Nested(one: teams.recipe, at: "team", as: .key, through: .targets(of: PlaysFor.self))
        Nested(many: teams.recipe, at: "coached", as: .key, through: .targets(of: Coaches.self))
      } columns: {
        Link(Coaches.self).named("coach").columns(owner: "player", nested: "team")
      }
      (self.teams, self.players) = (teams, players)
      // Some are broken before, which is no fault here.
      file = try OtherFile(
        """
        CREATE TABLE team(id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT '');
        CREATE TABLE firm(id INTEGER PRIMARY KEY);
        CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT NOT NULL,
          sponsor INTEGER REFERENCES firm DEFERRABLE INITIALLY DEFERRED, team INTEGER REFERENCES team);
        CREATE TABLE coach(player INTEGER NOT NULL REFERENCES player, team INTEGER NOT NULL REFERENCES team,
          PRIMARY KEY (player, team));
        CREATE TABLE hall(id INTEGER PRIMARY KEY, home INTEGER REFERENCES team DEFERRABLE INITIALLY DEFERRED);
        INSERT INTO team VALUES (1, 'a'), (2, 'b'), (3, 'c'); INSERT INTO firm VALUES (1);
        INSERT INTO player VALUES (1, 'x', 77, 1), (2, 'y', 1, 88), (3, 'z', NULL, NULL);
        INSERT INTO coach VALUES (1, 99); INSERT INTO hall VALUES (1, 66), (2, 3);
        """)
      let schema = try Schema(evolution: .adopting) {
        players
        teams
      }
      session = try Store(at: .file(file.url), schema: schema).session(merging: .manual)
    }

    private func player(_ id: Int) throws -> Entity { try session.repository(players).require(id) }
    private func team(_ id: Int) throws -> Entity { try session.repository(teams).require(id) }

    private func expect(_ table: String, _ entity: Entity) throws {
      let before = try file.cells()
      guard case .foreignKey(table, entity)? = storeError({ try session.save() }) else {
        Issue.record("\(String(describing: storeError { try session.save() }))")
        return
      }
      try expectTrue(file.cells() == before && session.hasChanges)
      session.rollback()
      try expectEqual(session.save(), SaveReport())
    }

    @Test func `a field of a new row or an edited one that leads nowhere is that of its entity`()
      throws
    {
      for id in 1...3 { try player(id).update(Player.self) { $0.name += "!" } }
      let new = session.context.createEntity(with: Player(id: 9, name: "n", sponsor: 5))
      try expect("player", new)
      for id in 1...3 { try player(id).update(Player.self) { $0.name += "!" } }
      let two = try player(2)
      two.update(Player.self) { $0.sponsor = 6 }
      try expect("player", two)
    }

    @Test func `a row that others of the file refer to is named when it goes, or gets another key`()
      throws
    {
      let (two, three) = (try team(2), try team(3))
      two.update(Team.self) { $0.name = "B" }
      three.destroy()
      try expect("team", three)
      try team(2).update(Team.self) { $0.name = "B" }
      let again = try team(3)
      again.update(Team.self) { $0.id = 4 }
      try expect("team", again)
    }

    @Test func `rows that were broken before are no reason, whatever is done beside them`() throws {
      for id in 1...3 { try player(id).update(Player.self) { $0.name += "!" } }
      try team(2).destroy()
      try player(3).relate(PlaysFor.self, to: team(1))
      try expectEqual(session.save().deleted, 1)
      try expectEqual(
        file.rows("SELECT name, sponsor, team FROM player"),
        ["'x!' 77 1", "'y!' 1 88", "'z!' NULL 1"])
    }
  }
#endif
