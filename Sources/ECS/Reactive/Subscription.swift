/// An observation that goes on as long as this token is kept.
///
/// The observation ends when the token is released or ``cancel()`` is called; from then on the
/// observer is not called any more, not even for changes made before. Both may happen on any
/// thread, inside of observers too, and after the context is gone.
public final class Subscription: Sendable {
  private let core: CoreReference
  private let list: ObserverList

  // Guarded by the lock of the core.
  nonisolated(unsafe) private var observer: ObserverList.Observer?
  private let end: @Sendable () -> Void

  init(
    core: CoreReference, list: ObserverList, observer: ObserverList.Observer,
    end: @escaping @Sendable () -> Void
  ) {
    self.core = core
    self.list = list
    self.observer = observer
    self.end = end
  }

  deinit {
    cancel()
  }

  /// Ends the observation.
  ///
  /// Does nothing if it has ended.
  public func cancel() {
    // The observer's closure is released outside of the critical section: it may own anything.
    let ended = core.section { () -> ObserverList.Observer? in
      guard let observer else { return nil }
      self.observer = nil
      list.remove(observer)
      end()
      return observer
    }
    withExtendedLifetime(ended) {}
  }

  /// Whether the observation still goes on.
  public var isActive: Bool {
    core.section { observer != nil }
  }
}
