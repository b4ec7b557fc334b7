/// The rows of one table during an iteration.
@safe
@usableFromInline
// Guarded by the iteration that made it: its tables do not change until it ends.
struct TableView: @unchecked Sendable {
  @usableFromInline let core: Core
  @usableFromInline let table: TablePointer
  @usableFromInline let rows: Range<Int>

  @usableFromInline
  init(core: Core, table: TablePointer, rows: Range<Int>) {
    self.core = core
    unsafe self.table = table
    self.rows = rows
  }

  /// The first of this view's values in a column.
  @inlinable
  @inline(__always)
  func column<C: Component>(_ type: C.Type) -> ColumnView<C> {
    guard let edge = unsafe table.pointee.edge(ComponentKey(type)),
      let column = unsafe edge.pointee.column
    else {
      stopWithoutComponent()
    }
    // SAFETY: the edge's key says that the column holds values of this very type.
    return unsafe ColumnView(column.assumingMemoryBound(to: type) + rows.lowerBound)
  }

  /// As `column`; nil if the table does not have the component.
  @inlinable
  @inline(__always)
  func optionalColumn<C: Component>(_ type: C.Type) -> ColumnView<C>? {
    guard let edge = unsafe table.pointee.edge(ComponentKey(type)),
      let column = unsafe edge.pointee.column
    else { return nil }
    // SAFETY: as in `column`.
    return unsafe ColumnView(column.assumingMemoryBound(to: type) + rows.lowerBound)
  }

  /// What closures read of a column.
  @inlinable
  @inline(__always)
  func values<Q: IterationValue>(_ type: Q.Type) -> ReadColumn<Q> {
    let asked = Q.iteratedType
    guard let edge = unsafe table.pointee.edge(asked.key),
      let column = unsafe edge.pointee.column
    else {
      if !asked.isOptional { stopWithoutComponent() }
      return unsafe ReadColumn(IteratedColumn(nil))
    }
    // SAFETY: the edge's key says that the column holds values of the type, which are so far apart.
    return unsafe ReadColumn(IteratedColumn(column + rows.lowerBound &* asked.stride))
  }

  /// What bodies of chunks read of a column.
  @inlinable
  @inline(__always)
  @_lifetime(borrow self)
  func values<Q: ChunkValues & ~Escapable>(_ type: Q.Type) -> Q {
    Q.chunkValues(of: optionalSpan(Q.ChunkComponent.self))
  }

  /// As `span`; nil if the table does not have the component.
  @inlinable
  @inline(__always)
  @_lifetime(borrow self)
  func optionalSpan<C: Component>(_ type: C.Type) -> Span<C>? {
    guard let column = optionalColumn(type) else { return nil }
    // SAFETY: as in `span`.
    let span = unsafe Span(_unsafeStart: UnsafePointer(start(of: column)), count: rows.count)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// A column's values, to read.
  @inlinable
  @inline(__always)
  @_lifetime(borrow self)
  func span<C: Component>(_ type: C.Type) -> Span<C> {
    // SAFETY: the rows are initialized, and stay where they are until the iteration ends, which
    // the view and so the span do not outlive.
    let span = unsafe Span(
      _unsafeStart: UnsafePointer(start(of: column(type))), count: rows.count)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// A column's values, to change.
  @inlinable
  @inline(__always)
  @_lifetime(borrow self)
  func mutableSpan<C: Component>(_ type: C.Type) -> MutableSpan<C> {
    // SAFETY: as in `span`; the iteration has checked that nothing else has the column.
    let span = unsafe MutableSpan(_unsafeStart: start(of: column(type)), count: rows.count)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// Where the span of a column begins, which has a byte for each value even of types that take
  /// none.
  @inlinable
  @inline(__always)
  func start<C: Component>(of column: ColumnView<C>) -> UnsafeMutablePointer<C> {
    if MemoryLayout<C>.size > 0 { return unsafe column.values }
    // SAFETY: the block is long enough for all rows of the table.
    return unsafe EmptyValues.start(rows.upperBound).assumingMemoryBound(to: C.self)
      + rows.lowerBound
  }

  /// Calls a body with the offset of each row.
  ///
  /// If it throws, `visited` is the number of rows for which it had returned.
  @inlinable
  @inline(__always)
  func forEachRow<Failure: Error>(
    _ visited: inout Int, _ body: (Int) throws(Failure) -> Void
  ) throws(Failure) {
    var row = 0
    do throws(Failure) {
      while row < rows.count {
        try body(row)
        row &+= 1
      }
    } catch {
      visited = row
      throw error
    }
  }

  /// Calls a body with the offset of each row, until it returns something.
  ///
  /// `visited` is the number of rows for which it had returned then, or before it threw.
  @inlinable
  @inline(__always)
  func firstRow<Result, Failure: Error>(
    _ visited: inout Int, _ body: (Int) throws(Failure) -> Result?
  ) throws(Failure) -> Result? {
    var row = 0
    do throws(Failure) {
      while row < rows.count {
        if let result = try body(row) {
          visited = row &+ 1
          return result
        }
        row &+= 1
      }
      return nil
    } catch {
      visited = row
      throw error
    }
  }

  /// The entity at an offset from the view's first row.
  @inlinable
  @inline(__always)
  func entity(_ offset: Int) -> Entity {
    unsafe Entity(core: core, handle: core.handle(at: rows.lowerBound &+ offset, of: table))
  }

  // MARK: Values to change

  /// Takes a value out of a column, for a closure to change.
  ///
  /// It is moved, so that nothing else has what it holds, unless the closure may throw: then the
  /// value before has to stay.
  @inlinable
  @inline(__always)
  func take<C: Component, Failure: Error>(
    _ column: ColumnView<C>, _ row: Int, _ failure: Failure.Type
  ) -> C {
    if _isPOD(C.self) { return column[row] }
    core.pointer.pointee.iterations.currentRow = rows.lowerBound &+ row
    // SAFETY: the row is initialized; `put` makes it so again, and nothing reads it until then,
    // since reads compare their row with the current one.
    return unsafe failure == Never.self ? (column.values + row).move() : column[row]
  }

  /// Puts back what `take` took out.
  @inlinable
  @inline(__always)
  func put<C: Component, Failure: Error>(
    _ value: consuming C, _ column: ColumnView<C>, _ row: Int, _ failure: Failure.Type
  ) {
    // SAFETY: as in `take`.
    if _isPOD(C.self) || failure != Never.self {
      unsafe column.values[row] = value
    } else {
      unsafe (column.values + row).initialize(to: value)
    }
  }
}

/// The values of one component type in the rows of a view.
///
/// The closures of an iteration have it, which are called with the offsets of these rows.
@frozen
@safe
@usableFromInline
struct ColumnView<C: Component> {
  @usableFromInline let values: UnsafeMutablePointer<C>

  @inlinable
  @inline(__always)
  init(_ values: UnsafeMutablePointer<C>) { unsafe self.values = unsafe values }

  /// The value at an offset from the view's first row.
  @inlinable
  @inline(__always)
  subscript(row: Int) -> C {
    // SAFETY: `forEachRow` gives no other offsets than those of the view's rows.
    unsafe values[row]
  }
}

/// The values of one component type that the closures of an iteration read in the rows of a view,
/// or optional ones.
@frozen
@usableFromInline
struct ReadColumn<Q: IterationValue> {
  @usableFromInline let column: IteratedColumn

  @inlinable
  @inline(__always)
  init(_ column: IteratedColumn) { self.column = column }

  /// The value at an offset from the view's first row.
  @inlinable
  @inline(__always)
  subscript(row: Int) -> Q { Q.iterationValue(at: row, in: column) }
}
