#if SQLite
  import ECS

  extension StoreSession {
    /// Finds updates whose values others take over in the same save, so that they have to make room
    /// first.
    ///
    /// Values that have no form belong to no row: that is reported when they are written.
    func findParked(_ index: Int, _ plan: SavePlan) -> [Int: ColumnSet] {
      let (table, rows) = (tables[index], plan.changes.tables[index].rows)
      let changing = plan.tables[index].updates.indices.filter {
        plan.tables[index].updates[$0].number != nil
      }
      if changing.isEmpty { return [:] }
      var parked: [Int: ColumnSet] = [:]
      for group in table.plan.uniqueGroups {
        let updates = changing.filter { update in
          group.contains { plan.tables[index].updates[update].columns.contains($0) }
        }
        if updates.isEmpty { continue }
        var claimed: Set<[RowValue]> = []
        for update in updates {
          guard let position = plan.tables[index].updates[update].number else { continue }
          if let values = try? rows.values(group, of: position) { claimed.insert(values) }
        }
        for position in plan.tables[index].inserts {
          if let values = try? rows.values(group, of: position) { claimed.insert(values) }
        }
        for update in updates {
          let change = plan.tables[index].updates[update]
          guard let values = try? table.shadow.values(group, of: change.row),
            claimed.contains(values)
          else { continue }
          for column in group where change.columns.contains(column) {
            parked[update, default: ColumnSet()].insert(column)
            break
          }
        }
      }
      return parked
    }
  }

  extension TableRows {
    func values(_ columns: [Int], of row: Int) throws(RowFailure) -> [RowValue] {
      var values: [RowValue] = []
      for column in columns { values.append(try value(column, of: row)) }
      return values
    }
  }

  extension TablePlan {
    /// The columns that say whether there are the components of some columns.
    ///
    /// Another program may have filled these without saying so.
    func presences(of columns: ColumnSet) -> ColumnSet {
      var presences = ColumnSet()
      for component in components {
        guard let presence = component.layout.presence,
          component.layout.fields.contains(where: columns.contains)
        else { continue }
        presences.insert(presence)
      }
      return presences
    }

    /// The columns of fields whose values differ from row to row, together.
    var uniqueGroups: [[Int]] {
      var groups = keyColumns.isEmpty ? [] : [keyColumns]
      groups += columns.indices.filter { columns[$0].description.isUnique }.map { [$0] }
      for index in definition.indexes where index.isUnique {
        let names = Set(index.columns.map { $0.lowercased() })
        let group = columns.indices.filter {
          names.contains(columns[$0].description.name.lowercased())
        }
        if group.count == names.count { groups.append(group) }
      }
      return groups
    }
  }
#endif
