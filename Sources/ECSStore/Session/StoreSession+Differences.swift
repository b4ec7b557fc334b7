#if SQLite
  import ECS

  extension StoreSession {
    /// What was found in the file that the session has not seen yet.
    func differences(from found: FoundChanges) -> SavedChanges {
      if found.scope.tables.isEmpty, found.scope.links.isEmpty { return found.rows }
      let saved = SavedChanges(store.schema.plan)
      let waiting = tables.indices.map { found.scope.isWhole($0, links) ? waitingKeys($0) : [] }
      for index in tables.indices {
        if found.scope.tables.contains(index) {
          compareRows(index, found, saved, waiting[index])
        } else {
          saved.tables[index] = found.rows.tables[index]
        }
      }
      for position in links.indices {
        if found.scope.links.contains(position) {
          compareLinks(position, found, saved, waiting[links[position].source])
        } else {
          saved.links[position] = found.rows.links[position]
        }
      }
      return saved
    }

    /// Where rows of a table are, or were, of which the inbox tells something: of these, the
    /// session's known state is going to have something else than it has now.
    private func waitingKeys(_ index: Int) -> Set<RowKey> {
      var waiting: Set<RowKey> = []
      for saved in inbox {
        waiting.formUnion(saved.tables[index].addresses)
        waiting.formUnion(saved.tables[index].former.lazy.compactMap(\.self))
        waiting.formUnion(saved.tables[index].gone)
        for (linkIndex, link) in links.enumerated() where link.source == index {
          waiting.formUnion(saved.links[linkIndex].lazy.map(\.source))
        }
      }
      return waiting
    }

    private func compareRows(
      _ index: Int, _ found: FoundChanges, _ saved: SavedChanges, _ waiting: Set<RowKey>
    ) {
      let (table, contents) = (tables[index], found.contents.tables[index])
      let known = found.known[index]
      var count = 0
      for (position, address) in contents.addresses.enumerated() {
        var (rows, rowIndex) = (contents.rows, contents.rowIndex(position))
        if rowIndex < 0 {
          if known === table, waiting.isEmpty || !waiting.contains(address) {
            count += 1
            continue
          }
          (rows, rowIndex) = (known.shadow, ~rowIndex)
        }
        let row = table.row(at: address, near: position)
        if row != nil { count += 1 }
        if !waiting.isEmpty, waiting.contains(address) {
          saved.tables[index].rows.append(rowIndex, of: rows)
          saved.tables[index].former.append(nil)
          saved.tables[index].addresses.append(address)
          continue
        }
        if let row, rows.difference(rowIndex, from: table.shadow, row).isEmpty { continue }
        saved.tables[index].rows.append(rowIndex, of: rows)
        saved.tables[index].former.append(row == nil ? nil : address)
        saved.tables[index].addresses.append(address)
      }
      if count == table.count, waiting.isEmpty { return }
      // What can't be read has not gone.
      var present = Set(contents.addresses)
      present.formUnion(found.unreadable[index].map(\.key))
      saved.tables[index].gone = table.addresses.filter { !present.contains($0) }
      let gone = Set(saved.tables[index].gone)
      saved.tables[index].gone += waiting.filter { !present.contains($0) && !gone.contains($0) }
    }

    private func compareLinks(
      _ index: Int, _ found: FoundChanges, _ saved: SavedChanges, _ waiting: Set<RowKey>
    ) {
      let link = links[index]
      // Their links go with them.
      var apart = Set(saved.tables[link.source].gone)
      apart.formUnion(found.unreadable[link.source].map(\.key))
      var present: [RowKey: [RowKey]] = [:]
      var values: [RowKey: StoredLinkValues] = [:]
      var sources: [RowKey] = []
      for pair in found.contents.links[index] {
        if present[pair.source] == nil { sources.append(pair.source) }
        present[pair.source, default: []].append(pair.target)
        if !pair.value.isEmpty { values[pair.source, default: [:]][pair.target] = pair.value }
      }
      func note(_ source: RowKey, _ targets: [RowKey]) {
        saved.links[index].append(
          SavedChanges.LinkTargets(source: source, targets: targets, values: values[source] ?? [:]))
      }
      for (source, targets) in link.shadow {
        guard let address = tables[link.source].address(of: source), !apart.contains(address)
        else { continue }
        if waiting.contains(address) { continue }
        let found = present.removeValue(forKey: address) ?? []
        let isSame = SessionLink.areSame(values[address] ?? [:], link.values[source] ?? [:])
        if found != targets || !isSame { note(address, found) }
      }
      for source in waiting where !apart.contains(source) {
        note(source, present.removeValue(forKey: source) ?? [])
      }
      for source in sources {
        if let targets = present[source] { note(source, targets) }
      }
    }
  }
#endif
