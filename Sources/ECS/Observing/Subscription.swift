/// An observation that goes on as long as this token is kept.
///
/// The observation ends when the token is released or ``cancel()`` is called; from then on the
/// observer is not called any more, not even for changes made before. Both may happen on any
/// thread, inside observers too, and after the context is gone.
///
/// The token of an observation that is bound to an owner may be dropped: that observation goes on
/// until its owner goes or ``cancel()`` is called.
public final class Subscription: Sendable {
  private let core: Core
  private let endsWhenReleased: Bool

  // Whoever keeps the token does not keep what the closure owns once the observation has ended.
  private weak let observer: Observer?

  // Calls may be on their way when the observation has ended with its subject.
  private weak let delivery: (any Delivery)?

  init(_ observer: Observer, in core: Core, endsWhenReleased: Bool = true) {
    self.core = core
    self.endsWhenReleased = endsWhenReleased
    self.observer = observer
    delivery = observer.delivery
  }

  deinit {
    if endsWhenReleased { cancel() }
  }

  /// Ends the observation.
  ///
  /// Does nothing if it has ended. When it returns, no call begins any more. An observer that runs
  /// after the change has returned by then, unless this was called by it. One that runs on a queue
  /// or without the lock may be at work just now, on another thread: `cancel()` does not wait for
  /// it, since it might wait for the caller. Called on the serial queue where the observer runs,
  /// or on the main actor for ``ChangeSource/observeOnMainActor(by:name:initial:_:)``, it is the
  /// end.
  ///
  /// - Complexity: O(1) amortized.
  public func cancel() {
    delivery?.close()
    guard let observer else { return }
    core.section { observer.end() }
  }

  /// Whether the observation still goes on.
  public var isActive: Bool {
    guard let observer else { return false }
    return core.section { observer.isActive && !observer.isOwnerGone }
  }
}
