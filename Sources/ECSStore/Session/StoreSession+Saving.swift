#if SQLite
  import ECS
  import GRDB

  extension StoreSession {
    /// Saves all changes of the context since the last save: all or nothing.
    ///
    /// What others have saved since the last merge is merged before. Values that are as they were
    /// are not written; if nothing differs, the file is not touched. If this throws, the changes
    /// are still there, to be saved later.
    ///
    /// Keys that the database gives out are in the components when this returns, and so is what
    /// triggers and foreign keys of the database have changed beside: if they have changed
    /// anything, the tables concerned are compared as a whole. A row that the file deletes with
    /// another one, by `ON DELETE CASCADE`, goes with it here, too, whatever the relation's delete
    /// rule says. What `ON CONFLICT` would leave out or replace silently is an error.
    ///
    /// - Returns: What was written.
    /// - Precondition: Not called in a section or an iteration of the context.
    /// - Throws: ``StoreError``, about the first row that can't be written: it names table, column
    ///   and entity. See ``revert(_:)``.
    /// - Complexity: O(*k*), where *k* is the number of entities that were touched; O(*n*) if the
    ///   file has changed something by itself, where *n* is the number of rows of the tables
    ///   concerned.
    @discardableResult
    public func save() throws(StoreError) -> SaveReport {
      checkIsFree("save()")
      var leftOut: LeftOut?
      return try save(&leftOut)
    }

    /// Saves all changes that can be saved: a row that is refused keeps no other from being saved.
    ///
    /// It is for what has to go on, such as what sends changes to a server when they are kept. What
    /// was refused is still there, to be saved later, as after ``save()``: the row of an entity and
    /// the links from it are saved together, and in the file both stay as they were till then.
    ///
    /// - Returns: What was written.
    /// - Precondition: Not called in a section or an iteration of the context.
    /// - Throws: ``UnsavedEntities``, if rows were left out, because they have no key, or one that
    ///   is there already, or a value that is not taken: all others were saved. ``StoreError``, if
    ///   nothing was; also if others are linked to an entity that was left out and has no row.
    /// - Complexity: As that of ``save()``, once more if rows are refused, and again each time that
    ///   leaving some out keeps others from being saved, which were to take over their values, or
    ///   has others be tried once more, which were to get the same ones: 16 times at most, and then
    ///   some may be left out that would fit. Other processes wait for all of that.
    @discardableResult
    public func saveWhatFits() throws -> SaveReport {
      checkIsFree("saveWhatFits()")
      var leftOut: LeftOut? = LeftOut()
      var report = try save(&leftOut)
      while let formers = leftOut?.dropGone(isToBeRow), !formers.isEmpty {
        var errors = leftOut?.errors ?? [:]
        do throws(StoreError) {
          report = report + (try save(&leftOut))
        } catch {
          for former in formers { errors[former] = error }
          throw UnsavedEntities(report: report, errors: errors)
        }
      }
      if let leftOut, !leftOut.isEmpty {
        throw UnsavedEntities(report: report, errors: leftOut.errors)
      }
      return report
    }

    /// Whether an entity is one of a table, also if it lacks the component of its key.
    private func isToBeRow(_ entity: Entity) -> Bool {
      tables.contains {
        entity.has($0.plan.root) || $0.plan.definition.keyless.map(entity.has) == true
      }
    }

    private func save(_ leftOut: inout LeftOut?) throws(StoreError) -> SaveReport {
      try store.hub.working { () throws(StoreError) in
        // Other processes are asked for, also if there is nothing to save.
        if collector.isEmpty, inbox.isEmpty, !store.isShared, store.hub.stale.isEmpty,
          contested.isEmpty
        {
          return SaveReport()
        }
        return try mergeAndSave(&leftOut)
      }
    }

    /// Merges what others have saved and saves, while no other process does.
    private func mergeAndSave(_ leftOut: inout LeftOut?) throws(StoreError) -> SaveReport {
      let waited = store.options.busyTimeout
      let end = ContinuousClock.now + waited
      var missing = 0
      while true {
        let report = try store.withFileLock { () throws(StoreError) -> SaveReport? in
          try store.pull(asksFile: store.isShared)
          try mergeInbox()
          giveKeysBack()
          // After a merge, other rows may fit.
          if leftOut != nil { leftOut = LeftOut() }
          var report: SaveReport?
          while try !saveTouched(&missing, &leftOut, &report) {}
          saveOnceMore(&missing, &leftOut, &report, until: end)
          return report
        }
        if let report { return report }
        // Only a program that does not wait for its turn writes in between.
        if ContinuousClock.now > end { throw .locked(waited: waited) }
      }
    }

    /// False if rows were refused that are to be left out: then all else is to be saved.
    ///
    /// The report stays nil if the file is not what was merged.
    /// Counts how often a row was not there that was to be changed.
    func saveTouched(
      _ missing: inout Int, _ leftOut: inout LeftOut?, _ report: inout SaveReport?
    ) throws(StoreError) -> Bool {
      let (touched, plan) = try takeChanges(&leftOut)
      do throws(StoreError) {
        guard try needsWriting(plan) else {
          report = SaveReport()
          return true
        }
        try refuseUnreadable(tables.indices.filter { plan.tables[$0].isWritten })
        let done: SaveWriter?
        do {
          done = try write(plan, skips: leftOut != nil)
        } catch let refused as RowsRefused {
          // What was refused once more, though it is left out, can't be.
          if leftOut?.add(refused) != true, let first = refused.rows.first { throw first.error }
          collector.restore(touched)
          return false
        } catch let gone as RowHasGone {
          // If it is there all the same, a trigger keeps it as it is.
          missing += 1
          if missing > 2 { throw StoreError.notFound(table: gone.table, key: "\(gone.key)") }
          store.hub.stale.add(.all(store.schema.plan))
          done = nil
        } catch let error as DatabaseError
          where error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY
        {
          throw foreignKeyError(plan)
        } catch {
          throw StoreError(error, in: store.file)
        }
        guard let done else {
          collector.restore(touched)
          return true
        }
        finish(done.plan)
        if !done.effects.isEmpty {
          store.hub.stale.add(done.effects)
          // The save is done; what can't be read or merged now is so next time, which then says
          // why.
          _ = try? store.pull(asksFile: false)
          _ = try? mergeInbox()
        }
        report = done.report
        return true
      } catch {
        collector.restore(touched)
        throw error
      }
    }

    /// Takes out what was touched, and plans how to save it, as it was at one moment.
    ///
    /// If this throws, all is as before.
    private func takeChanges(
      _ leftOut: inout LeftOut?
    ) throws(StoreError) -> (touched: EntitySet, plan: SavePlan) {
      while true {
        do throws(StoreError) {
          let taken = try takeChanges(without: leftOut ?? LeftOut())
          leftOut?.formers = taken.plan.formers
          return taken
        } catch {
          guard let entity = error.entityOfNoRow, leftOut?.add(entity, error) == true else {
            throw error
          }
        }
      }
    }

    private func takeChanges(
      without leftOut: LeftOut
    ) throws(StoreError) -> (touched: EntitySet, plan: SavePlan) {
      var absent: Set<Entity> = []
      var moved: Set<Entity> = []
      while true {
        // Nothing may change between finding out what has changed and copying it.
        let taken = context.perform { () -> (touched: EntitySet, changes: Changes)? in
          var touched = collector.drain()
          if !leftOut.isEmpty {
            collector.restore(EntitySet(touched.filter(leftOut.contains)))
            touched = EntitySet(touched.filter { !leftOut.contains($0) })
          }
          guard touchedFaults(touched, except: absent).isEmpty else {
            collector.restore(touched)
            return nil
          }
          var changes = changes(of: touched)
          addLinks(of: moved, without: leftOut, to: &changes)
          addLinks(of: leftOut, to: &changes)
          return (touched, changes)
        }
        guard let taken else {
          absent.formUnion(try readRowsOfFaults(except: absent))
          continue
        }
        do throws(StoreError) {
          let plan = try plan(taken.changes, without: leftOut)
          // Only now it is known whose keys change: of these, links are needed as well, of the same
          // moment.
          let found = linkedAndMoved(plan)
          if moved.isSuperset(of: found) {
            collector.restore(EntitySet(plan.formers))
            return (taken.touched, plan)
          }
          moved.formUnion(found)
        } catch {
          collector.restore(taken.touched)
          throw error
        }
        collector.restore(taken.touched)
      }
    }

    private func write(_ plan: SavePlan, skips: Bool) throws -> SaveWriter? {
      let (hub, session) = (store.hub, self)
      var state: FileState?
      let done: SaveWriter? = try store.transaction { database in
        try store.noteSharing(database)
        if store.isShared, try FileState.version(database) != hub.seen?.version { return nil }
        var writer = try SaveWriter(session, database, plan, skips: skips)
        try writer.run()
        // Of what the file has done by itself no list is made.
        let entry = writer.effects.isEmpty ? try writer.plan.logEntry(session) : nil
        state = hub.seen
        if let stamp = try store.log(entry, database) { state?.noteCommit(stamp, database) }
        return writer
      }
      if let state { hub.seen = state }
      return done
    }

    private func needsWriting(_ plan: SavePlan) throws(StoreError) -> Bool {
      if plan.tables.contains(where: \.isWritten) { return true }
      var plan = plan
      try planLinks(&plan)
      return plan.links.contains { !$0.isEmpty }
    }

    /// SQLite says at the commit that a row refers to one that is gone, but not which one; for rows
    /// that ``SaveWriter/checkReferences()`` does not find.
    private func foreignKeyError(_ plan: SavePlan) -> StoreError {
      for (index, table) in plan.tables.enumerated() {
        if let row = table.deletes.first {
          return .foreignKey(table: tables[index].plan.name, entity: tables[index].entities[row])
        }
      }
      for (position, table) in plan.changes.tables.enumerated() {
        if let entity = table.entities.first {
          return .foreignKey(table: tables[position].plan.name, entity: entity)
        }
      }
      return .sql(code: 787, message: "a row refers to one that is not there")
    }

    // MARK: What was written is in the file

    private func finish(_ plan: SavePlan) {
      let others = store.hub.others(than: self)
      let saved = others.isEmpty ? nil : SavedChanges(store.schema.plan)
      for index in tables.indices { finishRows(index, plan, saved) }
      for (position, link) in links.enumerated() {
        // Also links that are as they were.
        for (entity, former) in plan.tables[link.source].takeovers {
          link.move(from: former, to: entity)
        }
        for change in plan.links[position] {
          if change.former != change.source { link.forget(change.former) }
          link.setShadow(
            change.new, absent: change.absent, values: change.values, of: change.source)
          if let source = change.newSource {
            saved?.links[position].append(
              SavedChanges.LinkTargets(
                source: source, targets: change.new, values: change.values))
          }
        }
      }
      if let saved, !saved.isEmpty {
        for other in others { store.hub.tell(other, saved) }
      }
      // At last: observers hear of keys and links, and may save again.
      fillKeys(plan)
      linkWhatCame(plan)
    }

    /// Gives entities the keys that their rows got.
    private func fillKeys(_ plan: SavePlan) {
      let numbers = tables.indices.filter {
        tables[$0].plan.isGenerated && !plan.tables[$0].inserts.isEmpty
      }
      if numbers.isEmpty { return }
      context.perform {
        ignoring {
          for number in numbers {
            let (changes, key) = (
              plan.changes.tables[number], ColumnSet(tables[number].plan.keyColumns)
            )
            for row in plan.tables[number].inserts where changes.entities[row].isAlive {
              changes.rows.apply(row, to: changes.entities[row], only: key)
            }
          }
        }
      }
    }

    private func finishRows(_ index: Int, _ plan: SavePlan, _ saved: SavedChanges?) {
      let (table, changes) = (tables[index], plan.changes.tables[index])
      func tell(_ row: Int, from former: RowKey?) {
        guard let saved else { return }
        saved.tables[index].rows.append(row, of: table.shadow)
        saved.tables[index].former.append(former)
        saved.tables[index].addresses.append(table.addresses[row])
      }
      for update in plan.tables[index].updates {
        guard let position = update.number else { continue }
        table.replace(update.row, with: changes.rows, position)
        table.setEntity(update.entity, of: update.row)
      }
      let formers = saved == nil ? [] : plan.tables[index].updates.map { table.addresses[$0.row] }
      let moves = plan.tables[index].updates.compactMap { update -> (row: Int, address: RowKey)? in
        guard let position = update.number, let address = plan.tables[index].addresses[position],
          address != table.addresses[update.row]
        else { return nil }
        return (update.row, address)
      }
      for move in moves { table.setAddress(move.address, of: move.row) }
      for (update, former) in zip(plan.tables[index].updates, formers)
      where !update.columns.isEmpty {
        tell(update.row, from: former)
      }
      for row in plan.tables[index].deletes {
        saved?.tables[index].gone.append(table.addresses[row])
      }
      table.remove(plan.tables[index].deletes)
      let first = table.count
      table.append(
        plan.tables[index].inserts, of: changes.rows, changes.entities,
        at: plan.tables[index].addresses)
      if saved != nil { for row in first..<table.count { tell(row, from: nil) } }
    }
  }
#endif
