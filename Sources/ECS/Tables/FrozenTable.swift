import Synchronization

/// The rows that a table had at a moment, with the values of some of its columns, whatever becomes
/// of the table.
///
/// They lie in pages of 512 rows. A page stays in the table until one of its rows is about to
/// change, or until it is read: then it is copied, once and as a whole.
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

  /// The size of a page of copies, in which entities come first.
  private let pageSize: Int
  private let alignment: Int

  /// The number of pages.
  let pageCount: Int

  /// The copies of pages, as addresses; 0 for those that are still the table's.
  private let pages: UnsafeMutablePointer<Atomic<UInt>>
  private var copyCount = 0

  /// Freezes the rows that a table has now.
  init(_ table: TablePointer, _ cids: [CID], number: Int, _ copies: FrozenCopies) {
    (self.number, self.copies) = (number, copies)
    unsafe self.table = unsafe table
    signature = unsafe table.pointee.signature
    count = unsafe table.pointee.count
    let rows = min(count, FrozenTable.rowsOfPage)
    var size = rows * MemoryLayout<UInt64>.stride
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

  /// Whether all pages are copies.
  var isWhole: Bool { copyCount == pageCount }

  /// Forgets the table, which asks for it no longer.
  func forgetTable() { unsafe table = nil }

  func isCopied(_ page: Int) -> Bool { unsafe address(of: page) != nil }

  private func address(of page: Int) -> UnsafeMutableRawPointer? {
    // SAFETY: callers pass numbers of pages; the address is one of memory that lives as long.
    unsafe UnsafeMutableRawPointer(bitPattern: pages[page].load(ordering: .acquiring))
  }

  /// Copies a page, unless it is copied already; nothing of it may have changed until now.
  ///
  /// `entity` gives the entity of a row of the table, as bits.
  func copy(_ number: Int, _ entity: (Int) -> UInt64) {
    guard !isCopied(number), let table = unsafe table else { return }
    let rows = rows(of: number)
    let page = unsafe Memory.allocate(byteCount: pageSize, alignment: alignment)
    // SAFETY: the page has room for the entities and values of so many rows, which the table has
    // as it had them when it was frozen.
    let entities = unsafe page.bindMemory(to: UInt64.self, capacity: rows.count)
    for (offset, row) in rows.enumerated() {
      unsafe (entities + offset).initialize(to: entity(row))
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
}
