#if SQLite
  import ECS

  // Values of links, as far as a save is about them.
  extension StoreSession {
    /// The columns of the values of links.
    ///
    /// - Throws: ``StoreError/unstorable(table:column:entity:reason:)``, with the source.
    func columnsOfValues(
      _ changes: Changes, _ leftOut: LeftOut
    ) throws(StoreError) -> [EntityMap<[Entity: [RowValue]]>] {
      var all: [EntityMap<[Entity: [RowValue]]>] = []
      for (link, change) in zip(links, changes.links) {
        var rows = EntityMap<[Entity: [RowValue]]>()
        if let columns = link.columnsOfValues, let table = link.pairs?.name {
          for (source, values) in change.values where !leftOut.contains(source) {
            var written: [Entity: [RowValue]] = [:]
            for (target, value) in values {
              do throws(RowFailure) {
                written[target] = try columns.write(value)
              } catch {
                throw .unstorable(
                  table: table, column: columns.columns[error.column].name, entity: source,
                  reason: error.reason)
              }
            }
            rows[source] = written
          }
        }
        all.append(rows)
      }
      return all
    }

    /// The columns of the values that the links of a source have after the save: those of the
    /// context, and those of the file for links that are not in the context, or are left out.
    func newValues(
      of source: Entity, _ former: Entity, _ present: some Sequence<(Entity, RowKey)>,
      _ index: Int, _ new: [RowKey], _ plan: SavePlan
    ) -> StoredLinkValues {
      let link = links[index]
      if link.columnsOfValues == nil { return [:] }
      let wanted = Set(new)
      var values: StoredLinkValues = [:]
      for (target, stored) in link.values[former] ?? [:] {
        guard let address = plan.address(after: target, in: link.target, self),
          wanted.contains(address)
        else { continue }
        values[address] = stored
      }
      if plan.isLeftOut(source) { return values }
      for (target, address) in present {
        if let value = plan.linkValues[index][source]?[target] { values[address] = value }
      }
      return values
    }
  }

  extension SessionLink {
    /// Which columns of values differ, of the links that stay: where their rows are after the save.
    func changedValues(
      _ source: Entity, _ kept: some Sequence<(RowKey, RowKey?)>, _ values: StoredLinkValues
    ) -> [(target: RowKey, columns: ColumnSet)] {
      if columnsOfValues == nil { return [] }
      var changed: [(target: RowKey, columns: ColumnSet)] = []
      for case (let old, let target?) in kept {
        guard let value = values[target] else { continue }
        let columns = LinkColumns.difference(value, self.values[source]?[old] ?? [])
        if !columns.isEmpty { changed.append((target, columns)) }
      }
      return changed
    }
  }
#endif
