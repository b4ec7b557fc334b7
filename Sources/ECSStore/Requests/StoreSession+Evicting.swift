#if SQLite
  public import ECS

  extension StoreSession {
    /// Evicts entities whose rows are in the file: they leave the context, and the rows stay.
    ///
    /// For tables on request, so that memory holds what is needed. Asking for the rows again makes
    /// new entities: handles of these are dead. An entity that others are linked to stays as a
    /// ``Fault``, whether or not a table keeps the link: nothing is destroyed with it. Other
    /// components go with it, also those that no table keeps.
    ///
    /// Those stay as they are that have something to save, and those of tables that are in memory
    /// as a whole.
    ///
    /// - Returns: How many were evicted.
    /// - Precondition: Not called in a section or an iteration of the context.
    /// - Complexity: O(*k* log *k*), where *k* is the number of entities, and of their links;
    ///   O(*n*) the first time, where *n* is the number of rows in memory.
    @discardableResult
    public func evict(_ entities: some Sequence<Entity>) -> Int {
      checkIsFree("evict(_:)")
      return store.hub.locked {
        context.perform { ignoring { letGo(entities) } }
      }
    }

    /// Evicts all rows of a table that have nothing to save.
    func evictAll(of index: Int) -> Int { evict(tables[index].entities) }

    private func letGo(_ entities: some Sequence<Entity>) -> Int {
      var gone: [[Int]] = tables.map { _ in [] }
      var count = 0
      var done: Set<Entity> = []
      for entity in entities where entity.isAlive && !collector.contains(entity) {
        let rows = tables.indices.compactMap { index in
          tables[index].row(of: entity).map { (number: index, row: $0) }
        }
        // Entities that are rows of several tables belong to one that is in memory, or could not
        // come back as one.
        guard rows.count == 1, let found = rows.first, tables[found.number].isOnRequest,
          done.insert(entity).inserted
        else { continue }
        gone[found.number].append(found.row)
        let table = tables[found.number]
        let ends = entity.linksOfBothEnds()
        unlink(entity, found.number)
        if ends.contains(where: { $0.source != entity }) {
          for component in table.plan.components { entity.remove(component.layout.cid) }
          entity.set(Fault(table.plan.name, table.addresses[found.row]))
          table.noteFault(entity, at: table.addresses[found.row])
        } else {
          entity.destroy()
        }
        for end in ends where end.source == entity && end.target != entity {
          dropFault(end.target)
        }
        count += 1
      }
      for (position, rows) in gone.enumerated() { tables[position].remove(rows) }
      return count
    }

    /// Takes the links of a row away, which its row keeps.
    private func unlink(_ entity: Entity, _ number: Int) {
      for link in links where link.source == number {
        link.forget(entity)
        for target in link.targets(of: entity, tables) { link.relation.unlink(entity, target) }
      }
    }

    /// Removes what stands for a row that nothing is linked to any more.
    private func dropFault(_ entity: Entity) {
      guard entity.isAlive, entity.has(Fault.cid) else { return }
      for table in tables {
        guard let address = table.fault(of: entity) else { continue }
        if entity.has(table.plan.root) { return }
        if entity.linksOfBothEnds().contains(where: { $0.source != entity }) { return }
        _ = table.takeFault(at: address)
        entity.destroy()
      }
    }
  }
#endif
