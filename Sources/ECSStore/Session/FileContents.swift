#if SQLite
  import ECS
  import GRDB

  /// All rows and links of some tables of a file, as they were read.
  struct FileContents {
    struct TableContents {
      /// All that were read, or those alone that differ from a session's known state.
      var rows: TableRows
      var addresses: [RowKey] = []

      // By address, the number of the row; that of the row in a session's known state, if it is the
      // same one, as `~number`. Empty if all rows were read.
      private(set) var rowIndexes: [Int] = []

      /// Rows that are there and can't be read.
      var unreadable: [UnreadableRow] = []

      func rowIndex(_ position: Int) -> Int { rowIndexes.isEmpty ? position : rowIndexes[position] }

      /// Whether some rows differ from a session's known state.
      private(set) var hasRead = false

      mutating func noteRead() {
        hasRead = true
        rowIndexes.append(rows.count - 1)
      }

      mutating func note(known row: Int, at address: RowKey) {
        rowIndexes.append(~row)
        addresses.append(address)
      }
    }

    /// A link by the keys of its ends' rows, from the source to the target.
    struct LinkContents {
      var source: RowKey
      var target: RowKey

      /// The columns of its value; empty if it has none.
      var value: [RowValue] = []
    }

    var tables: [TableContents]

    /// By the numbers of links: in the order of linking.
    var links: [[LinkContents]]

    var unreadable: [StoreError] { tables.flatMap { $0.unreadable.map(\.error) } }

    init(_ plan: SchemaPlan) {
      tables = plan.tables.map { TableContents(rows: TableRows($0)) }
      links = plan.links.map { _ in [] }
    }

    /// Reads tables and links; a row that can't be read is noted.
    ///
    /// Tables on request are left out. Rows that are the same as in a session's known state are
    /// noted as those, which takes no memory.
    static func read(
      _ database: Database, _ plan: SchemaPlan, _ links: [SessionLink], _ scope: FileScope,
      known: [SessionTable]? = nil
    ) throws -> FileContents {
      var contents = FileContents(plan)
      for (index, table) in plan.tables.enumerated()
      where scope.tables.contains(index) && !table.definition.isOnRequest {
        try contents.read(index, database, plan, links, known?[index])
      }
      for (position, link) in links.enumerated() where scope.links.contains(position) {
        guard let pairs = link.pairs else { continue }
        let statement = RowStatement(
          try database.makeStatement(
            sql: pairs.selection(hasRowNumbers: database.hasRowNumbers(pairs.name))))
        while try statement.step() {
          let owner = try statement.key(at: 0, count: pairs.owner.count)
          let nested = try statement.key(at: pairs.owner.count, count: pairs.nested.count)
          guard let owner, let nested else { continue }
          let first = pairs.owner.count + pairs.nested.count
          let value = pairs.normalized(statement.values(at: first, in: pairs.valueColumns))
          contents.links[position].append(
            link.isFromOwner
              ? LinkContents(source: owner, target: nested, value: value)
              : LinkContents(source: nested, target: owner, value: value))
        }
      }
      return contents
    }

    private mutating func read(
      _ index: Int, _ database: Database, _ plan: SchemaPlan, _ links: [SessionLink],
      _ known: SessionTable?
    ) throws {
      let table = plan.tables[index]
      let statement = RowStatement(
        try database.makeStatement(
          sql: table.selection(hasRowNumbers: database.hasRowNumbers(table.name))))
      let columnLinks = links.columns(of: index)
      guard let known else {
        while try statement.step() { try readRow(index, statement, table, columnLinks) }
        try checkKeys(index, table)
        return
      }
      // PERFORMANCE: K4: mostly the rows are those that are known, in their order.
      var next = 0
      while try statement.step() {
        if let row = known.row(like: statement, near: next) {
          let address = known.addresses[row]
          tables[index].note(known: row, at: address)
          try readLinks(from: address, statement, table, columnLinks)
          next = row + 1
        } else if try readRow(index, statement, table, columnLinks) {
          tables[index].noteRead()
          if next < known.count, tables[index].addresses.last == known.addresses[next] {
            next += 1
          }
        }
      }
      if tables[index].hasRead || tables[index].addresses.count != known.count {
        try checkKeys(index, table)
      }
    }

    /// Throws if rows have the same key, which is damage: no two entities may come of them.
    private func checkKeys(_ index: Int, _ table: TablePlan) throws {
      let addresses = tables[index].addresses
      // PERFORMANCE: K3: rows mostly come in the order of numbers.
      let isAscending = zip(addresses, addresses.dropFirst()).allSatisfy { previous, next in
        if case (.integer(let lower), .integer(let upper)) = (previous, next) {
          return lower < upper
        }
        return false
      }
      if isAscending { return }
      var seen = Set<RowKey>(minimumCapacity: addresses.count)
      for address in addresses where !seen.insert(address).inserted {
        throw DatabaseError(
          resultCode: .SQLITE_CORRUPT, message: "table \(table.name) has several rows \(address)")
      }
    }

    /// Reads rows by their addresses; those that are not there are left out.
    mutating func read(
      _ addresses: some Sequence<RowKey>, of number: Int, _ database: Database, _ table: TablePlan,
      _ links: [SessionLink]
    ) throws {
      let statement = RowStatement(try database.cachedStatement(sql: table.selectionOfOne))
      defer { statement.clear() }
      let columnLinks = links.columns(of: number)
      for address in addresses {
        statement.reset()
        address.bind(to: statement, at: 1)
        guard try statement.step() else { continue }
        try readRow(number, statement, table, columnLinks)
      }
    }

    /// Reads the present row of a statement; false if it can't be read, which is noted.
    @discardableResult
    mutating func readRow(
      _ index: Int, _ statement: RowStatement, _ table: TablePlan,
      _ columnLinks: [(link: Int, keyColumns: [Int])]
    ) throws -> Bool {
      let address: RowKey
      do throws(RowFailure) {
        address = try table.address(statement)
      } catch {
        // No row has such a key.
        tables[index].unreadable.append(
          UnreadableRow(key: RowKey([.null]), error: StoreError(error, table, key: "?")))
        return false
      }
      do throws(RowFailure) {
        try tables[index].rows.append(statement)
      } catch {
        tables[index].unreadable.append(
          UnreadableRow(key: address, error: StoreError(error, table, key: "\(address)")))
        return false
      }
      tables[index].addresses.append(address)
      try readLinks(from: address, statement, table, columnLinks)
      return true
    }

    private mutating func readLinks(
      from address: RowKey, _ statement: RowStatement, _ table: TablePlan,
      _ columnLinks: [(link: Int, keyColumns: [Int])]
    ) throws {
      for (link, keyColumns) in columnLinks {
        let first = table.columns.count + (keyColumns.first ?? 0)
        guard let target = try statement.key(at: first, count: keyColumns.count) else { continue }
        links[link].append(LinkContents(source: address, target: target))
      }
    }
  }

  /// A row that is there and can't be read.
  struct UnreadableRow {
    var key: RowKey
    var error: StoreError
  }

  extension [SessionLink] {
    /// The links that columns of a table hold, with the places of these.
    func columns(of table: Int) -> [(link: Int, keyColumns: [Int])] {
      enumerated().compactMap { index, link in
        link.plan.owner == table ? link.columns.map { (index, $0) } : nil
      }
    }
  }

  extension StoreError {
    /// What is wrong with a row that was read.
    init(_ failure: RowFailure, _ table: TablePlan, key: String) {
      self = .unreadable(
        table: table.name, key: key, column: table.columns[failure.column].description.name,
        reason: failure.reason)
    }
  }

  extension RowStatement {
    /// What the columns of the value of a link hold, from a place on.
    ///
    /// A text that is not in UTF-8 becomes what its column never holds, so that no value is made of
    /// it.
    func values(at first: Int, in columns: [ColumnDescription]) -> [RowValue] {
      columns.enumerated().map { offset, column in
        let index = Int32(first + offset)
        if let value = try? value(at: index) { return value }
        let bytes = bytes(at: index)
        return column.type == .blob ? .text(String(decoding: bytes, as: UTF8.self)) : .bytes(bytes)
      }
    }

    /// The key in some columns of the row; nil if one of them is NULL.
    func key(at first: Int, count: Int) throws -> RowKey? {
      var values: [RowValue] = []
      for column in first..<first + count {
        let value = try value(at: Int32(column))
        if value.isNull { return nil }
        values.append(value)
      }
      return RowKey(values)
    }
  }
#endif
