#if SQLite
  import ECS

  extension StoreSession {
    /// Saves what was left out for the sake of others that turned out to be refused as well.
    ///
    /// What was saved before is; so an error that comes now has all stay that is left out, and is
    /// why what it is about is, or all that was tried.
    func saveOnceMore(
      _ missing: inout Int, _ leftOut: inout LeftOut?, _ report: inout SaveReport?,
      until end: ContinuousClock.Instant
    ) {
      var first = 0
      var tried: Set<Entity>?
      var (hasSaved, wasAll) = (true, false)
      // Those that are tried one at a time when nothing else is, and those that are no more.
      var (later, hopeless): ([Entity], Set<Entity>) = ([], [])
      // Each one plans all that is tried, while other processes wait.
      for _ in 0..<16 {
        guard let present = leftOut, present.errors.count > (tried == nil ? 1 : 0),
          let total = report
        else { return }
        let claims = RowClaims(of: present.errors.keys, self)
        let all = present.duplicates.subtracting(hopeless)
        var next = present.keptOut(since: first, claims).intersection(all)
        if tried == nil ? !next.isEmpty : hasSaved && !wasAll {
          // What was refused for the sake of what is saved now may fit as well.
          (next, later) = (all, [])
        } else if !hasSaved, let tried, next.count >= tried.count,
          let last = present.last(of: next)
        {
          next.remove(last)
          later.append(last)
        }
        next = next.filter { !isLinked(toNewOf: present, $0) }
        while next.isEmpty, let one = later.popLast() {
          if all.contains(one), !isLinked(toNewOf: present, one) { next = [one] }
        }
        if next.isEmpty { return }
        var attempt: LeftOut? = present
        attempt?.readmit(next)
        var more: SaveReport?
        do throws(StoreError) {
          while try !saveTouched(&missing, &attempt, &more) {}
          if more == nil {
            // The file is not what was merged.
            if ContinuousClock.now > end { throw .locked(waited: store.options.busyTimeout) }
            try store.pull(asksFile: store.isShared)
            try mergeInbox()
          }
        } catch {
          guard let one = error.entity, next.contains(one) else {
            leftOut?.note(next, error)
            return
          }
          leftOut?.note([one], error)
          hopeless.insert(one)
        }
        guard let more, let attempt else { continue }
        (report, leftOut) = (total + more, attempt)
        hasSaved = next.contains { attempt.errors[$0] == nil }
        (first, tried, wasAll) = (present.round, next, next == all)
      }
    }

    /// Whether an entity is linked to one that is left out and has no row.
    private func isLinked(toNewOf leftOut: LeftOut, _ entity: Entity) -> Bool {
      links.contains { link in
        link.targets(of: entity, tables).contains {
          leftOut.errors[$0] != nil && tables[link.target].row(of: $0) == nil
        }
      }
    }
  }
#endif
