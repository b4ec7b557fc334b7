/// What one table knows about one component type: where its column is, where an entity goes when
/// the component is added or removed, and who wants to know.
@usableFromInline
struct Edge {
  /// The key in the table's map; empty in free places.
  @usableFromInline var key: ComponentKey

  /// The first row of the column, nil if the table does not have the component.
  @usableFromInline var column: UnsafeMutableRawPointer?

  /// Counts changes of values in the column.
  @usableFromInline var version: UInt64

  /// The core's epoch for which `replace` was made.
  @usableFromInline var replaceEpoch: UInt64

  /// Who reacts to a new value of the component; nil if nobody.
  @usableFromInline var replace: ReactionListPointer?

  /// The core's epoch for which `transition` was made.
  var transitionEpoch: UInt64

  /// Who reacts when the component is added or removed; nil if nobody.
  var transition: ReactionListPointer?

  /// Where entities go: the table with the component added or removed; nil until needed.
  @usableFromInline var target: TablePointer?

  /// How rows move there.
  var plan: UnsafeMutablePointer<MovePlan>?

  var info: ComponentInfoReference?

  init() {
    key = ComponentKey()
    version = 0
    replaceEpoch = 0
    transitionEpoch = 0
  }
}

/// How a row moves from one table to another: a step for each column of the table it leaves.
struct MovePlan {
  /// What happens to one column's value.
  struct Step {
    let source: UnsafeMutablePointer<Column>

    /// Nil if the other table does not have the component.
    let destination: UnsafeMutablePointer<Column>?
  }

  let steps: UnsafeMutablePointer<Step>
  let count: Int

  /// The column of the component that the move adds, if it adds one.
  let added: UnsafeMutablePointer<Column>?

  init(from source: TablePointer, to destination: TablePointer, adding info: ComponentInfoReference)
  {
    added = destination.pointee.column(of: info)
    count = source.pointee.columnCount
    steps = UnsafeMutablePointer<Step>.allocate(capacity: count)
    for number in 0..<count {
      let column = source.pointee.columns + number
      let other = destination.pointee.column(of: column.pointee.info)
      // SAFETY: `number` is below the capacity just allocated.
      (steps + number).initialize(to: Step(source: column, destination: other))
    }
  }

  func deallocate() { steps.deallocate() }
}
