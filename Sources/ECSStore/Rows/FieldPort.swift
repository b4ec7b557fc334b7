#if SQLite
  import ECS

  /// A field of a component and its column, with all that follow it.
  // PERFORMANCE: K1, K3: Each leads to the next one, since a look into an array of generic elements has
  // to look up their metadata; and those of the usual types know their type, since asking a closure for
  // a value and its kind takes longer than binding it.
  protocol FieldPort<C>: AnyObject, Sendable {
    associatedtype C: Component

    var field: RowField<C> { get }

    /// The number of the column.
    var column: Int { get }
    var next: (any FieldPort<C>)? { get }

    /// Binds this field and those that follow, from a place on.
    func bind(_ component: C, to statement: RowStatement, at place: Int32) throws(RowFailure)

    /// Reads this field and those that follow, from a place on.
    func read(_ statement: RowStatement, at place: Int32, into component: inout C)
      throws(RowFailure)

    /// Adds the columns of this field and of those that follow, where they are not alike.
    func compare(_ left: C, _ right: C, into differences: inout ColumnSet)
  }

  extension FieldPort {
    /// The field as another type than the column's, or whose type has a form of its own.
    func bindAny(_ component: C, to statement: RowStatement, at place: Int32) throws(RowFailure) {
      do throws(TransformFailure) {
        statement.bind(try field.write(component), at: place)
      } catch {
        throw RowFailure(column, error)
      }
    }

    func readAny(
      _ statement: RowStatement, at place: Int32, into component: inout C
    ) throws(RowFailure) {
      do throws(TransformFailure) {
        try field.read(try statement.value(at: place), into: &component)
      } catch {
        throw RowFailure(column, error)
      }
    }
  }

  extension RowField where Root: Component {
    /// The port of the field for a column.
    func port(_ column: Int, before next: (any FieldPort<Root>)?) -> any FieldPort<Root> {
      if isPlain {
        if let access = access as? FieldAccess<Root, Int> {
          return IntegerPort(self, access, column, next)
        }
        if let access = access as? FieldAccess<Root, Int64> {
          return LongPort(self, access, column, next)
        }
        if let access = access as? FieldAccess<Root, Double> {
          return RealPort(self, access, column, next)
        }
        if let access = access as? FieldAccess<Root, String> {
          return TextPort(self, access, column, next)
        }
        if let access = access as? FieldAccess<Root, Bool> {
          return BoolPort(self, access, column, next)
        }
      }
      return AnyPort(self, column, next)
    }
  }

  private final class IntegerPort<C: Component>: FieldPort {
    let field: RowField<C>
    let column: Int
    let next: (any FieldPort<C>)?
    private let access: FieldAccess<C, Int>

    init(
      _ field: RowField<C>, _ access: FieldAccess<C, Int>, _ column: Int,
      _ next: (any FieldPort<C>)?
    ) {
      (self.field, self.access, self.column, self.next) = (field, access, column, next)
    }

    func bind(_ component: C, to statement: RowStatement, at place: Int32) throws(RowFailure) {
      statement.bind(Int64(access.get(component)), at: place)
      try next?.bind(component, to: statement, at: place + 1)
    }

    func read(
      _ statement: RowStatement, at place: Int32, into component: inout C
    ) throws(RowFailure) {
      if statement.kind(at: place) == .integer {
        access.set(Int(statement.integer(at: place)), in: &component)
      } else {
        try readAny(statement, at: place, into: &component)
      }
      try next?.read(statement, at: place + 1, into: &component)
    }

    func compare(_ left: C, _ right: C, into differences: inout ColumnSet) {
      if access.get(left) != access.get(right) { differences.insert(column) }
      next?.compare(left, right, into: &differences)
    }
  }

  private final class LongPort<C: Component>: FieldPort {
    let field: RowField<C>
    let column: Int
    let next: (any FieldPort<C>)?
    private let access: FieldAccess<C, Int64>

    init(
      _ field: RowField<C>, _ access: FieldAccess<C, Int64>, _ column: Int,
      _ next: (any FieldPort<C>)?
    ) {
      (self.field, self.access, self.column, self.next) = (field, access, column, next)
    }

    func bind(_ component: C, to statement: RowStatement, at place: Int32) throws(RowFailure) {
      statement.bind(access.get(component), at: place)
      try next?.bind(component, to: statement, at: place + 1)
    }

    func read(
      _ statement: RowStatement, at place: Int32, into component: inout C
    ) throws(RowFailure) {
      if statement.kind(at: place) == .integer {
        access.set(statement.integer(at: place), in: &component)
      } else {
        try readAny(statement, at: place, into: &component)
      }
      try next?.read(statement, at: place + 1, into: &component)
    }

    func compare(_ left: C, _ right: C, into differences: inout ColumnSet) {
      if access.get(left) != access.get(right) { differences.insert(column) }
      next?.compare(left, right, into: &differences)
    }
  }

  private final class RealPort<C: Component>: FieldPort {
    let field: RowField<C>
    let column: Int
    let next: (any FieldPort<C>)?
    private let access: FieldAccess<C, Double>

    init(
      _ field: RowField<C>, _ access: FieldAccess<C, Double>, _ column: Int,
      _ next: (any FieldPort<C>)?
    ) {
      (self.field, self.access, self.column, self.next) = (field, access, column, next)
    }

    func bind(_ component: C, to statement: RowStatement, at place: Int32) throws(RowFailure) {
      let value = access.get(component)
      // SQLite would write NULL.
      if value.isNaN { try bindAny(component, to: statement, at: place) }
      statement.bind(value, at: place)
      try next?.bind(component, to: statement, at: place + 1)
    }

    func read(
      _ statement: RowStatement, at place: Int32, into component: inout C
    ) throws(RowFailure) {
      if statement.kind(at: place) == .real {
        access.set(statement.real(at: place), in: &component)
      } else {
        try readAny(statement, at: place, into: &component)
      }
      try next?.read(statement, at: place + 1, into: &component)
    }

    func compare(_ left: C, _ right: C, into differences: inout ColumnSet) {
      if access.get(left) != access.get(right) { differences.insert(column) }
      next?.compare(left, right, into: &differences)
    }
  }

  private final class TextPort<C: Component>: FieldPort {
    let field: RowField<C>
    let column: Int
    let next: (any FieldPort<C>)?
    private let access: FieldAccess<C, String>

    init(
      _ field: RowField<C>, _ access: FieldAccess<C, String>, _ column: Int,
      _ next: (any FieldPort<C>)?
    ) {
      (self.field, self.access, self.column, self.next) = (field, access, column, next)
    }

    func bind(_ component: C, to statement: RowStatement, at place: Int32) throws(RowFailure) {
      statement.bind(access.get(component), at: place)
      try next?.bind(component, to: statement, at: place + 1)
    }

    func read(
      _ statement: RowStatement, at place: Int32, into component: inout C
    ) throws(RowFailure) {
      if statement.kind(at: place) == .text, let text = statement.text(at: place) {
        access.set(text, in: &component)
      } else {
        try readAny(statement, at: place, into: &component)
      }
      try next?.read(statement, at: place + 1, into: &component)
    }

    func compare(_ left: C, _ right: C, into differences: inout ColumnSet) {
      if access.get(left) != access.get(right) { differences.insert(column) }
      next?.compare(left, right, into: &differences)
    }
  }

  private final class BoolPort<C: Component>: FieldPort {
    let field: RowField<C>
    let column: Int
    let next: (any FieldPort<C>)?
    private let access: FieldAccess<C, Bool>

    init(
      _ field: RowField<C>, _ access: FieldAccess<C, Bool>, _ column: Int,
      _ next: (any FieldPort<C>)?
    ) {
      (self.field, self.access, self.column, self.next) = (field, access, column, next)
    }

    func bind(_ component: C, to statement: RowStatement, at place: Int32) throws(RowFailure) {
      statement.bind(access.get(component) ? 1 : 0 as Int64, at: place)
      try next?.bind(component, to: statement, at: place + 1)
    }

    func read(
      _ statement: RowStatement, at place: Int32, into component: inout C
    ) throws(RowFailure) {
      try readAny(statement, at: place, into: &component)
      try next?.read(statement, at: place + 1, into: &component)
    }

    func compare(_ left: C, _ right: C, into differences: inout ColumnSet) {
      if access.get(left) != access.get(right) { differences.insert(column) }
      next?.compare(left, right, into: &differences)
    }
  }

  private final class AnyPort<C: Component>: FieldPort {
    let field: RowField<C>
    let column: Int
    let next: (any FieldPort<C>)?

    init(_ field: RowField<C>, _ column: Int, _ next: (any FieldPort<C>)?) {
      (self.field, self.column, self.next) = (field, column, next)
    }

    func bind(_ component: C, to statement: RowStatement, at place: Int32) throws(RowFailure) {
      try bindAny(component, to: statement, at: place)
      try next?.bind(component, to: statement, at: place + 1)
    }

    func read(
      _ statement: RowStatement, at place: Int32, into component: inout C
    ) throws(RowFailure) {
      try readAny(statement, at: place, into: &component)
      try next?.read(statement, at: place + 1, into: &component)
    }

    func compare(_ left: C, _ right: C, into differences: inout ColumnSet) {
      if !field.areAlike(left, right) { differences.insert(column) }
      next?.compare(left, right, into: &differences)
    }
  }
#endif
