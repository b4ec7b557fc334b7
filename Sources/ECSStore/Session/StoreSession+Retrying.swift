#if SQLite
  import ECS

  extension StoreSession {
    /// Saves what was left out for the sake of others that turned out to be refused as well.
    ///
    /// What was saved before is; so an error that comes now has all stay that is left out, and is
    /// why what was tried is.
    func saveOnceMore(
      _ missing: inout Int, _ leftOut: inout LeftOut?, _ report: inout SaveReport?,
      until end: ContinuousClock.Instant
    ) {
      // Each one plans all that is tried, while other processes wait.
      var remaining = 16
      var first = 0
      var tried: Set<Entity>?
      var (hasSaved, wasAll) = (true, false)
      while let present = leftOut, present.errors.count > 1, let total = report {
        let claims = RowClaims(of: present.errors.keys, self)
        let all = present.duplicates
        var next = present.keptOut(since: first, claims)
        if tried == nil ? !next.isEmpty : hasSaved && !wasAll {
          // What was refused for the sake of what is saved now may fit as well.
          next = all
        } else if !hasSaved, let tried, next.count >= tried.count {
          if let one = next.min(by: { "\($0)" < "\($1)" }) { next.remove(one) }
        }
        next = next.filter { !isLinked(toNewOf: present, $0) }
        if next.isEmpty || remaining == 0 { return }
        remaining -= 1
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
          leftOut?.note(next, error)
          return
        }
        guard let more else { continue }
        guard let refused = attempt?.errors else { return }
        report = total + more
        leftOut = attempt
        hasSaved = next.contains { refused[$0] == nil }
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
