/// Rows of a table: those that it has, or copies of those that it had when a picture was made.
enum ColumnRows {
  case stored(TableView)
  case frozen(FrozenPage, Core)

  /// The component types, ascending.
  var types: [CID] {
    switch self {
    case .stored(let view): view.types
    case .frozen(let page, _): page.table.signature
    }
  }

  var count: Int {
    switch self {
    case .stored(let view): view.rows.count
    case .frozen(let page, _): page.count
    }
  }

  /// The entity of a row.
  func entity(_ offset: Int) -> Entity {
    switch self {
    case .stored(let view): view.entity(offset)
    case .frozen(let page, let core): Entity(core: core, handle: page.handle(offset))
    }
  }

  /// The bytes of a column of trivial values; nil if there is none.
  @_lifetime(borrow self)
  func bytes(of cid: CID) -> RawSpan? {
    // SAFETY: what is copied or stored stays as long as the rows are lent.
    switch self {
    case .stored(let view): unsafe _overrideLifetime(view.bytes(of: cid), borrowing: self)
    case .frozen(let page, _): unsafe _overrideLifetime(page.bytes(of: cid), borrowing: self)
    }
  }

  /// The values of a column; nil if there is none.
  @_lifetime(borrow self)
  func values<C: Component>(of type: C.Type) -> Span<C>? {
    // SAFETY: as above.
    switch self {
    case .stored(let view): unsafe _overrideLifetime(view.optionalSpan(type), borrowing: self)
    case .frozen(let page, _): unsafe _overrideLifetime(page.span(type), borrowing: self)
    }
  }

  /// Writes the creation numbers of some rows.
  func appendCreationNumbers(of offsets: Range<Int>, to output: inout OutputSpan<UInt64>) {
    switch self {
    case .stored(let view): view.appendCreationNumbers(of: offsets, to: &output)
    case .frozen(let page, _): page.appendCreationNumbers(of: offsets, to: &output)
    }
  }
}
