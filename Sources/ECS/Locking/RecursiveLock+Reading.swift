public import CPlatform
public import Synchronization

/// What a thread has that reads.
@safe
@frozen
@usableFromInline
enum ReadTurn {
  /// The lock, as it had before.
  case nested

  /// The lock.
  case exclusive

  /// A place among readers.
  // INVARIANT: an initialized atomic that is never freed.
  case shared(UnsafePointer<Atomic<UInt>>)
}

// Reads that call no code of others, and that can therefore neither call the context nor last for long.
extension RecursiveLock {
  /// Takes the lock unless this thread has it already, or a place among those who share it.
  ///
  /// Doesn't count: nothing asks how deep a read is.
  @inlinable
  @inline(__always)
  func acquireToRead() -> ReadTurn {
    if isHeldByCurrentThread { return .nested }
    let me = ThreadIdentity.current
    if state.load(ordering: .relaxed) == 0 {
      let (exchanged, _) = state.compareExchange(
        expected: 0, desired: me, successOrdering: .acquiring, failureOrdering: .relaxed)
      if exchanged { return .exclusive }
    }
    return acquireContendedToRead(me)
  }

  /// Leaves a place among readers.
  @inlinable
  @inline(__always)
  func leave(_ place: UnsafePointer<Atomic<UInt>>) {
    c_finish_copies()
    // SAFETY: the place is that of this thread, and places are never freed.
    unsafe place.pointee.store(0, ordering: .releasing)
  }

  @usableFromInline
  @inline(never)
  func acquireContendedToRead(_ me: UInt) -> ReadTurn {
    guard state.load(ordering: .acquiring) == RecursiveLock.shared,
      let places = unsafe ReaderPlaces(readers.load(ordering: .relaxed)),
      let place = unsafe places.takeOwn(for: me)
    else { return waitToRead(me) }
    return unsafe stay(in: place) ?? waitToRead(me)
  }

  @inline(never)
  private func waitToRead(_ me: UInt) -> ReadTurn { announce(me) ?? wait(me, toRead: true) }

  /// Takes a place among readers; nil if the lock is not shared, or too many share it.
  // INVARIANT: a reader takes its place before it looks whether the lock is shared, and who wants the
  // lock for itself takes that from the readers before it looks for them. All of this is in one order,
  // so one of the two sees the other.
  func announce(_ me: UInt) -> ReadTurn? {
    guard state.load(ordering: .acquiring) == RecursiveLock.shared,
      let places = unsafe ReaderPlaces(readers.load(ordering: .relaxed)),
      let place = unsafe places.take(for: me)
    else { return nil }
    return unsafe stay(in: place)
  }

  /// Stays in the place that this thread has taken, or leaves it if the lock is not shared by now.
  @inline(__always)
  private func stay(in place: ReaderPlaces.Pointer) -> ReadTurn? {
    if state.load(ordering: .sequentiallyConsistent) == RecursiveLock.shared {
      return unsafe .shared(UnsafePointer(place))
    }
    unsafe place.pointee.store(0, ordering: .releasing)
    return nil
  }

  /// Gives the lock from its owner to readers, of which the owner is one.
  func share(_ me: UInt) -> ReadTurn {
    if unsafe readers.load(ordering: .relaxed) == nil {
      unsafe readers.store(ReaderPlaces.make(), ordering: .releasing)
    }
    guard let places = unsafe ReaderPlaces(readers.load(ordering: .relaxed)),
      let place = unsafe places.take(for: me)
    else { return .exclusive }
    // Not if somebody has begun to wait: that would be forgotten.
    let (exchanged, _) = state.compareExchange(
      expected: me, desired: RecursiveLock.shared, successOrdering: .releasing,
      failureOrdering: .relaxed)
    if exchanged { return unsafe .shared(UnsafePointer(place)) }
    unsafe place.pointee.store(0, ordering: .releasing)
    return .exclusive
  }

  /// Waits for the readers that are in, after this thread has taken the lock from them.
  func waitForReaders(since start: UInt64) {
    unsafe ReaderPlaces(readers.load(ordering: .acquiring))?.waitForReaders()
    // So taking it from readers takes at most a tenth of the time, as in BRAVO.
    let now = WaitClock.now
    let waited = now > start ? min(now - start, RecursiveLock.longestSharingPause) : 0
    let pause = min(
      max(RecursiveLock.sharingPause, 10 * waited), RecursiveLock.longestSharingPause)
    sharingStart.store(start &+ pause, ordering: .relaxed)
  }

  /// How long nobody shares the lock after it was taken from readers, at least.
  private static var sharingPause: UInt64 { 20_000 }

  /// The same at most: a reader may have been suspended for long.
  private static var longestSharingPause: UInt64 { 1_000_000 }
}
