#if SQLite
  import ECS
  import ECSRecipes
  import ECSStore
  import ECSTestSupport
  import Testing

  /// Links of a file that can't be links of a context: nothing here changes them.
  @Suite(.noHangs) struct AbsentLinkTests {
    struct Singer: Component, Equatable {
      var id = 0
      var born = 0
    }
    struct Disc: Component, Equatable {
      var id = 0
      var title = ""
    }
    enum SungBy: ToOneRelation {}
    enum OwnedBy: ToOneRelation { static let deleteRule = DeleteRule.cascade }
    enum Guest: Relation {}
    enum Boss: Hierarchy {}

    static func singers() throws -> ECSStore.Table<Singer, Int> {
      try Table("singer", key: \Singer.id) {
        Fields(of: Singer()) {
          Field(\.id, at: "id")
          Field(\.born, at: "born")
        }
        Nested.itself(oneAt: "boss", as: .key, through: .targets(of: Boss.self))
      }
    }

    static func discs() throws -> ECSStore.Table<Disc, Int> {
      let singers = try singers().recipe
      return try Table("disc", key: \Disc.id) {
        Fields(of: Disc()) {
          Field(\.id, at: "id")
          Field(\.title, at: "title")
        }
        Nested(one: singers, at: "singer", as: .key, through: .targets(of: SungBy.self))
        Nested(one: singers, at: "owner", as: .key, through: .targets(of: OwnedBy.self))
        Nested(many: singers, at: "guests", as: .key, through: .targets(of: Guest.self))
      }
    }

    let singers: ECSStore.Table<Singer, Int>
    let discs: ECSStore.Table<Disc, Int>

    /// Discs 10 and 20, of singer 1; and 30, of one that can't be read and one that is not there.
    let file: OtherFile
    let store: Store
    let session: StoreSession

    init() throws {
      (singers, discs) = (try AbsentLinkTests.singers(), try AbsentLinkTests.discs())
      file = try OtherFile(
        """
        CREATE TABLE singer(id INTEGER PRIMARY KEY, born INTEGER NOT NULL, boss INTEGER NOT NULL);
        CREATE TABLE disc(
          id INTEGER PRIMARY KEY, title TEXT NOT NULL, singer INTEGER NOT NULL, owner INTEGER);
        CREATE TABLE disc_guests(ecs_row INTEGER PRIMARY KEY, disc_id INTEGER, singer_id INTEGER, since);
        INSERT INTO singer VALUES (1, 1950, 1), (2, 'about 1960', 1), (3, 1970, 4), (4, 1980, 3);
        INSERT INTO disc VALUES (10, 'One', 1, 1), (20, 'Two', 1, NULL), (30, 'Three', 2, 7);
        INSERT INTO disc_guests VALUES
          (1, 30, 2, 'a'), (2, 30, 1, 'b'), (3, 30, 9, 'c'), (4, 30, 3, 'd'), (5, 10, 9, 'e');
        """)
      let (singers, discs) = (singers, discs)
      store = try Store(
        at: .file(file.url),
        schema: Schema {
          singers
          discs
        })
      session = try store.session(merging: .manual, unreadable: .skipAndReport)
    }

    private func disc(_ id: Int) throws -> Entity {
      try #require(session.repository(discs).find(id))
    }

    private func singer(_ id: Int) throws -> Entity {
      try #require(session.repository(singers).find(id))
    }

    /// What a save changes in the file is what a statement changes in a copy of it.
    private func expectSave(as sql: String, _ report: SaveReport? = nil) throws {
      let copy = try file.copy()
      try copy.execute(sql)
      let saved = try session.save()
      if let report { expectEqual(saved, report) }
      try expectEqual(file.cells(), copy.cells())
      expectFalse(session.hasChanges)
      try expectEqual(session.save(), SaveReport())
      try expectEqual(session.refresh(), MergeReport())
    }

    // MARK: Editing beside them

    @Test func `editing a row keeps links that lead to rows which are not here`() throws {
      expectTrue(session.loaded.unreadable.count == 1 && session.loaded.dangling.count == 7)
      for id in [10, 20, 30] { try disc(id).update(Disc.self) { $0.title += "!" } }
      for id in [1, 3, 4] { try singer(id).update(Singer.self) { $0.born += 1 } }
      try expectSave(
        as:
          "UPDATE disc SET title = title || '!'; UPDATE singer SET born = born + 1 WHERE id <> 2",
        SaveReport(updated: 6))
    }

    @Test func `links that are made and removed leave those beside them as they are`() throws {
      let disc = try disc(30)
      disc.unrelate(Guest.self, from: try singer(1))
      disc.relate(Guest.self, to: try singer(4))
      try expectSave(
        as: """
          DELETE FROM disc_guests WHERE ecs_row = 2;
          INSERT INTO disc_guests VALUES (6, 30, 4, NULL)
          """, SaveReport(linked: 1, unlinked: 1))
      disc.relate(SungBy.self, to: try singer(3))
      try expectSave(as: "UPDATE disc SET singer = 3 WHERE id = 30")
      disc.relate(SungBy.self, to: try singer(4))
      disc.relate(OwnedBy.self, to: try singer(4))
      try expectSave(as: "UPDATE disc SET singer = 4, owner = 4 WHERE id = 30")
      disc.unrelate(OwnedBy.self)
      try expectSave(as: "UPDATE disc SET owner = NULL WHERE id = 30")
    }

    @Test func `a key that changes takes links along that close a circle`() throws {
      try singer(1).update(Singer.self) { $0.id = 5 }
      try singer(3).update(Singer.self) { $0.id = 8 }
      try expectSave(
        as: """
          UPDATE singer SET id = 5, boss = 5 WHERE id = 1;
          UPDATE singer SET id = 8 WHERE id = 3; UPDATE singer SET boss = 8 WHERE id = 4;
          UPDATE disc SET singer = 5 WHERE singer = 1; UPDATE disc SET owner = 5 WHERE owner = 1;
          UPDATE disc_guests SET singer_id = 5 WHERE singer_id = 1;
          UPDATE disc_guests SET singer_id = 8 WHERE singer_id = 3
          """)
    }

    @Test func `a row that goes takes all its links along`() throws {
      try disc(30).destroy()
      try expectSave(
        as: "DELETE FROM disc_guests WHERE disc_id = 30; DELETE FROM disc WHERE id = 30")
    }

    @Test func `a row that another entity takes over has the links of that one`() throws {
      try disc(30).destroy()
      try session.repository(discs).create(Disc(id: 30, title: "New")) {
        $0.relate(SungBy.self, to: session.repository(singers).find(1) ?? $0)
      }
      try expectSave(
        as: """
          UPDATE disc SET title = 'New', singer = 1, owner = NULL WHERE id = 30;
          DELETE FROM disc_guests WHERE disc_id = 30
          """)
    }

    @Test func `taking back leaves them as they are`() throws {
      let disc = try disc(30)
      disc.update(Disc.self) { $0.title = "Draft" }
      disc.relate(OwnedBy.self, to: try singer(1))
      disc.relate(Guest.self, to: try singer(4))
      try self.disc(20).destroy()
      session.rollback()
      expectEqual(disc.targets(Guest.self).map { $0.get(Singer.self)?.id }, [1, 3])
      try self.disc(30).update(Disc.self) { $0.title = "T" }
      try self.disc(20).update(Disc.self) { $0.title = "U" }
      try session.revert(self.disc(20))
      try expectSave(as: "UPDATE disc SET title = 'T' WHERE id = 30", SaveReport(updated: 1))
    }

    // MARK: What others do

    @Test func `a row that others remove leaves what leads to it as it is, cascades or not`()
      throws
    {
      try file.execute("DELETE FROM singer WHERE id = 1")
      try expectEqual(session.refresh().destroyed, 1)
      expectTrue(!session.hasChanges && session.repository(discs).group.count == 3)
      try expectSave(as: "SELECT 1", SaveReport())
      for id in [10, 20] { try disc(id).update(Disc.self) { $0.title += "!" } }
      try expectSave(as: "UPDATE disc SET title = title || '!' WHERE id < 30")
      // And when it is there again, so are the links.
      try file.execute("INSERT INTO singer VALUES (1, 1951, 3)")
      try session.refresh()
      let again = try singer(1)
      try expectTrue(
        disc(20).target(SungBy.self) == again && disc(10).target(OwnedBy.self) == again)
      try expectEqual(
        disc(30).targets(Guest.self).map { $0.get(Singer.self)?.id }, [1, 3])
      try expectSave(as: "SELECT 1", SaveReport())
    }

    @Test func `a link made here to a row that others remove goes alone, and is reported`() throws {
      for policy in [MergePolicy.localWins, .storeWins, .error] {
        let test = try AbsentLinkTests()
        let session = try test.store.session(
          merging: .manual, policy: policy, unreadable: .skipAndReport)
        let four = try #require(session.repository(test.singers).find(4))
        let disc = try #require(session.repository(test.discs).find(20))
        let new = try session.repository(test.discs).create(Disc(id: 40, title: "new"))
        let guest = try session.repository(test.discs).create(Disc(id: 50, title: "guest"))
        for disc in [disc, new] { disc.relate(OwnedBy.self, to: four) }
        new.relate(SungBy.self, to: try #require(session.repository(test.singers).find(1)))
        guest.relate(SungBy.self, to: try #require(session.repository(test.singers).find(1)))
        guest.relate(Guest.self, to: four)
        try test.file.execute("DELETE FROM singer WHERE id = 4")
        let report = try session.refresh()
        expectEqual(report.destroyed, 1)
        expectEqual(Set(report.conflicts.map(\.key)), ["20", "40", "50"])
        expectTrue(report.conflicts.allSatisfy { $0.local == .string("4") && $0.stored == nil })
        expectTrue(disc.isAlive && new.isAlive && guest.isAlive)
        expectTrue(disc.target(OwnedBy.self) == nil && guest.targets(Guest.self).isEmpty)
        try session.save()
        try expectEqual(session.refresh(), MergeReport())
        try expectEqual(
          test.store.rows("SELECT id, singer, owner FROM disc WHERE id IN (20, 40, 50)"),
          ["20 1 NULL", "40 1 NULL", "50 1 NULL"])
        try expectEqual(
          test.store.rows("SELECT count(*) FROM disc_guests WHERE disc_id = 50"), ["0"])
      }
    }

    @Test func `a row that must have a link is saved when it has another one`() throws {
      let four = try singer(4)
      let new = try session.repository(discs).create(Disc(id: 40, title: "new"))
      let disc = try disc(20)
      for disc in [disc, new] { disc.relate(SungBy.self, to: four) }
      try file.execute("DELETE FROM singer WHERE id = 4")
      let conflicts = try session.refresh().conflicts.sorted { $0.key < $1.key }
      expectEqual(conflicts.map(\.key), ["20", "40"])
      expectEqual(conflicts.map(\.base), [.string("1"), nil])
      expectEqual(conflicts.map(\.stored), [.string("1"), nil])
      // What is in the file has its link again, and can be saved.
      try expectTrue(disc.target(SungBy.self) == singer(1) && new.target(SungBy.self) == nil)
      expectTrue(storeError { try session.save() } != nil && session.hasChanges)
      new.relate(SungBy.self, to: try singer(1))
      try expectSave(
        as: "INSERT INTO disc VALUES (40, 'new', 1, NULL)", SaveReport(inserted: 1, linked: 1))
    }

    @Test func `rows that become readable, or are made here, get the links that lead to them`()
      throws
    {
      try file.execute("UPDATE singer SET born = 1960 WHERE id = 2")
      try session.refresh()
      let disc = try disc(30)
      try expectEqual(disc.target(SungBy.self), singer(2))
      expectEqual(disc.targets(Guest.self).map { $0.get(Singer.self)?.id }, [2, 1, 3])
      let nine = try session.repository(singers).create(Singer(id: 9, born: 2000)) {
        $0.relate(Boss.self, to: session.repository(singers).find(1) ?? $0)
      }
      try expectSave(
        as: "INSERT INTO singer VALUES (9, 2000, 1)", SaveReport(inserted: 1, linked: 1))
      expectEqual(disc.targets(Guest.self).map { $0.get(Singer.self)?.id }, [2, 1, 9, 3])
      disc.unrelate(Guest.self, from: nine)
      try expectSave(as: "DELETE FROM disc_guests WHERE ecs_row = 3", SaveReport(unlinked: 1))
    }

    @Test func `a circle that opens becomes links, and merged links stay beside absent ones`()
      throws
    {
      let (three, four) = (try singer(3), try singer(4))
      expectNotEqual((three.target(Boss.self) == four), (four.target(Boss.self) == three))
      try file.execute("UPDATE singer SET boss = 1 WHERE id = 3")
      try session.refresh()
      try expectTrue(three.target(Boss.self) == singer(1) && four.target(Boss.self) == three)
      try disc(30).relate(Guest.self, to: four)
      try file.execute(
        """
        DELETE FROM disc_guests WHERE ecs_row = 1;
        INSERT INTO disc_guests VALUES (7, 30, 77, 'g');
        UPDATE disc SET owner = 78 WHERE id = 10
        """)
      try session.refresh()
      try expectSave(as: "INSERT INTO disc_guests VALUES (8, 30, 4, NULL)", SaveReport(linked: 1))
    }
  }
#endif
