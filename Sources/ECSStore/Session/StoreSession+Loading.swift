#if SQLite
  import ECS
  import GRDB

  extension StoreSession {
    func load() throws(StoreError) {
      let (plan, links) = (store.schema.plan, links)
      var contents = FileContents(plan)
      // What others have written meanwhile is for the sessions that are there already.
      try store.pull(asksFile: true) { database in
        contents = try FileContents.read(database, plan, links, .all(plan))
      }
      if unreadable == .refuse, let error = contents.unreadable.first { throw error }
      try checkKeysOnRequest()
      // Before observers are notified, which may save in another session.
      store.hub.add(self)
      do throws(StoreError) {
        try fill(from: contents)
      } catch {
        store.hub.remove(self)
        throw error
      }
    }

    private func fill(from contents: FileContents) throws(StoreError) {
      var report = LoadReport()
      report.unreadable = contents.unreadable
      let earlier = try context.perform { () throws(StoreError) -> [Entity] in
        let earlier = Array(collector.group)
        try checkKeys(of: earlier, contents)
        ignoring {
          for (index, table) in tables.enumerated() where !table.isOnRequest {
            report.rows += make(contents.tables[index], of: table)
          }
          for (position, link) in links.enumerated() {
            report.links += make(contents.links[position], of: link, &report)
          }
        }
        return earlier
      }
      collector.restore(EntitySet(earlier))
      note(report)
    }

    /// Throws if an entity has the key of a row that is to be loaded.
    private func checkKeys(
      of entities: [Entity], _ contents: FileContents
    ) throws(StoreError) {
      for (index, table) in tables.enumerated() where table.plan.hasKey {
        let rows = TableRows(table.plan)
        for entity in entities where entity.has(table.plan.root) { rows.append(entity) }
        guard rows.count > 0 else { continue }
        let known = Set(contents.tables[index].addresses)
        for row in 0..<rows.count {
          guard let key = try? rows.key(row), known.contains(key) else { continue }
          throw .duplicateKey(table: table.plan.name, key: "\(key)")
        }
      }
    }

    private func make(_ contents: FileContents.TableContents, of table: SessionTable) -> Int {
      let entities = contents.rows.createEntities(in: context)
      table.takeShadow(contents.rows)
      table.note(entities, at: contents.addresses)
      return table.count
    }

    private func make(
      _ contents: [FileContents.LinkContents], of link: SessionLink, _ report: inout LoadReport
    ) -> Int {
      var count = 0
      for pair in contents {
        guard let source = tables[link.source].entity(at: pair.source) else { continue }
        link.addShadow(pair.target, pair.value, of: source)
        guard let target = entity(at: pair.target, in: link.target),
          !link.hasRival(source, target), link.make(source, target, at: pair.target)
        else {
          link.addAbsent(pair.target, of: source)
          report.dangling.append(
            "\(tables[link.source].plan.name) \(pair.source) \(link.name)")
          continue
        }
        count += 1
      }
      return count
    }
  }
#endif
