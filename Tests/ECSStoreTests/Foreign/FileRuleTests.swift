#if SQLite
  import ECS
  import ECSRecipes
  import ECSStore
  import ECSTestSupport
  import Testing

  /// What a file does by itself when a session saves: the session has it afterwards, as SQLite has.
  @Suite(.noHangs) struct FileRuleTests {
    struct Maker: Component, Equatable {
      var id = 0
      var name = ""
    }
    struct Item: Component, Equatable {
      var id = 0
      var name = ""
      var changes = 0
    }
    struct Contact: Component, Equatable {
      var mail: String?
      var phone: String?
    }
    enum MadeBy: ToOneRelation {}

    static func makers() throws -> ECSStore.Table<Maker, Int> {
      try Table("maker", key: \Maker.id) {
        Fields(of: Maker()) {
          Field(\.id, at: "id")
          Field(\.name, at: "name")
        }
        Fields(of: Contact()) {
          Field(\.mail, at: "mail")
          Field(\.phone, at: "phone")
        }
      }
    }

    static func items(isLinked: Bool) throws -> ECSStore.Table<Item, Int> {
      let makers = try makers().recipe
      return try Table("item", key: \Item.id) {
        Fields(of: Item()) {
          Field(\.id, at: "id")
          Field(\.name, at: "name")
          Field(\.changes, at: "changes")
        }
        if isLinked {
          Nested(one: makers, at: "maker", as: .key, through: .targets(of: MadeBy.self))
        }
      }
    }

    /// A file with makers 1 and 2, and items 10 and 11 of the first one, and 20 of the second one.
    struct World {
      let file: OtherFile
      let store: Store
      let session: StoreSession
      let other: StoreSession
      let makers: ECSStore.Table<Maker, Int>
      let items: ECSStore.Table<Item, Int>

      init(_ reference: String, _ more: String = "", isLinked: Bool = true) throws {
        let (makers, items) = (
          try FileRuleTests.makers(), try FileRuleTests.items(isLinked: isLinked)
        )
        (self.makers, self.items) = (makers, items)
        file = try OtherFile(
          """
          CREATE TABLE maker(id INTEGER PRIMARY KEY, name TEXT NOT NULL, mail TEXT, phone TEXT);
          CREATE TABLE item(
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, changes INTEGER NOT NULL DEFAULT 0,
            shelf TEXT DEFAULT 'none', maker INTEGER DEFAULT 2 \(reference));
          INSERT INTO maker VALUES (1, 'A', 'a@a', '1'), (2, 'B', NULL, NULL);
          INSERT INTO item VALUES (10, 'x', 0, 'up', 1), (11, 'y', 0, 'up', 1), (20, 'z', 0, 'low', 2);
          \(more)
          """)
        // Children first, which plain SQL does not mind.
        store = try Store(
          at: .file(file.url),
          schema: Schema {
            items
            makers
          })
        session = try store.session(merging: .manual)
        other = try store.session(merging: .manual)
      }

      func maker(_ id: Int) throws -> Entity { try #require(session.repository(makers).find(id)) }
      func item(_ id: Int) throws -> Entity { try #require(session.repository(items).find(id)) }

      /// Saves, and compares the file with what SQL makes of a copy, and the sessions with the file.
      func expectSave(as sql: String) throws {
        let copy = try file.copy()
        try copy.execute("PRAGMA defer_foreign_keys = ON; " + sql, enforcing: true)
        try session.save()
        try expectEqual(file.cells(), copy.cells())
        expectFalse(session.hasChanges)
        let fresh = try store.session()
        try other.refresh()
        for session in [session, other] {
          try expectEqual(content(session), content(fresh))
          try expectTrue(session.refresh() == MergeReport() && session.save() == SaveReport())
        }
      }

      private func content(_ session: StoreSession) throws -> [String] {
        try session.repository(makers).all().map {
          "\($0.get(Maker.self).map { "\($0)" } ?? "-") \($0.get(Contact.self).map { "\($0)" } ?? "-")"
        }.sorted()
          + session.repository(items).all().map {
            "\($0.get(Item.self).map { "\($0)" } ?? "-") \($0.target(MadeBy.self)?.get(Maker.self)?.id ?? 0)"
          }.sorted()
      }
    }

    // MARK: Foreign keys

    @Test(arguments: [
      "", "REFERENCES maker ON DELETE CASCADE", "REFERENCES maker ON DELETE SET NULL",
      "REFERENCES maker ON DELETE SET DEFAULT",
    ])
    func `deleting a row does to those that refer to it what the file says`(reference: String)
      throws
    {
      let world = try World(reference)
      let moved = try world.item(11)
      moved.relate(MadeBy.self, to: try world.maker(2))
      try world.item(10).update(Item.self) { $0.changes = 7 }
      try world.maker(1).destroy()
      let nulls = reference.isEmpty ? "UPDATE item SET maker = NULL WHERE id = 10;" : ""
      try world.expectSave(
        as: """
          UPDATE item SET maker = 2 WHERE id = 11; UPDATE item SET changes = 7 WHERE id = 10;
          \(nulls) DELETE FROM maker WHERE id = 1
          """)
      expectTrue(moved.isAlive)
    }

    @Test(arguments: ["REFERENCES maker", "REFERENCES maker ON DELETE RESTRICT ON UPDATE RESTRICT"])
    func `references that are checked at once do not matter`(reference: String) throws {
      let world = try World(reference)
      try world.maker(1).destroy()
      try world.expectSave(
        as: "UPDATE item SET maker = NULL WHERE maker = 1; DELETE FROM maker WHERE id = 1")
      let new = try world.session.repository(world.makers).create(Maker(id: 3))
      try world.session.repository(world.items).create(Item(id: 30)) {
        $0.relate(MadeBy.self, to: new)
      }
      try world.maker(2).update(Maker.self) { $0.id = 5 }
      try world.expectSave(
        as: """
          INSERT INTO maker(id, name) VALUES (3, ''), (5, 'B');
          INSERT INTO item(id, name, changes, maker) VALUES (30, '', 0, 3);
          UPDATE item SET maker = 5 WHERE maker = 2; DELETE FROM maker WHERE id = 2
          """)
    }

    @Test func `rows go with those that no table says they refer to`() throws {
      let world = try World(
        "REFERENCES maker ON DELETE CASCADE",
        """
        CREATE TABLE part(id INTEGER PRIMARY KEY, item INTEGER REFERENCES item ON DELETE CASCADE);
        INSERT INTO part VALUES (1, 10);
        """, isLinked: false)
      let gone = try world.item(10)
      gone.update(Item.self) { $0.name = "edited" }
      try world.maker(1).destroy()
      try world.expectSave(as: "DELETE FROM maker WHERE id = 1")
      expectFalse(gone.isAlive)
    }

    @Test func `keys that change do so where others refer to them`() throws {
      let world = try World("REFERENCES maker ON UPDATE CASCADE")
      try world.maker(1).update(Maker.self) { $0.id = 9 }
      try world.expectSave(as: "UPDATE maker SET id = 9 WHERE id = 1")
    }

    // MARK: Triggers

    @Test func `what triggers write is in the sessions when a save returns`() throws {
      let world = try World(
        "",
        """
        CREATE TABLE log(text);
        CREATE TRIGGER touched AFTER UPDATE OF name ON item
          BEGIN UPDATE item SET changes = changes + 1 WHERE id = new.id; END;
        CREATE TRIGGER made AFTER INSERT ON item
          BEGIN INSERT OR IGNORE INTO maker(id, name) VALUES (new.id, 'of ' || new.name); INSERT INTO log VALUES (new.name); END;
        CREATE TRIGGER unmade AFTER DELETE ON maker BEGIN DELETE FROM item WHERE maker = old.id; END;
        """)
      let item = try world.item(10)
      item.update(Item.self) { $0.name = "b" }
      try world.expectSave(as: "UPDATE item SET name = 'b' WHERE id = 10")
      expectEqual(item.get(Item.self)?.changes, 1)
      try world.session.repository(world.items).create(Item(id: 2, name: "new"))
      try world.expectSave(as: "INSERT INTO item(id, name, maker) VALUES (2, 'new', NULL)")
      try world.maker(2).destroy()
      try world.expectSave(as: "DELETE FROM maker WHERE id = 2")
    }

    @Test func `a trigger that only writes elsewhere makes nothing be read`() throws {
      let world = try World(
        "",
        "CREATE TABLE log(text); CREATE TRIGGER noted AFTER UPDATE ON item BEGIN INSERT INTO log VALUES (new.name); END;"
      )
      try world.item(10).update(Item.self) { $0.name = "b" }
      try world.expectSave(as: "UPDATE item SET name = 'b' WHERE id = 10")
    }

    @Test(arguments: [
      "BEFORE INSERT ON item BEGIN SELECT RAISE(IGNORE); END",
      "BEFORE DELETE ON item BEGIN SELECT RAISE(IGNORE); END",
      "BEFORE UPDATE ON item BEGIN SELECT RAISE(ABORT, 'no'); END",
      "AFTER DELETE ON item BEGIN SELECT RAISE(FAIL, 'no'); END",
      "AFTER INSERT ON item BEGIN INSERT INTO nowhere VALUES (1); END",
    ])
    func `what a trigger refuses is an error with its entity`(trigger: String) throws {
      let world = try World("", "CREATE TRIGGER no \(trigger);")
      let before = try world.file.cells()
      var entity = try world.item(10)
      if trigger.contains("DELETE") {
        entity.destroy()
      } else if trigger.contains("UPDATE") {
        entity.update(Item.self) { $0.name = "b" }
      } else {
        entity = try world.session.repository(world.items).create(Item(id: 3))
      }
      for _ in 1...2 {
        guard case .refused("item", let refused, _)? = storeError({ try world.session.save() })
        else {
          Issue.record("it was said to be saved")
          return
        }
        expectTrue(refused == entity && world.session.hasChanges)
      }
      try expectEqual(world.file.cells(), before)
    }

    // MARK: Conflicts

    @Test(arguments: ["IGNORE", "REPLACE", "FAIL", "ROLLBACK"], [true, false])
    func `conflicts are errors, however the file would settle them`(
      rule: String, hasTrigger: Bool
    ) throws {
      let file = try OtherFile(
        "CREATE TABLE maker(id INTEGER PRIMARY KEY ON CONFLICT \(rule), name TEXT NOT NULL UNIQUE ON CONFLICT \(rule), mail, phone); INSERT INTO maker VALUES (1, 'a', NULL, NULL), (2, 'b', NULL, NULL);"
          + (hasTrigger
            ? "CREATE TRIGGER t AFTER INSERT ON maker BEGIN SELECT 1; END" : ""))
      let makers = try FileRuleTests.makers()
      let store = try Store(at: .file(file.url), schema: Schema { makers })
      let session = try store.session(merging: .manual)
      let before = try file.cells()
      let rows = session.repository(makers)
      let twin = try rows.create(Maker(id: 3, name: "a"))
      let error = storeError { try session.save() }
      if hasTrigger, rule == "REPLACE" {
        // As the file says, and as the session then has it.
        try expectTrue(error == nil && rows.all().map { $0.get(Maker.self)?.id } == [2, 3])
        return
      }
      expectTrue(error != nil && session.hasChanges)
      if !hasTrigger {
        guard case .unique("maker", "name", twin)? = error else {
          Issue.record("\(String(describing: error))")
          return
        }
      }
      try expectEqual(file.cells(), before)
      twin.update(Maker.self) { $0.name = "c" }
      try expectEqual(session.save(), SaveReport(inserted: 1))
    }

    // MARK: Components

    @Test func `a component is there if others have filled its columns, and keeps what they have`()
      throws
    {
      let world = try World("")
      let (one, two) = (try world.maker(1), try world.maker(2))
      expectEqual(one.get(Contact.self), Contact(mail: "a@a", phone: "1"))
      expectFalse(two.has(Contact.self))
      try world.file.execute("UPDATE maker SET phone = '2' WHERE id = 2")
      try world.session.refresh()
      expectEqual(two.get(Contact.self), Contact(phone: "2"))
      two.update(Contact.self) { $0.mail = "b@b" }
      one.update(Contact.self) { $0.mail = nil }
      try world.expectSave(
        as:
          "UPDATE maker SET mail = 'b@b', has_Contact = 1 WHERE id = 2; UPDATE maker SET mail = NULL WHERE id = 1"
      )
      two.set(Contact())
      try world.expectSave(as: "UPDATE maker SET mail = NULL, phone = NULL WHERE id = 2")
      expectTrue(two.has(Contact.self))
      two.remove(Contact.self)
      try world.expectSave(as: "UPDATE maker SET has_Contact = 0 WHERE id = 2")
    }
  }
#endif
