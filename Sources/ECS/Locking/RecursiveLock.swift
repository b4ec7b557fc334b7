import Dispatch
public import Synchronization

/// A recursive mutual exclusion lock whose uncontended path is one compare-exchange and one
/// store, and whose nested path is one load.
///
/// The state word holds the owner's ``ThreadIdentity``, or 0; its lowest bit says that threads may
/// be parked. The parking protocol is Drepper's three-state mutex ("Futexes Are Tricky", 2011)
/// over a semaphore: a thread that was parked takes the lock with the bit set, so that it wakes
/// the next one in turn. Surplus signals only cost a further round in the loop.
///
/// It differs in the release, which looks for the bit and then stores 0 instead of exchanging: an
/// atomic exchange would be half the cost of a short section. The store may wipe out a bit that
/// is set at that very moment. So a thread that is about to park watches the bit for longer than a
/// store takes to arrive, and parks for a limited time, in case the owner was suspended between
/// its look and its store. Exclusion never depends on the bit.
///
/// A thread that releases the lock and takes it again at once is always faster than one that has to
/// wake up first. That is good for throughput, and no harm in short sections; but beside long ones
/// a waiter could be passed over for seconds. So one that has waited for longer than its patience
/// names itself the successor, and is given the lock by the next release that sees the bit: nobody
/// can take it in between. One thread at a time can be the successor, until it has the lock, and as
/// it takes patience to become one, threads that compete take turns of about that length rather
/// than of one section.
@safe
@usableFromInline
struct RecursiveLock: ~Copyable {
  /// Owner and parked bit.
  ///
  /// `parallelOwner` while a parallel section runs.
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
  private let parking = AtomicLazyReference<DispatchSemaphore>()

  /// How many threads wait for `parked`.
  private let parkedCount = Atomic<Int>(0)

  /// The thread that gets the lock next; 0 if none has waited for so long.
  // INVARIANT: set by a thread that waits, to itself, and reset by the same thread when it owns the
  // lock: so nobody else waits for `succession` meanwhile. Who did could get the signal that is
  // meant for the successor, which would wait for it without limit if its time was up just then:
  // that is what Dispatch does when a signal comes together with the end of the time.
  private let successor = Atomic<UInt>(0)

  // Made as `parking` is. INVARIANT: as there; the successor alone waits for it.
  private let succeeding = AtomicLazyReference<DispatchSemaphore>()

  /// The threads that run a body of the current parallel section, one slot a task; nil before the
  /// first one.
  private let workers = unsafe Atomic<UnsafeMutablePointer<Atomic<UInt>>?>(nil)

  static var maximumWorkers: Int { 64 }
  private static var parallelOwner: UInt { 2 }
  private static var spins: Int { 64 }

  /// How often the bit is read before a thread parks.
  private static var watches: Int { 1_000 }
  private static var parkingTime: DispatchTimeInterval { .milliseconds(1) }

  /// How long a thread waits before it becomes the successor.
  private static var patience: DispatchTimeInterval { .milliseconds(1) }

  init() {}

  private var parked: DispatchSemaphore {
    parking.load() ?? parking.storeIfNil(DispatchSemaphore(value: 0))
  }

  private var succession: DispatchSemaphore {
    succeeding.load() ?? succeeding.storeIfNil(DispatchSemaphore(value: 0))
  }

  @inlinable
  @inline(__always)
  var isHeldByCurrentThread: Bool {
    state.load(ordering: .relaxed) & ~1 == ThreadIdentity.current
  }

  @inlinable
  @inline(__always)
  func acquire() {
    let me = ThreadIdentity.current
    if state.load(ordering: .relaxed) & ~1 == me {
      depth &+= 1
      return
    }
    let (exchanged, _) = state.compareExchange(
      expected: 0, desired: me, successOrdering: .acquiring, failureOrdering: .relaxed)
    if !exchanged { acquireContended(me) }
    depth = 1
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
    let me = ThreadIdentity.current
    if state.load(ordering: .relaxed) & ~1 == me { return false }
    let (exchanged, _) = state.compareExchange(
      expected: 0, desired: me, successOrdering: .acquiring, failureOrdering: .relaxed)
    if !exchanged { acquireContended(me) }
    depth = 1
    return true
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
    if !releaseIfNobodyWaits() { releaseToParked() }
  }

  /// Gives the lock back, however deep, unless threads may be parked.
  @inlinable
  @inline(__always)
  func releaseIfNobodyWaits() -> Bool {
    guard state.load(ordering: .relaxed) & 1 == 0 else { return false }
    state.store(0, ordering: .releasing)
    return true
  }

  @usableFromInline
  @inline(never)
  func acquireContended(_ me: UInt) {
    for _ in 0..<RecursiveLock.spins where state.load(ordering: .relaxed) == 0 {
      let (exchanged, _) = state.compareExchange(
        expected: 0, desired: me, successOrdering: .acquiring, failureOrdering: .relaxed)
      if exchanged { return }
    }
    let impatient = DispatchTime.now() + RecursiveLock.patience
    var wasParked: UInt = 0
    var isSuccessor = false
    while true {
      let seen = state.load(ordering: .acquiring)
      if seen & ~1 == me {
        successor.store(0, ordering: .relaxed)
        return
      }
      if seen == 0 {
        let (exchanged, _) = state.compareExchange(
          expected: 0, desired: me | wasParked, successOrdering: .acquiring,
          failureOrdering: .relaxed)
        guard exchanged else { continue }
        if isSuccessor { successor.store(0, ordering: .relaxed) }
        return
      }
      require(
        seen & ~1 != RecursiveLock.parallelOwner || !isWorker(me),
        "A body of a parallel iteration called its context, which waits for that body: use only the chunk inside, and call the context after the iteration."
      )
      if seen & 1 == 0 {
        let (exchanged, _) = state.compareExchange(
          expected: seen, desired: seen | 1, ordering: .relaxed)
        if !exchanged { continue }
      }
      if !isSuccessor, DispatchTime.now() > impatient { isSuccessor = becomeSuccessor(me) }
      guard staysMarked(by: me) else { continue }
      park(isSuccessor)
      wasParked = 1
    }
  }

  /// Waits for a signal, or for a limited time.
  private func park(_ isSuccessor: Bool) {
    let end = DispatchTime.now() + RecursiveLock.parkingTime
    guard !isSuccessor else {
      _ = succession.wait(timeout: end)
      return
    }
    parkedCount.add(1, ordering: .relaxed)
    _ = parked.wait(timeout: end)
    parkedCount.subtract(1, ordering: .relaxed)
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
  func releaseToParked() {
    let next = successor.load(ordering: .relaxed)
    guard next != 0 else {
      state.store(0, ordering: .releasing)
      parked.signal()
      return
    }
    // With the bit: others may be parked as well.
    state.store(next | 1, ordering: .releasing)
    succession.signal()
    // One of them may have lost a signal to another, and wait without limit.
    if parkedCount.load(ordering: .relaxed) > 0 { parked.signal() }
  }

  // MARK: Parallel sections

  /// Gives the lock from its owner to a parallel section: nobody, the owner included, can take it
  /// until `endParallelSection()`.
  func beginParallelSection() {
    if unsafe workers.load(ordering: .relaxed) == nil {
      let slots = UnsafeMutablePointer<Atomic<UInt>>.allocate(
        capacity: RecursiveLock.maximumWorkers)
      // SAFETY: the block was allocated for this many atomics and is never freed.
      for slot in 0..<RecursiveLock.maximumWorkers {
        unsafe (slots + slot).initialize(to: Atomic<UInt>(0))
      }
      unsafe workers.store(slots, ordering: .releasing)
    }
    let seen = state.exchange(RecursiveLock.parallelOwner, ordering: .relaxed)
    if seen & 1 != 0 { state.bitwiseOr(1, ordering: .relaxed) }
  }

  func endParallelSection() {
    let me = ThreadIdentity.current
    let seen = state.exchange(me, ordering: .relaxed)
    if seen & 1 != 0 { state.bitwiseOr(1, ordering: .relaxed) }
  }

  func enterWorker(_ slot: Int) {
    // SAFETY: callers number tasks below `maximumWorkers`.
    unsafe workers.load(ordering: .acquiring)?[slot].store(
      ThreadIdentity.current, ordering: .relaxed)
  }

  func leaveWorker(_ slot: Int) {
    // SAFETY: as above.
    unsafe workers.load(ordering: .acquiring)?[slot].store(0, ordering: .relaxed)
  }

  private func isWorker(_ me: UInt) -> Bool {
    guard let slots = unsafe workers.load(ordering: .acquiring) else { return false }
    // SAFETY: all `maximumWorkers` slots were initialized before the pointer was stored.
    return (0..<RecursiveLock.maximumWorkers).contains {
      unsafe slots[$0].load(ordering: .relaxed) == me
    }
  }
}
