/// The progress of an iteration.
// PERFORMANCE: I0: it lies on the stack of the iteration, and the core has the innermost one, so
// that nothing is allocated.
@safe
@usableFromInline
struct RunningIteration {
  let request: IterationRequest.Reference

  /// The iteration around it, set when it begins.
  var outer: Reference?

  /// How many tables of the group have been visited, or don't have what is asked for.
  @usableFromInline var passed = 0

  /// How many there were at the beginning: those that were made since have no rows.
  @usableFromInline var tableCount = 0

  /// The table that was visited last, and how many of its rows the body has been through.
  var lastTable: TablePointer?
  @usableFromInline var lastRows = 0

  /// Whether it was known of all tables that were visited that nothing reacts to what it mutates
  /// there; and how often that had been forgotten at the beginning.
  // PERFORMANCE: I0: if both are still so at the end, reactions need not be looked for again.
  var isQuiet = true
  var reactionEpoch: UInt64 = 0

  /// Whether it is part of a section that only reads beside others, so that it writes nothing.
  var isBesideReaders = false

  /// Where it was when another one began inside it.
  var table: TablePointer?
  var row = -1

  /// How often the lock was taken when the code of the user's around it was called.
  var userDepth = 0

  /// How much was kept by the iterations around it.
  var firstKept = 0

  @usableFromInline
  init(_ request: IterationRequest.Reference) { self.request = request }

  /// The address of an iteration's progress.
  @safe
  @usableFromInline
  struct Reference {
    // SAFETY: it stays there as long as it runs.
    @safe @usableFromInline let pointer: UnsafeMutablePointer<RunningIteration>

    @inlinable
    @inline(__always)
    init(_ pointer: UnsafeMutablePointer<RunningIteration>) { self.pointer = unsafe pointer }

    var request: IterationRequest.Reference { pointer.pointee.request }

    /// Begins in a section that only reads, beside others.
    func beginBesideReaders(of set: TableSet) {
      if request.mutatedEnd > 0 { stop(RecursiveLock.readingRefusal) }
      pointer.pointee.isBesideReaders = true
      pointer.pointee.isQuiet = false
      pointer.pointee.tableCount = unsafe set.tables.count
    }

    /// Lets short reads of other threads in until the body calls the context, or the iteration
    /// ends, if it only reads, visits many entities, and is all that goes on.
    // INVARIANT: the body has not run yet, so that nothing has changed that others must not see.
    @inline(never)
    func letReadersIn(to core: Core, _ set: TableSet) {
      guard core.pointer.pointee.lock.isHeldByCurrentThread, core.pointer.pointee.lock.depth == 1,
        pointer.pointee.outer == nil, set.count >= RecursiveLock.longRead
      else { return }
      core.pointer.pointee.lock.letReadersIn()
      // The end looks at what else there is to be done.
      pointer.pointee.isQuiet = false
    }

    /// Notes how many rows of a table have been visited.
    @inlinable
    @inline(__always)
    func note(_ rows: Int) { pointer.pointee.lastRows = rows }
  }
}

/// The values of a table that an iteration has kept before the body changed them.
@safe
struct KeptColumns {
  let table: TablePointer

  /// For each mutated component the values before, if something is to be notified of them; else
  /// empty.
  let old: [ColumnCopy?]

  /// What was noted of the mutated components, for journals or transactions.
  var notes: [ColumnNote]
}

/// The rows of a table that an iteration has been through, and what was kept of them.
@safe
struct VisitedRows {
  let request: IterationRequest.Reference
  let table: TablePointer
  let rows: Int
  let kept: KeptColumns?

  /// What a mutated component was in a row, if that was kept.
  func oldValue(of index: Int, row: Int) -> UnsafeMutableRawPointer? {
    guard let old = kept?.old, index < old.count else { return nil }
    return unsafe old[index]?.place(row)
  }
}

/// The note of a column that an iteration may change, to be completed when that ends.
@safe
struct ColumnNote {
  let note: UndoRecordPointer
  let column: UnsafeMutablePointer<Column>

  /// Whether journals are going to tell it, for which it has room for the values to come.
  var isJournaled: Bool { unsafe note.pointee.cause != UndoRecord.unjournaled }
}
