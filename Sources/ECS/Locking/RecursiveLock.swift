public import CPlatform
import Dispatch
public import Synchronization

/// A recursive mutual exclusion lock whose uncontended path is one compare-exchange and one
/// store, and whose nested path is one load; brief reads of several threads share it.
///
/// The state word holds the owner's ``ThreadIdentity``, or one of a few small numbers: 0 while the
/// lock is free, and others while that is not all there is to say. The word's lowest bit says that
/// threads wait. An owner stores 0 if it doesn't see the bit, instead of exchanging: an atomic
/// exchange would be half the cost of a short section. The store may wipe out a bit that is set at
/// that very moment, so the thread that set it looks again. Exclusion never depends on the bit.
///
/// **Turns.** A lock that changes hands takes its line, and those of the data, from one processor
/// to another: some 100 ns, more than many sections last. So where threads compete, each has the
/// lock for a turn of a few microseconds, in as many sections as it likes: a thread that comes
/// meanwhile doesn't even look before the turn has ended, and one that waits already looks seldom.
/// Then it asks with the bit, and the owner's next release reserves the lock for threads that have
/// asked; others, such as the owner itself, leave it alone for a microsecond.
///
/// **Parking.** A thread that has asked in vain for longer than a switch of threads takes parks.
/// The protocol is Drepper's three-state mutex ("Futexes Are Tricky", 2011) over a semaphore: a
/// thread that was parked takes the lock with the bit set, so that it wakes the next one in turn,
/// if there is one: there are never more signals on their way than threads were parked. A thread
/// that is about to park watches the bit for longer than a store takes to arrive, and parks for a
/// limited time, in case the owner was suspended between its look and its store.
///
/// A thread that releases the lock and takes it again at once is always faster than one that has to
/// wake up first. That is good for throughput, and no harm in short sections; but beside long ones
/// a waiter could be passed over for seconds. So one that has waited for longer than its patience
/// names itself the successor, and is given the lock by the next release that sees the bit: no
/// thread can take it in between. One thread at a time can be the successor, until it has the lock,
/// and as it takes patience to become one, threads that compete take turns of about that length
/// rather than of one section.
///
/// **Readers.** Once threads have competed to read, the lock is left to readers: each announces
/// itself in a slot of its own (``ReaderSlots``) and writes nothing that others look at. A thread
/// that wants the lock for itself takes it from them as if it were free, waits until those that are
/// in have left, and no reader shares it for a while. That is the bias of BRAVO (Dice and Kogan,
/// "BRAVO: Biased Locking for Reader-Writer Locks", USENIX ATC 2019), with slots for each lock
/// instead of one table for all. A program of one thread never comes to that.
///
/// Sections that only read share the lock in the same way, from their beginning; they are counted,
/// since they may last for long. A thread that waits for them is woken by the last one.
///
/// An owner that only reads for a while, and calls nothing, lets short reads in: it opens the lock,
/// and takes it back with its next call.
@safe
@usableFromInline
struct RecursiveLock: ~Copyable {
  /// The owner and whether threads wait, or one of the numbers below.
  @usableFromInline let state = Atomic<UInt>(0)

  // INVARIANT: read and written by the owner only. An atomic for the law of exclusivity, not for
  // its order: nothing about a lock may be a mutating access, since threads make them at once.
  @usableFromInline let owned = Atomic<Int>(0)

  /// How often the owner has taken the lock.
  @inlinable
  @inline(__always)
  var depth: Int {
    get { owned.load(ordering: .relaxed) }
    nonmutating set { owned.store(newValue, ordering: .relaxed) }
  }

  // Made when a thread first parks: most contexts never have one that does, and what lives forever
  // among other memory keeps that from being given back. INVARIANT: lives as long as the process,
  // as its core does; a semaphore with waiters must not be released.
  let parking = AtomicLazyReference<DispatchSemaphore>()

  /// How many threads wait for `parked`.
  let parkedCount = Atomic<Int>(0)

  /// How many signals for them have not arrived yet.
  let signalCount = Atomic<Int>(0)

  /// The thread that gets the lock next; 0 if none has waited for so long.
  // INVARIANT: set by a thread that waits, to itself, and reset by the same thread when it owns the
  // lock: so no other thread waits for `succession` meanwhile. One that did could get the signal
  // that is meant for the successor, which would wait for it without limit if its time was up just
  // then: that is what Dispatch does when a signal comes together with the end of the time.
  let successor = Atomic<UInt>(0)

  // Made as `parking` is. INVARIANT: as there; the successor alone waits for it.
  let succeeding = AtomicLazyReference<DispatchSemaphore>()

  /// The threads that run a body of the current parallel section, one slot a task; nil before the
  /// first one.
  let workers = unsafe Atomic<UnsafeMutablePointer<Atomic<UInt>>?>(nil)

  /// How many threads ask for the lock without being parked.
  let askedCount = Atomic<Int>(0)

  /// When the turn of the thread that last had to wait ends, in nanoseconds of ``WaitClock``.
  let turnEnd = Atomic<UInt64>(0)

  /// The time before which no reader shares the lock, so that owners needn't always take it from
  /// readers.
  // INVARIANT: written by the owner only.
  let sharingStart = Atomic<UInt64>(0)

  /// How many sections run that only read; for a moment, also those that have yet to wait.
  let readings = Atomic<Int>(0)

  // Made as `parking` is. INVARIANT: as there.
  let readingTurns = AtomicLazyReference<ReadingTurns>()

  /// Tells the lock from others.
  let number = RecursiveLock.lastNumber.add(1, ordering: .relaxed).newValue

  private static let lastNumber = Atomic<Int>(0)

  /// Where readers announce themselves; nil until there have been several at once.
  @usableFromInline let readers = unsafe Atomic<UnsafeMutablePointer<Atomic<UInt>>?>(nil)

  // Numbers that no thread has as its identity.

  /// A parallel section runs.
  static var parallelOwner: UInt { 4 }

  /// Free, but for threads that have asked.
  static var reserved: UInt { 8 }

  /// Added to the owner's number while it only reads and lets short reads of others in; the lock
  /// does not count as held by it then, so that it comes here with its next call.
  @usableFromInline static var open: UInt { 2 }

  /// Readers may be in; free for a thread that waits until they have left.
  @usableFromInline static var shared: UInt { 16 }

  init() {}

  // PERFORMANCE: G1, S1: the least there is to compute, of nothing that is needed again. Identities
  // are even, so all that may be left is the bit that says that others wait.
  @inlinable
  @inline(__always)
  var isHeldByCurrentThread: Bool {
    state.load(ordering: .relaxed) ^ ThreadIdentity.current < 2
  }

  @inlinable
  @inline(__always)
  func acquire() {
    if isHeldByCurrentThread || !acquireOutermost() { depth &+= 1 }
  }

  /// Takes the lock, which this thread does not hold.
  ///
  /// Returns whether it took it: not if this thread had it, and let readers in.
  @inlinable
  @inline(__always)
  func acquireOutermost() -> Bool {
    let me = ThreadIdentity.current
    let (exchanged, _) = state.compareExchange(
      expected: 0, desired: me, successOrdering: .acquiring, failureOrdering: .relaxed)
    if !exchanged { return acquireContended(me) }
    depth = 1
    return true
  }

  /// Takes the lock unless this thread has it already.
  ///
  /// Returns whether it took it.
  ///
  /// PERFORMANCE: U1, G1, S1: a nested call that does not touch `depth` does not wait for the
  /// store of the call before.
  @inlinable
  @inline(__always)
  func acquireIfNeeded() -> Bool {
    if isHeldByCurrentThread { return false }
    return acquireOutermost()
  }

  @inlinable
  @inline(__always)
  func release() {
    depth &-= 1
    if depth == 0 { releaseOutermost() }
  }

  @inlinable
  @inline(__always)
  func releaseOutermost() {
    if !releaseUnlessAwaited() { releaseToWaiting() }
  }

  /// Gives the lock back, however deep, unless threads may be parked.
  @inlinable
  @inline(__always)
  func releaseUnlessAwaited() -> Bool {
    let seen = state.load(ordering: .relaxed)
    assert(seen & RecursiveLock.open == 0, "The lock was released while it let readers in.")
    guard seen & 1 == 0 else { return false }
    c_finish_copies()
    state.store(0, ordering: .releasing)
    return true
  }
}
