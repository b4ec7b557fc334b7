#if SQLite
  public import ECS

  extension StoreSession {
    /// Gives entities that stand for rows the components of these; see ``Fault``.
    ///
    /// - Parameter entities: The entities; those that are no faults stay as they are.
    /// - Returns: How many were filled. The rows of others are gone.
    /// - Precondition: Not called in a section or an iteration of the context.
    /// - Throws: ``StoreError``; nothing has changed then.
    /// - Complexity: O(*k* log *n*), where *k* is the number of faults and *n* that of rows in the
    ///   file.
    @discardableResult
    public func fill(_ entities: some Sequence<Entity>) throws(StoreError) -> Int {
      checkIsFree("fill(_:)")
      return try store.hub.locked { () throws(StoreError) in
        var count = 0
        var read: [(number: Int, contents: FileContents)] = []
        let entities = Array(entities)
        for (index, table) in tables.enumerated() where table.hasFaults {
          let addresses = entities.compactMap { entity in
            entity.has(Fault.cid) && !entity.has(table.plan.root) ? table.fault(of: entity) : nil
          }
          if addresses.isEmpty { continue }
          read.append((index, try readRows(index, Set(addresses))))
        }
        context.perform {
          for (number, contents) in read { count += add(contents, number).count }
        }
        return count
      }
    }

    /// The entity of a row, or one that stands for it; the context is locked.
    func entity(at address: RowKey, in index: Int) -> Entity? {
      let table = tables[index]
      if let entity = table.entityOrFault(at: address) {
        if entity.isAlive || table.row(at: address) != nil { return entity }
        _ = table.takeFault(at: address)
      }
      guard table.isOnRequest else { return nil }
      return ignoring {
        let fault = context.createEntity(with: Fault(table.plan.name, address))
        table.noteFault(fault, at: address)
        return fault
      }
    }

    /// Faults that were given components, of which only the file can tell whether they are changes
    /// of rows, by the numbers of tables; the context is locked.
    func touchedFaults(
      _ touched: EntitySet, except absent: Set<Entity>
    ) -> [Int: [RowKey: Entity]] {
      var faults: [Int: [RowKey: Entity]] = [:]
      for (index, table) in tables.enumerated() where table.hasFaults {
        for entity in touched
        where entity.has(table.plan.root) && table.row(of: entity) == nil
          && !absent.contains(entity)
        {
          if let address = table.fault(of: entity) {
            faults[index, default: [:]][address] = entity
          }
        }
      }
      return faults
    }

    /// Learns what the file has of rows whose components were given to a fault, since these are
    /// changes of them.
    ///
    /// - Returns: Those whose rows are gone, and are new ones therefore.
    func readRowsOfFaults(except absent: Set<Entity>) throws(StoreError) -> [Entity] {
      let faults = context.perform { touchedFaults(touched(), except: absent) }
      var missing: [Entity] = []
      for (number, faults) in faults {
        let contents = try readRows(number, faults.keys)
        context.perform { ignoring { fillIn(contents, number) } }
        let present = Set(contents.tables[number].addresses)
        missing += faults.filter { !present.contains($0.key) }.values
      }
      return missing
    }

    /// Notes rows as those of the faults that stand for them; the context is locked.
    private func fillIn(_ contents: FileContents, _ index: Int) {
      let table = tables[index]
      let (rows, addresses) = (contents.tables[index].rows, contents.tables[index].addresses)
      for (row, address) in addresses.enumerated() {
        guard let entity = table.takeFault(at: address) else { continue }
        entity.remove(Fault.self)
        table.append(row, of: rows, entity, at: address)
      }
      for (position, link) in links.enumerated() where link.source == index {
        self.link(contents.links[position], position)
      }
    }
  }
#endif
