#if SQLite
  import ECS
  import GRDB

  /// All rows and links of a file, as they were read.
  struct FileContents {
    struct TableContents {
      var rows: TableRows
      var addresses: [RowKey] = []
    }

    /// A link by the numbers of its ends' rows, from the source to the target.
    struct LinkContents {
      var source: RowKey
      var target: RowKey
    }

    var tables: [TableContents]

    /// By the numbers of links: in the order of linking.
    var links: [[LinkContents]]
    var unreadable: [StoreError] = []

    init(_ plan: SchemaPlan) {
      tables = plan.tables.map { TableContents(rows: TableRows($0)) }
      links = plan.links.map { _ in [] }
    }

    /// Reads all; a row that can't be read throws or is noted.
    static func read(
      _ database: Database, _ plan: SchemaPlan, _ links: [SessionLink], refuses: Bool
    ) throws -> FileContents {
      var contents = FileContents(plan)
      for number in plan.tables.indices {
        try contents.read(number, database, plan, links, refuses: refuses)
      }
      for (number, link) in links.enumerated() {
        guard let pairs = link.pairs else { continue }
        let statement = RowStatement(try database.makeStatement(sql: pairs.selection))
        while try statement.step() {
          let owner = try statement.key(at: 0, count: pairs.owner.count)
          let nested = try statement.key(at: pairs.owner.count, count: pairs.nested.count)
          guard let owner, let nested else { continue }
          contents.links[number].append(
            link.isFromOwner
              ? LinkContents(source: owner, target: nested)
              : LinkContents(source: nested, target: owner))
        }
      }
      return contents
    }

    private mutating func read(
      _ number: Int, _ database: Database, _ plan: SchemaPlan, _ links: [SessionLink], refuses: Bool
    ) throws {
      let table = plan.tables[number]
      let rows = tables[number].rows
      let statement = RowStatement(try database.makeStatement(sql: table.selection))
      let columnLinks = links.enumerated().compactMap { offset, link in
        link.plan.owner == number ? link.columns.map { (offset, $0) } : nil
      }
      while try statement.step() {
        let address: RowKey
        do throws(RowFailure) {
          address = try table.address(statement)
        } catch {
          try note(error, table, key: "?", refuses: refuses)
          continue
        }
        do throws(RowFailure) {
          try rows.append(statement)
        } catch {
          try note(error, table, key: "\(address)", refuses: refuses)
          continue
        }
        tables[number].addresses.append(address)
        for (link, places) in columnLinks {
          let first = table.columns.count + (places.first ?? 0)
          guard let target = try statement.key(at: first, count: places.count) else { continue }
          self.links[link].append(LinkContents(source: address, target: target))
        }
      }
    }

    private mutating func note(
      _ failure: RowFailure, _ table: TablePlan, key: String, refuses: Bool
    ) throws {
      let error = StoreError.unreadable(
        table: table.name, key: key, column: table.columns[failure.column].description.name,
        reason: failure.reason)
      if refuses { throw error }
      unreadable.append(error)
    }
  }

  extension RowStatement {
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
