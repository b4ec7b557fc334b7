#if SQLite
  import ECS

  /// A table in a session: the rows as they are in the file, and whose they are.
  // Guarded by the lock of the hub.
  final class SessionTable {
    let plan: TablePlan

    // INVARIANT: As many of each. An entity is there once at most, and an address, too.
    private(set) var shadow: TableRows
    private(set) var entities: [Entity] = []
    private(set) var addresses: [RowKey] = []
    private var rows = EntityMap<Int>()

    /// The rows by their addresses; nil until they are asked for.
    private var rowsByAddress: [RowKey: Int]?

    /// Entities that stand for rows which are not in memory.
    private var faults: [RowKey: Entity] = [:]
    private var faultAddresses = EntityMap<RowKey>()

    init(_ plan: TablePlan) {
      self.plan = plan
      shadow = TableRows(plan)
    }

    var count: Int { entities.count }

    /// Whether rows come into memory when they are asked for.
    var isOnRequest: Bool { plan.definition.isOnRequest }

    /// The row of an entity, dead or alive.
    func row(of entity: Entity) -> Int? { rows[entity] }

    func row(at address: RowKey) -> Int? {
      if let rowsByAddress { return rowsByAddress[address] }
      var made: [RowKey: Int] = [:]
      made.reserveCapacity(addresses.count)
      for (row, address) in addresses.enumerated() { made[address] = row }
      rowsByAddress = made
      return made[address]
    }

    /// The row at an address, which often is at a certain place.
    func row(at address: RowKey, near index: Int) -> Int? {
      if index < addresses.count, addresses[index] == address { return index }
      return row(at: address)
    }

    /// The row that is the same as the present one of ``TablePlan/selection``, which often is at a
    /// certain place; nil if there is none, or that is not known.
    func row(like statement: RowStatement, near index: Int) -> Int? {
      if index < addresses.count, isRow(index, like: statement) { return index }
      guard let address = try? plan.address(statement) else { return nil }
      if index < addresses.count, addresses[index] == address { return nil }
      guard let row = row(at: address), isRow(row, like: statement) else { return nil }
      return row
    }

    private func isRow(_ row: Int, like statement: RowStatement) -> Bool {
      if !plan.hasKey, (try? plan.address(statement)) != addresses[row] { return false }
      return shadow.isRow(row, like: statement)
    }

    func entity(at address: RowKey) -> Entity? { row(at: address).map { entities[$0] } }

    /// The entity of a row, or the one that stands for it.
    func entityOrFault(at address: RowKey) -> Entity? { entity(at: address) ?? faults[address] }

    /// The address of the row of an entity, or of the one that it stands for.
    func address(of entity: Entity) -> RowKey? {
      rows[entity].map { addresses[$0] } ?? fault(of: entity)
    }

    /// Whether an entity has the key of a row now.
    func hasKey(_ address: RowKey, _ entity: Entity) -> Bool {
      guard entity.has(plan.root) else { return false }
      if !plan.hasKey { return true }
      let values = TableRows(plan)
      values.append(entity)
      return (try? values.key(0)) == address
    }

    // MARK: Faults

    var hasFaults: Bool { !faults.isEmpty }
    func fault(of entity: Entity) -> RowKey? { isOnRequest ? faultAddresses[entity] : nil }

    func noteFault(_ entity: Entity, at address: RowKey) {
      faults[address] = entity
      faultAddresses[entity] = address
    }

    /// Forgets what stands for a row.
    func takeFault(at address: RowKey) -> Entity? {
      guard let fault = faults.removeValue(forKey: address) else { return nil }
      faultAddresses[fault] = nil
      return fault
    }

    // MARK: Changing

    /// Begins with rows that were read, whose entities are noted next.
    func takeShadow(_ rows: TableRows) { shadow = rows }

    /// Notes whose rows the next ones of the shadow are.
    func note(_ new: some Sequence<Entity>, at newAddresses: some Sequence<RowKey>) {
      // PERFORMANCE: K1, K3: in a variable, so that not each access is checked.
      var (found, byAddress) = (rows, rowsByAddress)
      (rows, rowsByAddress) = (EntityMap(), nil)
      let first = entities.count
      entities.append(contentsOf: new)
      addresses.append(contentsOf: newAddresses)
      for row in first..<entities.count { found[entities[row]] = row }
      if byAddress != nil {
        for row in first..<addresses.count { byAddress?[addresses[row]] = row }
      }
      (rows, rowsByAddress) = (found, byAddress)
    }

    /// Adds some of the rows that were written, and notes whose they are.
    func append(
      _ new: [Int], of written: TableRows, _ owners: [Entity], at newAddresses: [RowKey?]
    ) {
      if new.isEmpty { return }
      let isAll = new.count == written.count
      shadow.append(isAll ? nil : new, of: written)
      note(
        isAll ? owners : new.map { owners[$0] }, at: new.lazy.compactMap { newAddresses[$0] })
    }

    /// Adds a row of others.
    func append(_ row: Int, of others: TableRows, _ entity: Entity, at address: RowKey) {
      shadow.append(row, of: others)
      note(CollectionOfOne(entity), at: CollectionOfOne(address))
    }

    func replace(_ row: Int, with others: TableRows, _ otherRow: Int) {
      shadow.replace(row, with: others, otherRow)
    }

    func setAddress(_ address: RowKey, of row: Int) {
      guard addresses[row] != address else { return }
      if rowsByAddress?[addresses[row]] == row { rowsByAddress?[addresses[row]] = nil }
      addresses[row] = address
      rowsByAddress?[address] = row
    }

    func setEntity(_ entity: Entity, of row: Int) {
      guard entities[row] != entity else { return }
      if rows[entities[row]] == row { rows[entities[row]] = nil }
      entities[row] = entity
      rows[entity] = row
    }

    /// Forgets rows, whose places the last ones take.
    func remove(_ gone: [Int]) {
      for row in gone.sorted(by: >) {
        let last = entities.count - 1
        rows[entities[row]] = nil
        if rowsByAddress?[addresses[row]] == row { rowsByAddress?[addresses[row]] = nil }
        shadow.swapRemove(row)
        entities.swapAt(row, last)
        addresses.swapAt(row, last)
        entities.removeLast()
        addresses.removeLast()
        guard row < last else { continue }
        rows[entities[row]] = row
        rowsByAddress?[addresses[row]] = row
      }
    }
  }
#endif
