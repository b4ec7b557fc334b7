// Changes that observers are to be notified of: queued with their values while they are made,
// delivered when the outermost change ends.
extension Core {
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
    pointer.pointee.observed.count > 0 && pointer.pointee.observed[index] != .none
  }

  /// Queues a change of one component; nil if there is nothing to notify.
  ///
  /// The caller copies the values to their addresses, those that the flags tell of.
  @inline(never)
  func queueChange(
    _ kind: ReactionKind, _ handle: Handle, _ cid: CID,
    _ list: NoticeListPointer?, _ flags: ChangeEvent.Flags
  ) -> ValueAddresses? {
    let own = unsafe markObserved(handle)
    guard unsafe own != nil || list?.pointee.isEmpty == false else { return nil }
    let stride = cid.pointer.pointee.stride
    let alignment = cid.pointer.pointee.alignment
    let record = unsafe pointer.pointee.events.queue.append(
      handle, cid, cid.pointer.pointee.isTrivial ? flags : flags.union(.mustEnd), to: own, kind,
      and: list, valueSize: ChangeEvent.sizeOfValues(stride: stride, alignment: alignment))
    pointer.pointee.section.pending.insert(.notifications)
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
    guard pointer.pointee.observed.count == 0, let list = unsafe edge.pointee.replaceNotices,
      let prototype = unsafe list.pointee.prototype
    else { return unsafe queueObservedReplacement(handle, edge, valueSize) }
    pointer.pointee.section.pending.insert(.notifications)
    return unsafe pointer.pointee.events.queue.append(handle, like: prototype).rest
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
    let record = unsafe pointer.pointee.events.queue.append(
      handle, cid,
      cid.pointer.pointee.isTrivial ? [.hasOld, .hasNew] : [.hasOld, .hasNew, .mustEnd], to: own,
      .updated, and: list, valueSize: valueSize)
    pointer.pointee.section.pending.insert(.notifications)
    return unsafe record.rest
  }

  /// Queues the creation or the destruction of an entity, with copies of its values.
  @inline(never)
  func queueChange(
    _ kind: ReactionKind, _ handle: Handle, inRow row: Int, of table: TablePointer,
    _ list: NoticeListPointer?
  ) {
    if unsafe queuePlainChange(handle, inRow: row, of: table, list) { return }
    unsafe queueObservedChange(kind, handle, inRow: row, of: table, list)
  }

  /// Queues the creation or the destruction of an entity, with copies of its values; false, having
  /// done nothing, if it may be observed, or closures may have values.
  @inline(__always)
  func queuePlainChange(
    _ handle: Handle, inRow row: Int, of table: TablePointer, _ list: NoticeListPointer?
  ) -> Bool {
    guard pointer.pointee.observed.count == 0, pointer.pointee.taken.count == 0,
      let list = unsafe list, let prototype = unsafe list.pointee.prototype
    else { return false }
    pointer.pointee.section.pending.insert(.notifications)
    let record = unsafe pointer.pointee.events.queue.append(handle, like: prototype)
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
  private func queueObservedChange(
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
    let mayBeOut = pointer.pointee.taken.count > 0
    if mayBeOut {
      count = (0..<count).count { unsafe !exclusivity.isOut(table.pointee.columns[$0].cid, handle) }
    }
    if count > 0 {
      flags.insert(isEnd ? .hasOld : .hasNew)
      if unsafe !table.pointee.isTrivial { flags.insert(.mustEnd) }
    }
    let record = unsafe pointer.pointee.events.queue.append(
      handle, nil, flags, to: own, kind, and: list, typeCount: count,
      valueSize: count > 0 ? table.pointee.valueSize : 0)
    pointer.pointee.section.pending.insert(.notifications)
    if count == 0 { return }
    var type = unsafe record.types
    var address = unsafe record.valuesOfEntity
    for index in unsafe 0..<table.pointee.columnCount {
      let column = unsafe table.pointee.columns + index
      let cid = unsafe column.pointee.cid
      if mayBeOut, exclusivity.isOut(cid, handle) { continue }
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
    guard pointer.pointee.observed.count > 0 else { return nil }
    let observed = pointer.pointee.observed[handle.index]
    // SAFETY: the target of an entity is noted for no longer than it lives: see `ObservedEntity`.
    guard let target = unsafe observed.target else { return nil }
    if observed.wantsMarks { unsafe target._withUnsafeGuaranteedRef { $0.mark() } }
    return unsafe observed.wantsChanges ? target : nil
  }

  // MARK: Targets

  /// Sets the subscriber of an entity, or none.
  func setObserver(_ observed: ObservedEntity, of handle: Handle) {
    let index = handle.index
    switch (pointer.pointee.observed[index] == .none, observed == .none) {
    case (true, true): return
    case (true, false): pointer.pointee.observed.insert(index, observed)
    case (false, true): pointer.pointee.observed.remove(index)
    case (false, false): pointer.pointee.observed.update(index, observed)
    }
  }

  // MARK: Delivering

  /// Puts a target into the queue that is to be notified once that something changed.
  func queueMark(of target: EventSubscriber) {
    pointer.pointee.events.queue.appendMark(of: target)
    pointer.pointee.section.pending.insert(.notifications)
  }

  /// The sequence number of the next change.
  var nextChangeSequence: UInt64 { pointer.pointee.events.queue.nextSequence }

  /// Tells of all that waits: of single changes first, and then of what changed as a whole, until
  /// there is no more; of what is beyond the limit, nothing is notified.
  func deliverQueue(notingDropped note: ([String]) -> Void) {
    while true {
      deliverChanges(notingDropped: note)
      guard let (target, round) = pointer.pointee.events.queue.popMark() else { break }
      if pointer.pointee.events.queue.noteDelivery(ofRound: round) {
        note(target.dropMark())
      } else {
        target.deliverMark()
      }
    }
    pointer.pointee.events.queue.endDelivery()
  }

  /// Counts rounds of observers anew.
  func endRounds() { pointer.pointee.events.queue.endRounds() }

  /// Lets nothing be notified of what follows in the present outermost change.
  func stopRounds() { pointer.pointee.events.queue.stopRounds() }

  var areRoundsStopped: Bool { pointer.pointee.events.queue.areRoundsStopped }

  private func deliverChanges(notingDropped note: ([String]) -> Void) {
    let looksAhead = pointer.pointee.observed.count >= DeliveryLookahead.smallestAudience
    var lookahead = DeliveryLookahead()
    while let (record, sequence) = unsafe pointer.pointee.events.queue.first() {
      if looksAhead { lookahead.advance(in: pointer.pointee.events.queue.window) }
      let (round, count) = unsafe (record.pointee.round, record.pointee.targetCount)
      let isUnlimited = pointer.pointee.events.queue.isUnlimited(round, targetCount: count)
      var target = unsafe record.targets
      let end = unsafe target + Int(count)
      while unsafe target < end {
        // SAFETY: INVARIANT: targets that go while changes wait for them are retired.
        let change = unsafe QueuedChange(self, record, target.pointee.kind, sequence)
        if isUnlimited || !pointer.pointee.events.queue.noteDelivery(ofRound: round) {
          unsafe target.pointee.target._withUnsafeGuaranteedRef { $0.deliver(change) }
        } else {
          unsafe note(target.pointee.target._withUnsafeGuaranteedRef { $0.drop(change) })
        }
        unsafe target += 1
      }
      endFirstChange()
    }
  }

  /// Ends the values of the change that was delivered to all targets: the oldest one, or if its
  /// target went on by itself, the last one to which that came.
  @inline(__always)
  private func endFirstChange() {
    if pointer.pointee.events.queue.hasValues {
      pointer.pointee.events.queue.endKeptValues()?.empty()
    }
    guard let record = unsafe pointer.pointee.events.queue.first()?.record else { return }
    if unsafe record.pointee.flags.contains(.mustEnd) { unsafe keepDeliveredValues(of: record) }
    pointer.pointee.events.queue.removeFirst()
  }

  /// Keeps values that observers were notified of until the lock is free.
  ///
  /// They may be the last copies, and their ends run code of the user's.
  func keepDeliveredValues(of record: ChangeEventPointer) {
    pointer.pointee.section.pending.insert(.retired)
    unsafe record.forEachValue { cid, address, _ in
      // SAFETY: the value is initialized, and the record is given up.
      if !cid.pointer.pointee.isTrivial {
        unsafe pointer.pointee.events.pendingRelease.append(cid.pointer.pointee.take(address))
      }
    }
  }

  var maximumRounds: Int {
    get { pointer.pointee.events.queue.maximumRounds }
    nonmutating set { pointer.pointee.events.queue.maximumRounds = newValue }
  }

  /// The sequence number of the last mark of something that is observed as a whole.
  var lastMark: UInt64 { pointer.pointee.events.queue.lastMark }

  /// Counts a mark of something that is observed as a whole.
  func countMark() -> UInt64 {
    pointer.pointee.events.queue.lastMark += 1
    return pointer.pointee.events.queue.lastMark
  }

  /// Copies of the values of a change that is being delivered, for those that keep it.
  func keptValues(of change: QueuedChange) -> ChangeValues? {
    unsafe pointer.pointee.events.queue.keptValues(of: change.record)
  }
}
