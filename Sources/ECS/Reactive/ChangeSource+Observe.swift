public import Dispatch

extension ChangeSource {
  /// Runs a closure once after each outermost change that concerns the source.
  ///
  /// An outermost change is a single call, or all that happens in a ``Context/perform(_:)``. The
  /// closure runs when it ends, behind the observers of single changes, on the thread that made
  /// the change and in the context's critical section. It may change the context, and the source
  /// too: it runs again then; see ``Context/maximumObserverRounds``. Sources run in the order in
  /// which they first changed, the observers of a source in the order of their subscription.
  ///
  /// ```swift
  /// let subscription = article.observe(initial: true) { article in show(article) }
  /// ```
  ///
  /// - Parameters:
  ///   - initial: Whether to run at once, too.
  ///   - queue: Where to run; nil to run right after the change. On a queue, the closure runs once
  ///     for each outermost change all the same, and not in the critical section.
  ///   - body: Called with the source; with a ``LiveViewChange`` if the source is a live view.
  /// - Returns: A token; releasing it ends the observation.
  public func observe(
    initial: Bool, on queue: DispatchQueue? = nil,
    _ body: @escaping @Sendable (Notice) -> Void
  ) -> Subscription {
    let source = self
    let cancellation = Cancellation()
    let observer = SignalObserver { announcement in
      let notice = source.notice(of: announcement)
      guard let queue else { return body(notice) }
      queue.async {
        if !cancellation.isCancelled { body(notice) }
      }
    }
    return attach(observer, initial: initial, cancellation, endsWhenReleased: true)
  }

  /// Runs a closure once after each outermost change that concerns the source, as long as an
  /// owner lives.
  ///
  /// As ``observe(initial:on:_:)``. The owner is held weakly and handed to the closure, which so
  /// need not capture it; when it goes, the observation goes. Give the observation a name if the
  /// owner comes to show something else, like a cell of a list: the same owner and name replaces
  /// the earlier observation, of this or any other source of the context.
  ///
  /// ```swift
  /// article.observe(by: cell, name: "title") { cell, article in
  ///   cell.title = article.get(Title.self)?.text
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - owner: Whose observation it is.
  ///   - name: Distinguishes the observations of an owner that replace each other.
  ///   - initial: Whether to run at once, too.
  ///   - queue: Where to run; nil to run right after the change.
  ///   - body: Called with the owner and the source, or the ``LiveViewChange`` of a live view.
  /// - Returns: A token to end the observation early; releasing it does nothing.
  @discardableResult
  public func observe<Owner: AnyObject & Sendable>(
    by owner: Owner, name: String? = nil, initial: Bool = true, on queue: DispatchQueue? = nil,
    _ body: @escaping @Sendable (Owner, Notice) -> Void
  ) -> Subscription {
    let source = self
    let cancellation = Cancellation()
    let observer = SignalObserver(
      name: name, ownerID: ObjectIdentifier(owner), isOwnerGone: { [weak owner] in owner == nil },
      run: { [weak owner] announcement in
        let notice = source.notice(of: announcement)
        guard let queue else {
          if let owner { body(owner, notice) }
          return
        }
        queue.async { [weak owner] in
          if let owner, !cancellation.isCancelled { body(owner, notice) }
        }
      })
    return attach(observer, initial: initial, cancellation, endsWhenReleased: false)
  }

  /// Runs a closure on the main actor once after each outermost change that concerns the source,
  /// as long as an owner lives.
  ///
  /// As ``observe(by:name:initial:on:_:)``: at once if it is to run initially, later on the main
  /// queue.
  @MainActor
  @discardableResult
  public func observeOnMainActor<Owner: AnyObject & Sendable>(
    by owner: Owner, name: String? = nil, initial: Bool = true,
    _ body: @escaping @MainActor @Sendable (Owner, Notice) -> Void
  ) -> Subscription {
    let source = self
    let cancellation = Cancellation()
    let observer = SignalObserver(
      name: name, ownerID: ObjectIdentifier(owner), isOwnerGone: { [weak owner] in owner == nil },
      run: { [weak owner] announcement in
        let notice = source.notice(of: announcement)
        if announcement.isInitial {
          // Registering happens on the main actor, and so does what it runs at once.
          return MainActor.assumeIsolated {
            if let owner { body(owner, notice) }
          }
        }
        DispatchQueue.main.async { [weak owner] in
          if let owner, !cancellation.isCancelled { body(owner, notice) }
        }
      })
    return attach(observer, initial: initial, cancellation, endsWhenReleased: false)
  }

  func attach(
    _ observer: SignalObserver, initial: Bool, _ cancellation: Cancellation, endsWhenReleased: Bool
  ) -> Subscription {
    let core = changeSignal.core
    return core.section {
      let node = changeSignal.node()
      if let state = core.state { state.adopt(observer, on: node, cancellation) }
      let details = initial ? node?.initialDetails() : nil
      if node == nil { observer.ended() }
      if initial { observer.run(ChangeSignal.Announcement(isInitial: true, details: details)) }
      // Whoever keeps the token does not keep what the closure owns once the observation has ended.
      return Subscription(
        core: core, endsWhenReleased: endsWhenReleased,
        isStillActive: { [weak observer] in
          guard let observer else { return false }
          return observer.node != nil && observer.isActive && !observer.isOwnerGone()
        },
        end: { [weak observer, weak state = core.state] in
          cancellation.cancel()
          if let observer { state?.end(observer) }
          return observer
        })
    }
  }
}

extension ChangeSource {
  /// Ends observations of this source that are bound to an owner.
  ///
  /// - Parameters:
  ///   - owner: Whose observations end.
  ///   - name: The observation that ends; nil for all of them.
  public func stopObserving(by owner: AnyObject, name: String? = nil) {
    let core = changeSignal.core
    core.section {
      guard let node = changeSignal.existingNode else { return }
      core.state?.endObservers(of: owner, name) { $0.node === node }
    }
  }

  /// The number of observers of the source as a whole.
  public var observerCount: Int {
    changeSignal.core.section {
      changeSignal.core.state?.removeObserversOfGoneOwners()
      return changeSignal.existingNode?.observers.count ?? 0
    }
  }
}

extension Context {
  /// Ends observations that are bound to an owner.
  ///
  /// - Parameters:
  ///   - owner: Whose observations end.
  ///   - name: The observation that ends; nil for all of them.
  public func stopObserving(by owner: AnyObject, name: String? = nil) {
    core.section { state.endObservers(of: owner, name) { _ in true } }
  }

  /// The number of observations that are bound to an owner.
  public func observerCount(of owner: AnyObject) -> Int {
    core.section { state.observers(of: owner).count }
  }

  /// The names of the observations that are bound to an owner, in the order of their beginning.
  public func observerNames(of owner: AnyObject) -> [String] {
    core.section { state.observers(of: owner).compactMap(\.name) }
  }
}
