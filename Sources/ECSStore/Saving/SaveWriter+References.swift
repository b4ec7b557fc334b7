#if SQLite
  import ECS
  import GRDB

  /// Rows that refer to some that are not there when all is written: the commit would say that
  /// there are some, but not which ones.
  extension SaveWriter {
    /// A row that refers to one that is not there.
    private struct BrokenReference {
      var child: String
      var parent: String

      /// The columns that refer to the other one.
      var columns: [String]

      /// What they have; nil if SQLite has no number for the row.
      var values: RowKey?
      var rowNumber: Int64?
    }

    /// Throws about the first of them that the save has made.
    func checkReferences() throws {
      // It can't be asked for if references elsewhere are declared wrongly.
      guard database.hasBrokenReferences,
        let rows = try? Row.fetchAll(database, sql: "PRAGMA foreign_key_check")
      else { return }
      for row in rows {
        let reference = try reference(row)
        // Others may have left some as well.
        if let error = try ownReference(reference) ?? pair(reference) ?? lostTarget(reference) {
          throw error
        }
      }
    }

    private func reference(_ row: Row) throws -> BrokenReference {
      let (child, parent, number): (String, String, Int64?) = (row[0], row[2], row[1])
      let columns = try String.fetchAll(
        database,
        sql: "SELECT \"from\" FROM pragma_foreign_key_list(?) WHERE id = ? ORDER BY seq",
        arguments: [child, row[3] as Int])
      return BrokenReference(
        child: child, parent: parent, columns: columns,
        values: try number.flatMap { try key(columns, of: child, $0) }, rowNumber: number)
    }

    private func key(_ columns: [String], of table: String, _ row: Int64) throws -> RowKey? {
      let statement = RowStatement(
        try database.makeStatement(
          sql: "SELECT \(SQLText.names(columns)) FROM \(SQLText.name(table)) WHERE rowid = ?"))
      defer { statement.clear() }
      statement.bind(row, at: 1)
      return try statement.step() ? statement.key(at: 0, count: columns.count) : nil
    }

    private func number(of table: String) -> Int? {
      tables.firstIndex { $0.plan.name.lowercased() == table.lowercased() }
    }

    /// A row that was written with the reference.
    private func ownReference(_ reference: BrokenReference) throws -> StoreError? {
      guard let number = number(of: reference.child) else { return nil }
      let (table, plan) = (tables[number], plan.tables[number])
      let address = try reference.rowNumber.flatMap {
        try key(table.plan.address, of: reference.child, $0)
      }
      func isIt(_ other: RowKey?) -> Bool { address == nil || address == other }
      for row in plan.inserts where isIt(plan.addresses[row]) {
        let entity = self.plan.changes.tables[number].entities[row]
        return .foreignKey(table: table.plan.name, entity: entity)
      }
      let columns = Set(reference.columns.map { $0.lowercased() })
      for update in plan.updates {
        let written =
          update.columns.map { table.plan.columns[$0].description.name }
          + update.links.keys.map { table.plan.linkColumns[$0].description.name }
        let key = update.number.flatMap { plan.addresses[$0] } ?? table.addresses[update.row]
        if isIt(key), written.contains(where: { columns.contains($0.lowercased()) }) {
          return .foreignKey(table: table.plan.name, entity: update.entity)
        }
      }
      return nil
    }

    /// A pair that was made.
    private func pair(_ reference: BrokenReference) throws -> StoreError? {
      for (index, link) in session.links.enumerated() {
        guard let pairs = link.pairs, pairs.name.lowercased() == reference.child.lowercased() else {
          continue
        }
        let ends = link.isFromOwner ? (pairs.owner, pairs.nested) : (pairs.nested, pairs.owner)
        let source = try reference.rowNumber.flatMap {
          try key(ends.0.map(\.name), of: reference.child, $0)
        }
        let target = try reference.rowNumber.flatMap {
          try key(ends.1.map(\.name), of: reference.child, $0)
        }
        for change in plan.links[index]
        where source == nil
          || change.newSource == source
            && change.new.contains(where: { $0 == target })
        {
          return .foreignKey(table: tables[link.plan.owner].plan.name, entity: change.source)
        }
      }
      return nil
    }

    /// A row that was referred to, and has been deleted or has got another key.
    private func lostTarget(_ reference: BrokenReference) throws -> StoreError? {
      guard let number = number(of: reference.parent) else { return nil }
      let (table, plan) = (tables[number], plan.tables[number])
      func isIt(_ row: Int) -> Bool {
        reference.values == nil || reference.values == table.addresses[row]
      }
      for row in plan.deletes where isIt(row) {
        return .foreignKey(table: table.plan.name, entity: table.entities[row])
      }
      for update in plan.updates where isIt(update.row) {
        guard let position = update.number,
          plan.addresses[position] != table.addresses[update.row]
        else { continue }
        return .foreignKey(table: table.plan.name, entity: update.entity)
      }
      return nil
    }
  }
#endif
