/// The rows of one table during an iteration.
@usableFromInline
// Guarded by the iteration that made it: its tables do not change until it ends.
struct TableView: @unchecked Sendable {
  @usableFromInline let core: CoreReference
  @usableFromInline let table: TablePointer
  @usableFromInline let rows: Range<Int>

  @usableFromInline
  init(core: CoreReference, table: TablePointer, rows: Range<Int>) {
    self.core = core
    self.table = table
    self.rows = rows
  }

  /// The first of this view's places in a column.
  @inlinable
  @inline(__always)
  func column<C: Component>(_ type: C.Type) -> UnsafeMutablePointer<C> {
    guard let edge = table.pointee.edge(ComponentKey(type)), let column = edge.pointee.column
    else {
      stop("An iteration reached a table without a component that it asks for.")
    }
    // SAFETY: the edge's key says that the column holds values of this very type.
    return column.assumingMemoryBound(to: type) + rows.lowerBound
  }

  /// A column's values, to read.
  @inlinable
  @inline(__always)
  @_lifetime(borrow self)
  func span<C: Component>(_ type: C.Type) -> Span<C> {
    // SAFETY: the rows are initialised, and stay where they are until the iteration ends, which
    // the view and so the span do not outlive.
    let span = Span(_unsafeStart: UnsafePointer(column(type)), count: rows.count)
    return _overrideLifetime(span, borrowing: self)
  }

  /// A column's values, to change.
  @inlinable
  @inline(__always)
  @_lifetime(borrow self)
  func mutableSpan<C: Component>(_ type: C.Type) -> MutableSpan<C> {
    // SAFETY: as in `span`; the iteration has checked that nobody else has the column.
    let span = MutableSpan(_unsafeStart: column(type), count: rows.count)
    return _overrideLifetime(span, borrowing: self)
  }

  /// Calls a body with the offset of each row.
  ///
  /// If it throws, `visited` is the number of rows for which it had returned.
  @inlinable
  @inline(__always)
  func forEachRow(_ visited: inout Int, _ body: (Int) throws -> Void) rethrows {
    var row = 0
    do {
      while row < rows.count {
        try body(row)
        row &+= 1
      }
    } catch {
      visited = row
      throw error
    }
  }

  /// The entity at an offset from the view's first row.
  @inlinable
  @inline(__always)
  func entity(_ offset: Int) -> Entity {
    Entity(core: core, handle: core.handle(at: rows.lowerBound &+ offset, of: table))
  }
}
