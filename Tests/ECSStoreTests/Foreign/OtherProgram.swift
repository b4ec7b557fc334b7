#if SQLite
  import ECS
  import ECSStore
  import ECSTestSupport
  import Foundation
  import GRDB
  import Testing

  /// How a file of another program is opened.
  enum OpeningMode: String, CaseIterable, Sendable {
    case automatic, manual, adopting, shared, adoptingOnRequest, automaticOnRequest

    var evolution: Schema.Evolution {
      switch self {
      case .automatic, .shared, .automaticOnRequest: .automatic
      case .manual: .manual
      case .adopting, .adoptingOnRequest: .adopting
      }
    }

    /// Whether tables that can be are those whose rows come when they are asked for.
    var isOnRequest: Bool { self == .adoptingOnRequest || self == .automaticOnRequest }

    var options: Store.Options {
      var options = Store.Options()
      if self == .shared { options.sharing = .processes(checkingEvery: .seconds(3600)) }
      return options
    }
  }

  /// A file of another program that is edited through a session, and a twin to which plain SQLite
  /// does the same.
  struct OtherProgram {
    let file: OtherFile
    let twin: OtherFile
    let mode: OpeningMode
    let session: StoreSession

    init(
      _ sql: String, _ mode: OpeningMode, _ schema: (Schema.Evolution) throws -> Schema
    ) throws {
      self.mode = mode
      file = try OtherFile(sql)
      if mode == .manual {
        // What that mode demands is made before, by another program.
        let scratch = try file.copy()
        try Store(at: .file(scratch.url), schema: schema(.automatic)).close()
        let indexes = try scratch.texts(
          "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql NOT NULL")
        let known = try file.texts(
          "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql NOT NULL")
        for sql in indexes where !known.contains(sql) { try file.execute(sql) }
      }
      twin = try file.copy()
      let store = try Store(
        at: .file(file.url), schema: schema(mode.evolution), options: mode.options)
      session = try store.session(merging: .manual)
      expectTrue(session.loaded.unreadable.isEmpty)
      try expectSame("opening")
    }

    /// Opens a file to read it, or without saving anything, as far as that must not change it.
    static func read(_ sql: String, _ schema: (Schema.Evolution) throws -> Schema) throws {
      let file = try OtherFile(sql)
      let bytes = try Data(contentsOf: file.url)
      for (evolution, isReadOnly) in [
        (Schema.Evolution.automatic, true), (.manual, true), (.adopting, true), (.adopting, false),
      ] {
        var options = Store.Options()
        options.isReadOnly = isReadOnly
        let store = try Store(at: .file(file.url), schema: schema(evolution), options: options)
        let session = try store.session(merging: .manual)
        expectTrue(session.loaded.unreadable.isEmpty && session.loaded.rows > 10)
        if !isReadOnly { try expectEqual(session.save(), SaveReport()) }
        try store.close()
        try expectEqual(Data(contentsOf: file.url), bytes, "\(evolution), \(isReadOnly)")
      }
    }

    /// Makes changes here and saves, and the same ones in SQL there.
    func edit(
      _ name: String, as sql: String, _ body: (StoreSession) throws -> Void
    ) throws {
      try body(session)
      try session.save()
      try twin.execute(sql, enforcing: true)
      try expectSame(name)
    }

    /// Lets plain SQLite write the file beside the session.
    func write(_ sql: String) throws {
      try file.execute(sql, enforcing: true)
      try twin.execute(sql, enforcing: true)
      try session.refresh()
      try expectSame(sql)
    }

    /// Expects of what is refused that nothing has changed.
    func refuse(_ name: String, _ body: (StoreSession) throws -> Void) throws {
      try body(session)
      expectNotNil(storeError { try session.save() }, "\(name), \(mode)")
      session.rollback()
      try expectSame(name)
    }

    private func expectSame(_ name: String) throws {
      let (here, there) = (try file.everything(), try twin.everything())
      expectEqual(here, there, "\(name), \(mode): \(Set(here).symmetricDifference(there).sorted())")
      expectFalse(session.hasChanges, "\(name), \(mode)")
      try expectEqual(session.save(), SaveReport(), "\(name), \(mode)")
      try expectEqual(session.refresh(), MergeReport(), "\(name), \(mode)")
    }
  }

  extension OtherFile {
    /// All rows of all tables with their numbers, and those of views: each cell as a literal.
    func everything() throws -> [String] {
      let names = try texts(
        """
        SELECT name FROM sqlite_master WHERE type IN ('table', 'view')
          AND name NOT IN ('sqlite_stat1', 'ecs_change') ORDER BY name
        """)
      return try names.flatMap { name in
        let numbered = try? rows("SELECT rowid AS number, * FROM \"\(name)\"")
        let rows = try numbered ?? self.rows("SELECT * FROM \"\(name)\"")
        return rows.filter { !$0.contains("'ecs_change'") }.sorted().map { "\(name): \($0)" }
      }
    }

    /// The texts of a query with one column.
    func texts(_ sql: String) throws -> [String] {
      try rows(sql).map { String($0.dropFirst().dropLast()).replacing("''", with: "'") }
    }
  }
#endif
