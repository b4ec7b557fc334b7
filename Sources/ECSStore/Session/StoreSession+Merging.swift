#if SQLite
  import Dispatch
  import ECS
  import GRDB

  extension StoreSession {
    /// Merges what others have saved since the last time, sessions and whoever else writes the file.
    ///
    /// Field by field: what was changed there alone is taken, what was changed here alone stays, and what was
    /// changed on both sides is for the ``policy``. Links to many are merged one by one.
    ///
    /// - Returns: What came of it.
    /// - Precondition: Not called in a section or an iteration of the context.
    /// - Throws: ``StoreError``; nothing is merged then.
    /// - Complexity: O(*k*), where *k* is the number of rows that others have saved; O(*n*), where *n* is that
    ///   of all rows, if SQL or another process has written the file.
    @discardableResult
    public func refresh() throws(StoreError) -> MergeReport {
      checkIsFree("refresh()")
      return try store.hub.locked { () throws(StoreError) in
        var report = try mergeInbox()
        let isForeign: Bool
        let hub = store.hub
        do {
          isForeign = try store.writer.unsafeReentrantWrite { try hub.hasForeignChanges($0) }
        } catch {
          throw StoreError(error, in: store.file)
        }
        guard isForeign else { return report }
        let contents = try readFile(refuses: unreadable == .refuse)
        for session in hub.sessions where session !== self {
          session.inbox.append(session.differences(from: contents))
        }
        report.add(try merge(differences(from: contents)))
        do {
          try store.writer.unsafeReentrantWrite { try hub.noteState($0) }
        } catch {
          throw StoreError(error, in: store.file)
        }
        return report
      }
    }

    /// Merges, as others have asked for, when it is time.
    func mergeWhenWanted() {
      switch merging {
      case .manual: return
      case .automatic: mergeNow()
      case .on(let queue): queue.async { [weak self] in self?.mergeNow() }
      }
    }

    /// Conflicts that are errors stay in the inbox, for who saves next.
    private func mergeNow() {
      if context.isInSection { return }
      store.hub.locked { _ = try? mergeInbox() }
    }

    @discardableResult
    func mergeInbox() throws(StoreError) -> MergeReport {
      var report = MergeReport()
      while !inbox.isEmpty {
        // Taken out before: observers that are called when the section has ended may merge again.
        let commit = inbox.removeFirst()
        do throws(StoreError) {
          report.add(try merge(commit))
        } catch {
          inbox.insert(commit, at: 0)
          throw error
        }
      }
      return report
    }

    /// What the file has that the shadow has not.
    private func differences(from contents: FileContents) -> Commit {
      let commit = Commit(store.schema.plan)
      for (number, table) in tables.enumerated() {
        let (rows, addresses) = (contents.tables[number].rows, contents.tables[number].addresses)
        for (position, address) in addresses.enumerated() {
          let row = table.row(at: address)
          if let row, rows.difference(position, from: table.shadow, row).isEmpty { continue }
          commit.tables[number].rows.append(position, of: rows)
          commit.tables[number].former.append(row == nil ? nil : address)
          commit.tables[number].addresses.append(address)
        }
        commit.tables[number].gone = Array(Set(table.addresses).subtracting(addresses))
      }
      for (number, link) in links.enumerated() {
        // Their links go with them.
        let gone = Set(commit.tables[link.source].gone)
        var found: [RowKey: [RowKey]] = [:]
        for pair in contents.links[number] { found[pair.source, default: []].append(pair.target) }
        for (source, targets) in link.shadow {
          guard let address = tables[link.source].address(of: source), !gone.contains(address)
          else { continue }
          let present = found.removeValue(forKey: address) ?? []
          if present != targets {
            commit.links[number].append(Commit.LinkCommit(source: address, targets: present))
          }
        }
        for (source, targets) in found {
          commit.links[number].append(Commit.LinkCommit(source: source, targets: targets))
        }
      }
      return commit
    }

    // MARK: Merging

    func merge(_ commit: Commit) throws(StoreError) -> MergeReport {
      try context.perform { () throws(StoreError) in
        var merge = Merge(self, commit)
        try merge.decide()
        merge.apply()
        return merge.report
      }
    }
  }
#endif
