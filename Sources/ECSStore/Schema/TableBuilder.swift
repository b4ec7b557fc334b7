#if SQLite
  import ECS

  /// Makes the columns of a table from a recipe, and checks them.
  struct TableBuilder {
    private let name: String
    private let root: CID
    private let key: TableDefinition.Key
    private let keyPaths: [AnyKeyPath]
    private var names: Set<String> = []

    /// The names of fields that adjustments are about.
    private var mapped: Set<String> = []
    private var foundKeys: Set<Int> = []
    private(set) var components: [ComponentDefinition] = []
    private(set) var columns: [FieldColumnDefinition] = []
    private(set) var indexes: [TableDefinition.IndexDefinition] = []
    private(set) var links: [ObjectIdentifier: TableDefinition.LinkAdjustment] = [:]

    /// The columns of the values of links, by the paths of the relations.
    private(set) var linkColumns: [JSONPath: LinkColumns] = [:]

    /// The names of the fields of values that adjustments are about, by the paths of the relations.
    private(set) var adjustedValues: [JSONPath: Set<String>] = [:]

    private let relations: [ObjectIdentifier]

    /// The first of the other components, if that of the key holds nothing else.
    var keyless: CID? {
      guard case .fields = key,
        !columns.contains(where: {
          components[$0.component].layout.isRoot && $0.keyIndex == nil
        })
      else { return nil }
      return components.first { !$0.layout.isRoot }?.layout.cid
    }

    init(_ recipe: Recipe, _ root: CID, _ key: TableDefinition.Key) {
      (name, self.root, self.key) = (recipe.name, root, key)
      keyPaths =
        switch key {
        case .none: []
        case .fields(let paths): paths.map { $0 as AnyKeyPath }
        case .generated(let path): [path as AnyKeyPath]
        }
      relations = recipe.relations.compactMap { relation in
        switch relation.link.kind {
        case .targets(let type), .sources(let type): ObjectIdentifier(type)
        case .field, .custom: nil
        }
      }
    }

    private func error(_ reason: SchemaError.Reason) -> SchemaError {
      SchemaError(table: name, reason: reason)
    }

    /// Refuses names that SQL can't have, or that the store has for itself.
    func checkName(_ text: String, isTable: Bool = false) throws(SchemaError) {
      let lower = text.lowercased()
      let isTaken =
        isTable
        ? lower.hasPrefix("sqlite_") || lower.hasPrefix("ecs_")
        : ["ecs_row", "rowid", "oid", "_rowid_"].contains(lower)
      if text.isEmpty || text.unicodeScalars.contains("\0") || isTaken {
        throw error(.badName(text))
      }
    }

    private mutating func claim(_ text: String) throws(SchemaError) {
      try checkName(text)
      guard names.insert(text.lowercased()).inserted else { throw error(.duplicateColumn(text)) }
    }

    // MARK: Components

    mutating func add(
      _ component: RecipeComponent, _ adjustments: [ColumnAdjustment]
    ) throws(SchemaError) {
      let type: any Component.Type = component.component.type
      try add(type, component, adjustments)
    }

    private mutating func add<C: Component>(
      _ type: C.Type, _ component: RecipeComponent, _ adjustments: [ColumnAdjustment]
    ) throws(SchemaError) {
      guard let rows = component.rows as? ComponentRows<C> else {
        stop("\(type) has no rows: its recipe was made by another version of the library.")
      }
      let (first, isRoot) = (columns.count, component.component == root)
      var kept: [Int] = []
      var canBeAbsent = true
      if component.kind != .flag {
        for (index, field) in component.fields.enumerated() {
          let adjustment = adjustments.first { $0.isAbout(field) }
          if let adjustment { mapped.insert(adjustment.name(of: field)) }
          if adjustment?.isTransient == true {
            if isKey(field) { throw error(.unsuitableKey(field.name)) }
            // A component that one value stands for is left out with it.
            if component.kind == .whole { return }
            guard rows.fields != nil else { throw error(.notSeparable(field.name)) }
            continue
          }
          let isOneWay = rows.fields.map { $0[index].isOneWay } ?? field.isOneWay
          if isOneWay { throw error(.oneWay(field.name)) }
          kept.append(index)
          let isNotNull = adjustment?.isNotNull == true
          try add(field, rows, index, isRoot: isRoot, adjustment)
          if !rows.areOptional[index] || isNotNull { canBeAbsent = false }
        }
      }
      var layout = ComponentLayout(
        cid: C.cid, columns: first..<columns.count, presence: nil, isRoot: isRoot)
      let isFlag = component.kind == .flag
      if isFlag || (canBeAbsent && !isRoot) {
        let path = isFlag ? component.fields.first?.path : nil
        let name = path.map(ColumnNames.name) ?? "has_\(ColumnNames.plain("\(C.self)"))"
        try claim(name)
        layout.presence = columns.count
        columns.append(
          FieldColumnDefinition(
            description: ColumnDescription(
              name, .integer, isNullable: false, defaultValue: .integer(isRoot ? 1 : 0)),
            path: nil, component: components.count))
        layout.columns = first..<columns.count
      }
      let column = makeColumn(layout, component, rows, kept)
      components.append(ComponentDefinition(layout: layout, name: "\(C.self)", make: column))
    }

    private func makeColumn<C: Component>(
      _ layout: ComponentLayout, _ component: RecipeComponent, _ rows: ComponentRows<C>,
      _ kept: [Int]
    ) -> @Sendable () -> any ComponentColumn {
      let fields = component.kind == .flag ? [] : rows.fields
      guard let fields, let template = rows.template else {
        let paths = component.fields.map(\.path)
        return { MadeColumn(layout, rows, paths) }
      }
      let columns = fields.isEmpty ? [] : kept.map { fields[$0] }
      let capture = rows.append
      return { FieldsColumn(layout, template, columns, capture) }
    }

    private func isKey(_ field: RecipeField) -> Bool {
      field.keyPath.map { keyPaths.contains($0 as AnyKeyPath) } ?? false
    }

    private mutating func add<C: Component>(
      _ field: RecipeField, _ rows: ComponentRows<C>, _ index: Int, isRoot: Bool,
      _ adjustment: ColumnAdjustment?
    ) throws(SchemaError) {
      let name = adjustment?.name ?? ColumnNames.name(field.path)
      try claim(name)
      let kind = rows.kinds[index]
      let isRequired = !rows.areOptional[index] || adjustment?.isNotNull == true
      var column = FieldColumnDefinition(
        description: ColumnDescription(
          name, ColumnType(kind), isNullable: !(isRoot && isRequired),
          isUnique: adjustment?.isUnique ?? false),
        path: field.path, keyPath: field.keyPath, field: index, component: components.count)
      column.isIndexed = adjustment?.isIndexed ?? false
      if let path = field.keyPath, let position = keyPaths.firstIndex(of: path as AnyKeyPath) {
        try checkKey(field, rows, index, isRoot: isRoot)
        column.keyIndex = position
        foundKeys.insert(position)
        column.description.isNullable = false
      } else {
        try addValues(to: &column, field, rows, index, isRoot: isRoot, adjustment)
      }
      columns.append(column)
    }

    private func checkKey<C: Component>(
      _ field: RecipeField, _ rows: ComponentRows<C>, _ index: Int, isRoot: Bool
    ) throws(SchemaError) {
      if rows.areOptional[index] { throw error(.optionalKey(field.name)) }
      if case .generated = key {
        // It comes with the save: its component holds nothing else.
        if isRoot || rows.kinds != [.integer] { throw error(.unsuitableKey(field.name)) }
      } else if !isRoot, keyPaths.count > 1 || rows.kinds.count > 1 {
        // A row would not show whether the component is there.
        throw error(.optionalKey(field.name))
      }
      if rows.kinds[index] == .real { throw error(.unsuitableKey(field.name)) }
    }

    /// The default, which is the template's value, and what existing rows get.
    private func addValues<C: Component>(
      to column: inout FieldColumnDefinition, _ field: RecipeField, _ rows: ComponentRows<C>,
      _ index: Int, isRoot: Bool, _ adjustment: ColumnAdjustment?
    ) throws(SchemaError) {
      if let template = rows.template {
        do throws(TransformFailure) {
          let value =
            if let fields = rows.fields {
              try fields[index].write(template)
            } else {
              try rows.write(template)[index]
            }
          if !value.isNull, isRoot { column.description.defaultValue = value }
          if !value.isNull { column.valueForExistingRows = value }
        } catch {
          throw self.error(.badValue(field.name, RowFailure(0, error).reason))
        }
      }
      if let json = adjustment?.valueForExistingRows {
        do throws(TransformFailure) {
          column.valueForExistingRows = try ColumnNames.value(json, rows.kinds[index])
        } catch {
          throw self.error(.badValue(field.name, RowFailure(0, error).reason))
        }
      }
    }

    // MARK: Values of links

    /// Adds the columns of the values of a relation's links, if they have some.
    mutating func add(
      _ relation: RecipeRelation, _ adjustments: [ColumnAdjustment]
    ) throws(SchemaError) {
      guard let values = relation.values else { return }
      let type: any Component.Type = values.component.type
      linkColumns[relation.path] = try columns(type, values, relation, adjustments)
    }

    private mutating func columns<C: Component>(
      _ type: C.Type, _ values: RecipeComponent, _ relation: RecipeRelation,
      _ adjustments: [ColumnAdjustment]
    ) throws(SchemaError) -> LinkColumns {
      guard let rows = values.rows as? ComponentRows<C> else {
        stop("\(type) has no rows: its recipe was made by another version of the library.")
      }
      for (index, field) in values.fields.enumerated() {
        let isOneWay = rows.fields.map { $0[index].isOneWay } ?? field.isOneWay
        if isOneWay { throw error(.oneWay(field.name)) }
        let adjustment = adjustments.first { $0.isAbout(field) }
        try checkName(adjustment?.name ?? ColumnNames.name(field.path))
        guard let adjustment else { continue }
        if adjustment.isTransient { throw error(.notSeparable(field.name)) }
        mapped.insert(adjustment.name(of: field))
        // Of a component of the rows, it may be about that.
        if components.contains(where: { $0.layout.cid == C.cid }) { continue }
        if adjustment.isUnique { throw error(.notForPairs(field.name, "unique()")) }
        if adjustment.isIndexed { throw error(.notForPairs(field.name, "indexed()")) }
        adjustedValues[relation.path, default: []].insert(field.name)
      }
      do throws(RowFailure) {
        return try LinkColumns(values, rows, adjustments)
      } catch {
        throw self.error(.badValue(values.fields[error.column].name, error.reason))
      }
    }

    // MARK: The whole

    /// Checks what is described besides columns, and whether all of it is there.
    mutating func finish(_ adjustments: [ColumnAdjustment]) throws(SchemaError) {
      guard components.contains(where: \.layout.isRoot) else {
        throw error(.rootNotMapped(root.name))
      }
      for (index, path) in keyPaths.enumerated() where !foundKeys.contains(index) {
        throw error(.unmappedColumn("\(path)"))
      }
      for column in columns where column.isIndexed || column.description.isUnique {
        indexes.append(
          TableDefinition.IndexDefinition(
            columns: [column.description.name], isUnique: column.description.isUnique))
      }
      for adjustment in adjustments {
        switch adjustment.subject {
        case .field(_, let name):
          guard mapped.contains(name) else { throw error(.unmappedColumn(name)) }
        case .index(let names):
          var found: [String] = []
          for name in names {
            guard let column = column(named: name) else { throw error(.unmappedColumn(name)) }
            found.append(column)
          }
          indexes.append(
            TableDefinition.IndexDefinition(columns: found, isUnique: adjustment.isUnique))
        case .link(let relation):
          guard relations.contains(ObjectIdentifier(relation)) else {
            throw error(.unmappedColumn("\(relation)"))
          }
          if let name = adjustment.name { try checkName(name) }
          links[ObjectIdentifier(relation)] = TableDefinition.LinkAdjustment(
            name: adjustment.name, isUnique: adjustment.isUnique, isNotNull: adjustment.isNotNull,
            isTransient: adjustment.isTransient, pairColumns: adjustment.pairColumns)
        }
      }
    }

    /// The column of a name or a path.
    private func column(named name: String) -> String? {
      columns.first {
        $0.description.name.lowercased() == name.lowercased() || $0.path.map { "\($0)" } == name
      }?.description.name
    }
  }

  /// The rule by which names and values of columns follow from those of data.
  enum ColumnNames {
    /// `contact.emails[0]` is `contact_emails_0`.
    static func name(_ path: JSONPath) -> String {
      path.steps.map { step in
        switch step {
        case .key(let key): key
        case .index(let index): "\(index)"
        }
      }.joined(separator: "_")
    }

    /// A name of letters, digits and underscores.
    static func plain(_ name: String) -> String {
      String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    /// A JSON-like value as it stands in a column.
    static func value(
      _ json: JSONValue, _ kind: RowValue.Kind
    ) throws(TransformFailure) -> RowValue {
      switch json {
      case .array, .object: try RowValue(json, as: kind, isJSON: true)
      default: try RowValue(json, as: kind)
      }
    }
  }

  extension ColumnAdjustment {
    /// Whether it is about a field, which may have only a name.
    func isAbout(_ field: RecipeField) -> Bool {
      guard case .field(let path, let name) = subject else { return false }
      guard let keyPath = field.keyPath else { return name == field.name }
      return path as AnyKeyPath == keyPath as AnyKeyPath
    }

    /// What it calls a field that it is about.
    fileprivate func name(of field: RecipeField) -> String {
      if case .field(_, let name) = subject { name } else { field.name }
    }
  }
#endif
