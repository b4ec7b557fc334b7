import Dispatch
public import Synchronization

// Sections that only read: they share the lock as reads do, but may last for long, and call code of
// the user's.
extension RecursiveLock {
  /// Begins such a section of this thread, which has neither the lock nor another one.
  ///
  /// It is counted, not announced in a slot: there may be as many as there are threads.
  // INVARIANT: as of slots: a section is counted before it looks whether the lock is shared, and a
  // thread that wants the lock for itself takes that from the readers before it looks whether there
  // are any. All of this is in one order.
  func beginReading() -> RunningReading {
    enterReaders()
    return .enter(self)
  }

  private func enterReaders() {
    readings.add(1, ordering: .sequentiallyConsistent)
    if state.load(ordering: .sequentiallyConsistent) == RecursiveLock.shared { return }
    // Nothing is taken from an owner, so there is none to be waited for.
    let (exchanged, _) = state.compareExchange(
      expected: 0, desired: RecursiveLock.shared, ordering: .sequentiallyConsistent)
    if exchanged { return }
    _ = leaveReaders()
    _ = wait(ThreadIdentity.current, for: .reading)
  }

  /// Begins one if the lock is shared.
  func joinReaders() -> Bool {
    guard state.load(ordering: .relaxed) == RecursiveLock.shared else { return false }
    readings.add(1, ordering: .sequentiallyConsistent)
    if state.load(ordering: .sequentiallyConsistent) == RecursiveLock.shared { return true }
    _ = leaveReaders()
    return false
  }

  func endReading(_ reading: RunningReading) {
    let afterwards = reading.leave()
    giveBack()
    for body in afterwards { body() }
  }

  private func giveBack() {
    guard leaveReaders(), unsafe readers.load(ordering: .relaxed) == nil else { return }
    // No short reads have shared the lock so far: free, it costs the next thread less.
    let me = ThreadIdentity.current
    let (exchanged, _) = state.compareExchange(
      expected: RecursiveLock.shared, desired: me, successOrdering: .sequentiallyConsistent,
      failureOrdering: .relaxed)
    guard exchanged else { return }
    let areOthersIn =
      unsafe readers.load(ordering: .sequentiallyConsistent) != nil
      || readings.load(ordering: .sequentiallyConsistent) > 0
    if areOthersIn { giveToReaders(me) } else { releaseOutermost() }
  }

  /// Returns whether it was the last one.
  private func leaveReaders() -> Bool {
    let left = readings.subtract(1, ordering: .sequentiallyConsistent).newValue
    guard left == 0 else { return false }
    // An owner that has just made these looks again after a limited time.
    if let turns = readingTurns.load(), turns.isDraining.load(ordering: .sequentiallyConsistent) {
      turns.drained.signal()
    }
    return true
  }

  /// Gives the lock from its owner to readers, of which the owner is one, even if threads wait.
  func giveToReaders(_ me: UInt) {
    let (exchanged, _) = state.compareExchange(
      expected: me, desired: RecursiveLock.shared, successOrdering: .sequentiallyConsistent,
      failureOrdering: .relaxed)
    if !exchanged { release(to: RecursiveLock.shared) }
  }

  /// What is wrong with a change in a section that only reads.
  static var readingRefusal: String {
    "Code that only reads, in the body of reading(_:), called its context for more than that: make changes, and whatever begins or ends observing, in perform(_:), or when reading(_:) has returned."
  }

  /// Takes the lock; false, having done nothing, if this thread is in a section that only reads.
  @inlinable
  @inline(__always)
  func acquireUnlessReading() -> Bool {
    if isHeldByCurrentThread {
      depth &+= 1
      return true
    }
    return tryToAcquireOutermost() || acquireContendedUnlessReading()
  }

  /// Takes the lock, which this thread does not have, if it is free.
  @inlinable
  @inline(__always)
  func tryToAcquireOutermost() -> Bool {
    let (exchanged, _) = state.compareExchange(
      expected: 0, desired: ThreadIdentity.current, successOrdering: .acquiring,
      failureOrdering: .relaxed)
    if exchanged { depth = 1 }
    return exchanged
  }

  @usableFromInline
  @inline(never)
  func acquireContendedUnlessReading() -> Bool {
    if RunningReading.of(self) != nil { return false }
    if !acquireContended(ThreadIdentity.current) { depth &+= 1 }
    return true
  }

  /// Takes the lock, which does not count as held by this thread, unless this has it, or is in a
  /// section that only reads.
  ///
  /// Returns whether it took it.
  @inlinable
  @inline(__always)
  func acquireIfNeededUnlessReading() -> Bool {
    tryToAcquireOutermost() || acquireContendedIfNeededUnlessReading()
  }

  @usableFromInline
  @inline(never)
  func acquireContendedIfNeededUnlessReading() -> Bool {
    RunningReading.of(self) == nil && acquireContended(ThreadIdentity.current)
  }

  // MARK: Short reads beside an owner

  /// How many entities an owner reads at least for which it lets readers in.
  static var longRead: Int { 2_048 }

  /// Whether this thread has the lock, and lets readers in.
  var isOpenByCurrentThread: Bool {
    state.load(ordering: .relaxed) & ~1 == ThreadIdentity.current | RecursiveLock.open
  }

  /// Lets short reads of other threads in, as long as the owner only reads, and calls nothing.
  func letReadersIn() { state.bitwiseOr(RecursiveLock.open, ordering: .releasing) }

  /// Takes the lock back from the readers that this thread has let in; false if it hasn't.
  // INVARIANT: as where a thread takes the lock from readers, in the same order.
  @inline(never)
  func takeBack() -> Bool {
    guard isOpenByCurrentThread else { return false }
    state.bitwiseAnd(~RecursiveLock.open, ordering: .sequentiallyConsistent)
    waitForShortReads()
    return true
  }

  /// Begins a read that calls no code of others and may take long, of so many entities; nil inside
  /// of a section.
  func beginLongRead(of count: () -> Int) -> ReadTurn? {
    if isHeldByCurrentThread { return nil }
    let turn = acquireToRead()
    if turn.isExclusive, count() >= RecursiveLock.longRead { letReadersIn() }
    return turn
  }

  /// Whether a thread waits until a long read has ended.
  func isAwaited(in turn: ReadTurn?) -> Bool {
    // What takes the lock from readers doesn't ask for it any more.
    isAwaited
      || turn?.isExclusive == false && state.load(ordering: .relaxed) != RecursiveLock.shared
  }

  func endLongRead(_ turn: ReadTurn?) {
    guard let turn else { return }
    if turn.isExclusive, !isHeldByCurrentThread { _ = takeBack() }
    endReading(turn)
  }

  /// Waits until all sections that only read have ended, after this thread has taken the lock.
  func waitForReadings() {
    guard readings.load(ordering: .sequentiallyConsistent) > 0 else { return }
    let start = WaitClock.now
    while WaitClock.now &- start < RecursiveLock.insistence {
      if readings.load(ordering: .sequentiallyConsistent) == 0 { return }
      WaitClock.pause(8)
    }
    let turns = turns
    turns.isDraining.store(true, ordering: .sequentiallyConsistent)
    // There may be signals left of an earlier time.
    while readings.load(ordering: .sequentiallyConsistent) > 0 {
      _ = turns.drained.wait(timeout: .now() + .milliseconds(1))
    }
    turns.isDraining.store(false, ordering: .relaxed)
  }

  /// Whether a thread waits until sections that only read have ended.
  var isTakenFromReaders: Bool {
    readings.load(ordering: .relaxed) > 0
      && state.load(ordering: .relaxed) != RecursiveLock.shared
  }
}
