#if SQLite
  /// Why a value could not be put into a column, or taken from it.
  package struct RowFailure: Error, Sendable, Hashable {
    /// The number of the column.
    package var column: Int
    package var reason: String

    init(_ column: Int, _ failure: TransformFailure) {
      self.column = column
      reason =
        switch failure.reason {
        case .invalid(let message): message
        case .typeMismatch(let expected, let found): "expected \(expected), found \(found)"
        case .oneWay(let name): "\(name) only reads"
        default: "\(failure.reason)"
        }
    }

    init(_ column: Int, _ reason: String) { (self.column, self.reason) = (column, reason) }
  }
#endif
