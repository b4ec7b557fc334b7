#if SQLite
  import ECS
  import ECSRecipes

  /// Values that one row of a table can have at most.
  struct RowClaim: Hashable {
    let table: String

    /// Their names, in lower case.
    let columns: Set<String>
    let values: [RowValue]

    /// Whether they are its key.
    let isKey: Bool
  }

  /// The values that entities are to have in their rows and no others.
  ///
  /// Texts of claims count as the same if they differ in case only, as they may for the database:
  /// rather too many are the same than too few.
  struct RowClaims {
    private var claims: [Entity: [RowClaim]] = [:]

    init(of entities: some Sequence<Entity>, _ session: StoreSession) {
      let entities = EntitySet(entities)
      session.context.perform { for table in session.tables { add(entities, table) } }
    }

    subscript(_ entity: Entity) -> [RowClaim] { claims[entity] ?? [] }

    /// What another row has, as an error says; nil if it is none of what is known.
    func claim(of entity: Entity, _ error: StoreError) -> RowClaim? {
      switch error {
      case .duplicateKey(let table, _):
        return self[entity].first { $0.isKey && $0.table == table }
      case .unique(let table, let column, _):
        let names = Set(column.lowercased().split(separator: ", ").map(String.init))
        return self[entity].first { $0.table == table && $0.columns == names }
      default: return nil
      }
    }

    private mutating func add(_ entities: EntitySet, _ table: SessionTable) {
      let rows = TableRows(table.plan)
      let found = rows.append(those: entities).found
      for group in table.plan.uniqueGroups where !group.isEmpty {
        let columns = Set(group.map { table.plan.columns[$0].description.name.lowercased() })
        for (row, entity) in found.enumerated() {
          guard let values = try? rows.values(group, of: row), !values.contains(where: \.isNull)
          else { continue }
          claims[entity, default: []].append(
            RowClaim(
              table: table.plan.name, columns: columns, values: values.map(\.folded),
              isKey: group == table.plan.keyColumns))
        }
      }
    }
  }

  extension RowValue {
    fileprivate var folded: RowValue {
      if case .text(let text) = self { .text(text.lowercased()) } else { self }
    }
  }
#endif
