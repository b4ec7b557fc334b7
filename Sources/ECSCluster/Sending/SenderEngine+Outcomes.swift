import ECS
import Foundation

/// What becomes of packs and of calls.
extension SenderEngine {
  /// Ends calls that are decided; gives how long to wait.
  func settle(_ packs: [EventPack], _ outcomes: [SendOutcome]) -> Duration? {
    var isFull = false
    var failure: BrokerError?
    for (pack, outcome) in zip(packs, outcomes) {
      switch outcome {
      case .accepted, .duplicate: lock.withLock { noteSent(pack) }
      case .full:
        isFull = true
        positions[pack.partition].isFull = true
        guard cluster.options.whenFull == .fail else { break }
        lock.withLock { refuseFull(pack.partition) }
      case .partial(let known): lock.withLock { takeApart(pack, known) }
      case .lost(let known):
        lock.withLock { lose(behind: known, of: pack.partition) }
        // Before anything else is sent, it is asked what else is gone.
        isDoubtful = true
      case .failed(let error) where error.isTransient:
        // It is asked again.
        failure = error.isGraver(than: failure) ? error : failure
        positions[pack.partition].isFull = false
        if error.leavesDoubt {
          hasFailed = true
          lock.withLock { queues[pack.partition].isDoubtful = true }
        }
      case .failed(let error):
        // Something is wrong with this partition, or with this pack: the others go on.
        if case .superseded = error {
          failure = error
          isSuperseded = true
        }
        positions[pack.partition].isFull = false
        if error.leavesDoubt {
          hasFailed = true
          lock.withLock { queues[pack.partition].isDoubtful = true }
        }
        lock.withLock { refuse(pack, error) }
      }
    }
    forgetRefused()
    if let failure { return fail(failure) }
    noteSuccess()
    budget = min(budget * 2, 4 << 20)
    if isFull { return fullness.next() }
    fullness.reset()
    return .zero
  }

  func noteSuccess() {
    lastError = nil
    backoff.reset()
    guard !failures.isEmpty else { return }
    failures.removeAll()
    observers.tell(.recovered)
  }

  /// The broker has a producer's events up to a number only; called with the lock held.
  ///
  /// Calls that go on and of which it had taken some end: what is left of them is not sent.
  func lose(behind found: UInt64, of partition: Int) {
    let halfway = positions[partition].halfway
    guard let numbers = positions[partition].noteLost(behind: found) else { return }
    losses.append((partition, numbers))
    openAnew()
    // It says what should be there before it, and so is not taken, also if it comes late.
    queues[partition].takeBackPack()
    for (ticket, number) in halfway where number > found && !ticket.isFinished {
      ticket.finish(.lost(partition: partition, numbers: numbers))
      hasRefused = true
      isLossSaid = true
    }
  }

  /// Ends the first call with events of a partition of which something was lost.
  ///
  /// They come behind what is gone. A call that sends just that again does not end.
  func endCallBehindLoss() {
    defer { isLossSaid = false }
    guard positions.contains(where: { $0.unsaid != nil }) else { return }
    if isLossSaid { return forgetUnsaid() }
    forgetRefused()
    for partition in positions.indices {
      let first = lock.withLock { queues[partition].first }
      guard let numbers = positions[partition].unsaid, let first else { continue }
      forgetUnsaid()
      if let number = first.number, number <= numbers.upperBound { return }
      lock.withLock {
        queues[partition].takeBackPack()
        let events = queues[partition].take(cluster.options.packSize)
        refuse(events, of: partition, .lost(partition: partition, numbers: numbers))
      }
      return forgetRefused()
    }
  }

  private func forgetUnsaid() {
    for partition in positions.indices { positions[partition].unsaid = nil }
    forgetRefused()
  }

  func tellLosses() {
    let present = losses
    losses = []
    for (partition, numbers) in present {
      observers.tell(.lost(partition: partition, numbers: numbers))
    }
  }

  /// The broker has a pack; called with the lock held.
  private func noteSent(_ pack: EventPack) {
    let partition = pack.partition
    positions[partition].known = pack.number
    positions[partition].isFull = false
    positions[partition].progress = cluster.time.now()
    guard let events = queues[partition].pack?.events else { return }
    queues[partition].pack = nil
    queues[partition].isDoubtful = false
    for event in events {
      positions[partition].noteSent(event.number)
      event.ticket.settle()
      if !event.ticket.isFinished { positions[partition].noteHalfway(event.ticket, pack.number) }
    }
  }

  /// The broker has the first events of a pack, which came late; called with the lock held.
  private func takeApart(_ pack: EventPack, _ known: UInt64) {
    guard let events = queues[pack.partition].pack?.events else { return }
    positions[pack.partition].noteKnown(known)
    queues[pack.partition].pack = nil
    queues[pack.partition].isDoubtful = false
    queues[pack.partition].putBack(events)
  }

  /// A partition has no room; called with the lock held.
  private func refuseFull(_ partition: Int) {
    let error = BrokerError.full("\(ClusterError.full(partition: partition))")
    guard let pack = queues[partition].pack else { return }
    guard queues[partition].isDoubtful else { return refuse(pack.pack, error) }
    // It may come late: its calls end, and it is asked again.
    hasRefused = true
    for event in pack.events { event.ticket.finish(.undecided(error)) }
    for event in queues[partition].remove({ _ in true }) {
      positions[partition].noteRefused(event.number)
      event.ticket.settle(.full(partition: partition))
    }
  }

  /// A pack is not sent; called with the lock held.
  private func refuse(_ pack: EventPack, _ error: BrokerError) {
    let partition = pack.partition
    guard let events = queues[partition].pack?.events else { return }
    let isDoubtful = queues[partition].isDoubtful
    queues[partition].pack = nil
    queues[partition].isDoubtful = false
    let failure = self.failure(error, of: partition)
    refuse(events, of: partition, isDoubtful ? .undecided(error) : failure, behind: failure)
  }

  private func failure(_ error: BrokerError, of partition: Int) -> ClusterError {
    positions[partition].isFull ? .full(partition: partition) : .broker(error)
  }

  /// Events are not sent, and none of the same calls that come behind them; nor any behind them
  /// that have numbers, for with a greater number at the broker, they would be taken for sent.
  func refuse(
    _ events: ArraySlice<PendingEvent>, of partition: Int, _ failure: ClusterError,
    behind other: ClusterError? = nil
  ) {
    hasRefused = true
    var calls: Set<ObjectIdentifier> = []
    for event in events {
      calls.insert(ObjectIdentifier(event.ticket))
      positions[partition].noteRefused(event.number)
      event.ticket.settle(failure)
    }
    let isNumbered = events.contains { $0.number != nil }
    let behind = queues[partition].remove {
      (isNumbered && $0.number != nil) || calls.contains(ObjectIdentifier($0.ticket))
    }
    for event in behind {
      positions[partition].noteRefused(event.number)
      event.ticket.settle(other ?? failure)
    }
  }

  // MARK: Failures

  func fail(_ error: BrokerError) -> Duration? {
    lastError = error
    isDoubtful = isDoubtful || error.isTransient
    if failures.insert(.broker(error), of: nil) { observers.tell(.failed(.broker(error))) }
    hasFailed = hasFailed || error.leavesDoubt
    var rest: Duration?
    switch error {
    case .timedOut: budget = max(budget / 2, 1)
    case .full:
      // What is sent takes memory while it is looked at, too; and there may be room at any moment.
      budget = max(budget / 2, 64 << 10)
      rest = fullness.next()
    default: break
    }
    let isOver = lock.withLock {
      if !error.isTransient || isClosed {
        end(tickets.map { ($0, .broker(error), error) })
      }
      return isClosed && tickets.allSatisfy(\.isFinished)
    }
    return isOver ? nil : rest ?? backoff.next()
  }

  /// Ends calls that wait for partitions that have taken nothing for too long.
  func expire() {
    guard let patience = cluster.options.patience else { return }
    let now = cluster.time.now()
    lock.withLock {
      var found: Set<ObjectIdentifier> = []
      var late: [(SendTicket, ClusterError, BrokerError)] = []
      for (partition, queue) in queues.enumerated() where !queue.isEmpty {
        if let progress = positions[partition].progress, progress + patience > now { continue }
        let reason =
          positions[partition].isFull
          ? BrokerError.full("\(ClusterError.full(partition: partition))")
          : lastError ?? .timedOut(patience)
        queue.forEachTicket { ticket in
          guard ticket.start + patience <= now else { return false }
          if !ticket.isFinished, found.insert(ObjectIdentifier(ticket)).inserted {
            late.append((ticket, failure(reason, of: partition), reason))
          }
          return true
        }
      }
      end(late)
    }
    forgetRefused()
  }

  /// Ends calls with errors; called with the lock held.
  private func end(_ late: [(SendTicket, ClusterError, BrokerError)]) {
    if late.isEmpty { return }
    var doubtful: Set<ObjectIdentifier> = []
    for queue in queues where queue.isDoubtful {
      for event in queue.pack?.events ?? [] { doubtful.insert(ObjectIdentifier(event.ticket)) }
    }
    for (ticket, failure, error) in late {
      ticket.finish(doubtful.contains(ObjectIdentifier(ticket)) ? .undecided(error) : failure)
    }
    forgetFinished()
  }

  /// Forgets what is left of calls of which something was refused; called while nothing is being
  /// sent.
  func forgetRefused() {
    // Forgetting numbers may end further calls.
    while hasRefused {
      hasRefused = false
      lock.withLock { forgetFinished() }
    }
  }

  /// Forgets events of calls that have ended, except those that may be there already: whether they
  /// are is asked again, since those behind them must not come before them.
  private func forgetFinished() {
    for partition in queues.indices {
      if let pack = queues[partition].pack, !queues[partition].isDoubtful,
        pack.events.contains(where: { $0.ticket.isFinished })
      {
        queues[partition].pack = nil
        queues[partition].putBack(pack.events)
      }
      let error = queues[partition].firstFailure
      var isGap = false
      let gone = queues[partition].remove { event in
        if event.ticket.isFinished {
          isGap = isGap || event.number != nil
          return true
        }
        return isGap && event.number != nil
      }
      for event in gone {
        positions[partition].noteRefused(event.number)
        if !event.ticket.isFinished { hasRefused = true }
        event.ticket.settle(error)
      }
    }
  }

  /// Releases calls that have ended and of which nothing waits any more, without the lock: their
  /// events may ask the sender something when they end.
  func releaseEnded() {
    var ended: [SendTicket] = []
    lock.withLock {
      guard tickets.contains(where: \.isFinished) else { return }
      for partition in positions.indices { positions[partition].forgetEnded() }
      var left: [SendTicket] = []
      for index in tickets.indices {
        // Events that may be at the broker have their call, too: it is released here and nowhere
        // else.
        if tickets[index].isFinished, isKnownUniquelyReferenced(&tickets[index]) {
          ended.append(tickets[index])
        } else {
          left.append(tickets[index])
        }
      }
      tickets = left
    }
  }
}

extension BrokerError {
  /// Whether it says more than another one, of another partition, of how to go on.
  fileprivate func isGraver(than other: BrokerError?) -> Bool {
    switch (other, self) {
    case (nil, _): true
    case (.superseded, _), (.timedOut, _): false
    case (_, .timedOut): true
    default: false
    }
  }
}
