/// An observation that lasts as long as this token is kept.
///
/// The observation ends when the token is released or ``cancel()`` is called; from then on the
/// observer is not called, not even for changes made before. Both may happen on any
/// thread, inside observers too, and after the context is gone.
///
/// The token of an observation that is bound to an owner may be dropped: that observation lasts
/// until its owner is released or ``cancel()`` is called.
public final class Subscription: Sendable {
  private let core: Core
  private let endsWhenReleased: Bool

  // The token does not keep what the closure owns once the observation has ended.
  private weak let observer: Observer?

  // Calls may be on their way when the observation has ended with its subject.
  private weak let delivery: (any Delivery)?

  // Observations of which this one consists.
  private let parts: [Subscription]

  init(_ observer: Observer, in core: Core, endsWhenReleased: Bool = true) {
    self.core = core
    self.endsWhenReleased = endsWhenReleased
    self.observer = observer
    delivery = observer.delivery
    parts = []
  }

  /// Makes two observations one.
  package init(_ first: Subscription, and second: Subscription) {
    core = first.core
    endsWhenReleased = first.endsWhenReleased
    (observer, delivery) = (nil, nil)
    parts = [first, second]
  }

  deinit {
    if endsWhenReleased { endAfterReading() }
  }

  private func endAfterReading() {
    for part in parts { part.endAfterReading() }
    delivery?.close()
    guard let observer else { return }
    core.sectionAfterReading { observer.end() }
  }

  /// Ends the observation.
  ///
  /// Does nothing if it has ended. Once this returns, no call begins. An observer in the critical
  /// section has returned by then, unless this was called from it. One that runs on a queue or
  /// without the lock may still be running on another thread: `cancel()` does not wait for it,
  /// since it might be waiting for the caller. Called on the serial queue where the observer runs,
  /// or on the main actor for ``ChangeSource/observeOnMainActor(by:name:initial:_:)``, `cancel()`
  /// leaves no call running.
  ///
  /// - Complexity: O(1) amortized.
  public func cancel() {
    for part in parts { part.cancel() }
    delivery?.close()
    guard let observer else { return }
    core.section { observer.end() }
  }

  /// Whether the observation has not ended.
  public var isActive: Bool {
    guard let observer else { return parts.contains(where: \.isActive) }
    // The last reference to the owner may go meanwhile, which runs code of the user's.
    return core.readingSection(keepsNothing: true) { observer.isActive && !observer.isOwnerGone }
  }
}
