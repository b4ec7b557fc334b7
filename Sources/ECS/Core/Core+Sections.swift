extension Core {
  /// Begins a change, or a read that keeps something.
  ///
  /// Every call is paired with one of `leave()`.
  @inlinable
  @inline(__always)
  func enter() {
    pointer.pointee.lock.acquire()
  }

  /// Ends a change: delivers what it queued if it is the outermost one.
  @inlinable
  @inline(__always)
  func leave() {
    #if InternalChecks
      InvariantChecks(self).run()
    #endif
    if pointer.pointee.section.pending.isEmpty {
      pointer.pointee.lock.release()
    } else {
      leaveWithWork()
    }
  }

  @usableFromInline
  @inline(never)
  func leaveWithWork() {
    // PERFORMANCE: O3: not in one function with the work, which takes a large frame.
    if pointer.pointee.lock.depth == 1 { return work() }
    // What a call of the user's takes out of storage in a section of the user's ends with that
    // call; what our own sections call keeps it until they end.
    guard pointer.pointee.section.pending.contains(.pendingRelease),
      !pointer.pointee.section.holdsRelease,
      pointer.pointee.section.userDepth == pointer.pointee.lock.depth &- 1
    else { return pointer.pointee.lock.release() }
    endPendingRelease()
  }

  @inline(never)
  private func endPendingRelease() {
    let ended = takePendingRelease()
    pointer.pointee.lock.release()
    // User code may run here: values end. The change is complete, so it may call the context.
    withExtendedLifetime(ended) {}
  }

  /// Does what has to be done when an outermost change ends.
  @inline(never)
  private func work() {
    // Delivering, and ending values after it, can make further work.
    var hadNotifications = false
    while true {
      sinks.flush()
      if pointer.pointee.section.pending.contains(.notifications) {
        hadNotifications = true
        pointer.pointee.section.pending.remove(.notifications)
        pointer.pointee.section.holdsRelease =
          pointer.pointee.section.pending.contains(.pendingRelease)
        pointer.pointee.section.userDepth = pointer.pointee.lock.depth
        client?.deliver()
        pointer.pointee.section.userDepth = 0
        pointer.pointee.section.holdsRelease = false
      } else if pointer.pointee.section.pending.contains(.noted) {
        // An observer may end the last journal, or have something to announce, which counts as
        // caused by what was delivered before.
        commits.deliver()
        retention.giveBackParkedSlots()
      } else {
        break
      }
    }
    if hadNotifications { notifications.endRounds() }
    // PERFORMANCE: J2, V3: mostly that was all. What leaves something behind says so.
    if pointer.pointee.section.pending.isEmpty { return pointer.pointee.lock.release() }
    if pointer.pointee.section.pending.contains(.tables) { unsafe graph.reclaim() }
    let isEnding = pointer.pointee.section.pending.contains(.teardown)
    var ended = takePendingRelease()
    if isEnding { ended.append(contentsOf: tearDown()) }
    let retired = pointer.pointee.section.retired
    pointer.pointee.section.retired = []
    let delivered = pointer.pointee.events.pendingRelease
    pointer.pointee.events.pendingRelease = PendingRelease()
    let afterUnlock = pointer.pointee.section.afterUnlock
    pointer.pointee.section.afterUnlock = []
    pointer.pointee.section.pending = []
    pointer.pointee.lock.release()
    for wake in afterUnlock { wake() }
    if isEnding { returnToPool() }
    withExtendedLifetime((ended, delivered, retired)) {}
  }

  /// Takes the values that changes took out of storage, to be ended where user code may run.
  private func takePendingRelease() -> PendingRelease {
    guard pointer.pointee.section.pending.contains(.pendingRelease) else { return PendingRelease() }
    pointer.pointee.section.pending.remove(.pendingRelease)
    let ended = pointer.pointee.section.pendingRelease
    pointer.pointee.section.pendingRelease = PendingRelease()
    return ended
  }

  /// Keeps a value that was taken out of storage until user code may run.
  @usableFromInline
  func discard(_ value: any Component) {
    pointer.pointee.section.pendingRelease.append(value)
    pointer.pointee.section.pending.insert(.pendingRelease)
  }

  /// Keeps an object until the outermost change has ended: reactions that are being carried out
  /// may still refer to it.
  func retire(_ object: AnyObject) {
    pointer.pointee.section.retired.append(object)
    pointer.pointee.section.pending.insert(.retired)
  }

  /// Runs something once the outermost change has ended and the lock is free.
  ///
  /// For all that may take another lock, which a thread that waits for this core may have:
  /// resuming a task takes one that the thread that cancels the task has, too.
  @inline(never)
  func runAfterUnlock(_ wake: @escaping @Sendable () -> Void) {
    pointer.pointee.section.afterUnlock.append(wake)
    pointer.pointee.section.pending.insert(.afterUnlock)
  }

  /// Runs something that may take another lock: now, or once the outermost change has
  /// ended if this thread has the lock, or the section that only reads.
  @inline(never)
  func runWhenFree(_ body: @escaping @Sendable () -> Void) {
    if pointer.pointee.lock.isHeldByCurrentThread || pointer.pointee.lock.isOpenByCurrentThread {
      return section { runAfterUnlock(body) }
    }
    guard let runningReading else { return body() }
    runningReading.runAfterwards(body)
  }

  /// A section of an object that ends: now, or when that of this thread has ended which only reads.
  @inline(never)
  func sectionAfterReading(_ body: @escaping () -> Void) {
    guard let runningReading else { return section(body) }
    runningReading.runAfterwards { section(body) }
  }

  /// The section of this thread that only reads, beside others; nil if it is in none.
  var runningReading: RunningReading? { .of(pointer.pointee.lock) }

  /// Whether this thread is in a section, be it one that only reads.
  var isInSection: Bool {
    pointer.pointee.lock.isHeldByCurrentThread || pointer.pointee.lock.isOpenByCurrentThread
      || runningReading != nil
  }

  /// Stops, in builds for debugging, if this thread has the lock, or only reads: code of others is
  /// about to be called that is not meant to run in the critical section.
  func assertIsFree() {
    assert(
      !isInSection,
      "Code that may take other locks was reached in a critical section: use runAfterUnlock(_:)."
    )
  }

  /// Begins a short call that does nothing but read or take a fast path.
  ///
  /// Returns whether it is the outermost one, for `leaveBriefly`.
  @inlinable
  @inline(__always)
  func enterBriefly() -> Bool {
    pointer.pointee.lock.acquireIfNeeded()
  }

  @inlinable
  @inline(__always)
  func leaveBriefly(_ isOutermost: Bool) {
    guard isOutermost else { return }
    #if InternalChecks
      InvariantChecks(self).run()
    #endif
    // PERFORMANCE: U1, G1, S1: one way out for all that is rare keeps calls small enough to be
    // inlined.
    if pointer.pointee.section.pending.isEmpty, pointer.pointee.lock.releaseUnlessAwaited() {
      return
    }
    leaveWithWork()
  }

  /// Reads and copies, and calls no code of others: several threads may do so at once.
  // PERFORMANCE: U1, G1: a nested read asks nothing at the end. With a body for each of the other
  // two ways, too, what reads would be too large to be inlined.
  @inlinable
  @inline(__always)
  func read<Result>(_ body: () -> Result) -> Result {
    if pointer.pointee.lock.isHeldByCurrentThread { return body() }
    let turn = pointer.pointee.lock.acquireToRead()
    let result = body()
    pointer.pointee.lock.endReading(turn)
    return result
  }

  /// Makes a section out of a short call that turns out to need one.
  @inlinable
  func deepen(_ isOutermost: Bool) {
    if !isOutermost { enter() }
  }

  /// A section in which calls of other threads wait.
  @inlinable
  func section<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    enter()
    defer { leave() }
    return try body()
  }

  /// A section that reads, and may call code of others, or keep what it finds out if it says so.
  ///
  /// Inside a section that only reads, other threads that do may call the context meanwhile, but
  /// not for such a section of their own that keeps something.
  @inlinable
  func readingSection<Result, Failure: Error>(
    keepsNothing: Bool = false, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let isOwner = pointer.pointee.lock.acquireUnlessReading()
    let takesTurns = !isOwner && !keepsNothing
    if takesTurns { pointer.pointee.lock.beginKeeping() }
    defer {
      if isOwner { leave() } else if takesTurns { pointer.pointee.lock.endKeeping() }
    }
    return try body()
  }

  /// A section whose body is code of the user's, which may change the context.
  @inlinable
  func userSection<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    enter()
    defer { leave() }
    return try callUser(body)
  }

  /// Calls code of the user's within a section.
  @inlinable
  @inline(__always)
  func callUser<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let before = pointer.pointee.section.userDepth
    pointer.pointee.section.userDepth = pointer.pointee.lock.depth
    defer { pointer.pointee.section.userDepth = before }
    return try body()
  }

  /// Whether changes can be made right away.
  @inlinable
  @inline(__always)
  var acceptsChanges: Bool { pointer.pointee.section.mode.accepts }

  /// Whether this thread is in a section in which changes may wait, or must not be made.
  @inlinable var mayHaveQueued: Bool {
    pointer.pointee.lock.isHeldByCurrentThread && !acceptsChanges
  }

  /// Stops if code runs that must not change the context, or must not even iterate.
  @usableFromInline
  func checkMode(toRead: Bool = false) {
    let mode = pointer.pointee.section.mode
    if mode.refuses, !toRead || !mode.contains(.reading), let refusal = mode.refusal {
      stop(refusal)
    }
  }

  /// Runs a body that may call code of the user's which must not change the context.
  func refusingChanges<Result, Failure: Error>(
    _ reason: Core.Mode, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let before = beginRefusingChanges(reason)
    defer { endRefusingChanges(before) }
    return try body()
  }

  /// Returns the mode from before, for `endRefusingChanges`.
  ///
  /// Beside readers, the mode stays: changes stop there anyway.
  @inline(__always)
  func beginRefusingChanges(_ reason: Core.Mode) -> Core.Mode {
    let before = pointer.pointee.section.mode
    guard pointer.pointee.lock.isHeldByCurrentThread else { return before }
    pointer.pointee.section.mode = before.refusingChanges(reason)
    return before
  }

  /// What journals and transactions have begun or ended meanwhile stays so.
  ///
  /// Beside readers nothing has changed, and nothing is written.
  @usableFromInline
  @inline(__always)
  func endRefusingChanges(_ before: Core.Mode) {
    let mode = pointer.pointee.section.mode
    if mode != before { pointer.pointee.section.mode = mode.refusing(as: before) }
  }
}
