public import Dispatch

extension Context {
  /// Calls a closure after each creation and destruction of an entity, and when groups and indexes
  /// are made.
  ///
  /// `created` and `destroyed` are delivered as described for
  /// ``SingleChangeSource/observeChanges(_:name:on:file:line:_:)``; observers of contexts come
  /// after those of groups. New groups and indexes are reported at once.
  ///
  /// - Parameters:
  ///   - name: Names the observer in the ``RunawayReport``.
  ///   - queue: Where to run; nil to run in the context's critical section.
  ///   - file: Where the observation begins, for the ``Cause`` of what the closure changes.
  ///   - line: The line in the file.
  ///   - body: Called with each event.
  /// - Returns: A token; releasing it ends the observation.
  public func observeEvents(
    name: String? = nil, on queue: DispatchQueue? = nil, file: StaticString = #fileID,
    line: Int = #line, _ body: @escaping @Sendable (ContextEvent) -> Void
  ) -> Subscription {
    attach(name: name, by: nil, on: queue, at: SourceLocation(file, line), body)
  }

  /// Calls a closure after each event of the context, as long as an owner lives.
  ///
  /// Works like ``observeEvents(name:on:file:line:_:)``; owners and names are as described for
  /// ``SingleChangeSource/observeChanges(_:by:name:on:file:line:_:)``.
  ///
  /// - Returns: A token to end the observation early; releasing it does nothing.
  @discardableResult
  public func observeEvents<Owner: AnyObject & Sendable>(
    by owner: Owner, name: String? = nil, on queue: DispatchQueue? = nil,
    file: StaticString = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (Owner, ContextEvent) -> Void
  ) -> Subscription {
    attach(name: name, by: owner, on: queue, at: SourceLocation(file, line)) { [weak owner] event in
      if let owner { body(owner, event) }
    }
  }

  /// Calls a closure of the main actor after each event of the context, as long as an owner lives.
  ///
  /// Like ``observeEvents(by:name:on:file:line:_:)`` on the main queue.
  @MainActor
  @discardableResult
  public func observeEventsOnMainActor<Owner: AnyObject & Sendable>(
    by owner: Owner, name: String? = nil,
    _ body: @escaping @MainActor @Sendable (Owner, ContextEvent) -> Void
  ) -> Subscription {
    attach(name: name, by: owner, on: .main, at: .unknown) { [weak owner] event in
      MainActor.assumeIsolated {
        if let owner { body(owner, event) }
      }
    }
  }

  private func attach(
    name: String?, by owner: AnyObject?, on queue: DispatchQueue?, at location: SourceLocation,
    _ body: @escaping @Sendable (ContextEvent) -> Void
  ) -> Subscription {
    let signal = ChangeSignal(core: core, subject: .context) {
      ContextObserverList($0, .context)
    }
    return signal.attach(
      body, on: queue, .addedUpdatedOrRemoved, name: name, by: owner, at: location
    ) { .event($0) }
  }
}
