#if SQLite
  import ECS

  /// The rows of a table that a context has otherwise than the file: new, changed and destroyed
  /// ones.
  struct PendingRows {
    /// What the context has instead.
    var rows: TableRows
    var entities: [Entity] = []

    /// Where the links in columns lead, by the numbers of the links.
    var targets: [[Int: Entity]] = []

    /// Rows of the file that are not to be had from there.
    var hidden: Set<RowKey> = []

    /// The same ones, as far as they are known, by their numbers in the shadow.
    var known: [Int] = []

    init(_ table: TablePlan) { rows = TableRows(table) }

    /// Keys of rows that are not known, and not to be had from the file if it has them.
    func hiddenKeys(apartFrom table: SessionTable) -> Set<RowKey> {
      hidden.subtracting(known.lazy.map { table.addresses[$0] })
    }

    /// The numbers of those that a request asks for, in its order.
    func matching(_ request: RowRequest) -> [Int] {
      let found = entities.indices.filter { row in
        request.condition.holds(for: row, of: rows) { link, target, _ in
          targets[row][link] == target
        }
      }
      let values = found.map { request.sortValues($0, of: rows) }
      return found.indices.sorted { left, right in
        if request.areInOrder(values[left], values[right]) { return true }
        return request.areInOrder(values[right], values[left]) ? false : left < right
      }.map { found[$0] }
    }
  }

  extension StoreSession {
    /// What is not in the file as the context has it, while the context is locked.
    func pendingRows(_ index: Int) -> PendingRows {
      let table = tables[index]
      var pending = PendingRows(table.plan)
      for entity in touched() {
        if let row = table.row(of: entity) {
          pending.known.append(row)
          pending.hidden.insert(table.addresses[row])
        } else if let address = table.address(of: entity) {
          pending.hidden.insert(address)
        }
        guard entity.has(table.plan.root) else { continue }
        pending.rows.append(entity)
        pending.entities.append(entity)
        // Saving will tell, if the file has the key.
        if let key = try? pending.rows.key(pending.rows.count - 1) { pending.hidden.insert(key) }
        var targets: [Int: Entity] = [:]
        for (position, link) in links.enumerated()
        where link.source == index && link.plan.owner == index && link.columns != nil {
          targets[position] = link.targets(of: entity, tables).first
        }
        pending.targets.append(targets)
      }
      return pending
    }

    /// How many of the known rows that are not to be had from the file fulfil a condition there.
    func hiddenCount(_ pending: PendingRows, _ request: RowRequest, _ index: Int) -> Int {
      let table = tables[index]
      return pending.known.count { row in
        request.condition.holds(for: row, of: table.shadow) { link, _, key in
          key != nil && links[link].shadow[table.entities[row]]?.first == key
        }
      }
    }
  }
#endif
