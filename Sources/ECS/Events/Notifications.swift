/// The notifications of observers: queued with their values while changes are made, delivered when
/// the outermost change ends.
@frozen
@usableFromInline
struct Notifications {
  @usableFromInline let core: Core

  @inlinable
  @inline(__always)
  init(_ core: Core) { self.core = core }
}

extension Core {
  /// The notifications of observers.
  @inlinable
  @inline(__always)
  var notifications: Notifications { Notifications(self) }
}

extension Notifications {
  /// The addresses to which the values of a queued change are to be copied.
  @safe
  @usableFromInline
  struct ValueAddresses {
    @usableFromInline let old: UnsafeMutableRawPointer
    @usableFromInline let new: UnsafeMutableRawPointer
  }

  /// Whether there is a target of a change, which has to be queued.
  @usableFromInline
  func wantsValues(_ list: NoticeListPointer?, _ handle: Handle) -> Bool {
    unsafe list?.pointee.isEmpty == false || isObserved(handle.index)
  }

  @usableFromInline
  func isObserved(_ index: UInt32) -> Bool {
    core.pointer.pointee.observed.count > 0 && core.pointer.pointee.observed[index] != .none
  }

  /// Queues a change of one component; nil if there is nothing to notify.
  ///
  /// The caller copies the values to their addresses, those that the flags tell of.
  @inline(never)
  func queue(
    _ kind: ReactionKind, _ handle: Handle, _ cid: CID,
    _ list: NoticeListPointer?, _ flags: ChangeEvent.Flags
  ) -> ValueAddresses? {
    let own = unsafe markObserved(handle)
    guard unsafe own != nil || list?.pointee.isEmpty == false else { return nil }
    let stride = cid.pointer.pointee.stride
    let alignment = cid.pointer.pointee.alignment
    let record = unsafe core.pointer.pointee.events.queue.append(
      handle, cid, cid.pointer.pointee.isTrivial ? flags : flags.union(.mustEnd), to: own, kind,
      and: list, valueSize: ChangeEvent.sizeOfValues(stride: stride, alignment: alignment))
    core.pointer.pointee.section.pending.insert(.notifications)
    let first = unsafe record.firstValue(alignment: alignment)
    return unsafe ValueAddresses(old: first, new: flags.contains(.hasOld) ? first + stride : first)
  }

  /// Queues that a component was replaced, while no value is moved out; nil if there is
  /// nothing to notify.
  ///
  /// The caller copies the old and the new value to the address that is returned, one behind the
  /// other.
  @usableFromInline
  @inline(never)
  func queueReplacement(
    _ handle: Handle, _ edge: UnsafeMutablePointer<Edge>, valueSize: Int
  ) -> UnsafeMutableRawPointer? {
    guard core.pointer.pointee.observed.count == 0, let list = unsafe edge.pointee.replaceNotices,
      let prototype = unsafe list.pointee.prototype
    else { return unsafe queueObservedReplacement(handle, edge, valueSize) }
    core.pointer.pointee.section.pending.insert(.notifications)
    return unsafe core.pointer.pointee.events.queue.append(handle, like: prototype).rest
  }

  @inline(never)
  private func queueObservedReplacement(
    _ handle: Handle, _ edge: UnsafeMutablePointer<Edge>, _ valueSize: Int
  ) -> UnsafeMutableRawPointer? {
    let own = unsafe markObserved(handle)
    let list = unsafe edge.pointee.replaceNotices
    guard let cid = unsafe edge.pointee.cid,
      unsafe own != nil || list?.pointee.isEmpty == false
    else { return nil }
    let record = unsafe core.pointer.pointee.events.queue.append(
      handle, cid,
      cid.pointer.pointee.isTrivial ? [.hasOld, .hasNew] : [.hasOld, .hasNew, .mustEnd], to: own,
      .updated, and: list, valueSize: valueSize)
    core.pointer.pointee.section.pending.insert(.notifications)
    return unsafe record.rest
  }

  /// Queues the creation or the destruction of an entity, with copies of its values.
  @inline(never)
  func queue(
    _ kind: ReactionKind, _ handle: Handle, inRow row: Int, of table: TablePointer,
    _ list: NoticeListPointer?
  ) {
    if unsafe queuePlain(handle, inRow: row, of: table, list) { return }
    unsafe queueObserved(kind, handle, inRow: row, of: table, list)
  }

  /// Queues the creation or the destruction of an entity, with copies of its values; false, having
  /// done nothing, if it may be observed, or closures may have values.
  @inline(__always)
  func queuePlain(
    _ handle: Handle, inRow row: Int, of table: TablePointer, _ list: NoticeListPointer?
  ) -> Bool {
    guard core.pointer.pointee.observed.count == 0, core.pointer.pointee.taken.count == 0,
      let list = unsafe list, let prototype = unsafe list.pointee.prototype
    else { return false }
    core.pointer.pointee.section.pending.insert(.notifications)
    let record = unsafe core.pointer.pointee.events.queue.append(handle, like: prototype)
    if prototype.offsetOfSingleValue > 0 {
      // SAFETY: the table has one column, of values of 8 bytes, and the record has room for one
      // there.
      unsafe (UnsafeMutableRawPointer(record) + prototype.offsetOfSingleValue)
        .copyMemory(from: table.pointee.columns.pointee.base + row &* 8, byteCount: 8)
    } else if unsafe record.pointee.flags.hasValues {
      unsafe copyValues(ofRow: row, of: table, to: record)
    }
    return true
  }

  /// Copies all values of an entity to the record of its creation or its end.
  @inline(never)
  private func copyValues(ofRow row: Int, of table: TablePointer, to record: ChangeEventPointer) {
    // SAFETY: the record has room for copies of all values of the table, which are initialized.
    var address = unsafe record.valuesOfEntity
    var column = unsafe table.pointee.columns
    let end = unsafe column + table.pointee.columnCount
    while unsafe column < end {
      let cid = unsafe column.pointee.cid
      unsafe address = address.alignedUp(toMultipleOf: cid.pointer.pointee.alignment)
      unsafe cid.copyValue(to: address, from: column.pointee.place(row))
      unsafe address += column.pointee.stride
      unsafe column += 1
    }
  }

  /// Queues the creation or the destruction of an entity that may be observed, or of which closures
  /// may have values.
  @inline(never)
  private func queueObserved(
    _ kind: ReactionKind, _ handle: Handle, inRow row: Int, of table: TablePointer,
    _ list: NoticeListPointer?
  ) {
    let isEnd = kind == .removed
    // An observer that an entity has when it comes to life, as an iteration ends, began when it was
    // there.
    let own = unsafe isEnd ? markObserved(handle) : nil
    guard unsafe own != nil || list?.pointee.isEmpty == false else { return }
    var flags: ChangeEvent.Flags = isEnd ? .isEnd : []
    let isWanted = unsafe own != nil || list?.pointee.wantsValues == true
    var count = unsafe isWanted ? table.pointee.columnCount : 0
    // What a closure has at this moment, nothing else can be given.
    let mayBeOut = core.pointer.pointee.taken.count > 0
    if mayBeOut {
      count = (0..<count).count {
        unsafe !core.exclusivity.isOut(table.pointee.columns[$0].cid, handle)
      }
    }
    if count > 0 {
      flags.insert(isEnd ? .hasOld : .hasNew)
      if unsafe !table.pointee.isTrivial { flags.insert(.mustEnd) }
    }
    let record = unsafe core.pointer.pointee.events.queue.append(
      handle, nil, flags, to: own, kind, and: list, typeCount: count,
      valueSize: count > 0 ? table.pointee.valueSize : 0)
    core.pointer.pointee.section.pending.insert(.notifications)
    if count == 0 { return }
    var type = unsafe record.types
    var address = unsafe record.valuesOfEntity
    for index in unsafe 0..<table.pointee.columnCount {
      let column = unsafe table.pointee.columns + index
      let cid = unsafe column.pointee.cid
      if mayBeOut, core.exclusivity.isOut(cid, handle) { continue }
      unsafe address = address.alignedUp(toMultipleOf: cid.pointer.pointee.alignment)
      // SAFETY: the record has room for so many types and values; those in the columns are
      // initialized.
      unsafe type.initialize(to: cid)
      unsafe cid.copyValue(to: address, from: column.pointee.place(row))
      unsafe type += 1
      unsafe address += column.pointee.stride
    }
  }

  /// Marks an entity as changed for observers of it as a whole.
  ///
  /// Returns the target of the change itself.
  func markObserved(_ handle: Handle) -> Unmanaged<EventSubscriber>? {
    guard core.pointer.pointee.observed.count > 0 else { return nil }
    let observed = core.pointer.pointee.observed[handle.index]
    // SAFETY: the target of an entity is noted for no longer than it lives: see `ObservedEntity`.
    guard let target = unsafe observed.target else { return nil }
    if observed.wantsMarks { unsafe target._withUnsafeGuaranteedRef { $0.mark() } }
    return unsafe observed.wantsChanges ? target : nil
  }

  // MARK: Targets

  /// Sets the subscriber of an entity, or none.
  func setObserver(_ observed: ObservedEntity, of handle: Handle) {
    let index = handle.index
    switch (core.pointer.pointee.observed[index] == .none, observed == .none) {
    case (true, true): return
    case (true, false): core.pointer.pointee.observed.insert(index, observed)
    case (false, true): core.pointer.pointee.observed.remove(index)
    case (false, false): core.pointer.pointee.observed.update(index, observed)
    }
  }

  // MARK: Delivering

  /// Puts a target into the queue that is to be notified once that something changed.
  func queueMark(of target: EventSubscriber) {
    core.pointer.pointee.events.queue.appendMark(of: target)
    core.pointer.pointee.section.pending.insert(.notifications)
  }

  /// The sequence number of the next change.
  var nextSequence: UInt64 { core.pointer.pointee.events.queue.nextSequence }

  /// Tells of all that waits: of single changes first, and then of what changed as a whole, until
  /// there is no more; of what is beyond the limit, nothing is notified.
  func deliver(notingDropped note: ([String]) -> Void) {
    while true {
      deliverChanges(notingDropped: note)
      guard let (target, round) = core.pointer.pointee.events.queue.popMark() else { break }
      if core.pointer.pointee.events.queue.noteDelivery(ofRound: round) {
        note(target.dropMark())
      } else {
        target.deliverMark()
      }
    }
    core.pointer.pointee.events.queue.endDelivery()
  }

  /// Counts rounds of observers anew.
  func endRounds() { core.pointer.pointee.events.queue.endRounds() }

  /// Lets nothing be notified of what follows in the present outermost change.
  func stopRounds() { core.pointer.pointee.events.queue.stopRounds() }

  var areRoundsStopped: Bool { core.pointer.pointee.events.queue.areRoundsStopped }

  private func deliverChanges(notingDropped note: ([String]) -> Void) {
    let looksAhead = core.pointer.pointee.observed.count >= DeliveryLookahead.smallestAudience
    var lookahead = DeliveryLookahead()
    while let (record, sequence) = unsafe core.pointer.pointee.events.queue.first() {
      if looksAhead { lookahead.advance(in: core.pointer.pointee.events.queue.window) }
      let (round, count) = unsafe (record.pointee.round, record.pointee.targetCount)
      let isUnlimited = core.pointer.pointee.events.queue.isUnlimited(round, targetCount: count)
      var target = unsafe record.targets
      let end = unsafe target + Int(count)
      while unsafe target < end {
        // SAFETY: INVARIANT: targets that go while changes wait for them are retired.
        let change = unsafe QueuedChange(core, record, target.pointee.kind, sequence)
        if isUnlimited || !core.pointer.pointee.events.queue.noteDelivery(ofRound: round) {
          unsafe target.pointee.target._withUnsafeGuaranteedRef { $0.deliver(change) }
        } else {
          unsafe note(target.pointee.target._withUnsafeGuaranteedRef { $0.drop(change) })
        }
        unsafe target += 1
      }
      endFirst()
    }
  }

  /// Ends the values of the change that was delivered to all targets: the oldest one, or if its
  /// target went on by itself, the last one to which that came.
  @inline(__always)
  private func endFirst() {
    if core.pointer.pointee.events.queue.hasValues {
      core.pointer.pointee.events.queue.endKeptValues()?.empty()
    }
    guard let record = unsafe core.pointer.pointee.events.queue.first()?.record else { return }
    if unsafe record.pointee.flags.contains(.mustEnd) { unsafe keepDeliveredValues(of: record) }
    core.pointer.pointee.events.queue.removeFirst()
  }

  /// Keeps values that observers were notified of until the lock is free.
  ///
  /// They may be the last copies, and their ends run code of the user's.
  func keepDeliveredValues(of record: ChangeEventPointer) {
    core.pointer.pointee.section.pending.insert(.retired)
    unsafe record.forEachValue { cid, address, _ in
      // SAFETY: the value is initialized, and the record is given up.
      if !cid.pointer.pointee.isTrivial {
        unsafe core.pointer.pointee.events.pendingRelease.append(cid.pointer.pointee.take(address))
      }
    }
  }

  var maximumRounds: Int {
    get { core.pointer.pointee.events.queue.maximumRounds }
    nonmutating set { core.pointer.pointee.events.queue.maximumRounds = newValue }
  }

  /// The sequence number of the last mark of something that is observed as a whole.
  var lastMark: UInt64 { core.pointer.pointee.events.queue.lastMark }

  /// Counts a mark of something that is observed as a whole.
  func countMark() -> UInt64 {
    core.pointer.pointee.events.queue.lastMark += 1
    return core.pointer.pointee.events.queue.lastMark
  }

  /// Copies of the values of a change that is being delivered, for those that keep it.
  func keptValues(of change: QueuedChange) -> ChangeValues? {
    unsafe core.pointer.pointee.events.queue.keptValues(of: change.record)
  }

  /// Queues that a component was replaced; nil if there is nothing to notify.
  @usableFromInline
  func queueReplacement(
    _ handle: Handle, _ edge: UnsafeMutablePointer<Edge>, hasOld: Bool
  ) -> ValueAddresses? {
    let list = unsafe edge.pointee.replaceNotices
    // PERFORMANCE: J1: nothing is notified of most.
    guard unsafe list != nil || core.pointer.pointee.observed.count > 0,
      let cid = unsafe edge.pointee.cid
    else { return nil }
    return unsafe queue(
      .updated, handle, cid, list, hasOld ? [.hasOld, .hasNew] : .hasNew)
  }
}
