import Dispatch

/// The elements that are sent to the tasks that iterate over an asynchronous sequence, until they
/// take them.
///
/// Filled while the lock of the core is held, which settles the order. Tasks are woken when it is
/// free.
// Guarded by its guardian.
final class Mailbox<Element: Sendable>: @unchecked Sendable {
  typealias Buffering = AsyncStream<Element>.Continuation.BufferingPolicy

  private let core: Core
  private let signal: AsyncSignal
  private let buffering: Buffering

  /// Whether an element that replaces another one says all that this one said.
  private let replaces: Bool

  /// Which of the contexts that use the core is meant.
  private let incarnation: Int
  private let guardian = Guardians.take()
  private var elements = FirstInFirstOut<Element>()
  private var isFinished = false

  /// How many elements were sent and will never be taken.
  private var lostCount = 0

  init(_ core: Core, _ buffering: Buffering, replaces: Bool = false) {
    self.core = core
    self.buffering = buffering
    self.replaces = replaces
    incarnation = core.section { core.incarnation }
    signal = AsyncSignal(core)
  }

  /// Puts an element behind those that wait; called within a section.
  func send(_ element: Element) {
    let (isFirst, dropped, isLost) = guardian.sync { () -> (Bool, Element?, Bool) in
      guard !isFinished else { return (false, nil, false) }
      let before = elements.count
      let dropped = add(element)
      let isLost = elements.count == before && !replaces
      if isLost { lostCount += 1 }
      return (before == 0, dropped, isLost)
    }
    // It may own anything, so it must not end in here.
    if let dropped { core.retire(Retained(dropped)) }
    if isLost { core.noteLost(1, inIncarnation: incarnation) }
    if isFirst { wake() }
  }

  /// Adds an element; returns the one that it displaced.
  private func add(_ element: Element) -> Element? {
    switch buffering {
    case .bufferingOldest(let limit):
      if elements.count < limit { elements.append(element) }
      return nil
    case .bufferingNewest(let limit):
      guard limit > 0 else { return nil }
      let dropped = elements.count >= limit ? elements.popFirst() : nil
      elements.append(element)
      return dropped
    default:
      elements.append(element)
      return nil
    }
  }

  /// Notes that there is nothing more to come; called within a section.
  func finish() {
    guardian.sync { isFinished = true }
    wake()
  }

  private func wake() {
    core.runAfterUnlock { [signal] in signal.fire() }
  }

  /// The next element; nil at the end, or if the task is cancelled.
  func next() async -> Element? {
    while !Task.isCancelled {
      let (element, isAtEnd) = guardian.sync {
        let element = elements.popFirst()
        return (element, element == nil && isFinished)
      }
      if let element { return element }
      if isAtEnd { return nil }
      await signal.wait()
    }
    return nil
  }

  /// How many elements were dropped so far.
  var droppedCount: Int { guardian.sync { lostCount } }

  /// How many elements wait to be taken.
  var waitingCount: Int { guardian.sync { elements.count } }

  /// Drops what waits, since it will not be taken.
  func drop() {
    let waiting = guardian.sync { () -> FirstInFirstOut<Element> in
      defer { elements = FirstInFirstOut() }
      lostCount += elements.count
      return elements
    }
    guard waiting.count > 0 else { return }
    core.section {
      core.noteLost(waiting.count, inIncarnation: incarnation)
      // As in `send(_:)`.
      core.retire(Retained(waiting))
    }
  }
}

/// A mailbox with the observation that fills it, which ends when nothing iterates any more.
final class MailboxSubscription<Element: Sendable>: Sendable {
  private let core: Core
  private let mailbox: Mailbox<Element>
  private let subscription: Subscription

  init(_ mailbox: Mailbox<Element>, _ subscription: Subscription, in core: Core) {
    self.core = core
    self.mailbox = mailbox
    self.subscription = subscription
  }

  deinit {
    core.sectionAfterReading { [subscription, mailbox] in
      subscription.cancel()
      mailbox.drop()
    }
  }

  func next() async -> Element? {
    if let element = await mailbox.next() { return element }
    // Here and not in a handler of the cancellation, which must not wait for the core.
    end()
    return nil
  }

  private func end() {
    subscription.cancel()
    mailbox.drop()
  }

  /// Lets the sequence end behind what has happened, the present outermost change included.
  func finish() {
    core.runWhenFree { [subscription] in subscription.cancel() }
  }

  var droppedCount: Int { mailbox.droppedCount }
  var waitingCount: Int { mailbox.waitingCount }
}

extension Core {
  /// Counts elements of sequences that will never be taken; called within a section.
  fileprivate func noteLost(_ count: Int, inIncarnation incarnation: Int) {
    if self.incarnation == incarnation, client != nil {
      pointer.pointee.events.lostElements += count
    }
  }
}
