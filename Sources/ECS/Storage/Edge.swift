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

  /// Equals the core's shortcut if a new value needs nothing but being stored and logged.
  @usableFromInline var replaceShortcut: UInt64

  /// Who reacts to a new value of the component; nil if nobody.
  @usableFromInline var replace: ReactionListPointer?

  /// The core's epoch for which `transition` was made.
  var transitionEpoch: UInt64

  /// Equals the core's shortcut if adding or removing the component needs nothing but moving the
  /// row by the simple steps of its plan, and logging.
  @usableFromInline var transitionShortcut: UInt64

  /// Who reacts when the component is added or removed; nil if nobody.
  @usableFromInline var transition: ReactionListPointer?

  /// Where entities go: the table with the component added or removed; nil until needed.
  @usableFromInline var target: TablePointer?

  /// How rows move there.
  var plan: UnsafeMutablePointer<RowPlan>?

  var info: ComponentInfoReference?

  init() {
    key = ComponentKey()
    version = 0
    replaceEpoch = 0
    replaceShortcut = 0
    transitionShortcut = 0
    transitionEpoch = 0
  }
}
