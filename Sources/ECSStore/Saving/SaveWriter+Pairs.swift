#if SQLite
  import GRDB

  /// What tables of pairs get: a pair that stays keeps its row, with all that others have put
  /// there.
  extension SaveWriter {
    private struct Pair: Hashable {
      var owner: RowKey
      var nested: RowKey

      init(_ link: SessionLink, _ source: RowKey, _ target: RowKey) {
        (owner, nested) = link.isFromOwner ? (source, target) : (target, source)
      }

      var values: [RowValue] { owner.values + nested.values }
    }

    /// Runs a statement for pairs that are there.
    private mutating func run(
      _ sql: String, _ index: Int, _ pairs: [Pair], of change: SavePlan.LinkPlan
    ) throws {
      if try !tries(sql, index, pairs.flatMap(\.values), of: change) { try checkRefused() }
    }

    /// Runs a statement for pairs, with what is bound to it; false if the database refuses that,
    /// and their source is to be left out.
    private mutating func tries(
      _ sql: String, _ index: Int, _ values: [RowValue], of change: SavePlan.LinkPlan,
      adds: Bool = false
    ) throws -> Bool {
      let (link, statement) = (session.links[index], try statement(sql))
      statement.bind(values)
      do {
        try run(
          statement, tables[link.plan.owner], change.newSource ?? change.oldSource, change.source)
        if adds, let table = link.pairs { try checkInsertion(table.name, change.source) }
        return true
      } catch let error as StoreError where error.isOfOneRow {
        guard database.isInsideTransaction else { throw error }
        // What was refused before may have the same values, and is left out next time.
        if refused.isEmpty || !error.isOfSameValues { try refuse(change.source, error) }
        return false
      }
    }

    mutating func deletePairs(_ index: Int) throws {
      let link = session.links[index]
      for change in plan.links[index] {
        for (target, after) in zip(change.old, change.after) where after == nil {
          report.unlinked += 1
          guard let pairs = link.pairs, let source = change.oldSource else { continue }
          try run(pairs.deletionOfOne, index, [Pair(link, source, target)], of: change)
        }
      }
    }

    /// Changes pairs whose ends get other keys, before these do.
    mutating func movePairs(_ index: Int) throws {
      let link = session.links[index]
      guard let pairs = link.pairs else { return }
      var moves: [(from: Pair, to: Pair, change: SavePlan.LinkPlan)] = []
      for change in plan.links[index] {
        guard let oldSource = change.oldSource, let newSource = change.newSource else { continue }
        for (target, after) in zip(change.old, change.after) {
          guard let after, target != after || oldSource != newSource else { continue }
          moves.append(
            (Pair(link, oldSource, target), Pair(link, newSource, after), change))
        }
      }
      // Two may change places, and no pair comes twice, or no nested row.
      let wanted = Set(moves.map(\.to))
      let isUnique = pairs.hasOneOwner || link.plan.isUnique
      let nested = Set(
        moves.lazy.filter { isUnique && $0.from.nested != $0.to.nested }.map(\.to.nested))
      for (position, move) in moves.enumerated()
      where wanted.contains(move.from) || nested.contains(move.from.nested) {
        var parked = move.from
        parked.owner = RowKey(pairs.owner.map(RowValue.parked))
        if isUnique { parked.nested = RowKey(pairs.nested.map(RowValue.parked)) }
        try run(pairs.move, index, [parked, move.from], of: move.change)
        moves[position].from = parked
      }
      for move in moves { try run(pairs.move, index, [move.to, move.from], of: move.change) }
    }

    /// Changes the values of pairs that stay, where they differ; false if the database refuses
    /// that.
    private mutating func updateValues(
      _ index: Int, _ change: SavePlan.LinkPlan
    ) throws -> Bool {
      let link = session.links[index]
      guard let pairs = link.pairs, let source = change.newSource else { return true }
      for (target, columns) in change.changedValues {
        guard let value = change.values[target] else { continue }
        let bound = columns.map { value[$0] } + Pair(link, source, target).values
        guard try tries(pairs.update(columns), index, bound, of: change) else { return false }
        report.updated += 1
      }
      return true
    }

    mutating func insertPairs(_ index: Int) throws {
      let link = session.links[index]
      for change in plan.links[index] {
        let (kept, atStart) = (change.kept, change.keptAtStart)
        let isOrdered = try link.pairs.map { try database.hasRowNumbers($0.name) } ?? false
        if try !updateValues(index, change) { continue }
        for (position, target) in change.new.enumerated() {
          if !kept.contains(target) { report.linked += 1 }
          guard let pairs = link.pairs, let source = change.newSource,
            position >= atStart, isOrdered || !kept.contains(target)
          else { continue }
          let isKept = kept.contains(target)
          let value = isKept ? [] : change.values[target] ?? []
          let isAdded = try tries(
            isKept ? pairs.moveLast : pairs.insertion, index,
            Pair(link, source, target).values + value, of: change, adds: true)
          if !isAdded { break }
        }
      }
    }
  }
#endif
