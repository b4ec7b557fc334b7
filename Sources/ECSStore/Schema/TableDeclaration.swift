#if SQLite
  import GRDB

  /// A table as it was declared, in the words of its SQL: so all stays of which nothing has to be
  /// known, such as generated columns, checks, references and collations.
  struct TableDeclaration {
    struct Column {
      let name: String

      /// What stands behind name and type, each constraint from its first word on.
      let constraints: [[SQLToken]]

      /// All of it, as it is.
      let text: String

      /// Whether its values follow from others.
      var isGenerated: Bool { constraints.contains { ["GENERATED", "AS"].contains($0.firstWord) } }
    }

    private(set) var columns: [Column] = []

    /// What is declared behind the columns.
    private var constraints: [String] = []

    /// What stands behind the brackets, such as `STRICT`.
    private let options: [SQLToken]

    /// Whether rows have numbers, shown by a column or not.
    var hasRowNumbers: Bool { !options.contains { $0.word == "WITHOUT" } }

    /// Whether no number is given out twice.
    let isNumbered: Bool

    /// - Throws: `DatabaseError`, if there is no such table, or its declaration can't be taken
    ///   apart.
    init(_ database: Database, _ table: String) throws {
      guard
        let sql = try String.fetchOne(
          database, sql: "SELECT sql FROM sqlite_master WHERE type = 'table' AND lower(name) = ?",
          arguments: [table.lowercased()])
      else { throw DatabaseError(message: "no such table: \(table)") }
      let tokens = SQLToken.tokens(of: sql)
      guard let start = tokens.firstIndex(where: { $0.text == "(" }),
        let end = tokens.firstIndex(where: { $0.text == ")" && $0.depth == 0 }), start < end,
        !tokens[..<start].contains(where: { $0.word == "VIRTUAL" })
      else {
        throw DatabaseError(
          message:
            "the declaration of table \(table) can't be understood: make it anew with execute(_:_:)"
        )
      }
      options = Array(tokens[(end + 1)...])
      isNumbered = tokens.contains { $0.word == "AUTOINCREMENT" }
      let words = ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"]
      for part in tokens[(start + 1)..<end].split(whereSeparator: {
        $0.text == "," && $0.depth == 1
      }) {
        guard let first = part.first(where: { !$0.isSpace }) else { continue }
        if words.contains(first.word) {
          constraints.append(part.text)
        } else {
          columns.append(TableDeclaration.column(first.name, part))
        }
      }
    }

    private static func column(_ name: String, _ part: ArraySlice<SQLToken>) -> Column {
      var constraints: [[SQLToken]] = []
      var last = ""
      for token in part.drop(while: \.isSpace).dropFirst() where token.kind != .comment {
        // A name belongs to the constraint behind it.
        let isNamed = constraints.last.map { $0.firstWord.isEmpty } ?? false
        if token.depth == 1, !isNamed, begins(token.word, after: last) {
          constraints.append([token])
        } else if !constraints.isEmpty {
          constraints[constraints.count - 1].append(token)
        }
        if token.depth == 1, !token.word.isEmpty { last = token.word }
      }
      return Column(name: name, constraints: constraints, text: part.text)
    }

    /// Whether a word begins a constraint, and is no part of the one before.
    private static func begins(_ word: String, after last: String) -> Bool {
      switch word {
      case "CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "COLLATE", "REFERENCES", "GENERATED", "NOT":
        true
      case "DEFAULT": last != "SET"
      case "NULL": !["NOT", "SET", "DEFAULT"].contains(last)
      case "AS": last != "ALWAYS"
      default: false
      }
    }

    func index(of column: String) -> Int? {
      columns.firstIndex { $0.name.lowercased() == column.lowercased() }
    }

    /// The statement that makes the table, with another type, default and rule for NULL of one
    /// column.
    func statement(named name: String, _ index: Int, as column: ColumnDescription) -> String {
      let old = columns[index]
      var text = "\(SQLText.name(old.name)) \(column.type.rawValue) "
      for constraint in old.constraints {
        let words = constraint.words
        // `NOT DEFERRABLE` belongs to a reference.
        let isReplaced =
          ["NULL", "DEFAULT"].contains(words.first) || words.prefix(2) == ["NOT", "NULL"]
        if !isReplaced { text += "\(constraint[...].text) " }
      }
      if !column.isNullable { text += "NOT NULL " }
      if let value = column.defaultValue.flatMap(SQLText.literal), !old.isGenerated {
        text += "DEFAULT (\(value))"
      }
      var parts = columns.map(\.text) + constraints
      parts[index] = text
      // A comment at the end of a line may not take the bracket along.
      return
        "CREATE TABLE \(SQLText.name(name)) (\(parts.joined(separator: ","))\n)\(options[...].text)"
    }
  }

  extension ArraySlice<SQLToken> {
    fileprivate var text: String { map(\.text).joined() }
  }

  extension [SQLToken] {
    /// The words of a constraint, without its name.
    fileprivate var words: [String] {
      let tokens = filter { !$0.isSpace }.prefix(4)
      let words = tokens.map { token in token.kind == .word ? token.word : token.text }
      return words.first == "CONSTRAINT" ? [String](words.dropFirst(2)) : words
    }

    /// Its first word; empty if there is nothing but its name yet.
    fileprivate var firstWord: String { words.first ?? "" }
  }
#endif
