import Dispatch
import Synchronization

// What threads do that didn't get the lock at once.
extension RecursiveLock {
  /// How long a thread that had to wait for the lock has it, in nanoseconds, if others want it.
  private static var turn: UInt64 { 10_000 }

  /// The same for a thread that only reads.
  private static var readingTurn: UInt64 { 1_000 }

  /// How long a thread looks for a free lock before it asks.
  private static var modesty: UInt64 { 1_000 }

  /// How many of the processor's pauses lie between two looks at a lock that another thread has its
  /// turn with.
  private static var rareLooks: Int { 64 }

  /// How long a thread asks before it parks: as long as parking and waking up take.
  static let insistence: UInt64 = Processor.count > 1 ? 40_000 : 0

  /// The same for a thread that was parked and got no signal.
  private static var briefInsistence: UInt64 { 4_000 }

  /// How often the bit is read before a thread parks.
  private static var watches: Int { 1_000 }
  private static var parkingTime: DispatchTimeInterval { .milliseconds(1) }

  /// How long a thread is parked before it becomes the successor.
  private static var patience: UInt64 { 1_000_000 }

  private var parked: DispatchSemaphore {
    parking.load() ?? parking.storeIfNil(DispatchSemaphore(value: 0))
  }

  private var succession: DispatchSemaphore {
    succeeding.load() ?? succeeding.storeIfNil(DispatchSemaphore(value: 0))
  }

  /// Whether threads wait for the lock, apart from those that came less than a microsecond ago.
  var isAwaited: Bool {
    askedCount.load(ordering: .relaxed) > 0 || parkedCount.load(ordering: .relaxed) > 0
      || successor.load(ordering: .relaxed) != 0 || isTakenFromReaders
  }

  /// How many signals to parked threads have not arrived yet.
  var signalsUnderway: Int { signalCount.load(ordering: .relaxed) }

  @usableFromInline
  @inline(never)
  func acquireContended(_ me: UInt) -> Bool {
    assert(me > 1000 && me & 3 == 0, "A thread has an identity that means something else.")
    if takeBack() { return false }
    if RunningReading.of(self) != nil { stop(RecursiveLock.readingRefusal) }
    _ = wait(me, for: .change)
    depth = 1
    return true
  }

  /// The reason for which a thread waits.
  enum Purpose {
    case change

    /// A read that calls no code of others.
    case read

    /// A section that only reads.
    case reading
  }

  /// Waits for the lock, or for a slot among readers; or to be counted among them.
  func wait(_ me: UInt, for purpose: Purpose) -> ReadTurn {
    let start = WaitClock.now
    var waiting = Waiting(me: me, purpose: purpose, since: waitForTurn(start))
    waiting.hasBeenModest = waiting.now &- start > RecursiveLock.modesty
    while true {
      if let turn = ask(&waiting) ?? park(&waiting) { return turn }
    }
  }

  /// A thread that waits.
  private struct Waiting {
    let me: UInt
    let purpose: Purpose

    /// When it last began to look for the lock.
    var since: UInt64
    var now: UInt64

    /// When it parked for the first time; 0 before.
    var firstParked: UInt64 = 0
    var hasAsked = false

    /// Whether it has looked for a free lock for long enough to ask.
    var hasBeenModest = false
    var isSuccessor = false

    /// Whether it was parked, and its time was up before there was a signal.
    var hasTimedOut = false

    init(me: UInt, purpose: Purpose, since: UInt64) {
      (self.me, self.purpose, self.since, now) = (me, purpose, since, since)
    }
  }

  /// Looks for a free lock, and asks for it; nil if that takes too long.
  private func ask(_ waiting: inout Waiting) -> ReadTurn? {
    defer { endAsking(&waiting) }
    var pauses = 1
    while true {
      if let turn = tryToBegin(&waiting) { return turn }
      let waited = waiting.now &- waiting.since
      if waited > RecursiveLock.modesty { waiting.hasBeenModest = true }
      let limit = waiting.hasTimedOut ? RecursiveLock.briefInsistence : RecursiveLock.insistence
      if waited > limit { return nil }
      if waiting.hasBeenModest, !waiting.hasAsked {
        waiting.hasAsked = true
        askedCount.add(1, ordering: .relaxed)
      }
      if waiting.now < turnEnd.load(ordering: .relaxed) {
        // Each look takes the lock's line away from the thread that has its turn.
        pauses = RecursiveLock.rareLooks
      } else if waiting.hasAsked {
        // The next release leaves it to the threads that ask.
        _ = mark()
        pauses = 1
      } else {
        pauses = min(pauses * 2, 16)
      }
      WaitClock.pause(pauses)
      waiting.now = WaitClock.now
    }
  }

  private func endAsking(_ waiting: inout Waiting) {
    guard waiting.hasAsked else { return }
    waiting.hasAsked = false
    askedCount.subtract(1, ordering: .relaxed)
  }

  /// Takes the lock if it is free, or was given to this thread, or a slot among readers.
  private func tryToBegin(_ waiting: inout Waiting) -> ReadTurn? {
    // The successor has to take the lock, or no thread could become the next one.
    if !waiting.isSuccessor {
      switch waiting.purpose {
      case .change: break
      case .read: if let turn = announce(waiting.me) { return turn }
      case .reading: if joinReaders() { return .exclusive }
      }
    }
    let seen = state.load(ordering: .acquiring)
    if seen & ~1 == waiting.me { return begin(&waiting, after: seen) }
    let isFree =
      switch seen {
      case 0, RecursiveLock.shared: true
      case RecursiveLock.reserved: waiting.hasAsked || waiting.firstParked != 0
      default: false
      }
    if isFree, take(seen, waiting) { return begin(&waiting, after: seen) }
    require(
      seen & ~1 != RecursiveLock.parallelOwner || !isWorker(waiting.me),
      "A body of a parallel iteration called its context, which waits for that body: use only the chunk inside, and call the context after the iteration."
    )
    return nil
  }

  /// Takes a free lock, with the bit if others may be parked; threads that ask set it themselves.
  private func take(_ seen: UInt, _ waiting: Waiting) -> Bool {
    let others = waiting.firstParked != 0 || parkedCount.load(ordering: .relaxed) > 0
    return state.compareExchange(
      expected: seen, desired: waiting.me | (others ? 1 : 0), ordering: .sequentiallyConsistent
    ).exchanged
  }

  /// What a thread does that waited and has the lock now.
  private func begin(_ waiting: inout Waiting, after seen: UInt) -> ReadTurn {
    if waiting.isSuccessor { successor.store(0, ordering: .relaxed) }
    let turn = waiting.purpose == .read ? RecursiveLock.readingTurn : RecursiveLock.turn
    if waiting.purpose == .reading {
      readings.add(1, ordering: .sequentiallyConsistent)
      giveToReaders(waiting.me)
      return .exclusive
    }
    turnEnd.store(waiting.now &+ turn, ordering: .relaxed)
    if seen == RecursiveLock.shared || readings.load(ordering: .sequentiallyConsistent) > 0 {
      if waiting.purpose == .read, readings.load(ordering: .relaxed) > 0,
        let turn = shareBesideSections(waiting.me)
      {
        return turn
      }
      waitForReaders(since: waiting.now)
    } else if seen != 0, seen != RecursiveLock.reserved {
      // It was handed over, maybe from readers of which some are still in.
      waitForShortReads()
    }
    guard waiting.purpose == .read, state.load(ordering: .relaxed) & 1 == 0,
      waiting.now >= sharingStart.load(ordering: .relaxed)
    else { return .exclusive }
    return share(waiting.me)
  }

  /// Waits while another thread has its turn, from now on; returns the time.
  private func waitForTurn(_ start: UInt64) -> UInt64 {
    var now = start
    let end = turnEnd.load(ordering: .relaxed)
    while now < end, end &- now <= RecursiveLock.turn, Processor.count > 1 {
      WaitClock.pause(16)
      now = WaitClock.now
    }
    return now
  }

  /// Says to the owner that a thread waits; false if there is none by now.
  private func mark() -> Bool {
    let seen = state.load(ordering: .relaxed)
    if seen & 1 != 0 { return true }
    switch seen {
    case 0, RecursiveLock.reserved, RecursiveLock.shared: return false
    default:
      return state.compareExchange(expected: seen, desired: seen | 1, ordering: .relaxed).exchanged
    }
  }

  // MARK: Parking

  /// Parks until there is a signal, or for a limited time; nil unless the thread gets the lock
  /// meanwhile.
  private func park(_ waiting: inout Waiting) -> ReadTurn? {
    while true {
      waiting.now = WaitClock.now
      if waiting.firstParked == 0 { waiting.firstParked = waiting.now }
      waiting.hasBeenModest = true
      if let turn = tryToBegin(&waiting) { return turn }
      guard mark() else { continue }
      if !waiting.isSuccessor, waiting.now &- waiting.firstParked > RecursiveLock.patience {
        waiting.isSuccessor = becomeSuccessor(waiting.me)
      }
      guard staysMarked(by: waiting.me) else { continue }
      waiting.hasTimedOut = !waitForSignal(waiting.isSuccessor)
      waiting.now = WaitClock.now
      waiting.since = waiting.now
      return nil
    }
  }

  /// Waits for a signal, or for a limited time; returns whether there was a signal.
  private func waitForSignal(_ isSuccessor: Bool) -> Bool {
    let end = DispatchTime.now() + RecursiveLock.parkingTime
    if isSuccessor { return succession.wait(timeout: end) == .success }
    parkedCount.add(1, ordering: .sequentiallyConsistent)
    defer { parkedCount.subtract(1, ordering: .relaxed) }
    // The release is in one order with this, so either it sees that this thread is parked, or this
    // thread sees that there is no owner to wait for.
    guard state.load(ordering: .sequentiallyConsistent) & 1 != 0 else { return true }
    guard parked.wait(timeout: end) == .success else { return false }
    signalCount.subtract(1, ordering: .relaxed)
    return true
  }

  /// Wakes a parked thread, if there are more of them than signals on their way.
  // Surplus signals must not gather: each of them lets a thread look for the lock that should be
  // parked, and keeps a processor from one that is suspended while it reads.
  private func signalParked() {
    let signals = signalCount.load(ordering: .relaxed)
    guard parkedCount.load(ordering: .sequentiallyConsistent) > signals else { return }
    signalCount.add(1, ordering: .relaxed)
    parked.signal()
  }

  private func becomeSuccessor(_ me: UInt) -> Bool {
    let (exchanged, _) = successor.compareExchange(expected: 0, desired: me, ordering: .relaxed)
    return exchanged
  }

  /// Whether the owner has neither released the lock without having seen the bit nor given it to
  /// this thread.
  private func staysMarked(by me: UInt) -> Bool {
    for _ in 0..<RecursiveLock.watches {
      let seen = state.load(ordering: .relaxed)
      if seen & 1 == 0 || seen & ~1 == me { return false }
    }
    return true
  }

  @usableFromInline
  @inline(never)
  func releaseToWaiting() { release(to: 0) }

  /// Leaves the lock to threads that wait, or else free or shared.
  func release(to free: UInt) {
    let next = successor.load(ordering: .relaxed)
    guard next == 0 else {
      // With the bit: others may be parked as well.
      state.store(next | 1, ordering: .releasing)
      succession.signal()
      // One of them may have lost a signal to another, and wait without limit.
      signalParked()
      return
    }
    guard free != 0 || askedCount.load(ordering: .relaxed) == 0 else {
      // If the thread that has asked doesn't run, this thread may come back.
      turnEnd.store(0, ordering: .relaxed)
      return state.store(RecursiveLock.reserved, ordering: .releasing)
    }
    state.store(free, ordering: .sequentiallyConsistent)
    // Many can read at once.
    let count = free == 0 ? 1 : max(1, parkedCount.load(ordering: .relaxed))
    for _ in 0..<count { signalParked() }
  }
}
