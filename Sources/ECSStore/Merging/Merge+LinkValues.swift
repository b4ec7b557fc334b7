#if SQLite
  import ECS

  // Values of links, column by column, as those of rows.
  extension Merge {
    /// Decides what is taken of the values of links that are there on both sides.
    mutating func decideValues(_ index: Int) {
      let link = session.links[index]
      takenValues.append([])
      guard link.columnsOfValues != nil else { return }
      for change in saved.links[index] {
        var taken: [RowKey: Taken] = [:]
        if let source = entity(comingTo: change.source, link.source), source.isAlive {
          for address in change.targets {
            guard let stored = change.values[address],
              let target = target(comingTo: address, link), target.isAlive,
              let local = link.present(source, target)
            else { continue }
            let former = moves[link.target].first { $0.value == address }?.key ?? address
            let base = link.values[source]?[former]
            taken[address] = decided(base, local, stored, source, change.source, address, link)
          }
        }
        takenValues[index].append(taken)
      }
    }

    private mutating func decided(
      _ base: [RowValue]?, _ local: [RowValue], _ stored: [RowValue], _ source: Entity,
      _ key: RowKey, _ target: RowKey, _ link: SessionLink
    ) -> Taken {
      let there = LinkColumns.difference(stored, base ?? [])
      let here = LinkColumns.difference(local, base ?? [])
      var taken = Taken()
      for column in LinkColumns.difference(stored, local) where there.contains(column) {
        guard here.contains(column) else {
          taken.columns.insert(column)
          continue
        }
        let description = link.pairs?.valueColumns[column]
        let conflict = Conflict(
          table: link.pairs?.name ?? "", key: "\(key), \(target)", entity: source,
          column: description?.name, base: try? base?[column].json(),
          local: try? local[column].json(), stored: try? stored[column].json())
        switch resolution(conflict) {
        case .local: break
        case .stored: taken.columns.insert(column)
        case .value(let value):
          if let kind = description?.type.kind, let value = try? RowValue(value, as: kind) {
            taken.values[column] = value
          }
        }
      }
      return taken
    }

    /// Takes what was decided of the values of a source's links.
    ///
    /// - Returns: Whether some have other values now than in the file.
    mutating func takeValues(
      _ index: Int, _ position: Int, _ source: Entity, _ addresses: [Entity: RowKey]
    ) -> Bool {
      let (link, change) = (session.links[index], saved.links[index][position])
      if link.columnsOfValues == nil { return false }
      var hasOther = false
      for (target, address) in addresses {
        guard let stored = change.values[address], let local = link.present(source, target) else {
          continue
        }
        // Of a link that was not there when all was decided, all is taken.
        let taken =
          takenValues[index][position][address]
          ?? Taken(columns: LinkColumns.difference(stored, local))
        if !taken.all.isEmpty {
          var values = stored
          for (column, value) in taken.values { values[column] = value }
          if link.take(taken.all, of: values, source, target) { updated.insert(source) }
        }
        guard let present = link.present(source, target) else { continue }
        if !LinkColumns.difference(present, stored).isEmpty { hasOther = true }
      }
      return hasOther
    }
  }
#endif
