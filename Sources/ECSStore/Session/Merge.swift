#if SQLite
  import ECS

  /// Brings what others have saved into the context of a session: base, local and stored, field by field.
  ///
  /// First all is decided, which changes nothing and may throw; then it is done. The context is locked.
  struct Merge {
    /// What happens to an entity whose row was changed there.
    private enum Action {
      /// Nobody knew the row.
      case make

      /// An entity that was made here gets the row.
      case adopt(Entity, Taken)

      /// Some columns of the stored row are taken.
      case update(row: Int, Taken)

      /// It was destroyed here, and comes back.
      case makeAgain(row: Int)

      /// It was destroyed here, and stays so.
      case note(row: Int)
    }

    private struct Taken {
      var columns = ColumnSet()
      var values: [Int: RowValue] = [:]
    }

    private enum End {
      case destroy(Int)

      /// It was changed here, and is going to be inserted again.
      case forget(Int)
    }

    let session: StoreSession
    let commit: Commit
    private(set) var report = MergeReport()
    private var actions: [[Action]] = []
    private var ends: [[End]] = []

    /// For each link and source, whether what is here stays; for those to one.
    private var keepsLink: [[Bool]] = []
    private var isError = false
    private var failures: [Conflict] = []

    init(_ session: StoreSession, _ commit: Commit) {
      (self.session, self.commit) = (session, commit)
    }

    private var tables: [SessionTable] { session.tables }

    // MARK: Deciding

    mutating func decide() throws(StoreError) {
      for number in tables.indices {
        actions.append([])
        ends.append([])
        decideRows(number)
        decideEnds(number)
      }
      for number in session.links.indices { decideLinks(number) }
      if !failures.isEmpty { throw .conflicts(failures) }
    }

    private mutating func decideRows(_ number: Int) {
      let (table, stored) = (tables[number], commit.tables[number])
      var unsaved: [RowKey: Entity]?
      for (position, address) in stored.addresses.enumerated() {
        let row = stored.former[position].flatMap { table.row(at: $0) } ?? table.row(at: address)
        guard let row else {
          if unsaved == nil { unsaved = self.unsaved(table) }
          guard let entity = unsaved?[address] else {
            actions[number].append(.make)
            continue
          }
          let local = TableRows(table.plan)
          local.append(entity)
          let differences = local.difference(0, from: stored.rows, position)
          let taken = taken(
            differences, nil, local, position, number, address, entity)
          actions[number].append(.adopt(entity, taken))
          continue
        }
        let entity = table.entities[row]
        guard entity.has(table.plan.root) else {
          let conflict = Conflict(
            table: table.plan.name, key: "\(address)", entity: nil, column: "", base: nil,
            local: nil, stored: nil)
          if case .stored = resolution(conflict) {
            actions[number].append(.makeAgain(row: row))
          } else {
            actions[number].append(.note(row: row))
          }
          continue
        }
        let local = TableRows(table.plan)
        local.append(entity)
        let there = stored.rows.difference(position, from: table.shadow, row)
        let here = local.difference(0, from: table.shadow, row)
        let apart = local.difference(0, from: stored.rows, position)
        var both = ColumnSet()
        var taken = Taken()
        for column in there.columns where apart.contains(column) {
          if here.contains(column) { both.insert(column) } else { taken.columns.insert(column) }
        }
        if !both.isEmpty {
          let decided = self.taken(both, row, local, position, number, address, entity)
          taken.columns = taken.columns.union(decided.columns)
          taken.values = decided.values
        }
        actions[number].append(.update(row: row, taken))
      }
    }

    /// The entities that are no rows yet, by their keys.
    private func unsaved(_ table: SessionTable) -> [RowKey: Entity] {
      guard table.plan.hasKey else { return [:] }
      var unsaved: [RowKey: Entity] = [:]
      for entity in session.context.group(Matcher(all: [table.plan.root]))
      where table.row(of: entity) == nil {
        let rows = TableRows(table.plan)
        rows.append(entity)
        if let key = try? rows.key(0) { unsaved[key] = entity }
      }
      return unsaved
    }

    /// What is taken of columns that were changed on both sides.
    private mutating func taken(
      _ columns: ColumnSet, _ row: Int?, _ local: TableRows, _ position: Int, _ number: Int,
      _ address: RowKey, _ entity: Entity
    ) -> Taken {
      let (table, stored) = (tables[number], commit.tables[number].rows)
      var taken = Taken()
      for column in columns.columns {
        let conflict = Conflict(
          table: table.plan.name, key: "\(address)", entity: entity,
          column: table.plan.columns[column].description.name,
          base: row.flatMap { Merge.json(table.shadow, column, $0) },
          local: Merge.json(local, column, 0), stored: Merge.json(stored, column, position))
        switch resolution(conflict) {
        case .local: break
        case .stored: taken.columns.insert(column)
        case .value(let value):
          let kind = table.plan.columns[column].description.type.kind
          if let value = try? RowValue(value, as: kind) { taken.values[column] = value }
        }
      }
      return taken
    }

    private static func json(_ rows: TableRows, _ column: Int, _ row: Int) -> JSONValue? {
      try? rows.value(column, of: row).json()
    }

    private mutating func resolution(_ conflict: Conflict) -> MergePolicy.Resolution {
      report.conflicts.append(conflict)
      switch session.policy {
      case .localWins: return .local
      case .storeWins: return .stored
      case .resolve(let resolve): return resolve(conflict)
      case .error:
        failures.append(conflict)
        return .local
      }
    }

    private mutating func decideEnds(_ number: Int) {
      let table = tables[number]
      for address in commit.tables[number].gone {
        guard let row = table.row(at: address) else { continue }
        let entity = table.entities[row]
        guard entity.has(table.plan.root) else {
          ends[number].append(.forget(row))
          continue
        }
        let local = TableRows(table.plan)
        local.append(entity)
        if local.difference(0, from: table.shadow, row).isEmpty {
          ends[number].append(.destroy(row))
          continue
        }
        let conflict = Conflict(
          table: table.plan.name, key: "\(address)", entity: entity, column: "", base: nil,
          local: nil, stored: nil)
        if case .stored = resolution(conflict) {
          ends[number].append(.destroy(row))
        } else {
          ends[number].append(.forget(row))
        }
      }
    }

    private mutating func decideLinks(_ number: Int) {
      let link = session.links[number]
      keepsLink.append([])
      for change in commit.links[number] {
        guard link.relation.isToOne, let source = tables[link.source].entity(at: change.source),
          source.isAlive
        else {
          keepsLink[number].append(false)
          continue
        }
        let base = link.shadow[source] ?? []
        let present = link.targets(of: source, tables)
        let local = addresses(of: present, link)
        // What is not saved yet has no address, and is another target than all that have one.
        if local.count < present.count {
          keepsLink[number].append(
            base == change.targets || keeps([], base, change, source, link))
        } else if local == base || local == change.targets {
          keepsLink[number].append(false)
        } else if base == change.targets {
          keepsLink[number].append(true)
        } else {
          keepsLink[number].append(keeps(local, base, change, source, link))
        }
      }
    }

    /// Whether the link that is here stays, although there is another one there.
    private mutating func keeps(
      _ local: [RowKey], _ base: [RowKey], _ change: Commit.LinkCommit, _ source: Entity,
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

    private func addresses(of targets: [Entity], _ link: SessionLink) -> [RowKey] {
      targets.compactMap { tables[link.target].address(of: $0) }
    }

    // MARK: Doing

    mutating func apply() {
      session.collector.ignoring {
        for number in tables.indices { applyRows(number) }
        for number in session.links.indices { applyLinks(number) }
      }
      for number in tables.indices { applyEnds(number) }
    }

    private mutating func applyRows(_ number: Int) {
      let (table, stored) = (tables[number], commit.tables[number])
      let new = TableRows(table.plan)
      var newAddresses: [RowKey] = []
      let again = TableRows(table.plan)
      var againRows: [Int] = []
      for (position, action) in actions[number].enumerated() {
        let address = stored.addresses[position]
        switch action {
        case .make:
          new.append(position, of: stored.rows)
          newAddresses.append(address)
        case .adopt(let entity, let taken):
          table.append(position, of: stored.rows, entity, at: address)
          take(taken, table.count - 1, of: table, entity)
        case .update(let row, let taken):
          let entity = table.entities[row]
          table.replace(row, with: stored.rows, position)
          table.setAddress(address, of: row)
          take(taken, row, of: table, entity)
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
          guard let targets = link.shadow.removeValue(for: former) else { continue }
          link.shadow[entity] = targets
          link.setTargets(
            targets.compactMap { tables[link.target].entity(at: $0) }, of: entity, tables)
        }
        report.made += 1
      }
    }

    /// Gives an entity some columns of its row in the shadow.
    private mutating func take(_ taken: Taken, _ row: Int, of table: SessionTable, _ entity: Entity)
    {
      if taken.columns.isEmpty, taken.values.isEmpty { return }
      let local = TableRows(table.plan)
      local.append(entity)
      // What a closure decided has a form in the column; if others don't fit to it, it is not taken.
      try? local.replace(taken.columns, of: 0, with: table.shadow, row)
      for (column, value) in taken.values { try? local.set(column, of: 0, to: value) }
      let all = taken.columns.union(ColumnSet(taken.values.keys))
      local.apply(0, to: entity, only: all)
      report.updated += 1
      // It differs from both sides, so it is to be saved.
      if !taken.values.isEmpty { session.collector.restore([entity]) }
    }

    private mutating func applyEnds(_ number: Int) {
      let table = tables[number]
      var rows: [Int] = []
      var doomed: [Entity] = []
      for end in ends[number] {
        switch end {
        case .forget(let row): rows.append(row)
        case .destroy(let row):
          rows.append(row)
          doomed.append(table.entities[row])
        }
      }
      for row in rows {
        for link in session.links where tables[link.source] === table {
          link.shadow[table.entities[row]] = nil
        }
      }
      table.remove(rows)
      for entity in doomed where entity.isAlive {
        // Who is destroyed with it although it still is in the file has to be collected.
        let isAlone = session.links.allSatisfy {
          tables[$0.target] !== table || $0.relation.sources(entity).isEmpty
        }
        if isAlone {
          session.collector.ignoring { entity.destroy() }
        } else {
          entity.destroy()
        }
        report.destroyed += 1
      }
    }

    private mutating func applyLinks(_ number: Int) {
      let link = session.links[number]
      for (position, change) in commit.links[number].enumerated() {
        guard let source = tables[link.source].entity(at: change.source) else { continue }
        let base = link.shadow[source] ?? []
        link.setShadow(change.targets, of: source)
        guard source.isAlive, !keepsLink[number][position] else { continue }
        let present = link.targets(of: source, tables)
        var wanted = change.targets
        if !link.relation.isToOne {
          let local = addresses(of: present, link)
          let (before, here) = (Set(base), Set(local))
          let there = Set(change.targets)
          wanted.removeAll { before.contains($0) && !here.contains($0) }
          wanted += local.filter { !before.contains($0) && !there.contains($0) }
        }
        // Entities that are not saved yet have no address: their links stay, at the end.
        let unsaved =
          link.relation.isToOne
          ? [] : present.filter { tables[link.target].row(of: $0) == nil }
        let targets =
          wanted.compactMap { tables[link.target].entity(at: $0) }.filter(\.isAlive) + unsaved
        if targets != present {
          link.setTargets(targets, of: source, tables)
          report.updated += 1
        }
        // What is gone here has to go from the file as well.
        if wanted != addresses(of: targets, link) || wanted != change.targets {
          session.collector.restore([source])
        }
      }
    }
  }

  extension ColumnType {
    var kind: RowValue.Kind {
      switch self {
      case .integer: .integer
      case .real: .real
      case .text: .text
      case .blob: .bytes
      }
    }
  }
#endif
