/// Observers of a subject that are notified of one kind of changes, in their order, one behind the
/// other in memory.
///
/// They are not retained: it is filled anew when observers have come or gone.
// SAFETY: places from the first one to the end are initialized, and trivial; the next one and the
// end of the run are among them.
@safe
@usableFromInline
struct HandlerBatch {
  /// An observer in a pack.
  @safe
  @usableFromInline
  struct Place {
    @usableFromInline let handler: Unmanaged<ChangeHandler>
    let observer: Unmanaged<ChangeObserver>

    /// Where the next run begins.
    var endOfRun: UnsafeMutablePointer<Place>

    /// The number of the first change that this one and those of its run behind it all get.
    var first: UInt64
  }

  /// The entities for which a change has to hold.
  private let scope: ChangeScope

  private var places = UnsafeMutablePointer<Place>.allocate(capacity: 0)
  private var capacity = 0
  private var end: UnsafeMutablePointer<Place>

  /// The next one to be called, and where the run ends that is being called.
  @usableFromInline var next: UnsafeMutablePointer<Place>
  @usableFromInline var endOfRun: UnsafeMutablePointer<Place>

  // PERFORMANCE: O5: while the entity is in the table where it was when the first one of a run was
  // called, the change holds for the others, and without a structural change, they are all there.
  @usableFromInline var generation: UInt32 = 0
  @usableFromInline var table: TablePointer?
  @usableFromInline var structuralEpoch = UInt64.max

  init(_ scope: ChangeScope) {
    self.scope = scope
    unsafe end = unsafe places
    unsafe next = unsafe places
    unsafe endOfRun = unsafe places
  }

  @unsafe func deallocate() { unsafe places.deallocate() }

  /// Puts others into it.
  ///
  /// - Precondition: No walk over it goes on.
  mutating func fill(with observers: [ChangeObserver]) {
    if observers.count > capacity {
      unsafe places.deallocate()
      capacity = max(4, observers.count, capacity * 2)
      unsafe places = UnsafeMutablePointer<Place>.allocate(capacity: capacity)
    }
    unsafe end = unsafe places
    for observer in observers {
      unsafe end.initialize(
        to: Place(
          handler: Unmanaged.passUnretained(observer.changeHandler),
          observer: Unmanaged.passUnretained(observer), endOfRun: end + 1, first: observer.first))
      unsafe end += 1
    }
    unsafe next = unsafe end
    // From the last one to the first one, since runs are known by their ends.
    for number in observers.indices.dropFirst().reversed() {
      let kind = observers[number].changeHandler.kind
      guard kind != nil, observers[number - 1].changeHandler.kind == kind else { continue }
      unsafe places[number - 1].endOfRun = unsafe places[number].endOfRun
      unsafe places[number - 1].first = unsafe max(places[number - 1].first, places[number].first)
    }
  }

  // MARK: Telling

  /// Begins to tell a change.
  @inline(__always)
  mutating func begin() { unsafe next = unsafe places }

  /// Tells a change in runs, from the next place on, until a journal is observed.
  @inline(__always)
  static func tellRuns(_ pack: UnsafeMutablePointer<HandlerBatch>, _ change: QueuedChange) {
    while unsafe pack.pointee.next < pack.pointee.end, !change.core.isJournaling {
      unsafe pack.pointee.endOfRun = unsafe pack.pointee.next.pointee.endOfRun
      guard let place = unsafe pack.pointee.goOn(change, to: pack.pointee.endOfRun) else {
        continue
      }
      unsafe pack.pointee.remember(change, place)
      // SAFETY: whose observer goes meanwhile is kept by `Core.retire`.
      unsafe place.pointee.handler._withUnsafeGuaranteedRef { handler in
        unsafe handler.call(change, handler, HandlerRun(pack))
      }
    }
  }

  /// The next one that a change is to be delivered to, by itself.
  // SAFETY: an observer that goes meanwhile is kept by `Core.retire`.
  mutating func nextAlone(_ change: QueuedChange) -> Unmanaged<ChangeObserver>? {
    unsafe goOn(change, to: end)?.pointee.observer
  }

  /// Goes to the next one before a place that a change is to be delivered to.
  @inline(__always)
  fileprivate mutating func goOn(
    _ change: QueuedChange, to limit: UnsafeMutablePointer<Place>
  ) -> UnsafeMutablePointer<Place>? {
    while unsafe next < limit {
      let place = unsafe next
      unsafe next = unsafe place + 1
      // SAFETY: an observer that goes while the pack is walked over is kept by `Core.retire`.
      let isThere = unsafe place.pointee.observer._withUnsafeGuaranteedRef { observer in
        observer.first <= change.number && observer.isActive
      }
      if isThere, change.isCurrent(for: scope) { return unsafe place }
    }
    return nil
  }

  /// Notes how things stand when the first one of a run is about to be called.
  @inline(__always)
  private mutating func remember(_ change: QueuedChange, _ place: UnsafeMutablePointer<Place>) {
    let core = change.core
    // SAFETY: the slot of a change's entity is below `recordCount`.
    let record = unsafe core.pointer.pointee.slots.records + Int(change.handle.index)
    generation = unsafe record.pointee.generation
    unsafe table = unsafe record.pointee.table
    structuralEpoch =
      unsafe place.pointee.first <= change.number ? core.pointer.pointee.tables.epoch : .max
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
  // SAFETY: INVARIANT: the pack is there as long as the call lasts that is given the run.
  @safe @usableFromInline let pack: UnsafeMutablePointer<HandlerBatch>?

  fileprivate init(_ pack: UnsafeMutablePointer<HandlerBatch>?) { self.pack = unsafe pack }

  /// No handlers.
  static var none: HandlerRun { unsafe HandlerRun(nil) }

  /// Visits those that a change is to be delivered to.
  @inlinable
  @inline(__always)
  func walk(_ change: QueuedChange, _ body: (ChangeHandler) -> Void) {
    guard let pack = pack else { return }
    while unsafe pack.pointee.next < pack.pointee.endOfRun {
      let handler: Unmanaged<ChangeHandler>
      if unsafe pack.pointee.nothingHappened(to: change) {
        unsafe handler = unsafe pack.pointee.next.pointee.handler
        unsafe pack.pointee.next += 1
      } else {
        guard let next = unsafe HandlerRun.next(pack, change) else { return }
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
    _ pack: UnsafeMutablePointer<HandlerBatch>, _ change: QueuedChange
  ) -> Unmanaged<ChangeHandler>? {
    // Journals learn which of them makes changes: they are called one by one, from now on.
    if change.core.isJournaling { return nil }
    return unsafe pack.pointee.goOn(change, to: pack.pointee.endOfRun)?.pointee.handler
  }
}
