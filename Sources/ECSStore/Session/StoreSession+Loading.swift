#if SQLite
  import ECS
  import GRDB

  extension StoreSession {
    /// Reads the file, noting that this is how it is known.
    func readFile(refuses: Bool) throws(StoreError) -> FileContents {
      let (plan, links, hub) = (store.schema.plan, links, store.hub)
      let isFirst = hub.sessions.isEmpty
      do {
        try store.checkOpen()
        // On the connection that writes, whose own changes can be told from those of others.
        return try store.writer.unsafeReentrantWrite { database in
          var contents: FileContents?
          try database.inTransaction(.deferred) {
            contents = try FileContents.read(database, plan, links, refuses: refuses)
            return .commit
          }
          if isFirst { try hub.noteState(database) }
          guard let contents else { throw StoreError.closed }
          return contents
        }
      } catch {
        throw StoreError(error, in: store.file)
      }
    }

    func load() throws(StoreError) {
      let contents = try readFile(refuses: unreadable == .refuse)
      var report = LoadReport()
      report.unreadable = contents.unreadable
      let earlier = try context.perform { () throws(StoreError) -> [Entity] in
        let earlier = Array(collector.group)
        try checkKeys(of: earlier, contents)
        collector.ignoring {
          for (number, table) in tables.enumerated() {
            report.rows += make(contents.tables[number], of: table)
          }
          for (number, link) in links.enumerated() {
            report.links += make(contents.links[number], of: link, &report)
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
      for (number, table) in tables.enumerated() where table.plan.hasKey {
        let rows = TableRows(table.plan)
        for entity in entities where entity.has(table.plan.root) { rows.append(entity) }
        guard rows.count > 0 else { continue }
        let known = Set(contents.tables[number].addresses)
        for row in 0..<rows.count {
          guard let key = try? rows.key(row), known.contains(key) else { continue }
          throw .duplicateKey(table: table.plan.name, key: "\(key)")
        }
      }
    }

    private func make(_ contents: FileContents.TableContents, of table: SessionTable) -> Int {
      let entities = contents.rows.createEntities(in: context)
      table.takeShadow(contents.rows)
      for (entity, address) in zip(entities, contents.addresses) {
        table.noteLoaded(entity, at: address)
      }
      return table.count
    }

    private func make(
      _ contents: [FileContents.LinkContents], of link: SessionLink, _ report: inout LoadReport
    ) -> Int {
      var count = 0
      for pair in contents {
        guard let source = tables[link.source].entity(at: pair.source) else { continue }
        link.shadow[source, default: []].append(pair.target)
        guard let target = tables[link.target].entity(at: pair.target),
          link.relation.link(source, target)
        else {
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
