#if SQLite
  import ECS
  import Foundation

  /// A plan of what a save is going to write, of what has changed.
  struct SavePlan {
    /// A row that is there and gets other values.
    struct Update {
      /// In the shadow.
      let row: Int

      /// Among the changes; nil if links are all that changes.
      let number: Int?
      var columns = ColumnSet()

      /// The columns of links that change, and what they get.
      var links: [Int: RowValue] = [:]

      /// The entity that has the row from now on.
      let entity: Entity

      /// Where the row is while others take over its values.
      var parked: RowKey?
    }

    struct TablePlan {
      /// Numbers among the changes.
      var inserts: [Int] = []
      var updates: [Update] = []

      /// Where the updates of rows of the shadow are; see ``noteUpdateNumbers()``.
      var updateNumbers: [Int: Int] = [:]

      /// Rows of the shadow.
      var deletes: [Int] = []

      /// The addresses that the changes get; nil as long as they are not known.
      var addresses: [RowKey?] = []

      /// Entities that take over the row of another one, which has gone.
      var takeovers = EntityMap<Entity>()

      /// What the columns of links of new rows get, by numbers among the changes.
      var linkValues: [Int: [Int: RowValue]] = [:]

      // PERFORMANCE: K2: only links ask.
      /// Notes where updates are, if that is not known.
      mutating func noteUpdateNumbers() {
        guard updateNumbers.count < updates.count else { return }
        for (index, update) in updates.enumerated() { updateNumbers[update.row] = index }
      }
    }

    struct LinkPlan {
      let source: Entity

      /// Whose links of the file they are.
      let former: Entity
      let old: [RowKey]

      /// Where the rows of the old targets are after the save; nil for those that are targets no
      /// more.
      let after: [RowKey?]
      let new: [RowKey]

      /// Those of the new ones that no link of the context stands for.
      let absent: [RowKey]

      /// The columns of values of the new ones, if links have some, and those that differ of the
      /// ones that stay, by where their rows are after the save.
      let values: StoredLinkValues
      let changedValues: [(target: RowKey, columns: ColumnSet)]

      /// The address of the source before and after; nil if there is no row.
      let oldSource: RowKey?
      let newSource: RowKey?

      /// The old targets that stay, by where their rows are after the save.
      var kept: Set<RowKey> { Set(after.lazy.compactMap(\.self)) }

      /// How many of the new targets stay where they are in the order of linking.
      var keptAtStart: Int {
        zip(after.lazy.compactMap(\.self), new).prefix { $0 == $1 }.count
      }
    }

    var changes: Changes
    var tables: [TablePlan]
    var links: [[LinkPlan]]

    /// By the numbers of links, the columns of the present values of links.
    var linkValues: [EntityMap<[Entity: [RowValue]]>]
    let leftOut: LeftOut

    /// Entities that have gone and are left out as well: see ``leaveFormers(_:)``.
    var formers: Set<Entity> = []
  }

  extension StoreSession {
    /// Compares what has changed with what is in the file.
    func plan(_ changes: Changes, without leftOut: LeftOut) throws(StoreError) -> SavePlan {
      var changes = changes
      for (index, table) in changes.tables.enumerated() {
        guard let entity = table.keyless.first else { continue }
        throw .missingKey(table: tables[index].plan.name, entity: entity)
      }
      for position in tables.indices { changes.tables[position].find(in: tables[position]) }
      var plan = SavePlan(
        changes: changes, tables: tables.map { _ in SavePlan.TablePlan() },
        links: links.map { _ in [] }, linkValues: try columnsOfValues(changes, leftOut),
        leftOut: leftOut)
      for offset in tables.indices { try planRows(offset, &plan) }
      plan.leaveFormers(self)
      passLinksOn(&plan)
      plan.addAbsent(self)
      return plan
    }

    private func planRows(_ index: Int, _ plan: inout SavePlan) throws(StoreError) {
      let (table, changes) = (tables[index], plan.changes.tables[index])
      var result = SavePlan.TablePlan()
      result.addresses.reserveCapacity(changes.entities.count)
      var freed: [RowKey: Entity] = [:]
      for entity in changes.gone { if let key = table.address(of: entity) { freed[key] = entity } }
      for (position, entity) in changes.entities.enumerated() {
        let address = try address(position, changes, table, entity)
        result.addresses.append(address)
        var row = changes.known[position]
        if row == nil, !freed.isEmpty, table.plan.hasKey, let address,
          let former = freed.removeValue(forKey: address)
        {
          row = table.row(of: former)
          result.takeovers[entity] = former
        }
        guard let row else {
          result.inserts.append(position)
          continue
        }
        var columns = changes.rows.difference(position, from: table.shadow, row)
        // Also of texts that Swift takes for equal.
        if table.plan.hasKey, address != table.addresses[row] {
          columns = columns.union(ColumnSet(table.plan.keyColumns))
        }
        columns = columns.union(table.plan.presences(of: columns))
        if columns.isEmpty, changes.known[position] != nil { continue }
        result.updates.append(
          SavePlan.Update(row: row, number: position, columns: columns, entity: entity))
      }
      result.deletes = freed.values.compactMap { table.row(of: $0) }.sorted()
      plan.tables[index] = result
    }

    private func address(
      _ position: Int, _ changes: Changes.TableChanges, _ table: SessionTable, _ entity: Entity
    ) throws(StoreError) -> RowKey? {
      if !table.plan.hasKey { return changes.known[position].map { table.addresses[$0] } }
      let key: RowKey?
      do throws(RowFailure) {
        key = try changes.rows.key(position)
      } catch {
        throw unstorable(error, table, entity)
      }
      if key == nil, !table.plan.isGenerated || changes.known[position] != nil {
        throw .missingKey(table: table.plan.name, entity: entity)
      }
      return key
    }

    func unstorable(
      _ failure: RowFailure, _ table: SessionTable, _ entity: Entity
    ) -> StoreError {
      .unstorable(
        table: table.plan.name, column: table.plan.columns[failure.column].description.name,
        entity: entity, reason: failure.reason)
    }

    /// Entities whose keys change and that may have links, or be linked to.
    func linkedAndMoved(_ plan: SavePlan) -> Set<Entity> {
      var moved: Set<Entity> = []
      for (index, table) in tables.enumerated()
      where table.plan.hasKey
        && links.contains(where: { $0.source == index || $0.target == index })
      {
        for update in plan.tables[index].updates {
          guard let position = update.number,
            plan.tables[index].addresses[position] != table.addresses[update.row]
          else { continue }
          moved.insert(update.entity)
        }
      }
      return moved
    }

    /// Adds the links of entities whose keys change, and links to them, which were not touched; the
    /// context is locked.
    func addLinks(
      of moved: Set<Entity>, without leftOut: LeftOut, to changes: inout Changes
    ) {
      for entity in moved {
        for (index, link) in links.enumerated() {
          if tables[link.source].row(of: entity) != nil {
            addTargets(of: entity, index, to: &changes)
          }
          guard tables[link.target].row(of: entity) != nil else { continue }
          for source in link.relation.sources(entity) where !leftOut.contains(source) {
            addTargets(of: source, index, to: &changes)
          }
        }
      }
    }

    /// Lets an entity that takes over a row take over its links as well, to change them.
    private func passLinksOn(_ plan: inout SavePlan) {
      for (index, link) in links.enumerated() {
        for (entity, former) in plan.tables[link.source].takeovers
        where link.shadow.contains(former) {
          plan.changes.links[index].targets[former] = nil
          plan.changes.links[index].targets[entity, default: []] += []
        }
      }
    }

    // MARK: Links

    /// The address that an entity has or gets in a table; nil if it is not known yet.
    ///
    /// The context is not asked, which has gone on, and which others may keep while they wait for
    /// the database.
    func address(of entity: Entity, in table: Int, _ plan: SavePlan) -> RowKey? {
      if let position = plan.changes.tables[table].numbers[entity] {
        return plan.tables[table].addresses[position]
      }
      if let fault = tables[table].fault(of: entity) { return fault }
      // An entity that was not touched is what it was.
      guard let row = tables[table].row(of: entity), !plan.changes.tables[table].hasLost(entity)
      else { return nil }
      return tables[table].addresses[row]
    }

    /// Compares links with those of the file, now that all keys are known.
    func planLinks(_ plan: inout SavePlan) throws(StoreError) {
      if plan.changes.links.contains(where: { !$0.targets.isEmpty }) {
        for index in tables.indices { plan.changes.tables[index].noteNumbers() }
      }
      for (position, link) in links.enumerated() {
        plan.links[position] = []
        let takenOver = Set(
          plan.tables[link.target].takeovers.compactMap {
            tables[link.target].address(of: $0.value)
          })
        for (source, targets) in plan.changes.links[position].targets {
          let former = plan.tables[link.source].takeovers[source] ?? source
          let old = link.shadow[former] ?? []
          let oldSource = tables[link.source].address(of: former)
          let newSource = address(of: source, in: link.source, plan)
          let present = try addresses(of: targets, from: source, link, plan)
          // A row that goes takes all links along, and so does one that another entity takes over.
          let isSame = former == source && newSource != nil
          let absent = isSame ? moved(link.absent[source] ?? [], link, plan) : []
          let shadow = absent.isEmpty ? [] : moved(old, link, plan)
          let new = link.kept(present, shadow, absent: absent)
          if old == new, oldSource == newSource || link.columns != nil,
            link.columnsOfValues == nil
          {
            continue
          }
          let wanted = Set(new)
          let after = old.map { target in
            let moved = plan.address(after: target, in: link.target, self)
            // Another entity may take over the row.
            let kept = moved ?? (takenOver.contains(target) ? target : nil)
            return kept.flatMap { wanted.contains($0) ? $0 : nil }
          }
          let values = newValues(of: source, former, zip(targets, present), position, new, plan)
          let changed = link.changedValues(former, zip(old, after), values)
          // A key may be that of another row after the save, whose pair is another one.
          let areKept = zip(old, after).allSatisfy { $0 == $1 }
          if old == new, oldSource == newSource, areKept, changed.isEmpty { continue }
          plan.links[position].append(
            SavePlan.LinkPlan(
              source: source, former: former, old: old, after: after, new: new,
              absent: absent.filter { new.contains($0) && !present.contains($0) },
              values: values, changedValues: changed,
              oldSource: oldSource, newSource: newSource))
        }
        if let columns = link.columns { setColumns(columns, position, &plan) }
      }
    }

    /// The addresses that targets of a source have after the save.
    private func addresses(
      of targets: [Entity], from source: Entity, _ link: SessionLink, _ plan: SavePlan
    ) throws(StoreError) -> [RowKey] {
      // The file goes on to have what it has, but for what goes, and for keys that change.
      if plan.isLeftOut(source) { return moved(link.linked(source), link, plan) }
      var addresses: [RowKey] = []
      for target in targets {
        guard let address = address(of: target, in: link.target, plan) else {
          throw plan.leftOut.errors[target]
            ?? .foreignKey(table: tables[link.plan.owner].plan.name, entity: source)
        }
        addresses.append(address)
      }
      return addresses
    }

    /// Where the rows of targets are after the save; those that go are left out.
    private func moved(_ targets: [RowKey], _ link: SessionLink, _ plan: SavePlan) -> [RowKey] {
      targets.compactMap { plan.address(after: $0, in: link.target, self) }
    }

    private func setColumns(_ columns: [Int], _ index: Int, _ plan: inout SavePlan) {
      if plan.links[index].isEmpty { return }
      let table = links[index].source
      plan.tables[table].noteUpdateNumbers()
      for change in plan.links[index] where change.newSource != nil {
        let values = change.new.first?.values ?? columns.map { _ in .null }
        let isNew = tables[table].row(of: change.former) == nil
        if isNew, let position = plan.changes.tables[table].numbers[change.source] {
          for (column, value) in zip(columns, values) {
            plan.tables[table].linkValues[position, default: [:]][column] = value
          }
        } else if let row = tables[table].row(of: change.former) {
          let offset: Int
          if let present = plan.tables[table].updateNumbers[row] {
            offset = present
          } else {
            offset = plan.tables[table].updates.count
            plan.tables[table].updateNumbers[row] = offset
            plan.tables[table].updates.append(
              SavePlan.Update(row: row, number: nil, entity: change.source))
          }
          for (column, value) in zip(columns, values) {
            plan.tables[table].updates[offset].links[column] = value
          }
        }
      }
    }
  }
#endif
