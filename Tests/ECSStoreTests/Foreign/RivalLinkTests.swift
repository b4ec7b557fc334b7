#if SQLite
  import ECS
  import ECSRecipes
  import ECSStore
  import ECSTestSupport
  import Testing

  /// Links of a file that can't be beside each other in a context: nothing here changes them, and
  /// none that was made here gives way to one of others unnoticed.
  @Suite(.noHangs) struct RivalLinkTests {
    struct Guest: Component, Equatable {
      var id = 0
      var name = ""
    }
    struct Hall: Component, Equatable { var id = 0 }
    struct Ship: Component, Equatable { var id = 0 }
    struct Chair: Component, Equatable { var id = 0 }

    /// Kept in a table of pairs for each table that it leads to.
    enum StaysIn: ToOneRelation {}

    /// Kept in a column.
    enum SitsOn: OneToOneRelation {}

    let guests: ECSStore.Table<Guest, Int>
    let halls: ECSStore.Table<Hall, Int>
    let ships: ECSStore.Table<Ship, Int>
    let chairs: ECSStore.Table<Chair, Int>

    /// Guest 1 is in two halls and on a ship, and sits where 2 does; 3 has no links.
    let file: OtherFile
    let store: Store
    let session: StoreSession

    init() throws { try self.init(policy: .error) }

    private init(policy: MergePolicy) throws {
      let chairs = try Table("chair", key: \Chair.id) {
        Fields(of: Chair()) { Field(\.id, at: "id") }
      }
      let guests = try Table("guest", key: \Guest.id) {
        Fields(of: Guest()) {
          Field(\.id, at: "id")
          Field(\.name, at: "name")
        }
        Nested(one: chairs.recipe, at: "seat", as: .key, through: .targets(of: SitsOn.self))
      }
      let halls = try Table("hall", key: \Hall.id) {
        Fields(of: Hall()) { Field(\.id, at: "id") }
        Nested(many: guests.recipe, at: "guests", as: .key, through: .sources(of: StaysIn.self))
      }
      let ships = try Table("ship", key: \Ship.id) {
        Fields(of: Ship()) { Field(\.id, at: "id") }
        Nested(many: guests.recipe, at: "guests", as: .key, through: .sources(of: StaysIn.self))
      }
      file = try OtherFile(
        """
        CREATE TABLE hall(id INTEGER PRIMARY KEY);
        CREATE TABLE ship(id INTEGER PRIMARY KEY);
        CREATE TABLE chair(id INTEGER PRIMARY KEY);
        CREATE TABLE guest(id INTEGER PRIMARY KEY, name TEXT NOT NULL, seat INTEGER);
        CREATE TABLE hall_guests(ecs_row INTEGER PRIMARY KEY, hall_id INTEGER, guest_id INTEGER);
        CREATE TABLE ship_guests(ecs_row INTEGER PRIMARY KEY, ship_id INTEGER, guest_id INTEGER);
        INSERT INTO hall VALUES (1), (2), (3);
        INSERT INTO ship VALUES (1), (2), (3);
        INSERT INTO chair VALUES (1), (2), (3);
        INSERT INTO guest VALUES (1, 'Ada', 1), (2, 'Bea', 1), (3, 'Cid', NULL);
        INSERT INTO hall_guests VALUES (1, 1, 1), (2, 2, 1), (3, 2, 2);
        INSERT INTO ship_guests VALUES (1, 1, 1);
        """)
      store = try Store(
        at: .file(file.url),
        schema: Schema(evolution: .adopting) {
          halls
          ships
          chairs
          guests
        })
      session = try store.session(merging: .manual, policy: policy)
      (self.guests, self.halls, self.ships, self.chairs) = (guests, halls, ships, chairs)
    }

    private func guest(_ id: Int) throws -> Entity { try session.repository(guests).require(id) }
    private func hall(_ id: Int) throws -> Entity { try session.repository(halls).require(id) }
    private func chair(_ id: Int) throws -> Entity { try session.repository(chairs).require(id) }
    private func ship(_ id: Int) throws -> Entity { try session.repository(ships).require(id) }

    /// What a save changes in the file is what a statement changes in a copy of it.
    private func expectSave(as sql: String) throws {
      let copy = try file.copy()
      try copy.execute(sql)
      try session.save()
      try expectEqual(file.cells(), copy.cells())
      try expectTrue(!session.hasChanges && session.save() == SaveReport())
    }

    private func rename() throws {
      for id in 1...3 { try guest(id).update(Guest.self) { $0.name += "!" } }
      try expectSave(as: "UPDATE guest SET name = name || '!'")
    }

    @Test func `editing rows keeps all of them, of which the context has one`() throws {
      expectEqual(session.loaded.dangling.count, 3)
      try expectEqual(guest(1).target(StaysIn.self), hall(1))
      try expectTrue(
        guest(1).target(SitsOn.self) == chair(1) && guest(2).target(SitsOn.self) == nil)
      try rename()
    }

    @Test func `what is changed here replaces the one that is here`() throws {
      try guest(2).relate(StaysIn.self, to: ship(2))
      try expectSave(
        as: "DELETE FROM hall_guests WHERE guest_id = 2; INSERT INTO ship_guests VALUES (2, 2, 2)")
      try guest(1).relate(StaysIn.self, to: hall(3))
      try session.save()
      try expectEqual(
        file.rows("SELECT hall_id FROM hall_guests WHERE guest_id = 1"), ["3"])
      try guest(1).unrelate(SitsOn.self)
      try expectSave(as: "UPDATE guest SET seat = NULL WHERE id = 1")
      // There is room for the other one now.
      try expectEqual(guest(2).target(SitsOn.self), chair(1))
      try rename()
    }

    @Test func `those that others make are kept as well`() throws {
      try file.execute(
        """
        UPDATE guest SET seat = 1 WHERE id = 3;
        INSERT INTO hall_guests VALUES (4, 3, 3), (5, 1, 3);
        INSERT INTO ship_guests VALUES (2, 2, 2), (3, 3, 3);
        """)
      try session.refresh()
      expectFalse(session.hasChanges)
      try rename()
      try file.execute("UPDATE guest SET seat = NULL WHERE id <> 2; DELETE FROM hall_guests")
      try session.refresh()
      try expectEqual(guest(2).target(SitsOn.self), chair(1))
      try expectTrue(guest(3).target(StaysIn.self) == ship(3) && !session.hasChanges)
      try rename()
    }

    @Test(arguments: [true, false])
    func `a link made here to one table and one of others to another one are a conflict`(
      isLocal: Bool
    ) throws {
      let test = try RivalLinkTests(policy: isLocal ? .localWins : .storeWins)
      let guest = try test.guest(3)
      try guest.relate(StaysIn.self, to: test.ship(3))
      try test.file.execute("INSERT INTO hall_guests VALUES (4, 3, 3)")
      let report = try test.session.refresh()
      expectEqual(report.conflicts.map(\.entity), [guest])
      try expectEqual(guest.target(StaysIn.self), (isLocal ? test.ship(3) : test.hall(3)))
      try test.session.save()
      try expectEqual(
        test.file.rows("SELECT hall_id FROM hall_guests WHERE guest_id = 3"),
        (isLocal ? [] : ["3"]))
      try expectEqual(
        test.file.rows("SELECT ship_id FROM ship_guests WHERE guest_id = 3"),
        (isLocal ? ["3"] : []))
      try test.rename()
    }

    @Test(arguments: [true, false])
    func `a target that two sources get, one of them here, is a conflict`(isLocal: Bool) throws {
      let test = try RivalLinkTests(policy: isLocal ? .localWins : .storeWins)
      let (guest, other) = (try test.guest(2), try test.guest(3))
      try guest.relate(SitsOn.self, to: test.chair(3))
      try test.file.execute("UPDATE guest SET seat = 3 WHERE id = 3")
      let report = try test.session.refresh()
      expectEqual(report.conflicts.map(\.entity), [other])
      try expectEqual(guest.target(SitsOn.self), (isLocal ? test.chair(3) : nil))
      try expectEqual(other.target(SitsOn.self), (isLocal ? nil : test.chair(3)))
      try test.session.save()
      try expectEqual(
        test.file.rows("SELECT seat FROM guest WHERE id > 1"),
        (isLocal ? ["3", "NULL"] : ["1", "3"]))
      try test.rename()
    }

    @Test func `a policy that stops for conflicts stops for these`() throws {
      try guest(2).relate(SitsOn.self, to: chair(3))
      try guest(3).relate(StaysIn.self, to: ship(3))
      try file.execute(
        "UPDATE guest SET seat = 3 WHERE id = 3; INSERT INTO hall_guests VALUES (4, 3, 3)")
      let before = try file.cells()
      guard case .conflicts(let conflicts)? = storeError({ try session.refresh() }) else {
        Issue.record("no conflicts")
        return
      }
      expectEqual(conflicts.count, 2)
      try expectEqual(guest(2).target(SitsOn.self), chair(3))
      try expectTrue(guest(3).target(StaysIn.self) == ship(3) && file.cells() == before)
    }
  }
#endif
