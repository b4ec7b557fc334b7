#if SQLite
  import Dispatch
  import ECS

  extension StoreSession {
    /// Merges what others have saved since the last time, sessions and other programs that write
    /// the file.
    ///
    /// Field by field: what was changed there alone is taken, what was changed here alone stays,
    /// and what was changed on both sides is for the ``policy``. Links to many are merged one by
    /// one.
    ///
    /// - Returns: What came of it.
    /// - Precondition: Not called in a section or an iteration of the context.
    /// - Throws: ``StoreError``; nothing is merged then, unless it is
    ///   ``StoreError/unreadable(table:key:column:reason:)``: see ``Store/UnreadableRows``.
    /// - Complexity: O(*k*), where *k* is the number of rows that others have saved; O(*n*), where
    ///   *n* is that of all rows of the tables concerned, if SQL has written them, and of all
    ///   tables, if another program, unknown to the store, has written the file: see
    ///   ``Store/Options/sharing``.
    @discardableResult
    public func refresh() throws(StoreError) -> MergeReport {
      checkIsFree("refresh()")
      return try store.hub.working { () throws(StoreError) in
        try store.pull(asksFile: true)
        let report = try mergeInbox()
        try refuseUnreadable(tables.indices)
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

    /// Conflicts that are errors stay in the inbox, for the next save.
    private func mergeNow() {
      if context.isInSection { return }
      store.hub.working {
        _ = try? store.pull(asksFile: false)
        _ = try? mergeInbox()
      }
    }

    /// Throws the first row of some tables that others have written and can't be read, if the
    /// session refuses such rows.
    func refuseUnreadable(_ numbers: some Sequence<Int>) throws(StoreError) {
      if unreadable == .skipAndReport { return }
      for number in numbers {
        if let row = store.hub.unreadable[number]?.first { throw row.error }
      }
    }

    // MARK: Rows whose keys are taken here

    /// Notes rows of others that come when no entity of this context has their keys any more.
    func noteContested(_ rows: [Int: [RowKey]]) {
      contested.merge(rows) { known, new in
        let present = Set(known)
        return known + new.filter { !present.contains($0) }
      }
    }

    /// Those of them that may come now: they are read again, since they may have changed meanwhile.
    ///
    /// The hub is locked, and the context is not.
    func takeFreeRows() -> FileScope {
      var scope = FileScope()
      if contested.isEmpty { return scope }
      context.perform {
        var merge = Merge(self, SavedChanges(store.schema.plan))
        for (number, rows) in contested {
          let claims = merge.claims(number)
          let free = rows.filter { claims[$0] == nil }
          contested[number] = rows.count == free.count ? nil : rows.filter { claims[$0] != nil }
          if !tables[number].isOnRequest, !free.isEmpty { scope.keys[number] = ChangedKeys(free) }
        }
      }
      return scope
    }

    /// Rows that can't be read are not in it: what is known of them stays.
    @discardableResult
    func mergeInbox() throws(StoreError) -> MergeReport {
      var report = MergeReport()
      while !inbox.isEmpty {
        // Taken out before: observers that are called when the section has ended may merge again.
        let saved = inbox.removeFirst()
        do throws(StoreError) {
          report.add(try merge(saved))
        } catch {
          inbox.insert(saved, at: 0)
          throw error
        }
      }
      return report
    }

    private func merge(_ saved: SavedChanges) throws(StoreError) -> MergeReport {
      try context.perform { () throws(StoreError) in
        // Else entities without the keys of their rows would count as changed here.
        giveKeysBack(saved)
        var merge = Merge(self, saved)
        try merge.decide()
        merge.apply()
        return merge.report
      }
    }
  }
#endif
