#if SQLite
  import ECS

  /// A relation that a recipe nests, and how it is kept: in columns of the table, which hold the
  /// key of the other row, or in a table of pairs of keys.
  struct LinkPlan: Sendable {
    enum Storage: Sendable {
      /// The columns of the owner's table, by their places among its ``TablePlan/linkColumns``.
      case columns([Int])

      /// A table of pairs, in the order of linking.
      case pairs(PairTable)
    }

    struct PairTable: Sendable {
      var name: String

      /// The columns with the key of the row whose recipe nests.
      var owner: [ColumnDescription]

      /// The columns with the key of the nested row.
      var nested: [ColumnDescription]

      /// The columns with the values of links; nil if they have none.
      var values: LinkColumns?

      /// Whether a pair may come once only.
      var isSet: Bool

      /// Whether a nested row has one owner at most.
      var hasOneOwner: Bool
    }

    /// The numbers of the tables in the schema: that of the recipe that nests, and the other one.
    var owner: Int
    var nested: Int
    var relation: RecipeRelation
    var storage: Storage

    /// Whether each row of the owner's table must have a link.
    var isNotNull: Bool

    /// Whether no two rows may have the same nested row.
    var isUnique: Bool
  }

  extension LinkPlan.PairTable {
    /// The columns with the values of links.
    var valueColumns: [ColumnDescription] { values?.columns ?? [] }

    /// The columns of a value that were read, as this program would write them.
    func normalized(_ stored: [RowValue]) -> [RowValue] { values?.normalized(stored) ?? stored }

    /// Adds a pair: the columns of the owner, those of the nested row, then those of the value.
    var insertion: String {
      let names = (owner + nested + valueColumns).map(\.name)
      let marks = names.map { _ in "?" }.joined(separator: ", ")
      return "INSERT INTO \(SQLText.name(name)) (\(SQLText.names(names))) VALUES (\(marks))"
    }

    /// Changes the value of a pair: some of its columns, then those of the owner and of the nested
    /// row.
    func update(_ changed: ColumnSet) -> String {
      let settings = changed.map { "\(SQLText.name(valueColumns[$0].name)) = ?" }
        .joined(separator: ", ")
      return "UPDATE \(SQLText.name(name)) SET \(settings) WHERE \(condition(owner + nested))"
    }

    /// Changes both ends of a pair: the columns of the new owner, those of the new nested row, then
    /// the old ones.
    var move: String {
      let settings = (owner + nested).map { "\(SQLText.name($0.name)) = ?" }
        .joined(separator: ", ")
      return "UPDATE \(SQLText.name(name)) SET \(settings) WHERE \(condition(owner + nested))"
    }

    /// Makes a pair the last one in the order of linking.
    var moveLast: String {
      "UPDATE \(SQLText.name(name)) SET rowid = 1 + (SELECT max(rowid) FROM \(SQLText.name(name))) WHERE \(condition(owner + nested))"
    }

    /// Removes a pair.
    var deletionOfOne: String {
      "DELETE FROM \(SQLText.name(name)) WHERE \(condition(owner + nested))"
    }

    /// All pairs in the order of linking, or, if the file does not number them, in that of their
    /// ends: the columns of the owner, those of the nested row, then those of the value.
    func selection(hasRowNumbers: Bool) -> String {
      let ends = SQLText.names((owner + nested).map(\.name))
      let names = SQLText.names((owner + nested + valueColumns).map(\.name))
      return
        "SELECT \(names) FROM \(SQLText.name(name)) ORDER BY \(hasRowNumbers ? "rowid" : ends)"
    }

    /// The nested rows of an owner, with the columns of values, in the order of
    /// ``selection(hasRowNumbers:)``.
    func selectionOfOwner(hasRowNumbers: Bool) -> String {
      selection(of: nested, from: owner, hasRowNumbers)
    }

    /// The owners of a nested row, with the columns of values, in the order of
    /// ``selection(hasRowNumbers:)``.
    func selectionOfNested(hasRowNumbers: Bool) -> String {
      selection(of: owner, from: nested, hasRowNumbers)
    }

    private func selection(
      of columns: [ColumnDescription], from others: [ColumnDescription], _ hasRowNumbers: Bool
    ) -> String {
      let order = hasRowNumbers ? "rowid" : SQLText.names((owner + nested).map(\.name))
      return
        "SELECT \(SQLText.names((columns + valueColumns).map(\.name))) FROM \(SQLText.name(name)) WHERE \(condition(others)) ORDER BY \(order)"
    }

    private func condition(_ columns: [ColumnDescription]) -> String {
      columns.map { "\(SQLText.name($0.name)) = ?" }.joined(separator: " AND ")
    }
  }
#endif
