#if SQLite
  import ECS
  import ECSRecipes
  import ECSStore
  import ECSTestSupport
  import GRDB
  import Testing

  /// Random programs over an adopted file with triggers, cascades and dangling references, beside a second writer that
  /// is plain SQLite: the file has what SQLite itself makes of the same changes, and the session what the file has.
  @Suite(.noHangs) struct ForeignProgramTests {
    struct Node: Component, Equatable {
      var id = 0
      var name = ""
      var touched = 0
    }
    struct Leaf: Component, Equatable {
      var id = 0
      var name = ""
    }
    enum Below: ToOneRelation {}
    enum Near: ToOneRelation {}

    private struct Program {
      let file: OtherFile
      let twin: OtherFile
      let nodes: ECSStore.Table<Node, Int>
      let leaves: ECSStore.Table<Leaf, Int>
      let store: Store
      let session: StoreSession
      var random: SplitMix64
      var next = 100
      var log: [String] = []

      /// Whether the other writer writes while there is something to save here, too.
      let isShared: Bool

      init(seed: UInt64, isShared: Bool) throws {
        self.isShared = isShared
        random = SplitMix64(seed: seed)
        let nodes = try Table("node", key: \Node.id) {
          Fields(of: Node()) {
            Field(\.id, at: "id")
            Field(\.name, at: "name")
            Field(\.touched, at: "touched")
          }
        }
        let leaves = try Table("leaf", key: \Leaf.id) {
          Fields(of: Leaf()) {
            Field(\.id, at: "id")
            Field(\.name, at: "name")
          }
          Nested(one: nodes.recipe, at: "below", as: .key, through: .targets(of: Below.self))
          Nested(one: nodes.recipe, at: "near", as: .key, through: .targets(of: Near.self))
        }
        (self.nodes, self.leaves) = (nodes, leaves)
        file = try OtherFile(
          """
          CREATE TABLE node(id INTEGER PRIMARY KEY, name TEXT NOT NULL, touched INTEGER NOT NULL DEFAULT 0, own TEXT DEFAULT 'o');
          CREATE TABLE leaf(id INTEGER PRIMARY KEY, name TEXT NOT NULL, own TEXT DEFAULT 'p',
            below INTEGER REFERENCES node ON DELETE CASCADE ON UPDATE CASCADE, near INTEGER);
          CREATE TABLE hidden(id INTEGER PRIMARY KEY, leaf INTEGER REFERENCES leaf ON DELETE SET NULL);
          CREATE TRIGGER renamed AFTER UPDATE OF name ON leaf BEGIN
            UPDATE node SET touched = touched + 1 WHERE id = new.below; END;
          INSERT INTO node(id, name) VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd'), (5, 'e');
          INSERT INTO leaf(id, name, below, near) VALUES (10, 'k', 1, 77), (11, 'l', 1, 2), (12, 'm', 2, 78),
            (13, 'n', NULL, 3), (14, 'o', 3, NULL), (15, 'p', 5, 5);
          INSERT INTO hidden VALUES (1, 10), (2, 12), (3, 15);
          """)
        twin = try file.copy()
        var options = Store.Options()
        if isShared { options.sharing = .processes(checkingEvery: .seconds(3600)) }
        store = try Store(
          at: .file(file.url),
          schema: Schema(evolution: isShared ? .automatic : .adopting) {
            leaves
            nodes
          }, options: options)
        session = try store.session(merging: .manual)
      }

      private mutating func any<Root: Component>(
        _ table: ECSStore.Table<Root, Int>
      ) throws -> Entity? {
        try session.repository(table).all().randomElement(using: &random)
      }

      /// One change here, and the same one as SQL to the twin.
      mutating func step() throws {
        var sql = ""
        next += 1
        switch Int.random(in: 0..<9, using: &random) {
        case 0:
          guard let leaf = try any(leaves), let id = leaf.get(Leaf.self)?.id else { return }
          leaf.update(Leaf.self) { $0.name = "n\(next)" }
          sql = "UPDATE leaf SET name = 'n\(next)' WHERE id = \(id)"
        case 1:
          guard let node = try any(nodes), let id = node.get(Node.self)?.id else { return }
          node.update(Node.self) { $0.name = "n\(next)" }
          sql = "UPDATE node SET name = 'n\(next)' WHERE id = \(id)"
        case 2:
          guard let node = try any(nodes), let id = node.get(Node.self)?.id else { return }
          node.destroy()
          sql = "UPDATE leaf SET near = NULL WHERE near = \(id); DELETE FROM node WHERE id = \(id)"
        case 3:
          guard let leaf = try any(leaves), let id = leaf.get(Leaf.self)?.id else { return }
          leaf.destroy()
          sql = "DELETE FROM leaf WHERE id = \(id)"
        case 4:
          try session.repository(nodes).create(Node(id: next, name: "new"))
          sql = "INSERT INTO node(id, name) VALUES (\(next), 'new')"
        case 5:
          guard let node = try any(nodes), let id = node.get(Node.self)?.id else { return }
          try session.repository(leaves).create(Leaf(id: next, name: "new")) {
            $0.relate(Below.self, to: node)
          }
          sql = "INSERT INTO leaf(id, name, below) VALUES (\(next), 'new', \(id))"
        case 6:
          guard let leaf = try any(leaves), let node = try any(nodes),
            let id = leaf.get(Leaf.self)?.id, let target = node.get(Node.self)?.id
          else { return }
          leaf.relate(Near.self, to: node)
          leaf.relate(Below.self, to: node)
          sql = "UPDATE leaf SET near = \(target), below = \(target) WHERE id = \(id)"
        case 7:
          guard let node = try any(nodes), let id = node.get(Node.self)?.id else { return }
          node.update(Node.self) { $0.id = next }
          sql =
            "UPDATE node SET id = \(next) WHERE id = \(id); UPDATE leaf SET near = \(next) WHERE near = \(id)"
        default:
          // The other writer, while there is nothing to save here.
          let missing = Int.random(in: 1...6, using: &random)
          sql =
            Bool.random(using: &random)
            ? "DELETE FROM node WHERE id = \(missing)"
            : "UPDATE leaf SET near = \(next + 1000), own = 'q\(next)' WHERE id % 3 = \(missing % 3)"
          try file.execute(sql)
          try twin.execute(sql)
          log.append("beside: \(sql)")
          try session.refresh()
          return
        }
        if isShared, Bool.random(using: &random) { try writeBeside() }
        log.append(sql)
        try twin.execute(sql, enforcing: true)
        try session.save()
      }

      /// What the other writer does before a save here: nothing that contradicts it.
      private mutating func writeBeside() throws {
        let sql =
          [
            "UPDATE leaf SET own = 'r\(next)' WHERE id % 2 = 0",
            "UPDATE node SET touched = touched + 5, own = NULL",
            "INSERT INTO node(id, name) VALUES (\(next + 5000), 'there')",
            "INSERT INTO leaf(id, name, near) VALUES (\(next + 6000), 'there', \(next + 7000))",
            "UPDATE hidden SET leaf = (SELECT max(id) FROM leaf)",
          ].randomElement(using: &random) ?? ""
        try file.execute(sql, enforcing: true)
        try twin.execute(sql, enforcing: true)
        log.append("before: \(sql)")
      }

      /// What the file has beside what the store keeps for itself.
      func cells(_ file: OtherFile) throws -> [String] {
        try file.cells(apartFrom: ["ecs_change", "sqlite_sequence"])
      }

      func content(_ session: StoreSession) throws -> [String] {
        try session.repository(leaves).all().map { leaf in
          let (below, near) = (leaf.target(Below.self), leaf.target(Near.self))
          return
            "\(leaf.get(Leaf.self).map { "\($0)" } ?? "") \(below?.get(Node.self)?.id ?? 0) \(near?.get(Node.self)?.id ?? 0)"
        }.sorted()
          + session.repository(nodes).all().map { "\($0.get(Node.self).map { "\($0)" } ?? "")" }
          .sorted()
      }
    }

    @Test(arguments: 0..<6, [false, true])
    func `a file of another program is what SQLite would have after every step`(
      seed: UInt64, isShared: Bool
    ) throws {
      var program = try Program(seed: seed, isShared: isShared)
      for step in 0..<60 {
        try program.step()
        let (here, there) = (try program.cells(program.file), try program.cells(program.twin))
        let fresh = try program.content(program.store.session())
        let known = try program.content(program.session)
        guard here == there, known == fresh else {
          Issue.record(
            """
            seed \(seed), \(isShared), step \(step): \(program.log.joined(separator: "\\n"))
            \(Set(here).symmetricDifference(there).sorted()) \(Set(known).symmetricDifference(fresh).sorted())
            """)
          return
        }
        expectFalse(program.session.hasChanges)
        try expectEqual(program.session.save(), SaveReport())
        try expectEqual(program.session.refresh(), MergeReport())
      }
    }
  }
#endif
