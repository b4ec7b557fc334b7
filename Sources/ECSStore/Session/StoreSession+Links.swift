#if SQLite
  import ECS

  // Links of the file that could not be links of the context yet; the context is locked.
  extension StoreSession {
    /// Notes links to one that were read with the rows of a table on request, and makes those that
    /// nothing here contradicts.
    func link(_ pairs: [FileContents.LinkContents], _ index: Int) {
      let link = links[index]
      for pair in pairs {
        guard let source = tables[link.source].entity(at: pair.source) else { continue }
        link.setShadow([pair.target], of: source)
        guard link.targets(of: source, tables).isEmpty else { continue }
        guard let target = entity(at: pair.target, in: link.target) else {
          link.addAbsent(pair.target, of: source)
          continue
        }
        if !target.isAlive {
          // It was destroyed here, and takes the link along.
          collect([source])
        } else if link.hasRival(source, target) {
          let isInFile = link.rivals(of: source, at: target).allSatisfy {
            link.shadow[$0]?.contains(pair.target) == true
          }
          if isInFile { link.addAbsent(pair.target, of: source) } else { collect([source]) }
        } else if !link.make(source, target, at: pair.target) {
          link.addAbsent(pair.target, of: source)
        }
      }
    }

    /// Makes the links of a relation that the file has and the context has not, as far as that is
    /// possible now.
    func linkAbsent(_ index: Int) {
      let link = links[index]
      for (source, targets) in Array(link.absent) {
        let known = tables[link.target]
        let canCome = targets.contains {
          known.entityOrFault(at: $0).map { $0.isAlive && !link.hasRival(source, $0) } == true
        }
        guard canCome, source.isAlive, tables[link.source].row(of: source) != nil else { continue }
        let present = link.targets(of: source, tables)
        if link.relation.isToOne, !present.isEmpty { continue }
        let kept = link.kept(present.compactMap { known.address(of: $0) }, of: source)
        var wanted = kept.compactMap { known.entityOrFault(at: $0) }.filter(\.isAlive)
        if link.relation.isToOne {
          wanted = wanted.first { !link.hasRival(source, $0) }.map { [$0] } ?? []
        }
        wanted += present.filter { known.address(of: $0) == nil }
        link.setTargets(wanted, of: source, tables)
        let linked = Set(link.targets(of: source, tables))
        link.setAbsent(
          targets.filter { known.entityOrFault(at: $0).map { !linked.contains($0) } ?? true },
          of: source)
      }
    }

    /// Makes links of the file for which a save has made room, or rows.
    func linkWhatCame(_ plan: SavePlan) {
      let numbers = links.indices.filter { index in
        let target = plan.tables[links[index].target]
        return !links[index].absent.isEmpty
          && (!plan.links[index].isEmpty || !target.inserts.isEmpty || !target.updates.isEmpty)
      }
      if numbers.isEmpty { return }
      context.perform {
        ignoring { for number in numbers { linkAbsent(number) } }
      }
    }
  }

  extension SavePlan {
    /// Where the row of a target is after the save; nil if that goes.
    func address(after target: RowKey, in index: Int, _ session: StoreSession) -> RowKey? {
      let table = session.tables[index]
      guard let row = table.row(at: target) else { return target }
      return session.address(of: table.entities[row], in: index, self)
    }

    /// Adds links that have no links of the context, and whose targets go or get other keys.
    mutating func addAbsent(_ session: StoreSession) {
      for (index, link) in session.links.enumerated() where !link.absent.isEmpty {
        let table = session.tables[link.target]
        let plan = tables[link.target]
        var touched = Set(plan.deletes.map { table.addresses[$0] })
        for update in plan.updates {
          guard let position = update.number else { continue }
          let former = table.addresses[update.row]
          if plan.addresses[position] != former { touched.insert(former) }
        }
        if touched.isEmpty { continue }
        for (source, absent) in link.absent
        where !touched.isDisjoint(with: absent) && !changes.links[index].targets.contains(source) {
          // It was not touched, so it has what it had.
          changes.links[index].targets[source] = link.linked(source).compactMap {
            table.entityOrFault(at: $0)
          }
        }
      }
    }
  }
#endif
