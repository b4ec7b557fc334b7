import Synchronization

/// A picture of a context: its entities as they were at one moment, with the values of some
/// components.
///
/// ```swift
/// let frozen = context.frozen(of: Order.self, Paid.self)
/// // on any thread, however long it takes, while the context goes on:
/// var sum = 0
/// frozen.withEach { (_, order: Order) in sum += order.cents }
/// ```
///
/// ``Context/frozen(of:)`` makes it, and copies no values then. Entities are in pages of 512; a
/// page is copied, once, when one of them is about to change, or when the picture comes to it. An
/// iteration that asks for one of the components as `inout` has all pages of a table copied before
/// it comes to that, and the end of the context has all that are left.
///
/// Until all pages are copied, or the picture is released, changes of the context take longer, as
/// they do beside a ``Journal``, and longer with each picture of the kind. Going through what is
/// copied waits for nothing. Threads that ask for single entities of it take turns, and wait while
/// one finds out which were copied since. Reading the rest is a call of the context, as all others
/// are.
///
/// It is read alone: its closures take no `inout` values, and up to four components. Sort an array
/// of its ``sorted(by:matching:)`` the other way round with `reversed()`.
///
/// It has neither links nor indexes, and of objects in components it has the references. Once its
/// context has ended, its entities are dead, and are asked for by their handles nevertheless.
public final class FrozenContext: Sendable {
  @usableFromInline let core: Core

  /// The components whose values it has.
  public let types: [CID]

  /// The number of the last commit of the context that it has the changes of, as
  /// ``Context/lastCommit``.
  ///
  /// One that is made inside of ``Context/perform(_:)`` has what the section has changed so far,
  /// whose commit is still to come.
  public let lastCommit: Int

  /// The number of its entities: those that had one of ``types``.
  public let count: Int

  private let tables: [FrozenTable]

  /// Nil if it has no entities.
  private let copies: FrozenCopies?

  private let positions = Guarded(FrozenPositions())

  /// The number of copies whose rows are among the positions; it may be behind.
  private let knownCount = Atomic<Int>(0)

  init(_ core: Core, _ types: [CID]) {
    (self.core, self.types) = (core, types)
    (tables, lastCommit) = core.section {
      let tables = Freezing(core: core).begin(types) { types.contains(where: $0.contains) }
      return (tables, core.commits.last)
    }
    copies = tables.first?.copies
    count = tables.reduce(0) { $0 + $1.count }
  }

  deinit {
    guard let copies, !copies.areAll else { return }
    core.sectionAfterReading { [core, tables] in Freezing(core: core).end(tables) }
  }

  // MARK: Pages

  /// The tables whose entities match and have what is asked for, in the order of tables.
  @usableFromInline
  func tables(_ matcher: Matcher?, _ asked: [IteratedType]) -> [FrozenTable] {
    for type in asked { requireFrozen(type.key) }
    return tables.filter { table in
      matcher?.accepts(table.signature) != false
        && asked.allSatisfy { $0.isOptional || table.offset(of: $0.key) != nil }
    }
  }

  private func requireFrozen(_ key: ComponentKey) {
    require(
      types.contains { $0.key == key },
      "A picture was asked for \(key.name) components, which it was not made of: name them in frozen(of:)."
    )
  }

  /// Calls a body with the pages of tables, one after the other.
  @usableFromInline
  func forEachPage<Failure: Error>(
    of tables: [FrozenTable], _ body: (FrozenPage) throws(Failure) -> Void
  ) throws(Failure) {
    for table in tables {
      for number in 0..<table.pageCount {
        if let page = page(number, of: table) { try body(page) }
      }
    }
  }

  private func page(_ number: Int, of table: FrozenTable) -> FrozenPage? {
    table.page(number) ?? core.readingSection { Freezing(core: core).page(number, of: table) }
  }

  // MARK: Single entities

  /// Whether it has an entity.
  ///
  /// - Complexity: As ``get(_:of:)``.
  public func contains(_ entity: Entity) -> Bool { row(of: entity) != nil }

  /// The component that an entity had; nil if it had none, or was not alive.
  ///
  /// - Precondition: The picture was made of the component.
  /// - Complexity: O(1) on average, and once O(*n*), with memory for that, for *n* entities whose
  ///   pages were copied since it was called before.
  public func get<C: Component>(_ type: C.Type, of entity: Entity) -> C? {
    requireFrozen(ComponentKey(type))
    guard let copies, entity.core == core else { return nil }
    if let value = copiedRow(of: entity).map({ copiedValue(type, of: $0) }) { return value }
    if !copies.areAll {
      // Nothing of others is called.
      let value = core.read {
        Freezing(core: core).unchangedValue(of: type, entity.handle, beside: copies)
      }
      if let value { return value }
    }
    return row(of: entity).flatMap { copiedValue(type, of: $0) }
  }

  private func copiedValue<C: Component>(
    _ type: C.Type, of row: (table: FrozenTable, row: Int)
  ) -> C? {
    let page = page(row.row / FrozenTable.rowsOfPage, of: row.table)
    return page?.value(type, row.row % FrozenTable.rowsOfPage)
  }

  private func row(of entity: Entity) -> (table: FrozenTable, row: Int)? {
    guard let copies, entity.core == core else { return nil }
    if let row = copiedRow(of: entity) { return row }
    if !copies.areAll {
      let row = core.read {
        Freezing(core: core).unchangedRow(of: entity.handle, beside: copies)
      }
      if let row { return row }
    }
    learnCopies(copies)
    // Also where another thread has learned them since this one looked.
    return copiedRow(of: entity)
  }

  /// The row of an entity among the copies whose rows are known.
  private func copiedRow(of entity: Entity) -> (table: FrozenTable, row: Int)? {
    guard entity.core == core, knownCount.load(ordering: .acquiring) > 0 else { return nil }
    let position = positions.withLock { $0[entity.handle] }
    return position.map { (tables[$0.table], $0.row) }
  }

  /// Adds the rows of pages that were copied since this was done before.
  private func learnCopies(_ copies: FrozenCopies) {
    let known = knownCount.load(ordering: .acquiring)
    guard copies.count > known else { return }
    let new =
      copies.areAll
      ? pages(copies.pages[known...])
      : core.readingSection { pages(copies.pages[known...]) }
    positions.withLock { positions in
      positions.add(new, from: known)
      knownCount.store(positions.pageCount, ordering: .releasing)
    }
  }

  private func pages(_ copies: ArraySlice<(table: Int, number: Int)>) -> [FrozenPage] {
    copies.compactMap { tables[$0.table].page($0.number) }
  }
}

/// The rows of entities in those pages of a picture that are copies.
private struct FrozenPositions {
  private var rows: [Handle: (table: Int, row: Int)] = [:]

  /// The number of pages whose rows are here, in the order in which they became copies.
  private(set) var pageCount = 0

  subscript(handle: Handle) -> (table: Int, row: Int)? { rows[handle] }

  /// Adds pages, of which some may be known.
  mutating func add(_ pages: [FrozenPage], from first: Int) {
    for page in pages.dropFirst(pageCount - first) {
      for offset in 0..<page.count {
        rows[page.handle(offset)] = (page.table.number, page.firstRow + offset)
      }
      pageCount += 1
    }
  }
}
