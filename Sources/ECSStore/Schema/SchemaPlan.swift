#if SQLite
  import ECS

  /// The tables of a schema, with the links between them.
  package final class SchemaPlan: Sendable {
    package let tables: [TablePlan]
    let links: [LinkPlan]
    private let numbers: [String: Int]

    init(_ definitions: [TableDefinition]) throws(SchemaError) {
      var numbers: [String: Int] = [:]
      for (index, definition) in definitions.enumerated() {
        guard numbers.updateValue(index, forKey: definition.name.lowercased()) == nil else {
          throw SchemaError(
            table: definition.name, reason: .duplicateTable(definition.name))
        }
      }
      self.numbers = numbers
      var builder = LinkBuilder(definitions, numbers)
      for position in definitions.indices { try builder.addLinks(of: position) }
      links = builder.links
      tables = definitions.enumerated().map { offset, definition in
        TablePlan(definition, linkColumns: builder.columns[offset])
      }
    }

    /// The number of a table.
    func number(of table: String) -> Int? { numbers[table.lowercased()] }

    /// The columns of the owner's table that would keep links if these had no values; empty if the
    /// table has such columns for something else.
    func formerColumns(of link: LinkPlan) -> [String] {
      guard case .targets = link.relation.link.kind, !link.relation.isMany,
        link.relation.hasValues, let id = link.relation.relationType
      else { return [] }
      let path = ColumnNames.name(link.relation.path)
      let names = [tables[link.owner].definition.links[id]?.name, path]
      let keys = tables[link.nested].definition.keyDescriptions
      let owner = tables[link.owner]
      let taken = Set(
        (owner.columns.map(\.description.name) + owner.linkColumns.map(\.description.name))
          .map { $0.lowercased() })
      return names.compactMap(\.self).flatMap { base in
        keys.map { keys.count == 1 ? base : "\(base)_\($0.name)" }
      }.filter { !taken.contains($0.lowercased()) }
    }

    /// The names of the tables of pairs.
    package var pairNames: [String] { pairTables.map(\.name) }

    var pairTables: [LinkPlan.PairTable] {
      links.compactMap { if case .pairs(let table) = $0.storage { table } else { nil } }
    }
  }

  /// Finds the tables and columns of nested recipes.
  private struct LinkBuilder {
    let definitions: [TableDefinition]
    let numbers: [String: Int]
    private(set) var links: [LinkPlan] = []
    private(set) var columns: [[TablePlan.LinkColumn]]

    /// The names of all tables, and those of the columns of each, in lower case.
    private var tableNames: Set<String>
    private var columnNames: [Set<String>]

    init(_ definitions: [TableDefinition], _ numbers: [String: Int]) {
      (self.definitions, self.numbers) = (definitions, numbers)
      columns = definitions.map { _ in [] }
      tableNames = Set(numbers.keys)
      columnNames = definitions.map { Set($0.columns.map { $0.description.name.lowercased() }) }
    }

    mutating func addLinks(of owner: Int) throws(SchemaError) {
      let definition = definitions[owner]
      try checkValues(of: owner)
      for relation in definition.recipe.relations {
        let adjustment = relation.relationType.flatMap { definition.links[$0] }
        if adjustment?.isTransient == true || keeper(of: relation, owner) != nil { continue }
        let values = definition.linkColumns[relation.path]
        if relation.hasValues, values == nil {
          throw SchemaError(table: definition.name, reason: .linkValues("\(relation.path)"))
        }
        if adjustment?.isNotNull == true, !relation.isColumn {
          throw SchemaError(
            table: definition.name, reason: .notForPairs("\(relation.path)", "notNull()"))
        }
        let nested = relation.isItself ? owner : numbers[relation.recipe.name.lowercased()]
        guard let nested, !definitions[nested].keyColumns.isEmpty else {
          throw SchemaError(
            table: definition.name, reason: .nestedWithoutTable("\(relation.path)"))
        }
        if !relation.isColumn, definition.isOnRequest || definitions[nested].isOnRequest {
          // Pairs in memory could not be distinguished from those that are not.
          throw SchemaError(table: definition.name, reason: .pairsOnRequest("\(relation.path)"))
        }
        guard relation.isColumn || !definition.keyColumns.isEmpty else {
          // A table of pairs names both rows by their keys.
          throw SchemaError(
            table: definition.name, reason: .nestedWithoutTable("\(relation.path)"))
        }
        let link = LinkPlan(
          owner: owner, nested: nested, relation: relation,
          storage: try relation.isColumn
            ? addColumns(owner, nested, relation, adjustment)
            : addPairs(owner, nested, relation, adjustment, values),
          isNotNull: adjustment?.isNotNull ?? false, isUnique: adjustment?.isUnique ?? false)
        links.append(link)
      }
    }

    /// The relation of another recipe that keeps the same links with those that they lead from,
    /// with its table; nil if there is none.
    private func keeper(
      of relation: RecipeRelation, _ owner: Int
    ) -> (table: Int, relation: RecipeRelation)? {
      guard case .sources(let type) = relation.link.kind else { return nil }
      let nested = relation.isItself ? owner : numbers[relation.recipe.name.lowercased()]
      guard let nested else { return nil }
      let found = definitions[nested].recipe.relations.first { other in
        guard case .targets(let otherType) = other.link.kind else { return false }
        let target = other.isItself ? nested : numbers[other.recipe.name.lowercased()]
        return otherType == type && target == owner
          && definitions[nested].links[ObjectIdentifier(type)]?.isTransient != true
      }
      return found.map { (nested, $0) }
    }

    /// Refuses fields and columns of the values of links that another table keeps without them.
    private func checkValues(of owner: Int) throws(SchemaError) {
      let definition = definitions[owner]
      let adjusted = definition.adjustedValues
      let here = definition.recipe.relations.filter { keeper(of: $0, owner) == nil }
        .reduce(into: Set<String>()) { $0.formUnion(adjusted[$1.path] ?? []) }
      for relation in definition.recipe.relations {
        guard let keeper = keeper(of: relation, owner) else { continue }
        let kept = Set((keeper.relation.values?.fields ?? []).map(\.name))
        let fields = (relation.values?.fields ?? []).map(\.name)
        let name =
          fields.first { !kept.contains($0) }
          ?? fields.first { adjusted[relation.path]?.contains($0) == true && !here.contains($0) }
        if let name {
          throw SchemaError(
            table: definition.name,
            reason: .linkValuesElsewhere(name, table: definitions[keeper.table].name))
        }
      }
    }

    private mutating func addColumns(
      _ owner: Int, _ nested: Int, _ relation: RecipeRelation,
      _ adjustment: TableDefinition.LinkAdjustment?
    ) throws(SchemaError) -> LinkPlan.Storage {
      let base = adjustment?.name ?? ColumnNames.name(relation.path)
      let keys = definitions[nested].keyDescriptions
      var keyColumns: [Int] = []
      for key in keys {
        let name = keys.count == 1 ? base : "\(base)_\(key.name)"
        guard columnNames[owner].insert(name.lowercased()).inserted else {
          throw SchemaError(table: definitions[owner].name, reason: .duplicateColumn(name))
        }
        keyColumns.append(columns[owner].count)
        columns[owner].append(
          TablePlan.LinkColumn(
            link: links.count,
            description: ColumnDescription(
              name, key.type, isNullable: adjustment?.isNotNull != true,
              isUnique: adjustment?.isUnique ?? false)))
      }
      return .columns(keyColumns)
    }

    private mutating func addPairs(
      _ owner: Int, _ nested: Int, _ relation: RecipeRelation,
      _ adjustment: TableDefinition.LinkAdjustment?, _ values: LinkColumns?
    ) throws(SchemaError) -> LinkPlan.Storage {
      let path = ColumnNames.name(relation.path)
      let name = adjustment?.name ?? "\(definitions[owner].name)_\(path)"
      guard tableNames.insert(name.lowercased()).inserted else {
        throw SchemaError(table: definitions[owner].name, reason: .duplicateTable(name))
      }
      let prefix = owner == nested ? path : definitions[nested].name
      let ends = (
        definitions[owner].keyDescriptions.map { $0.prefixed(definitions[owner].name) },
        definitions[nested].keyDescriptions.map { $0.prefixed(prefix) }
      )
      let table = LinkPlan.PairTable(
        name: name,
        owner: try named(ends.0, adjustment?.pairColumns?.owner, definitions[owner].name),
        nested: try named(ends.1, adjustment?.pairColumns?.nested, definitions[owner].name),
        values: values, isSet: relation.relationType != nil, hasOneOwner: relation.givesOneOwner)
      var names = Set((table.owner + table.nested).map { $0.name.lowercased() })
      names.insert(TablePlan.rowColumn.lowercased())
      for column in table.valueColumns where !names.insert(column.name.lowercased()).inserted {
        throw SchemaError(table: name, reason: .duplicateColumn(column.name))
      }
      return .pairs(table)
    }
  }

  /// Columns by the names that they were given.
  private func named(
    _ columns: [ColumnDescription], _ names: [String]?, _ table: String
  ) throws(SchemaError) -> [ColumnDescription] {
    guard let names else { return columns }
    guard names.count == columns.count else {
      throw SchemaError(table: table, reason: .unmappedColumn(names.joined(separator: ", ")))
    }
    return zip(columns, names).map { column, name in
      var column = column
      column.name = name
      return column
    }
  }

  extension TableDefinition {
    /// The columns of the key, as they are where they refer to a row.
    var keyDescriptions: [ColumnDescription] {
      keyColumns.map {
        ColumnDescription(
          columns[$0].description.name, columns[$0].description.type, isNullable: false)
      }
    }
  }

  extension ColumnDescription {
    func prefixed(_ prefix: String) -> ColumnDescription {
      var column = self
      column.name = "\(prefix)_\(name)"
      return column
    }
  }

  extension RecipeRelation {
    /// Whether a column of the owner's row says what it is linked to.
    var isColumn: Bool {
      // The value of a link has its columns in a table of pairs.
      if isMany || hasValues { return false }
      if case .sources = link.kind { return false }
      return true
    }

    /// Whether links of the relation have values.
    var hasValues: Bool {
      switch link.kind {
      case .targets(let type), .sources(let type): type.valueIdentifier != nil
      case .field, .custom: false
      }
    }

    /// The relation; nil for links through components and closures.
    var relationType: ObjectIdentifier? {
      switch link.kind {
      case .targets(let type), .sources(let type): ObjectIdentifier(type)
      case .field, .custom: nil
      }
    }

    /// Whether a nested entity has one owner at most.
    var givesOneOwner: Bool {
      switch link.kind {
      case .sources(let type): type is any ToOneRelation.Type
      case .targets(let type): type is any OneToOneRelation.Type
      case .field, .custom: false
      }
    }
  }
#endif
