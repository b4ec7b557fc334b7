/// The columns that a context had at a moment, to be read once, from the first to the last, while
/// the context goes on.
///
/// What has not changed when it is read is read in the context; what is about to change before that
/// is copied.
// Used by one thread.
package final class FrozenColumns {
  private let core: Core
  private let tables: [FrozenTable]

  /// The page to be read next.
  private var (table, page) = (0, 0)

  fileprivate init(_ core: Core, _ tables: [FrozenTable]) {
    (self.core, self.tables) = (core, tables)
  }

  deinit {
    guard let copies = tables.first?.copies, !copies.areAll else { return }
    core.sectionAfterReading { [core, tables] in Freezing(core: core).end(tables) }
  }

  /// The component types of each table, and the number of its entities.
  package var kinds: [(types: [CID], count: Int)] { tables.map { ($0.signature, $0.count) } }

  /// Reads some more rows.
  ///
  /// - Parameters:
  ///   - isAwaited: Whether other threads wait, so that a section of the context ends: those that
  ///     do, or what a test says.
  ///   - body: Called with the number of a table and further columns of it, perhaps in such a
  ///     section; it must not call the context.
  /// - Returns: False if there were none left.
  package func read(
    isAwaited: (() -> Bool)? = nil, _ body: (Int, borrowing Columns) -> Void
  ) -> Bool {
    guard findNext() else { return false }
    if let copy = tables[table].page(page) {
      body(table, Columns(.frozen(copy, core)))
      page += 1
      return true
    }
    let turn = core.pointer.pointee.lock.beginLongRead { core.liveCount }
    defer { core.pointer.pointee.lock.endLongRead(turn) }
    var count = 0
    repeat {
      let next = Freezing(core: core).readOnce(
        from: page, of: tables[table], atMost: FrozenColumns.turn
      ) { view in body(table, Columns(.stored(view))) }
      count += max(1, next - page)
      page = next
    } while findNext() && !tables[table].isCopied(page)
      && (count < FrozenColumns.turn
        || !(isAwaited?() ?? core.pointer.pointee.lock.isAwaited(in: turn)))
    return true
  }

  /// How many pages are read before a thread that waits gets its turn.
  // PERFORMANCE: N1, NW: more than one, since beginning each takes its time.
  private static var turn: Int { 4 }

  /// Goes to the next table if all of one was read; returns whether there is one.
  private func findNext() -> Bool {
    while table < tables.count, page == tables[table].pageCount { (table, page) = (table + 1, 0) }
    return table < tables.count
  }
}

extension Context {
  /// Freezes the columns of some components of all entities whose types are asked for.
  ///
  /// - Parameters:
  ///   - cids: The components.
  ///   - isIncluded: Called with the types of each table that has entities.
  /// - Returns: The columns.
  /// - Precondition: As that of ``frozen(of:)``.
  package func frozenColumns(
    of cids: [CID], where isIncluded: ([CID]) -> Bool
  ) -> FrozenColumns {
    core.section {
      let freezing = Freezing(core: core)
      freezing.checkIsPossible()
      return FrozenColumns(core, freezing.begin(cids, withNumbers: true, where: isIncluded))
    }
  }
}
