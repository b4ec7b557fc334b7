#if SQLite
  import ECS

  /// Brings what others have saved into the context of a session: base, local and stored, field by
  /// field.
  ///
  /// First all is decided, which changes nothing and may throw; then it is done. The context is
  /// locked.
  struct Merge {
    /// The action on an entity whose row was changed there.
    enum Action {
      /// The row was unknown.
      case make

      /// It comes when it is asked for, or when its key is free here.
      case leave

      /// An entity that was made here with the same values gets the row.
      case adopt(Entity)

      /// Some columns of the stored row are taken.
      case update(row: Int, Taken)

      /// It was destroyed here, and comes back.
      case makeAgain(row: Int)

      /// It was destroyed here, and stays so.
      case note(row: Int)
    }

    struct Taken {
      var columns = ColumnSet()
      var values: [Int: RowValue] = [:]
      var all: ColumnSet { columns.union(ColumnSet(values.keys)) }
    }

    enum End {
      case destroy(Int)

      /// It was changed here, and is going to be inserted again.
      case forget(Int)
    }

    let session: StoreSession
    let saved: SavedChanges
    var report = MergeReport()
    private(set) var actions: [[Action]] = []
    private(set) var ends: [[End]] = []

    /// By tables, the entities whose rows have gone, and which are going to be inserted again.
    private(set) var forgotten: [Set<Entity>] = []

    /// For each link and source, whether what is here stays; for those to one.
    var keepsLink: [[Bool]] = []

    /// For each link and source, what is taken of the values of links, by the addresses of targets.
    var takenValues: [[[RowKey: Taken]]] = []

    /// Entities of which components or links were changed.
    var updated: Set<Entity> = []

    /// Entities that differ from both sides when all is done.
    var unlike: [Entity] = []

    /// The sources of links that gave way to others, with the numbers of these links.
    var displaced: [(link: Int, source: Entity)] = []

    /// Entities that were destroyed here and have come back.
    var madeAgain: [Entity] = []
    private var failures: [Conflict] = []

    /// Whose rows are going to be where they were not before, by these places; nil if they belong
    /// to none yet.
    private(set) var comers: [[RowKey: Entity?]] = []

    /// Where rows are that have moved there, by where they were; links to them are the same ones.
    private(set) var moves: [[RowKey: RowKey]] = []

    /// Where rows were that have moved there, by where they are.
    private(set) var formers: [[RowKey: RowKey]] = []

    /// Where new rows are whose keys entities have that were made here, by the numbers of tables.
    private(set) var contested: [Int: [RowKey]] = [:]

    /// What ``claims(_:)`` has found, by the numbers of tables.
    private var claims: [Int: [RowKey: Entity]] = [:]

    init(_ session: StoreSession, _ saved: SavedChanges) {
      (self.session, self.saved) = (session, saved)
    }

    var tables: [SessionTable] { session.tables }

    // MARK: Deciding

    mutating func decide() throws(StoreError) {
      for index in tables.indices {
        actions.append([])
        ends.append([])
        forgotten.append([])
        comers.append([:])
        moves.append(saved.tables[index].moves)
        formers.append(
          Dictionary(moves[index].map { ($1, $0) }, uniquingKeysWith: { first, _ in first }))
        try decideRows(index)
        decideEnds(index)
      }
      for position in session.links.indices {
        decideLinks(position)
        decideValues(position)
      }
      if !failures.isEmpty { throw .conflicts(failures) }
    }

    private mutating func decideRows(_ index: Int) throws(StoreError) {
      let (table, stored) = (tables[index], saved.tables[index])
      // A new row may be where another one was that has moved in the same save.
      let left = moves[index]
      for (position, address) in stored.addresses.enumerated() {
        let row =
          stored.former[position].flatMap { table.row(at: $0) }
          ?? (left[address] == nil ? table.row(at: address) : nil)
        let isNewHere = row.map { table.addresses[$0] != address } ?? true
        let claimant = isNewHere ? claims(index)[address] : nil
        let twin = row == nil ? claimant.flatMap { isTwin($0, position, index) ? $0 : nil } : nil
        let comer = row.map { table.entities[$0] } ?? twin
        if let claimant, let comer, claimant != comer {
          throw .duplicateKey(table: table.plan.name, key: "\(address)")
        }
        if isNewHere, comer != nil || left[address] != nil {
          comers[index].updateValue(comer, forKey: address)
        }
        guard let row else {
          if let twin {
            actions[index].append(.adopt(twin))
            continue
          }
          if let claimant { contest(address, index, claimant) }
          actions[index].append(claimant != nil || table.isOnRequest ? .leave : .make)
          continue
        }
        let entity = table.entities[row]
        guard entity.has(table.plan.root) else {
          let conflict = Conflict(
            table: table.plan.name, key: "\(address)", entity: nil, column: nil, base: nil,
            local: nil, stored: nil)
          if case .stored = resolution(conflict) {
            if claims(index)[address] != nil {
              throw .duplicateKey(table: table.plan.name, key: "\(address)")
            }
            actions[index].append(.makeAgain(row: row))
          } else {
            actions[index].append(.note(row: row))
          }
          continue
        }
        let taken = takenThreeWay(row, position, index, address, entity)
        actions[index].append(.update(row: row, taken))
      }
    }

    /// Whether an entity that was made here is what a new row has: there is nothing of either to be
    /// lost.
    private func isTwin(_ entity: Entity, _ position: Int, _ index: Int) -> Bool {
      if tables[index].row(of: entity) != nil { return false }
      let local = TableRows(tables[index].plan)
      local.append(entity)
      return local.difference(0, from: saved.tables[index].rows, position).isEmpty
    }

    /// Leaves a new row in the file, since an entity that was made here has its key: saving that
    /// one says so.
    private mutating func contest(_ address: RowKey, _ index: Int, _ claimant: Entity) {
      contested[index, default: []].append(address)
      report.conflicts.append(
        Conflict(
          table: tables[index].plan.name, key: "\(address)", entity: claimant, column: nil,
          base: nil, local: nil, stored: nil))
    }

    /// What is taken of a row that is known.
    private mutating func takenThreeWay(
      _ row: Int, _ position: Int, _ index: Int, _ address: RowKey, _ entity: Entity
    ) -> Taken {
      let (table, stored) = (tables[index], saved.tables[index])
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
        let decided = resolved(both, row, local, position, index, address, entity)
        taken.columns = taken.columns.union(decided.columns)
        taken.values = decided.values
      }
      return taken
    }

    /// The entities with a key that is not that of their row, by that key: all of them are to be
    /// saved.
    mutating func claims(_ index: Int) -> [RowKey: Entity] {
      let table = tables[index]
      guard table.plan.hasKey else { return [:] }
      if let claims = claims[index] { return claims }
      var claims: [RowKey: Entity] = [:]
      for entity in session.touched() where entity.has(table.plan.root) {
        let rows = TableRows(table.plan)
        rows.append(entity)
        guard let key = try? rows.key(0), table.address(of: entity) != key else { continue }
        claims[key] = entity
      }
      self.claims[index] = claims
      return claims
    }

    /// What is taken of columns that were changed on both sides.
    private mutating func resolved(
      _ columns: ColumnSet, _ row: Int, _ local: TableRows, _ position: Int, _ index: Int,
      _ address: RowKey, _ entity: Entity
    ) -> Taken {
      let (table, stored) = (tables[index], saved.tables[index].rows)
      var taken = Taken()
      for column in columns {
        let conflict = Conflict(
          table: table.plan.name, key: "\(address)", entity: entity,
          column: table.plan.columns[column].description.name,
          base: Merge.json(table.shadow, column, row),
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

    mutating func resolution(_ conflict: Conflict) -> MergePolicy.Resolution {
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

    private mutating func decideEnds(_ index: Int) {
      let table = tables[index]
      for address in saved.tables[index].gone {
        guard let row = table.row(at: address) else { continue }
        let entity = table.entities[row]
        guard entity.has(table.plan.root) else {
          ends[index].append(.forget(row))
          continue
        }
        let local = TableRows(table.plan)
        local.append(entity)
        if local.difference(0, from: table.shadow, row).isEmpty, !hasOtherLinks(entity, index) {
          ends[index].append(.destroy(row))
          continue
        }
        let conflict = Conflict(
          table: table.plan.name, key: "\(address)", entity: entity, column: nil, base: nil,
          local: nil, stored: nil)
        if case .stored = resolution(conflict) {
          ends[index].append(.destroy(row))
        } else {
          ends[index].append(.forget(row))
          forgotten[index].insert(entity)
        }
      }
    }

    /// Whether links of a row came or went here, and not because their targets are gone.
    private func hasOtherLinks(_ entity: Entity, _ number: Int) -> Bool {
      session.links.contains { link in
        guard link.source == number else { return false }
        if link.hasOtherValues(entity, tables) { return true }
        let target = tables[link.target]
        let base = link.linked(entity).filter {
          target.entityOrFault(at: $0)?.isAlive == true
        }
        return Set(link.targets(of: entity, tables).map { target.address(of: $0) }) != Set(base)
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
