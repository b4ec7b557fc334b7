#if SQLite
  import ECS

  /// A condition that rows have to fulfil, by what their columns hold: a ``Condition`` for tables
  /// on request, whose rows are judged by SQL, and those that are not saved by ``holds(for:_:_:)``,
  /// alike.
  indirect enum ColumnCondition: Sendable {
    enum Order: String, Sendable {
      case less = "<"
      case lessOrEqual = "<="
      case greater = ">"
      case greaterOrEqual = ">="
    }

    enum Match: Sendable { case prefix, part, pattern }

    case all
    case isIn(Int, [RowValue])
    case order(Int, Order, RowValue)
    case match(Int, Match, String)

    /// Whether there is a component, by its number.
    case has(Int)

    /// Whether a link, by its number, leads to an entity, whose row is not in the file if it has no
    /// key.
    case isLinked(Int, Entity, RowKey?)
    case and(ColumnCondition, ColumnCondition)
    case or(ColumnCondition, ColumnCondition)
    case not(ColumnCondition)
  }

  extension ColumnCondition {
    /// What a condition is for the columns of a table.
    ///
    /// - Throws: ``StoreError`` if it names what no column holds.
    init(_ condition: Condition, of table: Int, in session: StoreSession) throws(StoreError) {
      self = try .make(condition.node, table, session)
    }

    private static func make(
      _ node: Condition.Node, _ table: Int, _ session: StoreSession
    ) throws(StoreError) -> ColumnCondition {
      switch node {
      case .all: .all
      case .and(let left, let right):
        .and(try make(left, table, session), try make(right, table, session))
      case .or(let left, let right):
        .or(try make(left, table, session), try make(right, table, session))
      case .not(let one): .not(try make(one, table, session))
      case .test(let test): try make(test, session.tables[table].plan.definition)
      case .related(let test): try make(test, table, session)
      }
    }

    private static func make(
      _ test: FieldTest, _ table: TableDefinition
    ) throws(StoreError) -> ColumnCondition {
      let values: [RowValue]
      let column: Int
      switch test.operand {
      case .presence:
        guard let index = table.components.firstIndex(where: { $0.layout.cid == test.component })
        else {
          throw .schemaMismatch(
            table: table.name, detail: "\(test.component.name) is kept in none of its columns")
        }
        return .has(index)
      case .text(let text):
        column = try table.column(of: test.keyPath)
        guard table.columns[column].description.type == .text else {
          throw .schemaMismatch(table: table.name, detail: "\(test.keyPath) is no column of texts")
        }
        return .match(column, test.operation.match, text)
      case .values(let write):
        column = try table.column(of: test.keyPath)
        do throws(TransformFailure) {
          values = try write(column, table)
        } catch {
          throw .schemaMismatch(
            table: table.name,
            detail: "\(test.keyPath) is compared with what it can't be: "
              + RowFailure(column, error).reason)
        }
      }
      switch test.operation {
      case .less: return .order(column, .less, values[0])
      case .lessOrEqual: return .order(column, .lessOrEqual, values[0])
      case .greater: return .order(column, .greater, values[0])
      case .greaterOrEqual: return .order(column, .greaterOrEqual, values[0])
      case .notEqual: return .not(.isIn(column, values))
      default: return .isIn(column, values)
      }
    }

    private static func make(
      _ test: RelationTest, _ table: Int, _ session: StoreSession
    ) throws(StoreError) -> ColumnCondition {
      let id = ObjectIdentifier(test.relation)
      let index = session.links.firstIndex {
        $0.source == table && $0.plan.owner == table && $0.columns != nil && $0.relation.id == id
      }
      guard let index else {
        throw .noForeignKey(
          table: session.tables[table].plan.name, relation: "\(test.relation)")
      }
      let target = session.tables[session.links[index].target]
      return .isLinked(index, test.target, target.address(of: test.target))
    }
  }

  extension FieldTest.Operation {
    fileprivate var match: ColumnCondition.Match {
      switch self {
      case .hasPrefix: .prefix
      case .contains: .part
      default: .pattern
      }
    }
  }

  // MARK: In memory

  extension ColumnCondition {
    /// Whether a link leads from a row to an entity.
    typealias LinkTest = (_ link: Int, _ target: Entity, _ key: RowKey?) -> Bool

    /// Whether a row fulfils it, by its number among others.
    func holds(for row: Int, of rows: TableRows, _ isLinked: LinkTest) -> Bool {
      value(row, rows, isLinked) ?? false
    }

    /// The logic of three values that SQL has.
    private func value(_ row: Int, _ rows: TableRows, _ isLinked: LinkTest) -> Bool? {
      switch self {
      case .all: return true
      case .isIn(let column, let values):
        return read(column, row, rows).map { held in values.contains { $0.isSame(as: held) } }
      case .order(let column, let order, let value):
        guard let held = read(column, row, rows), !held.isNull, !value.isNull else { return nil }
        switch order {
        case .less: return held.isBefore(value)
        case .lessOrEqual: return !value.isBefore(held)
        case .greater: return value.isBefore(held)
        case .greaterOrEqual: return !held.isBefore(value)
        }
      case .match(let column, let match, let text):
        guard case .text(let held)? = read(column, row, rows) else { return nil }
        switch match {
        case .prefix: return TextMatch.hasPrefix(held, text)
        case .part: return TextMatch.contains(held, text)
        case .pattern: return TextMatch.like(held, text)
        }
      case .has(let component): return rows.components[component].isPresent(row)
      case .isLinked(let link, let target, let key): return isLinked(link, target, key)
      case .not(let one): return one.value(row, rows, isLinked).map { !$0 }
      case .and(let left, let right):
        let (first, second) = (left.value(row, rows, isLinked), right.value(row, rows, isLinked))
        if first == false || second == false { return false }
        return first == nil || second == nil ? nil : true
      case .or(let left, let right):
        let (first, second) = (left.value(row, rows, isLinked), right.value(row, rows, isLinked))
        if first == true || second == true { return true }
        return first == nil || second == nil ? nil : false
      }
    }

    /// What a column holds; nil if the row lacks its component, or can't be written.
    private func read(_ column: Int, _ row: Int, _ rows: TableRows) -> RowValue? {
      let component = rows.components[rows.table.columns[column].component]
      return component.isPresent(row) ? try? rows.value(column, of: row) : nil
    }
  }
#endif
