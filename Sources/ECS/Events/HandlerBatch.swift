/// Observers of a subject that are notified of one kind of changes, in their order, one behind the
/// other in memory.
///
/// They are not retained: it is filled anew when observers have come or gone.
// SAFETY: entries from the first one to the end are initialized, and trivial; the next one and the
// end of the run are among them.
@safe
@usableFromInline
struct HandlerBatch {
  /// An observer in a batch.
  @safe
  @usableFromInline
  struct Entry {
    @usableFromInline let handler: Unmanaged<ChangeHandler>
    let observer: Unmanaged<ChangeObserver>

    /// Where the next run begins.
    var endOfRun: UnsafeMutablePointer<Entry>

    /// The sequence number of the first change that this one and all behind it in the run get.
    var first: UInt64
  }

  /// The entities for which a change has to hold.
  private let scope: ChangeScope

  private var entries = UnsafeMutablePointer<Entry>.allocate(capacity: 0)
  private var capacity = 0
  private var end: UnsafeMutablePointer<Entry>

  /// The next one to be called, and where the run ends that is being called.
  @usableFromInline var next: UnsafeMutablePointer<Entry>
  @usableFromInline var endOfRun: UnsafeMutablePointer<Entry>

  // PERFORMANCE: O5: while the entity is in the table where it was when the first one of a run was
  // called, the change holds for the others, and without a structural change, they are all there.
  @usableFromInline var generation: UInt32 = 0
  @usableFromInline var table: TablePointer?
  @usableFromInline var structuralEpoch = UInt64.max

  init(_ scope: ChangeScope) {
    self.scope = scope
    unsafe end = unsafe entries
    unsafe next = unsafe entries
    unsafe endOfRun = unsafe entries
  }

  @unsafe func deallocate() { unsafe entries.deallocate() }

  /// Puts others into it.
  ///
  /// - Precondition: No walk over it goes on.
  mutating func fill(with observers: [ChangeObserver]) {
    if observers.count > capacity {
      unsafe entries.deallocate()
      capacity = max(4, observers.count, capacity * 2)
      unsafe entries = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
    }
    unsafe end = unsafe entries
    for observer in observers {
      unsafe end.initialize(
        to: Entry(
          handler: Unmanaged.passUnretained(observer.changeHandler),
          observer: Unmanaged.passUnretained(observer), endOfRun: end + 1, first: observer.first))
      unsafe end += 1
    }
    unsafe next = unsafe end
    // From the last one to the first one, since runs are known by their ends.
    for index in observers.indices.dropFirst().reversed() {
      let kind = observers[index].changeHandler.kind
      guard kind != nil, observers[index - 1].changeHandler.kind == kind else { continue }
      unsafe entries[index - 1].endOfRun = unsafe entries[index].endOfRun
      unsafe entries[index - 1].first = unsafe max(entries[index - 1].first, entries[index].first)
    }
  }

  // MARK: Telling

  /// Begins to tell a change.
  @inline(__always)
  mutating func begin() { unsafe next = unsafe entries }

  /// Tells a change in runs, from the next entry on, until a journal is observed.
  @inline(__always)
  static func tellRuns(_ batch: UnsafeMutablePointer<HandlerBatch>, _ change: QueuedChange) {
    while unsafe batch.pointee.next < batch.pointee.end, !change.core.isJournaling {
      unsafe batch.pointee.endOfRun = unsafe batch.pointee.next.pointee.endOfRun
      guard let entry = unsafe batch.pointee.goOn(change, to: batch.pointee.endOfRun) else {
        continue
      }
      unsafe batch.pointee.remember(change, entry)
      // SAFETY: whose observer goes meanwhile is kept by `Core.retire`.
      unsafe entry.pointee.handler._withUnsafeGuaranteedRef { handler in
        unsafe handler.call(change, handler, HandlerRun(batch))
      }
    }
  }

  /// The next one that a change is to be delivered to, by itself.
  // SAFETY: an observer that goes meanwhile is kept by `Core.retire`.
  mutating func nextAlone(_ change: QueuedChange) -> Unmanaged<ChangeObserver>? {
    unsafe goOn(change, to: end)?.pointee.observer
  }

  /// Goes to the next one before an entry that a change is to be delivered to.
  @inline(__always)
  fileprivate mutating func goOn(
    _ change: QueuedChange, to limit: UnsafeMutablePointer<Entry>
  ) -> UnsafeMutablePointer<Entry>? {
    while unsafe next < limit {
      let entry = unsafe next
      unsafe next = unsafe entry + 1
      // SAFETY: an observer that goes while the batch is walked over is kept by `Core.retire`.
      let isThere = unsafe entry.pointee.observer._withUnsafeGuaranteedRef { observer in
        observer.first <= change.sequence && observer.isActive
      }
      if isThere, change.isCurrent(for: scope) { return unsafe entry }
    }
    return nil
  }

  /// Notes how things stand when the first one of a run is about to be called.
  @inline(__always)
  private mutating func remember(_ change: QueuedChange, _ entry: UnsafeMutablePointer<Entry>) {
    let core = change.core
    // SAFETY: the slot of a change's entity is below `recordCount`.
    let record = unsafe core.pointer.pointee.slots.records + Int(change.handle.index)
    generation = unsafe record.pointee.generation
    unsafe table = unsafe record.pointee.table
    structuralEpoch =
      unsafe entry.pointee.first <= change.sequence ? core.pointer.pointee.tables.epoch : .max
  }

  /// Whether all is as it was when the first one of the run was called: then the next one is there,
  /// too, and the change holds for it.
  @inlinable
  @inline(__always)
  func nothingHappened(to change: QueuedChange) -> Bool {
    let core = change.core
    // SAFETY: as in `remember`.
    let record = unsafe core.pointer.pointee.slots.records + Int(change.handle.index)
    return unsafe record.pointee.table == table && record.pointee.generation == generation
      && core.pointer.pointee.tables.epoch == structuralEpoch
  }
}

/// Handlers that come behind one that is being called, and have its kind.
@safe
@usableFromInline
struct HandlerRun: BitwiseCopyable {
  // SAFETY: INVARIANT: the batch is there as long as the call lasts that is given the run.
  @safe @usableFromInline let batch: UnsafeMutablePointer<HandlerBatch>?

  fileprivate init(_ batch: UnsafeMutablePointer<HandlerBatch>?) { self.batch = unsafe batch }

  /// No handlers.
  static var none: HandlerRun { unsafe HandlerRun(nil) }

  /// Visits those that a change is to be delivered to.
  @inlinable
  @inline(__always)
  func walk(_ change: QueuedChange, _ body: (ChangeHandler) -> Void) {
    guard let batch = batch else { return }
    while unsafe batch.pointee.next < batch.pointee.endOfRun {
      let handler: Unmanaged<ChangeHandler>
      if unsafe batch.pointee.nothingHappened(to: change) {
        unsafe handler = unsafe batch.pointee.next.pointee.handler
        unsafe batch.pointee.next += 1
      } else {
        guard let next = unsafe HandlerRun.next(batch, change) else { return }
        unsafe handler = unsafe next
      }
      // SAFETY: whose observer goes meanwhile is kept by `Core.retire`.
      unsafe handler._withUnsafeGuaranteedRef(body)
    }
  }

  /// The next one that a change is to be delivered to.
  @usableFromInline
  @inline(never)
  static func next(
    _ batch: UnsafeMutablePointer<HandlerBatch>, _ change: QueuedChange
  ) -> Unmanaged<ChangeHandler>? {
    // Journals learn which of them makes changes: they are called one by one, from now on.
    if change.core.isJournaling { return nil }
    return unsafe batch.pointee.goOn(change, to: batch.pointee.endOfRun)?.pointee.handler
  }
}
