#if SQLite
  import GRDB

  /// An index of columns that a database has.
  struct TableIndex {
    enum Origin: String {
      case createIndex = "c"
      case uniqueConstraint = "u"
      case primaryKey = "pk"
    }

    var name: String
    var columns: [String]
    var isUnique: Bool
    var origin: Origin

    /// Whether it leaves rows out, so that it promises nothing about all of them.
    var isPartial: Bool
  }

  extension Database {
    /// Whether SQLite numbers the rows of a table, which it does unless that is `WITHOUT ROWID`.
    func hasRowNumbers(_ table: String) throws -> Bool {
      try Bool.fetchOne(
        cachedStatement(sql: "SELECT NOT wr FROM pragma_table_list(?) WHERE schema = 'main'"),
        arguments: [table]) ?? true
    }

    /// The indexes of a table, apart from those of expressions.
    ///
    /// By functions with arguments: GRDB's question puts names into SQL as they are, quotes
    /// included.
    func tableIndexes(of table: String) throws -> [TableIndex] {
      let rows = try Row.fetchAll(
        self,
        sql: """
          SELECT list.name, list."unique", list.origin, list.partial, info.name
          FROM pragma_index_list(?) AS list, pragma_index_info(list.name) AS info
          ORDER BY list.seq, info.seqno
          """, arguments: [table])
      var indexes: [TableIndex] = []
      var unnamed: Set<String> = []
      for row in rows {
        let (name, origin): (String, String) = (row[0], row[2])
        guard let column: String = row[4] else {
          unnamed.insert(name)
          continue
        }
        if indexes.last?.name == name {
          indexes[indexes.count - 1].columns.append(column)
        } else {
          indexes.append(
            TableIndex(
              name: name, columns: [column], isUnique: row[1],
              origin: TableIndex.Origin(rawValue: origin) ?? .createIndex, isPartial: row[3]))
        }
      }
      return indexes.filter { !unnamed.contains($0.name) }
    }
  }
#endif
