// Entities whose values come one after the other from a closure. They are put behind the last rows
// of the table, where they are not seen until all are there.
extension BulkCreation {
  /// Creates an entity for each element of a sequence; begins and ends the change.
  @inlinable
  func create<Elements: Sequence, each C: Component, Failure: Error>(
    from elements: Elements, _ make: (Elements.Element) throws(Failure) -> (repeat each C)
  ) throws(Failure) -> [Entity] {
    core.enter()
    defer { core.leave() }
    core.checkMode()
    // A sequence may promise more than there is memory for, and the closure may throw long before.
    let expected = min(elements.underestimatedCount, BulkCreation.rowsReservedAtOnce)
    var iterator = elements.makeIterator()
    // For nothing, no table is made.
    guard let element = iterator.next() else { return [] }
    let before = refuseChangesToFill()
    defer { core.endRefusingChanges(before) }
    guard before.accepts, !isAnyUnique(repeat (each C).self) else {
      return try createSingly(element, iterator, make, before)
    }
    var table = unsafe core.root
    repeat unsafe core.extend(&table, with: (each C).self)
    guard unsafe table.pointee.createsPlainly else {
      return try createSingly(element, iterator, make, before)
    }
    let first = unsafe rowCount(of: table)
    var parts = unsafe TupleParts(of: table)
    repeat parts.append((each C).self)
    let count: Int
    let filling = unsafe fill(table, from: first, parts, max(1, expected), element, &iterator, make)
    switch filling {
    case .success(let filled): count = filled
    case .failure(let failure):
      repeat unsafe discard(newPlace(of: (each C).self, in: table) + first, failure.count)
      throw failure.error
    }
    core.endRefusingChanges(before)
    let rows = unsafe begin(of: count, in: table)
    finish(rows)
    return entities(of: rows)
  }

  /// An error that a closure has thrown, and the number of new rows before it.
  @usableFromInline
  struct FillingFailure<Failure: Error>: Error {
    @usableFromInline let error: Failure
    @usableFromInline let count: Int

    @inlinable
    init(error: Failure, count: Int) { (self.error, self.count) = (error, count) }
  }

  /// Puts values behind the last row of a table; tells for how many entities.
  ///
  /// If the closure throws, as many rows as the failure says have values.
  // PERFORMANCE: C3: whatever is done for each element takes tuples, and not their parts.
  @inlinable
  func fill<Elements: IteratorProtocol, Tuple, Failure: Error>(
    _ table: TablePointer, from first: Int, _ parts: TupleParts, _ expected: Int,
    _ element: Elements.Element, _ elements: inout Elements,
    _ make: (Elements.Element) throws(Failure) -> Tuple
  ) -> Result<Int, FillingFailure<Failure>> {
    let stride = MemoryLayout<Tuple>.stride
    let capacity = max(1, min(expected, 4096 / stride))
    let tuples = UnsafeMutablePointer<Tuple>.allocate(capacity: capacity)
    defer { unsafe tuples.deallocate() }
    assert(parts.size == MemoryLayout<Tuple>.size, "A tuple is laid out in another way.")
    unsafe reserve(expected, rows: first, in: table)
    var (row, made) = (first, 0)
    var element = element
    while true {
      do throws(Failure) {
        // SAFETY: made < capacity, and places from there on are uninitialized.
        unsafe (tuples + made).initialize(to: try make(element))
      } catch {
        unsafe reserve(made, rows: row, in: table)
        unsafe parts.move(tuples, made, stride: stride, toRow: row)
        return .failure(FillingFailure(error: error, count: row + made - first))
      }
      made &+= 1
      let next = elements.next()
      if made == capacity || next == nil {
        unsafe reserve(made, rows: row, in: table)
        unsafe parts.move(tuples, made, stride: stride, toRow: row)
        row &+= made
        made = 0
      }
      guard let next else { return .success(row - first) }
      element = next
    }
  }

  /// Room for so many rows is made before the first of them is there.
  @inlinable static var rowsReservedAtOnce: Int { 1 << 18 }

  /// Takes values away that were put behind the last row of a table; they end when the call has
  /// ended.
  @inlinable
  func discard<C: Component>(_ place: UnsafeMutablePointer<C>, _ count: Int) {
    if _isPOD(C.self) { return }
    // SAFETY: the caller has initialized so many, and nothing else has them.
    for row in 0..<count { unsafe core.discard((place + row).move()) }
  }

  /// Creates entities one after the other: when a running iteration ends, or with a unique
  /// component.
  @inlinable
  func createSingly<Elements: IteratorProtocol, each C: Component, Failure: Error>(
    _ first: Elements.Element, _ elements: Elements,
    _ make: (Elements.Element) throws(Failure) -> (repeat each C), _ mode: Core.Mode
  ) throws(Failure) -> [Entity] {
    var elements = elements
    var all: [(repeat each C)] = []
    do throws(Failure) {
      all.append(try make(first))
      while let element = elements.next() { all.append(try make(element)) }
    } catch {
      for values in all { repeat core.discard(each values) }
      throw error
    }
    repeat checkHolders(all.count, isUnique: (each C).self is any UniqueComponent.Type)
    var types: [CID] = []
    repeat types.append((each C).cid)
    checkHolders(all.count, isUnique: Completion(core: core).bringsUnique(with: types))
    core.endRefusingChanges(mode)
    return all.map { values in
      Entity(core: core, handle: core.createOrReserve(repeat each values))
    }
  }

  @inlinable
  func isAnyUnique<each C: Component>(_ types: repeat (each C).Type) -> Bool {
    for type in repeat each types {
      if type is any UniqueComponent.Type { return true }
    }
    return false
  }

  /// Refuses changes of the context from here on; returns what is to be restored.
  @usableFromInline
  func refuseChangesToFill() -> Core.Mode {
    core.beginRefusingChanges(.usingColumns)
  }

  @usableFromInline
  func rowCount(of table: TablePointer) -> Int { unsafe table.pointee.count }

  /// Makes room for further rows behind so many, some of which may be no part of the table yet.
  @usableFromInline
  func reserve(_ additional: Int, rows: Int, in table: TablePointer) {
    unsafe table.pointee.reserve(additional, behind: rows)
  }

  /// The first place of a column.
  @inlinable
  @inline(__always)
  func newPlace<C: Component>(of type: C.Type, in table: TablePointer) -> UnsafeMutablePointer<C> {
    guard let edge = unsafe table.pointee.edge(ComponentKey(type)),
      let column = unsafe edge.pointee.column
    else { stop("Entities were to be created in a table without a column for a component.") }
    // SAFETY: the edge's key says that the column holds values of this very type.
    return unsafe column.assumingMemoryBound(to: type)
  }
}
