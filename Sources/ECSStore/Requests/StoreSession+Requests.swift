#if SQLite
  import ECS
  import GRDB

  extension StoreSession {
    /// The entities of a table on request that fulfil a condition: those of the file that were not
    /// touched, and those that are not saved yet.
    func fetch(
      _ number: Int, _ condition: Condition, _ order: [Sort], _ limit: Int?, _ offset: Int
    ) throws(StoreError) -> [Entity] {
      checkIsFree("Fetching of a table on request")
      return try store.hub.working { () throws(StoreError) in
        try catchUp(number)
        let request = try RowRequest(condition, order, of: number, in: self)
        let pending = context.perform { pendingRows(number) }
        var window = RequestWindow(
          request, pending, offset: offset, limit: limit, contents: FileContents(store.schema.plan))
        if limit != 0 { try read(request, number, pending, &window) }
        return context.perform {
          let made = add(window.contents, number)
          return window.choices.compactMap { choice in
            switch choice {
            case .entity(let entity): entity
            case .read(let row): made[row]
            }
          }
        }
      }
    }

    private func read(
      _ request: RowRequest, _ index: Int, _ pending: PendingRows, _ window: inout RequestWindow
    ) throws(StoreError) {
      let table = tables[index]
      let columnLinks = links.columns(of: index)
      // Not all that are found count.
      let limit = window.end.map { $0.addingReportingOverflow(pending.hidden.count) }
        .flatMap { $0.overflow ? nil : $0.partialValue }
      let selection = request.selection(limit: limit)
      do {
        try store.checkOpen()
        try store.writer.unsafeReentrantRead { database in
          let statement = RowStatement(try database.makeStatement(sql: selection.text))
          statement.bind(selection.values)
          defer { statement.clear() }
          while !window.isFull, try statement.step() {
            let address = try table.plan.readableAddress(statement)
            guard let address, !pending.hidden.contains(address) else { continue }
            window.addPending(before: statement)
            if window.isFull { break }
            let row = table.row(at: address)
            if window.isBefore {
              window.skip()
            } else if let row {
              window.add(.entity(table.entities[row]))
            } else if try window.contents.readRow(
              index, statement, table.plan, columnLinks)
            {
              window.add(.read(window.contents.tables[index].addresses.count - 1))
            }
          }
          window.addPending(before: nil)
        }
      } catch {
        throw StoreError(error, in: store.file)
      }
      try refuseUnreadable(window.contents, index)
    }

    /// How many entities of a table on request fulfil a condition; no more are counted than a
    /// limit.
    func count(
      _ index: Int, _ condition: Condition, limit: Int? = nil
    ) throws(StoreError) -> Int {
      checkIsFree("Counting of a table on request")
      return try store.hub.working { () throws(StoreError) in
        try catchUp(index)
        let request = try RowRequest(condition, [], of: index, in: self)
        let pending = context.perform { pendingRows(index) }
        let here = pending.matching(request).count
        if let limit, here >= limit { return limit }
        let hidden = hiddenCount(pending, request, index)
        let others = pending.hiddenKeys(apartFrom: tables[index])
        let part = request.count(limit: limit.map { $0 + hidden + others.count })
        do {
          try store.checkOpen()
          return try store.writer.unsafeReentrantRead { database in
            let statement = RowStatement(try database.makeStatement(sql: part.text))
            statement.bind(part.values)
            defer { statement.clear() }
            guard try statement.step() else { return here }
            let count = here + Int(statement.integer(at: 0)) - hidden
            return try count - others.count { try request.isMember($0, database) }
          }
        } catch {
          throw StoreError(error, in: store.file)
        }
      }
    }

    /// The entity of a row that is not in memory; nil if the file has none, or it was destroyed
    /// here.
    func load(_ index: Int, _ address: RowKey) throws(StoreError) -> Entity? {
      checkIsFree("Loading of a table on request")
      return try store.hub.working { () throws(StoreError) in
        try catchUp(index)
        let table = tables[index]
        if let row = table.row(at: address) {
          let entity = table.entities[row]
          // It may have got another key here, which is not saved yet.
          return context.perform { table.hasKey(address, entity) } ? entity : nil
        }
        let contents = try readRows(index, [address])
        return context.perform { add(contents, index) }.first
      }
    }

    /// Whether the file has a row that is not known here; false inside of sections, which don't
    /// wait for the file.
    func isInFile(_ index: Int, _ address: RowKey) throws(StoreError) -> Bool {
      if context.isInSection { return false }
      return try store.hub.locked { () throws(StoreError) in
        if tables[index].row(at: address) != nil { return false }
        return try !readRows(index, [address]).tables[index].addresses.isEmpty
      }
    }

    // MARK: Rows of the file

    /// Reads rows by their addresses; those that are not there are left out.
    func readRows(
      _ index: Int, _ addresses: some Sequence<RowKey>
    ) throws(StoreError) -> FileContents {
      var contents = FileContents(store.schema.plan)
      let (table, links) = (tables[index].plan, links)
      do {
        try store.checkOpen()
        try store.writer.unsafeReentrantRead { database in
          try contents.read(addresses, of: index, database, table, links)
        }
      } catch {
        throw StoreError(error, in: store.file)
      }
      try refuseUnreadable(contents, index)
      return contents
    }

    private func refuseUnreadable(_ contents: FileContents, _ index: Int) throws(StoreError) {
      if unreadable == .refuse, let row = contents.tables[index].unreadable.first {
        throw row.error
      }
    }

    /// Learns what others have saved, so that the file and what is in memory say the same.
    private func catchUp(_ number: Int) throws(StoreError) {
      try store.pull(asksFile: store.isShared)
      try mergeInbox()
      try refuseUnreadable(CollectionOfOne(number))
    }

    /// Makes entities of rows that are unknown, in the order of their addresses; the context is
    /// locked.
    func add(_ contents: FileContents, _ index: Int) -> [Entity] {
      let (table, rows) = (tables[index], contents.tables[index].rows)
      let addresses = contents.tables[index].addresses
      if addresses.isEmpty { return [] }
      return ignoring {
        let entities = makeEntities(rows, addresses, table)
        table.append(Array(addresses.indices), of: rows, entities, at: addresses)
        for (position, link) in links.enumerated() where link.source == index {
          self.link(contents.links[position], position)
        }
        return entities
      }
    }

    private func makeEntities(
      _ rows: TableRows, _ addresses: [RowKey], _ table: SessionTable
    ) -> [Entity] {
      if !table.hasFaults { return Array(rows.createEntities(in: context)) }
      let new = TableRows(table.plan)
      var entities: [Entity?] = []
      for (row, address) in addresses.enumerated() {
        if let fault = table.takeFault(at: address), fault.isAlive {
          fault.remove(Fault.self)
          rows.apply(row, to: fault)
          entities.append(fault)
        } else {
          new.append(row, of: rows)
          entities.append(nil)
        }
      }
      var made = new.createEntities(in: context).makeIterator()
      return entities.compactMap { $0 ?? made.next() }
    }
  }

  extension RowRequest {
    /// Whether the row of a key is in the file, and one of those that are asked for.
    fileprivate func isMember(_ key: RowKey, _ database: Database) throws -> Bool {
      let part = membership
      let statement = RowStatement(try database.cachedStatement(sql: part.text))
      defer { statement.clear() }
      statement.bind(part.values)
      key.bind(to: statement, at: Int32(part.values.count + 1))
      return try statement.step()
    }
  }

  extension RowStatement {
    func bind(_ values: [RowValue]) {
      for (index, value) in values.enumerated() { bind(value, at: Int32(index + 1)) }
    }
  }

  extension TablePlan {
    /// The address of the present row of a statement; nil if it can't be read.
    fileprivate func readableAddress(_ statement: RowStatement) throws -> RowKey? {
      do throws(RowFailure) { return try address(statement) } catch { return nil }
    }
  }
#endif
