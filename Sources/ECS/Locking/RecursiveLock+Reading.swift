public import CPlatform
public import Synchronization

/// The turn of a thread that reads: a slot among readers, or the lock.
@safe
@frozen
@usableFromInline
struct ReadTurn {
  /// nil if the thread has the lock.
  // INVARIANT: an initialized atomic that is never freed.
  @usableFromInline let slot: ReaderSlots.Pointer?

  @inlinable
  init(_ slot: ReaderSlots.Pointer?) { unsafe self.slot = slot }

  @inlinable
  static var exclusive: ReadTurn { unsafe ReadTurn(nil) }

  /// Whether the thread has the lock.
  var isExclusive: Bool { unsafe slot == nil }
}

// Reads that call no code of others, and that can therefore neither call the context nor last for
// long.
extension RecursiveLock {
  /// Takes the lock, which this thread does not have, or a slot among the readers that share it.
  ///
  /// Doesn't count: nothing asks how deep a read is.
  @inlinable
  @inline(__always)
  func acquireToRead() -> ReadTurn {
    let me = ThreadIdentity.current
    if _fastPath(state.load(ordering: .relaxed) == 0) {
      let (exchanged, _) = state.compareExchange(
        expected: 0, desired: me, successOrdering: .acquiring, failureOrdering: .relaxed)
      if _fastPath(exchanged) { return .exclusive }
    } else if let turn = shareOwnSlot(me) {
      return turn
    }
    return waitToRead(me)
  }

  /// Takes the slot among readers that this thread was the last to use; nil if there is none, or
  /// the lock is not shared.
  // PERFORMANCE: UT: inlined. With a call, and a second word for the last reader, a shared read
  // took a third longer.
  @inlinable
  @inline(__always)
  func shareOwnSlot(_ me: UInt) -> ReadTurn? {
    guard state.load(ordering: .acquiring) == RecursiveLock.shared,
      let slots = unsafe ReaderSlots(readers.load(ordering: .acquiring)),
      let slot = unsafe slots.takeOwn(for: me)
    else { return nil }
    return unsafe stay(in: slot)
  }

  /// Gives back what ``acquireToRead()`` took.
  @inlinable
  @inline(__always)
  func endReading(_ turn: ReadTurn) {
    if let slot = unsafe turn.slot { unsafe leave(slot) } else { releaseOutermost() }
  }

  /// Leaves a slot among readers, which stays this thread's until another one needs it.
  @inlinable
  @inline(__always)
  func leave(_ slot: ReaderSlots.Pointer) {
    c_finish_copies()
    // SAFETY: the slot is that of this thread, and slots are never freed.
    unsafe slot.pointee.store(ThreadIdentity.current, ordering: .releasing)
  }

  @usableFromInline
  @inline(never)
  func waitToRead(_ me: UInt) -> ReadTurn {
    // The lock is this thread's to read already, whichever thread waits for it.
    if takeBack() || RunningReading.of(self) != nil { return unsafe ReadTurn(ReaderSlots.unused) }
    return announce(me) ?? wait(me, for: .read)
  }

  /// Takes a slot among readers; nil if the lock is not shared or open, or too many share it.
  // INVARIANT: a reader takes its slot before it looks whether the lock is shared, and a thread
  // that wants the lock for itself takes that from the readers before it looks for them. All of
  // this is in one order, so one of the two sees the other.
  func announce(_ me: UInt) -> ReadTurn? {
    guard RecursiveLock.admitsReaders(state.load(ordering: .relaxed)),
      let slot = unsafe slots.take(for: me)
    else { return nil }
    if RecursiveLock.admitsReaders(state.load(ordering: .sequentiallyConsistent)) {
      return unsafe ReadTurn(slot)
    }
    unsafe leave(slot)
    return nil
  }

  private static func admitsReaders(_ state: UInt) -> Bool { state == shared || state & open != 0 }

  /// The slots, made if there are none yet.
  private var slots: ReaderSlots {
    if let slots = unsafe ReaderSlots(readers.load(ordering: .acquiring)) { return slots }
    let made = unsafe ReaderSlots.make()
    let (exchanged, first) = unsafe readers.compareExchange(
      expected: nil, desired: made, ordering: .sequentiallyConsistent)
    if !exchanged { unsafe made.deallocate() }
    return unsafe ReaderSlots(exchanged ? made : first ?? made)
  }

  /// Stays in the slot that this thread has taken, or leaves it if the lock is not shared by now.
  @inlinable
  @inline(__always)
  func stay(in slot: ReaderSlots.Pointer) -> ReadTurn? {
    if state.load(ordering: .sequentiallyConsistent) == RecursiveLock.shared {
      return unsafe ReadTurn(slot)
    }
    unsafe leave(slot)
    return nil
  }

  /// Gives the lock from its owner to readers, of which the owner is one.
  func share(_ me: UInt) -> ReadTurn {
    guard let slot = unsafe slots.take(for: me) else { return .exclusive }
    // Not if a thread has begun to wait: that would be forgotten.
    let (exchanged, _) = state.compareExchange(
      expected: me, desired: RecursiveLock.shared, successOrdering: .releasing,
      failureOrdering: .relaxed)
    if exchanged { return unsafe ReadTurn(slot) }
    unsafe leave(slot)
    return .exclusive
  }

  /// As `share(_:)`, beside sections that only read; nil if too many reads share the lock.
  func shareBesideSections(_ me: UInt) -> ReadTurn? {
    guard let slot = unsafe slots.take(for: me) else { return nil }
    giveToReaders(me)
    return unsafe ReadTurn(slot)
  }

  /// Waits for the readers that are in, after this thread has taken the lock from them.
  func waitForReaders(since start: UInt64) {
    waitForShortReads()
    // So taking it from readers takes at most a tenth of the time, as in BRAVO.
    let now = WaitClock.now
    let waited = now > start ? min(now - start, RecursiveLock.longestSharingPause) : 0
    let pause = min(
      max(RecursiveLock.sharingPause, 10 * waited), RecursiveLock.longestSharingPause)
    waitForReadings()
    sharingStart.store(start &+ pause, ordering: .relaxed)
  }

  /// Waits for those in slots.
  // INVARIANT: as of slots: readers may make them while the lock is shared, so this is in the same
  // order.
  func waitForShortReads() {
    unsafe ReaderSlots(readers.load(ordering: .sequentiallyConsistent))?.waitForReaders()
  }

  /// How long no reader shares the lock after it was taken from readers, at least.
  private static var sharingPause: UInt64 { 20_000 }

  /// The same at most: a reader may have been suspended for long.
  private static var longestSharingPause: UInt64 { 1_000_000 }
}
