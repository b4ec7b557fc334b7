#if SQLite
  import ECS
  import GRDB

  extension StoreSession {
    /// Throws if an entity of the context, to which the session is about to be attached, has the
    /// key of a row of a table on request.
    func checkKeysOnRequest() throws(StoreError) {
      for (index, table) in tables.enumerated() where table.isOnRequest {
        let rows = TableRows(table.plan)
        context.perform { _ = rows.append(those: EntitySet(collector.group)) }
        for row in 0..<rows.count {
          guard let key = try? rows.key(row) else { continue }
          if try !readRows(index, [key]).tables[index].addresses.isEmpty {
            throw .duplicateKey(table: table.plan.name, key: "\(key)")
          }
        }
      }
    }

    /// What a query of a table depends on.
    func region(
      of index: Int, _ condition: Condition, _ order: [Sort]
    ) throws(StoreError) -> LiveRegion {
      let definition = tables[index].plan.definition
      let request = try RowRequest(condition, order, of: index, in: self)
      let sql = request.region
      let columns = try store.reading { try $0.makeStatement(sql: sql).databaseRegion }
      var region = LiveRegion(components: [definition.root], links: [], columns: columns)
      condition.node.add(to: &region, links)
      for sort in order {
        if let component = sort.component {
          region.components.insert(component)
        } else {
          let column = definition.columns[try sort.column(in: definition)]
          region.components.insert(definition.components[column.component].layout.cid)
        }
      }
      return region
    }
  }

  extension FileScope {
    /// Leaves of tables on request what is in memory of them.
    mutating func narrow(_ session: StoreSession) {
      for number in tables where session.tables[number].isOnRequest {
        tables.remove(number)
        for (index, link) in session.links.enumerated() where link.plan.owner == number {
          links.remove(index)
        }
        var known = ChangedKeys()
        for session in session.store.hub.sessions {
          for address in session.tables[number].addresses { known.add(address) }
        }
        keys[number] = known
      }
    }
  }

  extension Condition.Node {
    fileprivate func add(to region: inout LiveRegion, _ links: [SessionLink]) {
      switch self {
      case .all: break
      case .test(let test): region.components.insert(test.component)
      case .related(let test):
        region.links += links.filter { $0.relation.id == ObjectIdentifier(test.relation) }
      case .not(let one): one.add(to: &region, links)
      case .and(let left, let right), .or(let left, let right):
        left.add(to: &region, links)
        right.add(to: &region, links)
      }
    }
  }
#endif
