#if SQLite
  import ECS
  import GRDB

  extension Store {
    /// Reads what others than the sessions have written, and puts it into the inboxes of all
    /// sessions.
    ///
    /// The hub is locked.
    ///
    /// - Parameters:
    ///   - asksFile: Whether other processes are asked for; if not, only what SQL has written
    ///     through the store is read, and rows whose keys have been taken in a session and are free
    ///     again.
    ///   - body: Reads more of the same state of the file.
    /// - Returns: Whether there was anything.
    /// - Throws: ``StoreError``; everything is read again next time.
    @discardableResult
    func pull(
      asksFile: Bool, and body: ((Database) throws -> Void)? = nil
    ) throws(StoreError) -> Bool {
      let sessions = hub.sessions
      for session in sessions { hub.stale.add(session.takeFreeRows()) }
      if !asksFile, body == nil, hub.stale.isEmpty { return false }
      checkIsNotWriting()
      do {
        try checkOpen()
        var found: FoundChanges?
        var state: FileState?
        var foreign = FileScope()
        // On the connection that writes, whose own changes can be distinguished from those of
        // others.
        try writer.unsafeReentrantWrite { database in
          try reading(database) { read in
            state = read
            foreign = try foreignChanges(database, state)
            if !foreign.isEmpty { try noteSchema(database) }
            var scope = hub.stale
            scope.add(foreign)
            if let session = sessions.first, !scope.isEmpty {
              found = try FoundChanges(database, session, scope)
            }
            try body?(database)
          }
        }
        (hub.seen, hub.stale) = (state, FileScope())
        if !foreign.isEmpty { hub.noteForeignChanges(in: foreign.names(schema.plan)) }
        guard let found else { return false }
        for number in found.scope.tables { hub.unreadable[number] = nil }
        for (index, rows) in found.unreadable.enumerated() {
          if let keys = found.scope.keys[index] {
            hub.unreadable[index]?.removeAll { keys.contains($0.key) }
          }
          if !rows.isEmpty { hub.unreadable[index, default: []] += rows }
        }
        for session in sessions {
          let saved = session.differences(from: found)
          if !saved.isEmpty { hub.tell(session, saved) }
        }
        return true
      } catch {
        throw StoreError(error, in: file)
      }
    }

    /// Reads one state of the file, of which it is known how often it was committed: a commit that
    /// comes while that is looked up has it looked up again.
    private func reading(_ database: Database, _ body: (FileState) throws -> Void) throws {
      var triesLeft = 16
      var isDone = false
      while !isDone {
        try database.inTransaction(.deferred) {
          let wasShared = isShared
          try noteSharing(database)
          // Looking for the log has read: what was committed since is in the count alone.
          if isShared, !wasShared { return .commit }
          let state = try FileState(database, hasLog: isShared)
          triesLeft -= 1
          isDone = !isShared || state.commitCount != .changing || triesLeft == 0
          if isDone { try body(state) }
          return .commit
        }
      }
    }

    /// What others than the store have changed since sessions have looked.
    private func foreignChanges(
      _ database: Database, _ state: FileState?
    ) throws -> FileScope {
      guard let seen = hub.seen, let state, seen.version != state.version else {
        return FileScope()
      }
      guard let stamp = seen.stamp, state.isLogged(since: seen) else { return .all(schema.plan) }
      return try ChangeLog.changes(after: stamp, database, schema.plan) ?? .all(schema.plan)
    }

    /// Looks whether other processes have written, and lets sessions merge it that do so by
    /// themselves.
    func lookForChanges() {
      // Refreshing or saving throws errors.
      hub.working { _ = try? pull(asksFile: true) }
    }
  }

  /// The changes that were read of a file: tables and links as a whole, and single rows of others.
  struct FoundChanges {
    let scope: FileScope
    let contents: FileContents
    let rows: SavedChanges

    /// The session's known state; rows that are the same as in it were left out.
    let known: [SessionTable]

    /// Rows that are there and can't be read, by their tables.
    private(set) var unreadable: [[UnreadableRow]]

    init(_ database: Database, _ session: StoreSession, _ scope: FileScope) throws {
      let (plan, links) = (session.store.schema.plan, session.links)
      var scope = scope
      scope.narrow(session)
      // Many single rows take longer than all of them; and links are compared for all rows or for
      // single ones.
      for (number, keys) in scope.keys
      where keys.keys.count > max(64, session.tables[number].count / 4)
        && !session.tables[number].isOnRequest
      {
        scope.addWhole(number, links)
      }
      for number in scope.tables { scope.addWhole(number, links) }
      self.scope = scope
      known = session.tables
      contents = try FileContents.read(database, plan, links, scope, known: known)
      rows = SavedChanges(plan)
      unreadable = contents.tables.map(\.unreadable)
      for (number, keys) in scope.keys {
        var reader = RowsByKey(database: database, plan: plan, links: links, saved: rows)
        unreadable[number] = try reader.read(keys, number)
      }
    }
  }

  extension FileScope {
    /// All rows of a table, with the links that lead from it.
    mutating func addWhole(_ table: Int, _ links: [SessionLink]) {
      tables.insert(table)
      keys[table] = nil
      for (index, link) in links.enumerated() where link.source == table {
        self.links.insert(index)
      }
    }
  }

  /// Reads single rows with the links that lead from them.
  private struct RowsByKey {
    let database: Database
    let plan: SchemaPlan
    let links: [SessionLink]
    let saved: SavedChanges

    /// Reads rows; returns those that can't be read.
    mutating func read(_ changed: ChangedKeys, _ index: Int) throws -> [UnreadableRow] {
      let table = plan.tables[index]
      let statement = RowStatement(try database.cachedStatement(sql: table.selectionOfOne))
      defer { statement.clear() }
      var unreadable: [UnreadableRow] = []
      var missing: [RowKey] = []
      let left = Set(changed.origins.values)
      for key in changed.keys {
        statement.reset()
        key.bind(to: statement, at: 1)
        guard try statement.step() else {
          missing.append(key)
          continue
        }
        do throws(RowFailure) {
          try saved.tables[index].rows.append(statement)
        } catch {
          unreadable.append(
            UnreadableRow(key: key, error: StoreError(error, table, key: "\(key)")))
          continue
        }
        saved.tables[index].addresses.append(key)
        saved.tables[index].former.append(
          changed.origins[key] ?? (left.contains(key) ? nil : key))
        for (link, keyColumns) in links.columns(of: index) {
          let first = table.columns.count + (keyColumns.first ?? 0)
          let target = try statement.key(at: first, count: keyColumns.count)
          saved.links[link].append(
            SavedChanges.LinkTargets(source: key, targets: target.map { [$0] } ?? []))
        }
      }
      // Where a row was that is elsewhere, none has gone.
      let moved = saved.tables[index].left
      saved.tables[index].gone = missing.filter { !moved.contains($0) }
      try readPairs(of: index)
      return unreadable
    }

    private func readPairs(of index: Int) throws {
      for (position, link) in links.enumerated() where link.source == index {
        guard let pairs = link.pairs else { continue }
        let isNumbered = try database.hasRowNumbers(pairs.name)
        let statement = RowStatement(
          try database.cachedStatement(
            sql: link.isFromOwner
              ? pairs.selectionOfOwner(hasRowNumbers: isNumbered)
              : pairs.selectionOfNested(hasRowNumbers: isNumbered)))
        defer { statement.clear() }
        let width = link.isFromOwner ? pairs.nested.count : pairs.owner.count
        for source in saved.tables[index].addresses {
          statement.reset()
          source.bind(to: statement, at: 1)
          var targets: [RowKey] = []
          var values: StoredLinkValues = [:]
          while try statement.step() {
            guard let target = try statement.key(at: 0, count: width) else { continue }
            targets.append(target)
            if let columns = pairs.values {
              values[target] = columns.normalized(
                statement.values(at: width, in: columns.columns))
            }
          }
          saved.links[position].append(
            SavedChanges.LinkTargets(source: source, targets: targets, values: values))
        }
      }
    }
  }
#endif
