#if SQLite
  import ECS
  import ECSRecipes
  import ECSStore
  import ECSTestSupport
  import Foundation
  import Testing

  /// Files of which a part is missing, or that have more than they may.
  @Suite(.noHangs) struct CutFileTests {
    /// A file with a log that is not in it, as a process leaves it that was killed.
    private func killed(_ folder: Folder, _ edit: (StoreSession) -> Void) throws -> (
      file: Data, log: Data
    ) {
      let store = try Store(at: .file(folder.filled()), schema: Library.schema())
      let session = try store.session()
      edit(session)
      try session.save()
      let log = try Data(contentsOf: folder.file("library.sqlite-wal"))
      let file = try Data(contentsOf: folder.file())
      try store.close()
      return (file, log)
    }

    @Test func `a file that was cut is damaged also beside a log, and both stay as they are`()
      throws
    {
      let folder = try Folder()
      let (whole, log) = try killed(folder) { session in
        session.author(0)?.update(Author.self) { $0.last = "l" }
      }
      for size in [whole.count - 4096, whole.count - 1, whole.count / 2, 4096, 50, 0] {
        let cut = folder.file("cut-\(size)")
        let wal = URL(fileURLWithPath: cut.path + "-wal")
        try whole.prefix(size).write(to: cut)
        try log.write(to: wal)
        let error = storeError { _ = try Store(at: .file(cut), schema: Library.schema()) }
        guard case .corrupt(cut.path, _)? = error else {
          Issue.record(
            "\(size) bytes and a log were taken for the whole: \(String(describing: error))")
          continue
        }
        try expectEqual(Data(contentsOf: cut), whole.prefix(size))
        try expectEqual(Data(contentsOf: wal), log)
      }
    }

    @Test func `a file that a killed process has left shorter is whole with its log`() throws {
      let folder = try Folder()
      let (whole, log) = try killed(folder) { session in
        for id in 1000..<1300 { session.context.createEntity(with: Author(id: Int64(id))) }
        for author in session.context.group(Author.matcher) {
          author.update(Author.self) { $0.last = "l" }
        }
      }
      let grown = try Data(contentsOf: folder.file())
      expectGreaterThan(grown.count, whole.count)
      // What copies the log into the file has written the first page, and no more.
      let part = folder.file("part")
      let wal = URL(fileURLWithPath: part.path + "-wal")
      try (grown.prefix(4096) + whole.dropFirst(4096)).write(to: part)
      try log.prefix(log.count / 2).write(to: wal)
      guard
        case .corrupt? = storeError({ _ = try Store(at: .file(part), schema: Library.schema()) })
      else {
        Issue.record("\(log.count) bytes of log, half of which were taken for the whole")
        return
      }
      try log.write(to: wal)
      let store = try Store(at: .file(part), schema: Library.schema())
      try expectEqual(store.rows("SELECT count(*), count(last) FROM author"), ["800 800"])
      try expectEqual(store.integrity(), "ok")
      try store.close()
    }

    /// The pages of a file, as a journal keeps them.
    private func journal(_ whole: Data, _ pages: Range<Int>) -> Data {
      func bytes(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
      }
      var data = Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
      for number in [pages.count, 0, whole.count / 4096, 512, 4096] { data += bytes(number) }
      data += Data(count: 512 - data.count)
      for number in pages {
        let page = [UInt8](whole[number * 4096..<(number + 1) * 4096])
        data += bytes(number + 1) + page
        // SQLite adds up each 200th byte, from the end.
        data += bytes(stride(from: 4096 - 200, to: 0, by: -200).reduce(0) { $0 + Int(page[$1]) })
      }
      return data
    }

    @Test func `a journal makes a file whole if it has what is missing`() throws {
      let folder = try Folder()
      let whole = try Data(contentsOf: folder.filled())
      let pages = whole.count / 4096
      let part = whole.prefix((pages - 2) * 4096)
      for (first, isWhole) in [(pages - 2, true), (pages - 1, false)] {
        let file = folder.file("journal-\(first)")
        let beside = URL(fileURLWithPath: file.path + "-journal")
        let journal = journal(whole, first..<pages)
        try part.write(to: file)
        try journal.write(to: beside)
        if isWhole {
          let store = try Store(at: .file(file), schema: Library.schema())
          try expectEqual(store.rows("SELECT count(*) FROM author"), ["500"])
          try expectEqual(store.integrity(), "ok")
          try store.close()
          continue
        }
        let error = storeError { _ = try Store(at: .file(file), schema: Library.schema()) }
        guard case .corrupt? = error else {
          Issue.record("\(String(describing: error))")
          continue
        }
        try expectTrue(Data(contentsOf: file) == part && Data(contentsOf: beside) == journal)
      }
    }

    @Test(arguments: [true, false])
    func `a key that two rows have is damage, when it is loaded and when it comes later`(
      isLater: Bool
    ) throws {
      let words = try Table("word", key: \TextTests.Word.id) {
        Fields(of: TextTests.Word()) {
          Field(\.id, at: "key")
          Field(\.text, at: "text")
        }
      }
      let schema = try Schema(evolution: .adopting) { words }
      let file = try OtherFile(
        """
        CREATE TABLE word(key TEXT NOT NULL, text TEXT NOT NULL);
        CREATE UNIQUE INDEX word_key ON word(key);
        INSERT INTO word VALUES ('a', '1'), ('b', '2'), ('c', '3');
        """)
      let session = try Store(at: .file(file.url), schema: schema).session(merging: .manual)
      // As damage has it: the index says that there is one of them, the table has two.
      for (condition, sql) in [
        ("WHERE text <> ''4''", "INSERT INTO word VALUES ('a', '4')"), ("", "SELECT 1"),
      ] {
        try file.execute(
          """
          PRAGMA writable_schema = ON;
          UPDATE sqlite_master SET sql = 'CREATE UNIQUE INDEX word_key ON word(key) \(condition)'
          WHERE name = 'word_key'
          """)
        try file.execute(sql)
      }
      let error = storeError {
        if isLater {
          try session.refresh()
        } else {
          _ = try Store(at: .file(file.url), schema: schema).session()
        }
      }
      guard case .corrupt(_, let detail)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      expectTrue(detail.contains("word has several rows a"))
      expectEqual(session.context.group(TextTests.Word.matcher).count, 3)
    }
  }
#endif
