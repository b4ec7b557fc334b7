#if SQLite
  import ECS
  import ECSRecipes
  import ECSStore
  import ECSTestSupport
  import Testing

  /// Tables of pairs in which another program has columns of its own.
  @Suite(.noHangs) struct ForeignPairTests {
    struct Tag: Component { var code = "" }
    struct Memo: Component { var id = 0 }
    enum Has: Relation {}

    let tags: ECSStore.Table<Tag, String>
    let memos: ECSStore.Table<Memo, Int>
    let file: OtherFile
    let session: StoreSession

    init() throws {
      let tags = try Table("tag", key: \Tag.code) {
        Fields(of: Tag()) { Field(\.code, at: "code") }
      }
      let memos = try Table("memo", key: \Memo.id) {
        Fields(of: Memo()) { Field(\.id, at: "id") }
        Nested(many: tags.recipe, at: "tags", as: .key, through: .targets(of: Has.self))
      }
      (self.tags, self.memos) = (tags, memos)
      file = try OtherFile(
        """
        CREATE TABLE tag(code TEXT PRIMARY KEY NOT NULL);
        CREATE TABLE memo(id INTEGER PRIMARY KEY);
        CREATE TABLE memo_tags(
          ecs_row INTEGER PRIMARY KEY, memo_id INTEGER NOT NULL REFERENCES memo ON UPDATE CASCADE,
          tag_code TEXT NOT NULL REFERENCES tag ON UPDATE CASCADE, since TEXT);
        INSERT INTO tag VALUES ('red'), ('blue'), ('green');
        INSERT INTO memo VALUES (1), (2);
        INSERT INTO memo_tags VALUES
          (1, 1, 'red', '2001'), (2, 2, 'red', '2002'), (3, 2, 'blue', '2003'), (4, 2, 'green', '2004')
        """)
      let schema = try Schema {
        tags
        memos
      }
      session = try Store(at: .file(file.url), schema: schema).session(merging: .manual)
    }

    private func tag(_ code: String) throws -> Entity {
      try #require(session.repository(tags).find(code))
    }

    private func expectPairs(_ pairs: String...) throws {
      try expectEqual(
        file.rows("SELECT memo_id, tag_code, since FROM memo_tags ORDER BY ecs_row"), pairs)
      try expectTrue(session.refresh() == MergeReport() && session.save() == SaveReport())
    }

    @Test func `pairs whose ends get other keys keep what others have put into their rows`() throws
    {
      try tag("red").update(Tag.self) { $0.code = "crimson" }
      try expectEqual(session.save(), SaveReport(updated: 1))
      try expectPairs(
        "1 'crimson' '2001'", "2 'crimson' '2002'", "2 'blue' '2003'", "2 'green' '2004'")
      let (crimson, blue) = (try tag("crimson"), try tag("blue"))
      let two = try #require(session.repository(memos).find(2))
      session.context.perform {
        crimson.update(Tag.self) { $0.code = "blue" }
        blue.update(Tag.self) { $0.code = "crimson" }
        two.update(Memo.self) { $0.id = 7 }
      }
      try expectEqual(session.save(), SaveReport(updated: 3))
      try expectPairs(
        "1 'blue' '2001'", "7 'blue' '2002'", "7 'crimson' '2003'", "7 'green' '2004'")
    }

    @Test func `pairs that move, and those beside which others come and go, keep their rows`()
      throws
    {
      let two = try #require(session.repository(memos).find(2))
      two.targets(Has.self).move(try tag("red"), before: nil)
      try expectEqual(session.save(), SaveReport())
      try expectPairs("1 'red' '2001'", "2 'blue' '2003'", "2 'green' '2004'", "2 'red' '2002'")
      two.unrelate(Has.self, from: try tag("blue"))
      try expectEqual(session.save(), SaveReport(unlinked: 1))
      two.relate(Has.self, to: try tag("blue"))
      try expectEqual(session.save(), SaveReport(linked: 1))
      try expectPairs("1 'red' '2001'", "2 'green' '2004'", "2 'red' '2002'", "2 'blue' NULL")
    }
  }
#endif
