#if SQLite
  import Dispatch
  public import ECS

  /// Saves in each pass of a loop in which something changed that a session keeps, in one
  /// transaction.
  ///
  /// ```swift
  /// let loop = ReactiveLoop(ctx: session.context, queue: queue, systems: [SavingSystem(session)])
  /// ```
  ///
  /// Put it last, so that a pass saves what the systems before it did. If saving fails, the loop's
  /// error handler is called, and all is saved when the loop tries again, or with any other save.
  /// An error that stays, such as ``StoreError/unique(table:column:entity:)``, names the entity: a
  /// handler may ``StoreSession/revert(_:)`` it.
  public final class SavingSystem: ReactiveSystem {
    /// Tells that there is something to save; what that is, the session keeps for itself.
    ///
    /// It holds the last entities that have changed, of many not all.
    public let collector: Collector
    private let session: StoreSession

    /// Makes a system that saves a session.
    public init(_ session: StoreSession) {
      self.session = session
      collector = session.makeBell()
    }

    /// Saves all that there is to save, as ``StoreSession/save()`` does.
    ///
    /// - Throws: ``StoreError``.
    public func execute(entities: EntitySet) throws { try session.save() }
  }

  extension StoreSession {
    /// A loop that does nothing but save, on a queue of its own.
    ///
    /// Keep it: it ends when it is released.
    ///
    /// - Parameters:
    ///   - timing: When a save follows a change.
    ///   - errorHandler: Gets failures, on the loop's queue, before the loop tries again.
    /// - Returns: The loop.
    public func autosave(
      timing: ReactiveLoop.Timing = .throttle(.milliseconds(200)),
      errorHandler: (@Sendable (inout LoopFailure) -> Void)? = nil
    ) -> ReactiveLoop {
      ReactiveLoop(
        ctx: context, queue: DispatchQueue(label: "ECSStore.autosave"),
        systems: [SavingSystem(self)], name: "autosave", timing: timing,
        errorHandler: errorHandler)
    }
  }
#endif
