#if SQLite
  import GRDB

  /// What the database does by itself when a save writes.
  extension SaveWriter {
    /// A statement that says of conflicts that they are errors, whatever the table says, which
    /// would keep silent.
    ///
    /// Triggers would take over what it says, so that it says nothing if there are some.
    func settled(_ sql: String, _ table: SessionTable) -> String {
      let name = table.plan.name
      guard rules.settlesConflicts(name), !rules.hasTriggers(name) else { return sql }
      let verb = sql.prefix { $0 != " " }
      return "\(verb) OR ABORT\(sql.dropFirst(verb.count))"
    }

    /// Refuses a row that was to be removed and is still there; others may have removed it before.
    mutating func checkIsGone(_ index: Int, _ row: Int) throws {
      let table = tables[index]
      let statement = try statement(table.plan.selectionOfOne)
      defer { statement.clear() }
      table.addresses[row].bind(to: statement, at: 1)
      guard try statement.step() else { return }
      let entity = table.entities[row]
      try refuse(
        entity,
        .refused(
          table: table.plan.name, entity: entity,
          reason: "the row was not removed: a trigger has kept it"))
    }

    /// Whether rows of a table may be gone because others were deleted before.
    func mayHaveGone(_ index: Int) -> Bool {
      let deleted = tables.indices.filter { !plan.tables[$0].deletes.isEmpty }
      return rules.reach(from: deleted.map { tables[$0].plan.name })
        .contains(tables[index].plan.name.lowercased())
    }

    // MARK: Rows that are deleted

    /// Whether the target of a link to one goes with the save, and what the file then does with the
    /// row that refers to it.
    private func action(_ index: Int, _ change: SavePlan.LinkPlan) -> FileRules.Action {
      let link = session.links[index]
      guard let columns = link.columns, change.newSource != nil, change.oldSource != nil,
        let old = change.old.first, let target = tables[link.target].row(at: old),
        plan.tables[link.target].deletes.contains(target)
      else { return .none }
      let table = tables[link.source].plan
      return rules.onDelete(table.name, columns.map { table.linkColumns[$0].description.name })
    }

    /// Leaves it to the file what comes of rows whose targets are deleted: a link that went with
    /// its target is none that was removed.
    mutating func dropLinksThatGo() {
      for (index, link) in session.links.enumerated() {
        guard let columns = link.columns else { continue }
        for change in plan.links[index] where change.new.isEmpty && action(index, change).writes {
          for update in plan.tables[link.source].updates.indices
          where plan.tables[link.source].updates[update].row
            == tables[link.source].row(of: change.former)
          {
            for column in columns {
              plan.tables[link.source].updates[update].links[column] = nil
            }
          }
        }
      }
    }

    /// Lets rows refer to others than those that are deleted, before these go and take them along,
    /// or can't.
    mutating func releaseDeleted(_ index: Int) throws {
      let table = tables[index]
      var released: [Int: [Int]] = [:]
      for (position, link) in session.links.enumerated() where link.source == index {
        for change in plan.links[position] {
          let action = action(position, change)
          if action == .none || change.new.isEmpty && action.writes { continue }
          guard let row = table.row(of: change.former) else { continue }
          released[row, default: []] += link.columns ?? []
        }
      }
      if released.isEmpty { return }
      for change in plan.tables[index].updates {
        guard let links = released[change.row]?.sorted() else { continue }
        let statement = try statement(
          table.plan.update(ColumnSet(), links: links), table, change.entity)
        var offset: Int32 = 1
        for link in links {
          let isNull = table.plan.linkColumns[link].description.isNullable
          statement.bind(isNull ? .null : change.links[link] ?? .null, at: offset)
          offset += 1
        }
        table.addresses[change.row].bind(to: statement, at: offset)
        _ = try tries(statement, table, table.addresses[change.row], change.entity)
      }
    }

    // MARK: What has followed

    /// Notes what has to be read again, since more rows have changed than statements were about.
    mutating func noteEffects(_ count: Int) throws {
      var names: [String] = []
      for index in tables.indices where plan.tables[index].isWritten {
        names.append(tables[index].plan.name)
      }
      for (position, link) in session.links.enumerated() where !plan.links[position].isEmpty {
        if let pairs = link.pairs { names.append(pairs.name) }
      }
      let isSettled = names.contains { rules.settlesConflicts($0) && rules.hasTriggers($0) }
      if count == changeCount, !isSettled { return }
      // Another program may have made a trigger without notice.
      let current = try FileRules(database)
      session.store.hub.rules = current
      effects = FileScope(current.reach(from: names), session.store.schema.plan)
    }
  }
#endif
