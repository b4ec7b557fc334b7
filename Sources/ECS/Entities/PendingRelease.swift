/// Values that changes took out of storage, or that observers were notified of, kept until they may
/// end.
struct PendingRelease {
  // Most changes discard one value, which this keeps without an array.
  private var first: (any Component)?
  private var rest: [any Component] = []
  private var columns: [ColumnCopy] = []

  /// Changes that were made, which have values of their own.
  private var changes: [() -> Void] = []

  mutating func append(_ value: any Component) {
    if first == nil {
      first = value
    } else {
      rest.append(value)
    }
  }

  mutating func append(_ column: ColumnCopy) { columns.append(column) }

  mutating func append(contentsOf values: [any Component]) {
    rest += values
  }

  mutating func append(contentsOf changes: [() -> Void]) {
    self.changes += changes
  }
}
