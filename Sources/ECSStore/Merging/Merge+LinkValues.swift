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
              let target = linked(comingTo: address, link), target.isAlive,
              let local = link.present(source, target)
            else { continue }
            let base = link.values[source]?[formers[link.target][address] ?? address]
            var decision = decided(base, local, stored, source, change.source, address, link)
            if !decision.columns.isEmpty, link.isUnreadable(stored),
              !LinkColumns.difference(local, base ?? []).isEmpty,
              link.merged(decision.columns, of: stored, source, target) == nil
            {
              // What was changed here would go with the link.
              let conflict = Conflict(
                table: link.pairs?.name ?? "", key: "\(change.source), \(address)", entity: source,
                column: nil, base: nil, local: nil, stored: nil)
              if case .stored = resolution(conflict) {} else { decision = Taken() }
            }
            taken[address] = decision
          }
        }
        takenValues[index].append(taken)
      }
    }

    /// Which target of a link is at an address when the rows have been merged, or takes its row
    /// over; nil if it is not here yet.
    private mutating func linked(comingTo address: RowKey, _ link: SessionLink) -> Entity? {
      if let comer = comers[link.target][address] { return comer }
      let target = target(comingTo: address, link)
      if let target, !target.isAlive { return claims(link.target)[address] ?? target }
      return target
    }

    private mutating func decided(
      _ base: [RowValue]?, _ local: [RowValue?], _ stored: [RowValue], _ source: Entity,
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
          local: try? local[column]?.json(), stored: try? stored[column].json())
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

    /// Takes what was decided of the values of a source's links; links go whose values can't be
    /// read.
    ///
    /// - Parameters:
    ///   - index: The number of the relation.
    ///   - position: Which source of it, in what was saved.
    ///   - source: The entity.
    ///   - addresses: The addresses of its targets.
    ///   - absent: Gets those of the links that go.
    /// - Returns: Whether some have other values now than in the file.
    mutating func takeValues(
      _ index: Int, _ position: Int, _ source: Entity, _ addresses: [Entity: RowKey],
      _ absent: inout [RowKey]
    ) -> Bool {
      let (link, change) = (session.links[index], saved.links[index][position])
      if link.columnsOfValues == nil { return false }
      var hasOther = false
      for (target, address) in addresses {
        guard let stored = change.values[address], let local = link.present(source, target) else {
          continue
        }
        // Of a link that came back after all was decided, all is taken.
        let taken =
          takenValues[index][position][address]
          ?? Taken(columns: LinkColumns.difference(stored, local))
        if !taken.columns.isEmpty {
          if link.take(taken.columns, of: stored, source, target) {
            updated.insert(source)
          } else if link.isUnreadable(stored) {
            link.relation.unlink(source, target)
            absent.append(address)
            updated.insert(source)
            continue
          }
        }
        for (column, value) in taken.values {
          var values = stored
          values[column] = value
          // What a closure decided is not taken if it can't be read.
          if link.take(ColumnSet([column]), of: values, source, target) { updated.insert(source) }
        }
        guard let present = link.present(source, target) else { continue }
        if !LinkColumns.difference(present, stored).isEmpty { hasOther = true }
      }
      return hasOther
    }
  }
#endif
