import Dispatch

/// What is sent to the tasks that iterate over an asynchronous sequence, until they take it.
///
/// Filled while the lock of the core is held, which settles the order. Tasks are woken when it is
/// free.
// Guarded by its guardian.
final class Mailbox<Element: Sendable>: @unchecked Sendable {
  typealias Buffering = AsyncStream<Element>.Continuation.BufferingPolicy

  private let core: Core
  private let bell: Bell
  private let buffering: Buffering
  private let guardian = Guardians.take()
  private var elements = FirstInFirstOut<Element>()
  private var isFinished = false

  init(_ core: Core, _ buffering: Buffering) {
    self.core = core
    self.buffering = buffering
    bell = Bell(core)
  }

  /// Puts an element behind those that wait; called within a section.
  func send(_ element: Element) {
    let (isFirst, dropped) = guardian.sync { () -> (Bool, Element?) in
      guard !isFinished else { return (false, nil) }
      let wasEmpty = elements.count == 0
      return (wasEmpty, add(element))
    }
    // It may own anything, so it must not end in here.
    if let dropped { core.retire(Kept(dropped)) }
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
    core.wakeAfterwards { [bell] in bell.ring() }
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
      await bell.wait()
    }
    return nil
  }

  /// Takes out all elements.
  func empty() -> FirstInFirstOut<Element> {
    guardian.sync {
      defer { elements = FirstInFirstOut() }
      return elements
    }
  }
}

/// A mailbox with the observation that fills it, which ends when nobody iterates any more.
final class MailboxSubscription<Element: Sendable>: Sendable {
  private let mailbox: Mailbox<Element>
  private let subscription: Subscription

  init(_ mailbox: Mailbox<Element>, _ subscription: Subscription) {
    self.mailbox = mailbox
    self.subscription = subscription
  }

  func next() async -> Element? {
    if let element = await mailbox.next() { return element }
    // Here and not in a handler of the cancellation, which must not wait for the core.
    subscription.cancel()
    withExtendedLifetime(mailbox.empty()) {}
    return nil
  }
}
