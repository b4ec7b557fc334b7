extension Core {
  /// The tables of a core.
  @safe
  @usableFromInline
  struct Tables: ~Copyable {
    /// The table without components, in which creation starts.
    @usableFromInline var root: TablePointer

    /// Counts what makes out of date what is remembered for a moment: that columns, edges or tables
    /// move or go, that an observer ends or a journal is observed.
    @usableFromInline var epoch: UInt64 = 0

    // Rarely touched state follows.

    var all: [TablePointer] = unsafe []

    /// The numbers of tables that were freed, to be given to others.
    var freeNumbers: [Int] = []
    var bySignature: [[CID]: TablePointer] = unsafe [:]
    var reclaim = TableReclaim()

    /// Whether components come without those that they require: entities are put where they were.
    var ignoresRequirements = false

    /// Whether rows are about to come into tables that may be empty as yet.
    var keepsEmpty = false

    /// The number of tables that were ever made.
    var madeCount = 0

    /// A table that is about to get a row: not to be freed, although it may be empty.
    var pinned: TablePointer?

    init() {
      unsafe root = Tables.none
    }

    // SAFETY: what cores without a context have for a table; nothing is written to it.
    @safe nonisolated(unsafe) static let none = {
      let table = TablePointer.allocate(capacity: 1)
      unsafe table.initialize(to: Table(nil, signature: [], [], number: 0))
      return unsafe table
    }()

    /// Begins with a table without components.
    mutating func begin(with root: TablePointer) {
      unsafe self.root = root
      unsafe all = [root]
      unsafe bySignature = [[]: root]
    }

    /// Takes all values out of their columns, for those that have to be ended.
    func takeAllValues() -> [any Component] {
      var ended: [any Component] = []
      for unsafe(table) in unsafe all {
        for number in unsafe 0..<table.pointee.columnCount
        where unsafe !table.pointee.columns[number].isTrivial {
          let column = unsafe table.pointee.columns[number]
          for row in unsafe 0..<table.pointee.count {
            unsafe ended.append(column.cid.pointer.pointee.take(column.place(row)))
          }
        }
        unsafe table.pointee.count = 0
      }
      return ended
    }

    /// Forgets the tables, which were freed.
    mutating func end() {
      unsafe root = Tables.none
      unsafe (all, bySignature) = ([], [:])
      (freeNumbers, reclaim, madeCount) = ([], TableReclaim(), 0)
    }
  }
}
