#if SQLite
  import ECS

  extension Merge {
    /// Does what was decided.
    mutating func apply() {
      session.ignoring {
        for index in tables.indices { applyRows(index) }
        let back = linkMadeAgain()
        for position in session.links.indices { applyLinks(position) }
        for offset in session.links.indices where !session.links[offset].absent.isEmpty {
          session.linkAbsent(offset)
        }
        noteDisplaced()
        noteLinked(back)
      }
      // What differs from both sides is to be saved, by loops as well.
      session.collect(unlike)
      for number in tables.indices { applyEnds(number) }
      session.noteContested(contested)
      report.updated = updated.count
    }

    private mutating func applyRows(_ index: Int) {
      let (table, stored) = (tables[index], saved.tables[index])
      let new = TableRows(table.plan)
      var newAddresses: [RowKey] = []
      let again = TableRows(table.plan)
      var againRows: [Int] = []
      let moved = freeKeys(index)
      for (position, action) in actions[index].enumerated() {
        let address = stored.addresses[position]
        switch action {
        case .leave: break
        case .make:
          new.append(position, of: stored.rows)
          newAddresses.append(address)
        case .adopt(let entity): table.append(position, of: stored.rows, entity, at: address)
        case .update(let row, let taken):
          let entity = table.entities[row]
          table.replace(row, with: stored.rows, position)
          table.setAddress(address, of: row)
          take(moved[position] ?? values(taken, of: entity, position, index), taken, entity)
        case .note(let row):
          table.replace(row, with: stored.rows, position)
          table.setAddress(address, of: row)
        case .makeAgain(let row):
          table.replace(row, with: stored.rows, position)
          table.setAddress(address, of: row)
          again.append(position, of: stored.rows)
          againRows.append(row)
        }
      }
      for (position, entity) in new.createEntities(in: session.context).enumerated() {
        table.append(position, of: new, entity, at: newAddresses[position])
        report.made += 1
      }
      for (entity, row) in zip(again.createEntities(in: session.context), againRows) {
        let former = table.entities[row]
        table.setEntity(entity, of: row)
        for link in session.links where tables[link.source] === table {
          link.move(from: former, to: entity)
        }
        madeAgain.append(entity)
        report.made += 1
      }
    }

    /// Makes the links of entities that were destroyed here and come back, and those to them.
    ///
    /// What still differs from the file is to be saved: links to what is destroyed go with it.
    ///
    /// A link that was removed here before its target was destroyed can't be distinguished from one
    /// that went with it. So all that come back are to be reported, and what else was done here
    /// with the links of their sources stays. What others have made of a link to one is decided.
    ///
    /// - Returns: The links to entities that come back, by their sources.
    private mutating func linkMadeAgain() -> [(link: Int, source: Entity, targets: [Entity])] {
      if madeAgain.isEmpty { return [] }
      let (again, touched) = (Set(madeAgain), session.touched())
      var back: [(link: Int, source: Entity, targets: [Entity])] = []
      for (index, link) in session.links.enumerated() {
        for entity in madeAgain where tables[link.source].row(of: entity) != nil {
          let targets = link.linked(entity).compactMap { session.entity(at: $0, in: link.target) }
          link.setTargets(targets, of: entity, tables)
          if link.targets(of: entity, tables) != targets { unlike.append(entity) }
        }
        let decided = link.relation.isToOne ? changedSources(index) : []
        for source in touched where source.isAlive && tables[link.source].row(of: source) != nil {
          let present = link.targets(of: source, tables)
          if link.relation.isToOne, !present.isEmpty || decided.contains(source) { continue }
          let here = Set(present)
          let targets = link.linked(source)
            .compactMap { tables[link.target].entityOrFault(at: $0) }
            .filter { here.contains($0) || again.contains($0) }
          if here.isSuperset(of: targets) { continue }
          link.setTargets(
            .merged(targets.filter(here.contains), present, targets), of: source, tables)
          back.append((index, source, targets.filter { !here.contains($0) }))
        }
      }
      return back
    }

    /// The sources of links that others have changed.
    private func changedSources(_ index: Int) -> Set<Entity> {
      let link = session.links[index]
      return saved.links[index].reduce(into: []) { sources, change in
        guard let source = tables[link.source].entity(at: change.source),
          base(of: source, link) != change.targets
        else { return }
        sources.insert(source)
      }
    }

    /// Reports links that have come back, and were not refused or removed by others.
    private mutating func noteLinked(_ back: [(link: Int, source: Entity, targets: [Entity])]) {
      for (index, source, targets) in back {
        let link = session.links[index]
        let linked = targets.filter(Set(link.targets(of: source, tables)).contains)
        if !linked.isEmpty { updated.insert(source) }
        for address in addresses(of: linked, link) {
          report.conflicts.append(
            conflict(of: source, link, base: address, local: nil, stored: address))
        }
      }
    }

    /// Takes the keys away that others get, and those that change; returns what these entities are
    /// to have, by the positions of their rows.
    private func freeKeys(_ index: Int) -> [Int: TableRows] {
      let (table, stored) = (tables[index], saved.tables[index])
      guard table.plan.hasKey else { return [:] }
      let key = ColumnSet(table.plan.keyColumns)
      var moved: [Int: TableRows] = [:]
      for (position, action) in actions[index].enumerated() {
        guard case .update(let row, let taken) = action,
          taken.all.columns.contains(where: key.contains)
        else { continue }
        moved[position] = values(taken, of: table.entities[row], position, index)
        table.shadow.drop(key, from: table.entities[row])
      }
      let given = Set(stored.addresses)
      for case .destroy(let row) in ends[index] where given.contains(table.addresses[row]) {
        table.shadow.drop(key, from: table.entities[row])
      }
      return moved
    }

    /// What an entity has, with what is taken of the row at a position.
    private func values(
      _ taken: Taken, of entity: Entity, _ position: Int, _ index: Int
    ) -> TableRows {
      let local = TableRows(tables[index].plan)
      if taken.all.isEmpty { return local }
      local.append(entity)
      // What a closure decided has a form in the column; if others don't fit to it, it is not
      // taken.
      try? local.replace(taken.columns, of: 0, with: saved.tables[index].rows, position)
      for (column, value) in taken.values { try? local.set(column, of: 0, to: value) }
      return local
    }

    private mutating func take(_ values: TableRows, _ taken: Taken, _ entity: Entity) {
      if taken.all.isEmpty { return }
      values.apply(0, to: entity, only: taken.all)
      updated.insert(entity)
      if !taken.values.isEmpty { unlike.append(entity) }
    }

    private mutating func applyEnds(_ index: Int) {
      let table = tables[index]
      var rows: [Int] = []
      var doomed: [Entity] = []
      for end in ends[index] {
        switch end {
        case .forget(let row): rows.append(row)
        case .destroy(let row):
          rows.append(row)
          doomed.append(table.entities[row])
        }
      }
      for row in rows {
        for link in session.links where tables[link.source] === table {
          link.forget(table.entities[row])
        }
      }
      var restored: Set<Int> = []
      for entity in doomed where entity.isAlive {
        restored.formUnion(unlinkSources(of: entity, table))
      }
      table.remove(rows)
      for entity in doomed where entity.isAlive {
        // An entity that is destroyed with it although it still is in the file has to be collected.
        let isAlone = session.links.allSatisfy {
          tables[$0.target] !== table || $0.relation.sources(entity).isEmpty
        }
        if isAlone {
          session.ignoring { entity.destroy() }
        } else {
          entity.destroy()
        }
        report.destroyed += 1
      }
      session.ignoring { for offset in restored { session.linkAbsent(offset) } }
    }

    /// Whose row is at an address; if it was destroyed here, the one that has been made with its
    /// key.
    private mutating func target(at address: RowKey, _ link: SessionLink) -> Entity? {
      let entity = tables[link.target].entityOrFault(at: address)
      if let entity, entity.isAlive { return entity }
      if tables[link.target].row(at: address) != nil, let claimant = claims(link.target)[address] {
        return claimant
      }
      return session.entity(at: address, in: link.target).flatMap { $0.isAlive ? $0 : nil }
    }

    /// Takes the links to an entity whose row has gone out of the context, and leaves them in the
    /// file.
    ///
    /// So rows that lead there are neither changed nor destroyed with it: others have left them as
    /// they are. Links that were made here are not in the file, and reported; those to one give way
    /// to what the file has in their stead.
    ///
    /// - Returns: The numbers of links of which some are to come.
    private mutating func unlinkSources(of entity: Entity, _ table: SessionTable) -> Set<Int> {
      guard let address = table.address(of: entity) else { return [] }
      var restored: Set<Int> = []
      for (offset, link) in session.links.enumerated() where tables[link.target] === table {
        for source in link.relation.sources(entity) where source != entity {
          let isInFile = link.shadow[source]?.contains(address) == true
          guard isInFile || source.has(tables[link.source].plan.root) else { continue }
          session.ignoring { link.relation.unlink(source, entity) }
          if isInFile {
            link.addAbsent(address, of: source)
          } else {
            let isStored = link.relation.isToOne && !forgotten[link.source].contains(source)
            let stored = isStored ? link.shadow[source]?.first : nil
            report.conflicts.append(
              conflict(of: source, link, base: stored, local: address, stored: stored))
            guard let stored, !isTaken(stored, link) else { continue }
            link.setAbsent([stored], of: source)
            restored.insert(offset)
          }
        }
      }
      return restored
    }

    /// Notes which links give way to those of a source that are about to be made.
    private mutating func noteRivals(of source: Entity, _ targets: [Entity], _ index: Int) {
      let link = session.links[index]
      if !link.mayHaveRivals { return }
      for target in targets {
        displaced += link.rivals(of: source, at: target).map { (index, $0) }
      }
      displaced += session.links.indices.filter { session.links[$0].isRival(of: link) }
        .map { ($0, source) }
    }

    /// Leaves links in the file that have given way to others which are there as well.
    private func noteDisplaced() {
      for (index, source) in displaced where source.isAlive {
        let link = session.links[index]
        let linked = link.targets(of: source, tables)
        if !linked.isEmpty { continue }
        for address in link.linked(source) {
          guard let target = session.entity(at: address, in: link.target), target.isAlive else {
            continue
          }
          let isBesideOther = session.links.contains { other in
            other.isRival(of: link) && isInFile(other.targets(of: source, tables), source, other)
          }
          let rivals = link.rivals(of: source, at: target)
          if isBesideOther || rivals.contains(where: { isInFile([target], $0, link) }) {
            link.addAbsent(address, of: source)
          }
        }
      }
    }

    private func isInFile(_ targets: [Entity], _ source: Entity, _ link: SessionLink) -> Bool {
      targets.contains { target in
        tables[link.target].address(of: target)
          .map { link.shadow[source]?.contains($0) == true } ?? false
      }
    }

    /// Whether a target that can have one source only has another one here by now.
    private func isTaken(_ address: RowKey, _ link: SessionLink) -> Bool {
      guard link.relation.isOneToOne, let target = session.entity(at: address, in: link.target)
      else { return false }
      return target.isAlive && !link.relation.sources(target).isEmpty
    }

    /// What there is to say of a link that is not as it was left here.
    private func conflict(
      of source: Entity, _ link: SessionLink, base: RowKey?, local: RowKey?, stored: RowKey?
    ) -> Conflict {
      let table = tables[link.source]
      let rows = TableRows(table.plan)
      rows.append(source)
      let key = table.address(of: source) ?? (try? rows.key(0))
      return Conflict(
        table: table.plan.name, key: key.map { "\($0)" } ?? "\(source)", entity: source,
        column: link.name, base: base.map { .string("\($0)") },
        local: local.map { .string("\($0)") }, stored: stored.map { .string("\($0)") })
    }

    private mutating func applyLinks(_ index: Int) {
      let link = session.links[index]
      for (position, change) in saved.links[index].enumerated() {
        guard let source = tables[link.source].entity(at: change.source) else { continue }
        let base = base(of: source, link)
        let present = link.targets(of: source, tables)
        let local = local(addresses(of: present, link), of: source, link)
        link.setShadow(change.targets, values: change.values, of: source)
        guard source.isAlive else { continue }
        if keepsLink[index][position] {
          // It may be for the sake of another source's link.
          unlike.append(source)
          continue
        }
        let wanted =
          link.relation.isToOne ? change.targets : .merged(base, local, change.targets)
        var targets: [Entity] = []
        var absent: [RowKey] = []
        var isClaimed = false
        var addresses: [Entity: RowKey] = [:]
        let stored = Set(change.targets)
        for address in wanted {
          if let target = target(at: address, link) {
            if link.relation.isToOne, !targets.isEmpty {
              // Another program has linked the source to several.
              absent.append(address)
              continue
            }
            targets.append(target)
            if link.columnsOfValues != nil { addresses[target] = address }
            isClaimed = isClaimed || tables[link.target].address(of: target) != address
          } else if stored.contains(address), tables[link.target].row(at: address) == nil {
            absent.append(address)
          }
        }
        if !link.relation.isToOne {
          // Entities that are not saved yet have no address: their links stay, at the end.
          let known = Set(targets)
          targets += present.filter {
            address(of: $0, link.target) == nil && !known.contains($0)
          }
        }
        if targets != present {
          noteRivals(of: source, targets, index)
          let refused = link.setTargets(targets, of: source, at: addresses, tables)
          absent += self.addresses(of: targets.filter(refused.contains), link)
          updated.insert(source)
        }
        let hasOther = takeValues(index, position, source, addresses, &absent)
        link.setAbsent(absent, of: source)
        // What is gone here has to go from the file as well; and with what takes over a row, links
        // to it go when it is put back.
        let linked = self.addresses(of: link.targets(of: source, tables), link)
        if isClaimed || hasOther || link.kept(linked, of: source) != change.targets {
          unlike.append(source)
        }
      }
    }
  }
#endif
