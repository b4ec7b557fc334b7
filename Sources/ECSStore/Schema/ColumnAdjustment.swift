#if SQLite
  public import ECS
  public import ECSRecipes

  /// A detail of a table that SQL needs beyond the recipe: of a column, of an index, of a link.
  ///
  /// Begin with ``Column(_:)``, ``Index(_:unique:)`` or ``Link(_:)``.
  public struct ColumnAdjustment: Sendable {
    enum Subject: Sendable {
      case field(any AnyKeyPath & Sendable, name: String)
      case index([String])
      case link(any Relation.Type)
    }

    let subject: Subject
    var isUnique = false
    var isIndexed = false
    var name: String?
    var isNotNull = false
    var valueForExistingRows: JSONValue?
    var isTransient = false
    var pairColumns: (owner: [String], nested: [String])?

    init(_ subject: Subject) { self.subject = subject }

    private func with(_ change: (inout ColumnAdjustment) -> Void) -> ColumnAdjustment {
      var adjustment = self
      change(&adjustment)
      return adjustment
    }

    /// The values of the column differ from each other; NULL may come several times.
    ///
    /// Columns of the values of links can't have this.
    public func unique() -> ColumnAdjustment { with { $0.isUnique = true } }

    /// Look-ups and sorting by the column are fast.
    ///
    /// Columns of the values of links can't have this.
    public func indexed() -> ColumnAdjustment { with { $0.isIndexed = true } }

    /// The column, or the table of the link, has another name than its path.
    public func named(_ name: String) -> ColumnAdjustment { with { $0.name = name } }

    /// The column must not be NULL, though the field may be nil: saving a nil throws.
    ///
    /// A link that a table of pairs keeps can't have this.
    public func notNull() -> ColumnAdjustment { with { $0.isNotNull = true } }

    /// Rows that are there when the column comes get this value, instead of the template's.
    public func forExistingRows(_ value: JSONValue) -> ColumnAdjustment {
      with { $0.valueForExistingRows = value }
    }

    /// The join table of the link has columns with other names, such as one that another program
    /// has made: those of the key of the row whose recipe nests, and those of the nested one.
    public func columns(owner: String..., nested: String...) -> ColumnAdjustment {
      with { $0.pairColumns = (owner, nested) }
    }

    /// The field is not kept, or the link is not.
    public func transient() -> ColumnAdjustment { with { $0.isTransient = true } }
  }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// Describes the column of a field.
  public func Column<C: Component, Value>(
    _ field: any KeyPath<C, Value> & Sendable
  ) -> ColumnAdjustment {
    let steps = "\(field)".drop { $0 != "." }.dropFirst()
    return ColumnAdjustment(.field(field, name: "\(C.self).\(steps)"))
  }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// Describes an index over several columns, by their names or paths.
  public func Index(_ columns: String..., unique: Bool = false) -> ColumnAdjustment {
    var adjustment = ColumnAdjustment(.index(columns))
    adjustment.isUnique = unique
    return adjustment
  }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// Describes the column or the join table of a relation that the recipe nests.
  public func Link<R: Relation>(_ relation: R.Type) -> ColumnAdjustment {
    ColumnAdjustment(.link(relation))
  }

#endif
