#if SQLite
  public import ECS

  extension StoreSession {
    /// Puts the context back to the last save: changes are taken back, new entities are destroyed,
    /// and destroyed ones come back as new entities with the same keys.
    ///
    /// The file is not read, unless rows of others come whose keys new entities had. All is one
    /// section, of which observers are notified once. What others have saved stays.
    ///
    /// - Precondition: Not called in a section or an iteration of the context.
    /// - Complexity: O(*k*), where *k* is the number of entities that were touched; O(*n*) the
    ///   first time that rows have to be found by their keys, where *n* is their number.
    public func rollback() {
      checkIsFree("rollback()")
      let waits = store.hub.locked {
        context.perform { putBack(collector.drain()) }
        return !contested.isEmpty
      }
      if waits { mergeWhenWanted() }
    }

    /// Puts one entity back to the last save.
    ///
    /// For what can't be saved: the error of ``save()`` names the entity. If it was destroyed, it
    /// comes back as a new entity with the same key. Entities that belong to it by links stay as
    /// they are: a link to one that is destroyed stays away, to be saved so, until that one is put
    /// back and then this one once more.
    ///
    /// - Precondition: Not called in a section or an iteration of the context.
    /// - Throws: ``StoreError/notFound(table:key:)`` if it was never saved.
    public func revert(_ entity: Entity) throws(StoreError) {
      checkIsFree("revert(_:)")
      let waits = try store.hub.locked { () throws(StoreError) in
        guard tables.contains(where: { $0.row(of: entity) != nil }) else {
          let table = tables.first { entity.has($0.plan.root) }
          throw .notFound(table: table?.plan.name ?? "", key: "\(entity)")
        }
        context.perform {
          let touched = collector.drain()
          collector.restore(EntitySet(touched.filter { $0 != entity }))
          putBack([entity])
        }
        return !contested.isEmpty
      }
      if waits { mergeWhenWanted() }
    }

    /// Makes entities what their rows are, while the context is locked.
    private func putBack(_ touched: EntitySet) {
      guard !touched.isEmpty else { return }
      let others = ignoring { () -> [Entity] in
        var changes = changes(of: touched)
        for index in tables.indices { changes.tables[index].find(in: tables[index]) }
        unlinkNew(changes)
        for (offset, table) in changes.tables.enumerated() {
          for entity in table.keyless
          where !tables.contains(where: { $0.row(of: entity) != nil }) {
            entity.destroy()
          }
          for (position, entity) in table.entities.enumerated() where table.known[position] == nil {
            // An entity may be a row of another table as well.
            if !tables.contains(where: { $0.row(of: entity) != nil }) {
              entity.destroy()
            } else {
              entity.remove(tables[offset].plan.root)
            }
          }
        }
        var sources = Array(touched)
        for table in tables {
          sources += putBack(touched, table)
        }
        return linkAgain(sources)
      }
      collect(others)
    }

    /// Removes links that came, so that no entity is destroyed along with another.
    private func unlinkNew(_ changes: Changes) {
      for (index, link) in links.enumerated() {
        for (source, targets) in changes.links[index].targets {
          let known = Set(
            (link.shadow[source] ?? []).compactMap { tables[link.target].entityOrFault(at: $0) })
          for target in targets where !known.contains(target) {
            link.relation.unlink(source, target)
          }
        }
      }
    }

    /// Puts rows back; returns the entities that came back.
    private func putBack(_ touched: EntitySet, _ table: SessionTable) -> [Entity] {
      let lost = TableRows(table.plan)
      var lostRows: [Int] = []
      var changed: [(entity: Entity, row: Int, columns: ColumnSet)] = []
      let key = ColumnSet(table.plan.keyColumns)
      for entity in touched {
        guard let row = table.row(of: entity) else { continue }
        if entity.isAlive {
          let present = TableRows(table.plan)
          present.append(entity)
          let differences = present.difference(0, from: table.shadow, row)
          if differences.isEmpty { continue }
          changed.append((entity, row, differences))
          if differences.columns.contains(where: key.contains) {
            table.shadow.drop(key, from: entity)
          }
        } else {
          lost.append(row, of: table.shadow)
          lostRows.append(row)
        }
      }
      for (entity, row, columns) in changed {
        table.shadow.apply(row, to: entity, only: columns)
      }
      let made = Array(lost.createEntities(in: context))
      for (entity, row) in zip(made, lostRows) {
        let former = table.entities[row]
        table.setEntity(entity, of: row)
        for link in links where tables[link.source] === table {
          link.move(from: former, to: entity)
        }
      }
      return made
    }

    /// Links entities as they are in the file; returns those that can't be: a target is destroyed,
    /// or would close a circle.
    private func linkAgain(_ sources: [Entity]) -> [Entity] {
      var others: [Entity] = []
      for link in links {
        for source in sources {
          guard source.isAlive, tables[link.source].row(of: source) != nil else { continue }
          var wanted: [Entity] = []
          for address in link.linked(source) {
            if let target = entity(at: address, in: link.target) {
              wanted.append(target)
            } else {
              // It comes with the next merge, as a row whose key another entity had here.
              link.addAbsent(address, of: source)
            }
          }
          if link.targets(of: source, tables) != wanted {
            link.setTargets(wanted, of: source, tables)
            if link.targets(of: source, tables) != wanted { others.append(source) }
          }
          link.restoreValues(of: source, tables)
        }
      }
      return others
    }
  }

  extension SessionLink {
    /// Links a source to targets of its table, in order, and to no others: new links have the
    /// values of the file.
    ///
    /// - Parameters:
    ///   - wanted: The targets.
    ///   - source: The source.
    ///   - addresses: The addresses of targets that have no rows there themselves.
    ///   - tables: The tables of the session.
    /// - Returns: Those to which a link would close a circle where there must be none, or whose
    ///   values can't be read.
    @discardableResult
    func setTargets(
      _ wanted: [Entity], of source: Entity, at addresses: [Entity: RowKey] = [:],
      _ tables: [SessionTable]
    ) -> Set<Entity> {
      let present = targets(of: source, tables)
      let (before, after) = (Set(present), Set(wanted))
      var refused: Set<Entity> = []
      for target in present where !after.contains(target) { relation.unlink(source, target) }
      for target in wanted where !before.contains(target) {
        let address = addresses[target] ?? tables[self.target].address(of: target)
        if !make(source, target, at: address) { refused.insert(target) }
      }
      // Those that stay only change places.
      let linked = refused.isEmpty ? wanted : wanted.filter { !refused.contains($0) }
      let kept = zip(targets(of: source, tables), linked).prefix { $0 == $1 }.count
      for target in linked[kept...] { relation.moveLast(source, target) }
      return refused
    }
  }
#endif
