#if SQLite
  import ECS
  import Foundation
  import GRDB

  /// Writes what a save has planned, in the transaction of its caller.
  struct SaveWriter {
    let session: StoreSession
    let database: Database
    var plan: SavePlan
    var report = SaveReport()

    /// Whether rows that the database refuses are left out.
    let skips: Bool

    /// The entities that are to be left out, and why.
    var refused: [(entity: Entity, error: StoreError)] = []

    /// What the database does by itself.
    let rules: FileRules

    /// What it has done so, and has to be read again.
    var effects = FileScope()

    /// How many rows statements have changed, apart from what followed.
    var changeCount = 0

    var tables: [SessionTable] { session.tables }
    private var file: StoreFile { session.store.file }

    init(
      _ session: StoreSession, _ database: Database, _ plan: SavePlan, skips: Bool
    ) throws {
      (self.session, self.database, self.plan) = (session, database, plan)
      self.skips = skips
      rules = try session.store.rules(database)
    }

    mutating func run() throws {
      let before = database.totalChangesCount
      for index in tables.indices where tables[index].plan.isGenerated { try giveKeys(index) }
      try checkRefused()
      try session.planLinks(&plan)
      // Rows that refer to each other come and go in an order of their own.
      if plan.links.contains(where: { !$0.isEmpty })
        || plan.tables.contains(where: { !$0.deletes.isEmpty })
      {
        try statement("PRAGMA defer_foreign_keys = ON").run()
      }
      dropLinksThatGo()
      plan.putLeftOutFirst()
      // The file may do something with rows that refer to those that go.
      let order = rules.childrenFirst(tables.map(\.plan.name))
      for position in session.links.indices { try deletePairs(position) }
      for number in order { try releaseDeleted(number) }
      for number in order { try delete(number) }
      for offset in tables.indices { try park(offset) }
      for offset in tables.indices { try refuseTakenKeys(offset) }
      try checkRefused()
      for number in session.links.indices { try movePairs(number) }
      for number in order { try update(number) }
      for number in order.reversed() { try insert(number) }
      try checkRefused()
      for number in session.links.indices { try insertPairs(number) }
      try checkRefused()
      try noteEffects(database.totalChangesCount - before)
      try checkReferences()
      for number in tables.indices where plan.tables[number].isWritten {
        // Not by the name, which GRDB would put into SQL as it is, quotes included.
        let statement = try database.cachedStatement(sql: tables[number].plan.selectionOfRows)
        try database.notifyChanges(in: statement.databaseRegion)
      }
    }

    /// Throws if a statement has changed no row.
    private mutating func checkChange(_ index: Int, _ row: Int) throws(RowHasGone) {
      if database.changesCount == 1 || mayHaveGone(index) { return }
      throw RowHasGone(table: tables[index].plan.name, key: tables[index].addresses[row])
    }

    func statement(_ sql: String) throws -> RowStatement {
      RowStatement(try database.cachedStatement(sql: sql))
    }

    /// A statement for rows of a table, with the entity of the first one: what is wrong with
    /// triggers is reported here.
    func statement(_ sql: String, _ table: SessionTable, _ entity: Entity) throws -> RowStatement {
      do {
        return try statement(settled(sql, table))
      } catch let error as DatabaseError {
        throw StoreError(error, in: file, table: table.plan.name, key: nil, entity: entity)
      }
    }

    /// Runs a statement for the row of an entity.
    mutating func run(
      _ statement: RowStatement, _ table: SessionTable, _ key: RowKey?, _ entity: Entity
    ) throws {
      do throws(DatabaseError) {
        try statement.run()
      } catch {
        let error = StoreError(error, in: file, table: table.plan.name, key: key, entity: entity)
        // An index may stand for the key that a table of another program does not declare.
        guard case .unique(let name, let columns, _) = error, let key,
          columns == table.plan.address.joined(separator: ", ")
        else { throw error }
        throw StoreError.duplicateKey(table: name, key: "\(key)")
      }
      changeCount += database.changesCount
    }

    /// Throws if a statement that adds a row has added none.
    func checkInsertion(_ table: String, _ entity: Entity) throws(StoreError) {
      if database.changesCount == 1 { return }
      throw .refused(
        table: table, entity: entity,
        reason: "the row was not added: a trigger or an ON CONFLICT clause has left it out")
    }

    /// Runs a statement for the row of an entity; false if the database refuses that, and it is to
    /// be left out.
    mutating func tries(
      _ statement: RowStatement, _ table: SessionTable, _ key: RowKey?, _ entity: Entity,
      adds: Bool = false
    ) throws -> Bool {
      do {
        try run(statement, table, key, entity)
        if adds { try checkInsertion(table.plan.name, entity) }
        return true
      } catch let error as StoreError where error.isOfOneRow {
        try refuse(entity, error)
        return false
      }
    }

    // MARK: Keys

    /// Gives new rows the keys that the database would give them.
    ///
    /// So links to them are known before they are there. There is no other writer meanwhile.
    private mutating func giveKeys(_ index: Int) throws {
      let table = tables[index]
      let new = plan.tables[index].inserts.filter { plan.tables[index].addresses[$0] == nil }
      guard !new.isEmpty, let column = table.plan.keyColumns.first else { return }
      let name = table.plan.name
      // A table of another program may have no AUTOINCREMENT, so that SQLite goes on from the last
      // row.
      let key = SQLText.name(table.plan.columns[column].description.name)
      var last =
        try Int64.fetchOne(database, sql: "SELECT max(\(key)) FROM \(SQLText.name(name))") ?? 0
      if rules.hasSequences {
        let given = try Int64.fetchOne(
          database, sql: "SELECT max(seq) FROM sqlite_sequence WHERE name = ? COLLATE NOCASE",
          arguments: [name])
        last = max(last, given ?? 0)
      }
      for row in plan.tables[index].inserts {
        if case .integer(let key)? = plan.tables[index].addresses[row] { last = max(last, key) }
      }
      for row in new {
        let entity = plan.changes.tables[index].entities[row]
        guard last < .max else {
          try refuse(
            entity, .refused(table: name, entity: entity, reason: "the highest key is given out"))
          continue
        }
        last += 1
        plan.tables[index].addresses[row] = .integer(last)
        do throws(RowFailure) {
          try plan.changes.tables[index].rows.set(column, of: row, to: .integer(last))
        } catch {
          try refuse(entity, session.unstorable(error, table, entity))
        }
      }
    }

    // MARK: Rows

    private mutating func delete(_ index: Int) throws {
      let table = tables[index]
      guard let first = plan.tables[index].deletes.first else { return }
      let statement = try statement(table.plan.deletion, table, table.entities[first])
      for row in plan.tables[index].deletes {
        let key = table.addresses[row]
        key.bind(to: statement, at: 1)
        guard try tries(statement, table, key, table.entities[row]) else { continue }
        report.deleted += database.changesCount
        if database.changesCount == 0 { try checkIsGone(index, row) }
      }
    }

    /// Moves values that must differ out of the way of those that take them over.
    private mutating func park(_ index: Int) throws {
      let table = tables[index]
      guard !plan.tables[index].updates.isEmpty else { return }
      let parked = session.findParked(index, plan)
      for (update, change) in plan.tables[index].updates.enumerated() {
        let links = change.links.keys.filter { mustDiffer(table.plan.linkColumns[$0]) }.sorted()
        guard parked[update] != nil || !links.isEmpty else { continue }
        let columns = parked[update] ?? ColumnSet()
        let statement = try statement(
          table.plan.update(columns, links: links), table, change.entity)
        let address = table.addresses[change.row]
        var position: Int32 = 1
        var values = address.values
        for column in columns {
          let value = RowValue.parked(table.plan.columns[column].description)
          statement.bind(value, at: position)
          if let part = table.plan.keyColumns.firstIndex(of: column) { values[part] = value }
          position += 1
        }
        for _ in links {
          statement.bindNull(at: position)
          position += 1
        }
        address.bind(to: statement, at: position)
        guard try tries(statement, table, address, change.entity) else { continue }
        try checkChange(index, change.row)
        plan.tables[index].updates[update].parked = RowKey(values)
      }
    }

    /// Whether no two rows may have the same link, so that it has to make room.
    private func mustDiffer(_ column: TablePlan.LinkColumn) -> Bool {
      let link = session.links[column.link].plan
      return column.description.isNullable
        && (column.description.isUnique || link.isUnique || link.relation.givesOneOwner)
    }

    private mutating func update(_ index: Int) throws {
      let table = tables[index]
      let rows = plan.changes.tables[index].rows
      // Mostly the same columns change in many rows.
      var last: (columns: ColumnSet, links: [Int], statement: RowStatement)?
      for change in plan.tables[index].updates {
        let links = change.links.isEmpty ? [] : change.links.keys.sorted()
        if change.columns.isEmpty, links.isEmpty { continue }
        let statement: RowStatement
        if let last, last.columns == change.columns, last.links == links {
          statement = last.statement
        } else {
          statement = try self.statement(
            table.plan.update(change.columns, links: links), table, change.entity)
          last = (change.columns, links, statement)
        }
        var offset: Int32 = 1
        let address = change.parked ?? table.addresses[change.row]
        let key = change.number.flatMap { plan.tables[index].addresses[$0] } ?? address
        if let position = change.number {
          do throws(RowFailure) {
            offset = try rows.bind(change.columns, of: position, to: statement)
          } catch {
            try refuse(change.entity, session.unstorable(error, table, change.entity))
            continue
          }
        }
        for link in links {
          statement.bind(change.links[link] ?? .null, at: offset)
          offset += 1
        }
        address.bind(to: statement, at: offset)
        guard try tries(statement, table, key, change.entity) else { continue }
        try checkChange(index, change.row)
        report.updated += 1
      }
    }

    private mutating func insert(_ index: Int) throws {
      let (table, changes) = (tables[index], plan.changes.tables[index])
      guard let new = plan.tables[index].inserts.first else { return }
      let statement = try statement(table.plan.insertion, table, changes.entities[new])
      let first = Int32(table.plan.columns.count + 1)
      for row in plan.tables[index].inserts {
        let key = plan.tables[index].addresses[row]
        do throws(RowFailure) {
          try changes.rows.bind(row, to: statement)
        } catch {
          try refuse(changes.entities[row], session.unstorable(error, table, changes.entities[row]))
          continue
        }
        if !table.plan.linkColumns.isEmpty {
          let links = plan.tables[index].linkValues[row]
          for column in table.plan.linkColumns.indices {
            statement.bind(links?[column] ?? .null, at: first + Int32(column))
          }
        }
        guard try tries(statement, table, key, changes.entities[row], adds: true) else { continue }
        if !table.plan.hasKey {
          plan.tables[index].addresses[row] = .integer(database.lastInsertedRowID)
        }
        report.inserted += 1
      }
    }
  }

  /// A row was to be changed and is not there: a writer has removed it that was not noticed.
  struct RowHasGone: Error {
    let table: String
    let key: RowKey
  }

  extension SavePlan.TablePlan {
    var isWritten: Bool { !inserts.isEmpty || !updates.isEmpty || !deletes.isEmpty }
  }

  extension RowValue {
    /// A value for a while that no row has.
    static func parked(_ column: ColumnDescription) -> RowValue {
      if column.isNullable { return .null }
      switch column.type {
      case .integer: return .integer(Int64.random(in: Int64.min..<Int64.min / 2))
      case .real: return .real(-Double.random(in: 1e300..<1e307))
      case .text: return .text("\u{1}\(UUID().uuidString)")
      case .blob: return .bytes(Data(UUID().uuidString.utf8))
      }
    }
  }
#endif
