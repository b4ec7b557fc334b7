#if SQLite
  import ECS

  extension Merge {
    /// Decides which links of sources that have one target stay as they are here.
    mutating func decideLinks(_ index: Int) {
      let link = session.links[index]
      keepsLink.append([])
      for change in saved.links[index] {
        guard link.relation.isToOne, let source = entity(comingTo: change.source, link.source),
          source.isAlive
        else {
          keepsLink[index].append(false)
          continue
        }
        let base = base(of: source, link)
        let present = link.targets(of: source, tables)
        let local = local(moved(addresses(of: present, link), link), of: source, link)
        // What is not saved yet has no address, and is another target than all that have one.
        if local.count < present.count {
          keepsLink[index].append(
            base == change.targets || keeps([], base, change, source, link))
        } else if local == base || local == change.targets {
          keepsLink[index].append(
            base != change.targets && hasRivalHere(change, source, link)
              && keeps(local, base, change, source, link))
        } else if base == change.targets {
          keepsLink[index].append(true)
        } else {
          keepsLink[index].append(keeps(local, base, change, source, link))
        }
      }
    }

    /// Whose row is at an address when the rows have been merged.
    func entity(comingTo address: RowKey, _ index: Int) -> Entity? {
      comers[index][address] ?? tables[index].entity(at: address)
    }

    /// Whether a link that was made here can't stay beside those that others have made.
    private func hasRivalHere(
      _ change: SavedChanges.LinkTargets, _ source: Entity, _ link: SessionLink
    ) -> Bool {
      if !link.mayHaveRivals { return false }
      func isNew(_ target: Entity, of source: Entity, _ link: SessionLink) -> Bool {
        let address = tables[link.target].address(of: target)
        return address.map { link.shadow[source]?.contains($0) != true } ?? true
      }
      for other in session.links where other.isRival(of: link) {
        if other.targets(of: source, tables).contains(where: { isNew($0, of: source, other) }) {
          return true
        }
      }
      return change.targets.contains { address in
        guard let target = target(comingTo: address, link) else { return false }
        return link.rivals(of: source, at: target).contains { isNew(target, of: $0, link) }
      }
    }

    /// Which target is at an address when the rows have been merged; nil if it is not here yet.
    func target(comingTo address: RowKey, _ link: SessionLink) -> Entity? {
      tables[link.target].entityOrFault(at: formers[link.target][address] ?? address)
    }

    /// Whether the link that is here stays, although there is another one there.
    private mutating func keeps(
      _ local: [RowKey], _ base: [RowKey], _ change: SavedChanges.LinkTargets, _ source: Entity,
      _ link: SessionLink
    ) -> Bool {
      let conflict = Conflict(
        table: tables[link.plan.owner].plan.name, key: "\(change.source)", entity: source,
        column: link.name, base: base.first.map { .string("\($0)") },
        local: local.first.map { .string("\($0)") },
        stored: change.targets.first.map { .string("\($0)") })
      if case .stored = resolution(conflict) { return false }
      return true
    }

    /// The targets of a source in the file, as far as is known here, by where their rows are now.
    func base(of source: Entity, _ link: SessionLink) -> [RowKey] {
      moved(link.shadow[source] ?? [], link)
    }

    /// The targets that are in the file if those of the context are saved, by where their rows are
    /// now.
    func local(_ present: [RowKey], of source: Entity, _ link: SessionLink) -> [RowKey] {
      link.kept(
        present, base(of: source, link), absent: moved(link.absent[source] ?? [], link))
    }

    private func moved(_ addresses: [RowKey], _ link: SessionLink) -> [RowKey] {
      let moves = moves[link.target]
      return moves.isEmpty ? addresses : addresses.map { moves[$0] ?? $0 }
    }

    func addresses(of targets: [Entity], _ link: SessionLink) -> [RowKey] {
      targets.compactMap { address(of: $0, link.target) }
    }

    /// Where the row of an entity is, or the one that it takes over from another one which was
    /// destroyed here.
    func address(of entity: Entity, _ index: Int) -> RowKey? {
      let table = tables[index]
      if let address = table.address(of: entity) { return address }
      guard table.plan.hasKey, entity.has(table.plan.root) else { return nil }
      let rows = TableRows(table.plan)
      rows.append(entity)
      guard let key = try? rows.key(0), let row = table.row(at: key),
        !table.entities[row].has(table.plan.root)
      else { return nil }
      return key
    }
  }
#endif
