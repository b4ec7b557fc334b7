#if SQLite
  import ECSRecipes

  /// The declared type of a column.
  public enum ColumnType: String, Sendable, Hashable {
    /// Whole numbers of 64 bits.
    case integer = "INTEGER"

    /// Floating-point numbers.
    case real = "REAL"

    /// Texts.
    case text = "TEXT"

    /// Bytes.
    case blob = "BLOB"

    init(_ kind: RowValue.Kind) {
      self =
        switch kind {
        case .integer: .integer
        case .real: .real
        case .text: .text
        case .bytes: .blob
        }
    }
  }
#endif
