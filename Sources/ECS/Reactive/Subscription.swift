/// An observation that goes on as long as this token is kept.
///
/// The observation ends when the token is released or ``cancel()`` is called; from then on the
/// observer is not called any more, not even for changes made before. Both may happen on any
/// thread, inside of observers too, and after the context is gone.
///
/// The token of an observation that is bound to an owner may be dropped: that observation goes on
/// until its owner goes or ``cancel()`` is called.
public final class Subscription: Sendable {
  private let core: CoreReference
  private let endsWhenReleased: Bool

  /// Ends the observation and returns what may own anything, to be released outside of the lock.
  // Guarded by the lock of the core.
  nonisolated(unsafe) private var end: (@Sendable () -> (any Sendable)?)?
  private let isStillActive: @Sendable () -> Bool

  init(
    core: CoreReference, endsWhenReleased: Bool = true,
    isStillActive: @escaping @Sendable () -> Bool = { true },
    end: @escaping @Sendable () -> (any Sendable)?
  ) {
    self.core = core
    self.endsWhenReleased = endsWhenReleased
    self.isStillActive = isStillActive
    self.end = end
  }

  /// Makes a token of an observation that could not begin, because its subject is gone.
  init(endedIn core: CoreReference) {
    self.core = core
    endsWhenReleased = false
    isStillActive = { false }
  }

  deinit {
    if endsWhenReleased { cancel() }
  }

  /// Ends the observation.
  ///
  /// Does nothing if it has ended.
  public func cancel() {
    // The observer's closure is released outside of the critical section: it may own anything.
    let released = core.section { () -> [(any Sendable)?] in
      guard let end else { return [] }
      self.end = nil
      return [end(), end]
    }
    withExtendedLifetime(released) {}
  }

  /// Whether the observation still goes on.
  public var isActive: Bool {
    core.section { end != nil && isStillActive() }
  }
}
