import Synchronization

/// The rows that a table had at a moment, with the values of some of its columns, whatever becomes
/// of the table.
///
/// They lie in pages of 512 rows. A page stays in the table until one of its rows is about to
/// change, or until it is read: then it is copied, once and as a whole. What is read only once is
/// read in the table, if it is still there, and not copied.
@safe
@usableFromInline
// Copies of pages don't change, and are published. The rest is used under the lock of the core, by
// one reader at a time.
final class FrozenTable: @unchecked Sendable {
  /// How many rows a page has, but for the last one of a table.
  @usableFromInline static var rowsOfPage: Int { 512 }

  /// The pages of its picture that are copies.
  let copies: FrozenCopies

  /// Its number in the picture.
  let number: Int

  /// The component types of the entities, ascending.
  let signature: [CID]

  /// The number of rows.
  let count: Int

  /// The table, which asks for it before it changes; nil when it does so no longer.
  // INVARIANT: the table has it in its list as long.
  private(set) var table: TablePointer?

  private let columns: [FrozenColumn]

  /// Where creation numbers begin in a page; nil if copies don't have them.
  fileprivate let numbersOffset: Int?

  /// The size of a page of copies, in which entities come first.
  private let pageSize: Int
  private let alignment: Int

  /// The number of pages.
  let pageCount: Int

  /// The copies of pages, as addresses; 0 for those that are still the table's, and `passed` for
  /// those that nothing asks for any more.
  private let pages: UnsafeMutablePointer<Atomic<UInt>>
  private static var passed: UInt { 1 }
  private var copyCount = 0

  /// Freezes the rows that a table has now, with the values of those of its columns that are named.
  init(
    _ table: TablePointer, _ cids: [CID], number: Int, withNumbers: Bool, _ copies: FrozenCopies
  ) {
    (self.number, self.copies) = (number, copies)
    unsafe self.table = unsafe table
    signature = unsafe table.pointee.signature
    count = unsafe table.pointee.count
    let rows = min(count, FrozenTable.rowsOfPage)
    var size = rows * MemoryLayout<UInt64>.stride
    numbersOffset = withNumbers ? size : nil
    if withNumbers { size += rows * MemoryLayout<UInt64>.stride }
    var strictest = MemoryLayout<UInt64>.alignment
    columns = cids.compactMap { cid in
      guard let index = unsafe table.pointee.signature.firstIndex(of: cid) else { return nil }
      let alignment = cid.pointer.pointee.alignment
      size = (size + alignment - 1) / alignment * alignment
      strictest = max(strictest, alignment)
      defer { size += rows * cid.pointer.pointee.stride }
      return FrozenColumn(cid: cid, index: index, offset: size)
    }
    (pageSize, alignment) = (size, strictest)
    pageCount = (count + FrozenTable.rowsOfPage - 1) / FrozenTable.rowsOfPage
    unsafe pages = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: max(1, pageCount))
    for number in 0..<pageCount { unsafe (pages + number).initialize(to: Atomic(0)) }
  }

  deinit {
    for number in 0..<pageCount {
      guard let page = unsafe address(of: number) else { continue }
      for column in columns where !column.cid.pointer.pointee.isTrivial {
        // SAFETY: the values of all rows of a copied page are initialized.
        unsafe column.cid.pointer.pointee.end(page + column.offset, rows(of: number).count)
      }
      unsafe Memory.free(page, byteCount: pageSize)
    }
    unsafe pages.deinitialize(count: pageCount)
    unsafe pages.deallocate()
  }

  func rows(of page: Int) -> Range<Int> {
    let first = page * FrozenTable.rowsOfPage
    return first..<min(first + FrozenTable.rowsOfPage, count)
  }

  /// Whether it has a column.
  func has(_ cid: CID) -> Bool { columns.contains { $0.cid == cid } }

  /// Whether nothing is asked of the table any more.
  var isWhole: Bool { copyCount == pageCount }

  /// Forgets the table, which asks for it no longer.
  func forgetTable() { unsafe table = nil }

  /// Whether a page is a copy, or nothing asks for it any more.
  func isCopied(_ page: Int) -> Bool {
    // SAFETY: callers pass numbers of pages.
    unsafe pages[page].load(ordering: .acquiring) != 0
  }

  private func address(of page: Int) -> UnsafeMutableRawPointer? {
    // SAFETY: as above; the address is one of memory that lives as long.
    let address = unsafe pages[page].load(ordering: .acquiring)
    return address == FrozenTable.passed ? nil : unsafe UnsafeMutableRawPointer(bitPattern: address)
  }

  /// Notes that pages, none of which is a copy, were read, and are not asked for any more.
  func pass(_ numbers: Range<Int>) {
    for number in numbers {
      // SAFETY: callers pass numbers of pages.
      unsafe pages[number].store(FrozenTable.passed, ordering: .releasing)
    }
    copyCount += numbers.count
  }

  /// Copies a page, unless it is copied already; nothing of it may have changed until now.
  ///
  /// `entity` gives the entity of a row of the table, as bits, and `creationNumber` its number.
  func copy(_ number: Int, _ entity: (Int) -> UInt64, creationNumber: (Int) -> UInt64) {
    guard !isCopied(number), let table = unsafe table else { return }
    let rows = rows(of: number)
    let page = unsafe Memory.allocate(byteCount: pageSize, alignment: alignment)
    // SAFETY: the page has room for the entities and values of so many rows, which the table has
    // as it had them when it was frozen.
    let entities = unsafe page.bindMemory(to: UInt64.self, capacity: rows.count)
    for (offset, row) in rows.enumerated() {
      unsafe (entities + offset).initialize(to: entity(row))
    }
    if let numbersOffset {
      let numbers = unsafe (page + numbersOffset)
        .bindMemory(to: UInt64.self, capacity: rows.count)
      for (offset, row) in rows.enumerated() {
        unsafe (numbers + offset).initialize(to: creationNumber(row))
      }
    }
    for column in columns {
      unsafe column.cid.copyValues(
        to: page + column.offset,
        from: table.pointee.columns[column.index].place(rows.lowerBound), count: rows.count)
    }
    copyCount += 1
    copies.append((self.number, number))
    // At last: what sees the copy, sees that there is one more.
    unsafe pages[number].store(UInt(bitPattern: page), ordering: .releasing)
  }

  /// A page that is a copy; nil for others.
  ///
  /// It needs no lock.
  func page(_ number: Int) -> FrozenPage? {
    guard let page = unsafe address(of: number) else { return nil }
    return unsafe FrozenPage(self, start: page, rows: rows(of: number))
  }

  /// Where the values of a component begin in pages; nil if the entities don't have it.
  @usableFromInline
  func offset(of key: ComponentKey) -> Int? { columns.first { $0.cid.key == key }?.offset }
}

/// Which pages of a picture are copies.
// All but the number and the flag is used under the lock of the core, by one reader at a time,
// until the flag is set.
final class FrozenCopies: @unchecked Sendable {
  /// The pages, in the order in which they became copies.
  private(set) var pages: [(table: Int, number: Int)] = []

  private let pageCount = Atomic<Int>(0)

  /// How many tables of the picture ask for it before they change.
  private var askedCount = 0

  private let isWhole = Atomic<Bool>(false)

  /// Whether all pages are copies, and nothing asks for them any more: it needs no lock from then
  /// on.
  var areAll: Bool { isWhole.load(ordering: .acquiring) }

  /// The number of pages that are copies.
  var count: Int { pageCount.load(ordering: .acquiring) }

  fileprivate func append(_ page: (table: Int, number: Int)) {
    pages.append(page)
    pageCount.store(pages.count, ordering: .releasing)
  }

  func begin(_ count: Int) { askedCount = count }

  /// Notes that a table no longer asks.
  func end() {
    askedCount -= 1
    if askedCount == 0 { isWhole.store(true, ordering: .releasing) }
  }
}

/// A column of a table that is frozen.
private struct FrozenColumn {
  let cid: CID

  /// Its number in the table.
  let index: Int

  /// Where its values begin in a page.
  let offset: Int
}

/// Rows of a frozen table that were copied, and don't change any more.
@safe
@usableFromInline
struct FrozenPage {
  /// What keeps the memory.
  @usableFromInline let table: FrozenTable

  @usableFromInline let start: UnsafeMutableRawPointer

  /// The number of its first row in the table.
  let firstRow: Int

  /// The number of rows.
  @usableFromInline let count: Int

  fileprivate init(_ table: FrozenTable, start: UnsafeMutableRawPointer, rows: Range<Int>) {
    self.table = table
    unsafe self.start = unsafe start
    (firstRow, count) = (rows.lowerBound, rows.count)
  }

  /// The slot of the entity of a row in the lower half, and its generation in the upper one.
  @inlinable
  @inline(__always)
  func entity(_ row: Int) -> UInt64 {
    // SAFETY: callers pass rows of the page, which begins with their entities.
    unsafe start.assumingMemoryBound(to: UInt64.self)[row]
  }

  /// The value of a component in a row; nil if the entities don't have it.
  func value<C: Component>(_ type: C.Type, _ row: Int) -> C? {
    guard let offset = table.offset(of: ComponentKey(type)) else { return nil }
    // SAFETY: callers pass rows of the page, and there are values of this very type.
    return unsafe (start + offset).assumingMemoryBound(to: type)[row]
  }

  /// The values of a component; an empty column if the entities don't have it.
  @inlinable
  @inline(__always)
  func column(of key: ComponentKey) -> IteratedColumn {
    guard let offset = table.offset(of: key) else { return unsafe IteratedColumn(nil) }
    return unsafe IteratedColumn(start + offset)
  }

  // MARK: Columns

  /// The values of a component; nil if the entities don't have it.
  @_lifetime(borrow self)
  func span<C: Component>(_ type: C.Type) -> Span<C>? {
    guard let offset = table.offset(of: ComponentKey(type)) else { return nil }
    let address =
      unsafe MemoryLayout<C>.size > 0 ? start + offset : EmptyValues.start(count)
    // SAFETY: there are values of this very type, or none is needed, as long as the page is there.
    let span = unsafe Span(
      _unsafeStart: UnsafePointer(address.assumingMemoryBound(to: type)), count: count)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// The bytes of the trivial values of a component; nil if the entities don't have it.
  @_lifetime(borrow self)
  func bytes(of cid: CID) -> RawSpan? {
    guard let offset = table.offset(of: cid.key) else { return nil }
    requireTrivial(cid)
    // SAFETY: as above.
    let bytes = unsafe RawSpan(
      _unsafeStart: start + offset, byteCount: count * cid.pointer.pointee.stride)
    return unsafe _overrideLifetime(bytes, borrowing: self)
  }

  /// Writes the creation numbers of some rows, which are kept.
  func appendCreationNumbers(of rows: Range<Int>, to output: inout OutputSpan<UInt64>) {
    guard let offset = table.numbersOffset else {
      stop("Creation numbers were asked for that a picture has not kept.")
    }
    // SAFETY: callers pass rows of the page, which has their numbers.
    let numbers = unsafe (start + offset).assumingMemoryBound(to: UInt64.self)
    for row in rows { unsafe output.append(numbers[row]) }
  }
}
