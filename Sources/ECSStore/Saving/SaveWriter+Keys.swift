#if SQLite
  /// Keys that rows are to get and that other rows have.
  extension SaveWriter {
    /// Refuses them before links take them over, which would meet those of the other rows first:
    /// the error would name an entity that is right.
    ///
    /// Rows that go have gone, and keys that others take over are free.
    mutating func refuseTakenKeys(_ index: Int) throws {
      let (table, plan) = (tables[index], plan.tables[index])
      guard table.plan.hasKey, hasLinks(index) else { return }
      var claimed: Set<RowKey> = []
      for change in plan.updates {
        guard let position = change.number, let key = plan.addresses[position],
          key != table.addresses[change.row]
        else { continue }
        let present = change.parked ?? table.addresses[change.row]
        if claimed.insert(key).inserted, try !isTaken(key, table, besides: present) { continue }
        try refuse(change.entity, .duplicateKey(table: table.plan.name, key: "\(key)"))
      }
    }

    /// Whether links from rows of a table, or to them, change.
    private func hasLinks(_ index: Int) -> Bool {
      session.links.indices.contains {
        !plan.links[$0].isEmpty
          && (session.links[$0].source == index || session.links[$0].target == index)
      }
    }

    /// The file may take keys for the same that are not, such as those in another case.
    private func isTaken(
      _ key: RowKey, _ table: SessionTable, besides present: RowKey
    ) throws -> Bool {
      let statement = try statement(table.plan.selectionOfOne)
      defer { statement.clear() }
      key.bind(to: statement, at: 1)
      while try statement.step() {
        guard let found = try? table.plan.address(statement), found == present else { return true }
      }
      return false
    }
  }
#endif
