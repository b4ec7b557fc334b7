#if SQLite
  import ECS

  /// The columns of a table that one component takes.
  struct ComponentLayout: Sendable, Hashable {
    /// The component.
    var cid: CID

    /// Its columns, by their numbers in the table.
    var columns: Range<Int>

    /// The last of the columns, if it says whether there is the component: 1 or 0.
    var presence: Int?

    /// Whether each row has the component.
    var isRoot: Bool

    /// The columns of fields.
    var fields: Range<Int> { columns.lowerBound..<(presence ?? columns.upperBound) }
  }

  /// The values that rows have of one component, which a row may lack.
  ///
  /// Methods with another column take one that is of the same component of the same table, and stop
  /// otherwise.
  protocol ComponentColumn: AnyObject {
    var layout: ComponentLayout { get }
    var count: Int { get }

    /// How many rows have the component.
    var presentCount: Int { get }

    func isPresent(_ row: Int) -> Bool

    // MARK: Adding and removing rows

    /// Adds a row with what an entity has.
    func append(_ entity: Entity)

    /// Adds a row for each of some entities with what it has.
    func append(_ entities: [Entity])

    /// Adds a row for each of some entities that has the component, and tells which ones do.
    func append(
      present entities: EntitySet, _ found: inout [Entity], _ others: inout [Entity])

    /// Adds a row without the component.
    func appendAbsent()

    /// Adds a row with what the present row of a statement has, whose first column is at a place.
    func append(_ statement: RowStatement, at index: Int32) throws(RowFailure)

    /// Adds rows that another one has; all of them, if none are named.
    func append(_ rows: [Int]?, of other: any ComponentColumn)

    /// Puts the last row in the place of a row.
    func swapRemove(_ row: Int)
    func removeAll()

    // MARK: Comparing and changing

    /// Adds the columns in which two rows differ.
    func compare(
      _ row: Int, with other: any ComponentColumn, _ otherRow: Int,
      into differences: inout ColumnSet)

    /// Whether a row is the same as the present one of a statement, whose first column is at a
    /// place; false also if that is not known without reading that one.
    func isRow(_ row: Int, like statement: RowStatement, at index: Int32) -> Bool

    /// Takes all columns of another row.
    func replace(_ row: Int, with other: any ComponentColumn, _ otherRow: Int)

    /// Takes one column of another row.
    func replace(
      _ column: Int, of row: Int, with other: any ComponentColumn, _ otherRow: Int
    ) throws(RowFailure)

    /// What is in a column; NULL if there is no component.
    func value(_ column: Int, of row: Int) throws(RowFailure) -> RowValue

    /// What is in a column, if it is an integer as the component has it; nil tells nothing.
    func integer(_ column: Int, of row: Int) -> Int64?

    /// Sets a column, to which others have to fit.
    func set(_ column: Int, of row: Int, to value: RowValue) throws(RowFailure)

    // MARK: Writing to the database

    /// Binds all columns, from a place on.
    func bind(_ row: Int, to statement: RowStatement, at index: Int32) throws(RowFailure)

    /// Binds one column.
    func bind(
      _ column: Int, of row: Int, to statement: RowStatement, at index: Int32
    ) throws(RowFailure)

    // MARK: Writing to a context

    /// Gives an entity the component, or takes it away.
    func apply(_ row: Int, to entity: Entity)

    /// Fills a column of new entities with rows that have the component; all rows, if none are
    /// named.
    func fill(_ columns: borrowing NewColumns, _ rows: [Int]?)
  }

  extension ComponentColumn {
    /// The other column as one of the same type.
    func same(_ other: any ComponentColumn) -> Self {
      guard let other = other as? Self else {
        stop("Rows of \(other.layout.cid) were taken for those of \(layout.cid).")
      }
      return other
    }

    /// Whether the present row of a statement has the component.
    func isPresent(_ statement: RowStatement, at base: Int32) throws(RowFailure) -> Bool {
      if layout.isRoot { return true }
      // Other programs fill columns without saying that the component is there.
      let hasValue = layout.fields.contains {
        !statement.isNull(at: base + Int32($0 - layout.columns.lowerBound))
      }
      guard let presence = layout.presence, !hasValue else { return hasValue }
      let column = base + Int32(presence - layout.columns.lowerBound)
      switch statement.kind(at: column) {
      case .integer: return statement.integer(at: column) != 0
      case nil: return false
      case let kind?: throw RowFailure(presence, "expected 0 or 1, found \(kind)")
      }
    }

    /// Binds what stands for a component that is not there.
    func bindAbsent(to statement: RowStatement, at base: Int32) {
      for column in layout.columns {
        let number = base + Int32(column - layout.columns.lowerBound)
        if column == layout.presence {
          statement.bind(0 as Int64, at: number)
        } else {
          statement.bindNull(at: number)
        }
      }
    }
  }
#endif
