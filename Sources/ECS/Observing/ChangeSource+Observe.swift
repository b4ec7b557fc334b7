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
  /// let subscription = article.observe { article in show(article) }
  /// ```
  ///
  /// To be told of each change on its own, with old and new values, use
  /// ``SingleChangeSource/observeChanges(_:name:on:_:)``.
  ///
  /// - Parameters:
  ///   - initial: Whether to run at once, too.
  ///   - name: Names the observer in ``observerNames`` and in the ``RunawayReport``.
  ///   - queue: Where to run; nil to run right after the change. On a queue, the closure runs once
  ///     for each outermost change all the same, in their order if the queue is serial, and not in
  ///     the critical section.
  ///   - body: Called with the source; with a ``LiveViewChange`` if the source is a live view.
  /// - Returns: A token; releasing it ends the observation.
  /// - Complexity: O(1) amortized, as is ending the observation.
  public func observe(
    initial: Bool = true, name: String? = nil, on queue: DispatchQueue? = nil,
    _ body: @escaping @Sendable (Notice) -> Void
  ) -> Subscription {
    attach(body, on: queue, name: name, initial: initial)
  }

  /// Runs a closure once after each outermost change that concerns the source, as long as an
  /// owner lives.
  ///
  /// Like ``observe(initial:name:on:_:)``. The owner is held weakly and handed to the closure,
  /// which so need not capture it; when it goes, the observation goes, and what the closure
  /// captured soon after: when the context next tells someone something, or an observation begins,
  /// it lets go of a few that were bound to owners that are gone. Give the observation a name if
  /// the owner comes to show something else, like a cell of a list: the same owner and name
  /// replaces the earlier observation, of this or any other source of the context.
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
    attach(
      { [weak owner] notice in
        if let owner { body(owner, notice) }
      }, on: queue, name: name, by: owner, initial: initial)
  }

  /// Runs a closure on the main actor once after each outermost change that concerns the source,
  /// as long as an owner lives.
  ///
  /// Like ``observe(by:name:initial:on:_:)``: at once if it is to run initially, later on the main
  /// queue.
  @MainActor
  @discardableResult
  public func observeOnMainActor<Owner: AnyObject & Sendable>(
    by owner: Owner, name: String? = nil, initial: Bool = true,
    _ body: @escaping @MainActor @Sendable (Owner, Notice) -> Void
  ) -> Subscription {
    let source = self
    let onMainActor: @Sendable (Notice) -> Void = { [weak owner] notice in
      MainActor.assumeIsolated {
        if let owner { body(owner, notice) }
      }
    }
    let delivery = QueueDelivery(changeSignal.core, .main, onMainActor)
    return changeSignal.attach(
      .whole { announcement in
        let notice = source.notice(of: announcement)
        // Registering happens on the main actor, and so does what it runs at once.
        if announcement.isInitial { onMainActor(notice) } else { delivery.send(notice) }
      }, name: name, through: delivery, by: owner, initial: initial)
  }

  /// Runs a closure after each outermost change that concerns the source, when the lock is free.
  ///
  /// For bridges to what has locks of its own, like other frameworks: here nothing of the context is
  /// locked, on the thread that made the change, right after it. Other threads may be faster, so
  /// the closure is told nothing but that there was a change, and looks for itself; and it may run on
  /// several threads at once. For asynchronous code, ``observations`` and
  /// ``SingleChangeSource/changes(_:buffering:)`` are bridges already.
  ///
  /// ```swift
  /// let subscription = article.observeAfterwards { [weak list] in list?.setNeedsUpdate() }
  /// ```
  ///
  /// - Parameter body: Called without arguments. It may call the context, but if it changes the source
  ///   each time, it calls itself without end: nobody counts the rounds here.
  /// - Returns: A token; releasing it ends the observation.
  public func observeAfterwards(_ body: @escaping @Sendable () -> Void) -> Subscription {
    let call = UnlockedCall(changeSignal.core, body)
    return changeSignal.attach(.whole { _ in call.send() }, through: call)
  }

  private func attach(
    _ body: @escaping @Sendable (Notice) -> Void, on queue: DispatchQueue?, name: String?,
    by owner: AnyObject? = nil, initial: Bool
  ) -> Subscription {
    let source = self
    guard let queue else {
      return changeSignal.attach(
        .whole { body(source.notice(of: $0)) }, name: name, by: owner, initial: initial)
    }
    let delivery = QueueDelivery(changeSignal.core, queue, body)
    return changeSignal.attach(
      .whole { delivery.send(source.notice(of: $0)) }, name: name, through: delivery, by: owner,
      initial: initial)
  }
}

extension ChangeSignal {
  /// Begins an observation, which ends with the owner, or, without one, with the token.
  func attach(
    _ handler: Observer.Handler, _ kinds: ChangeKinds = [], name: String? = nil,
    through delivery: (any Delivery)? = nil, by owner: AnyObject? = nil, initial: Bool = false,
    ended: (@Sendable () -> Void)? = nil
  ) -> Subscription {
    core.section {
      let list = listMadeIfNeeded()
      let isPlain = name == nil && delivery == nil && owner == nil && ended == nil
      let observer = Observer(
        handler, kinds, from: handler.isOfWhole ? core.lastMark + 1 : core.nextChangeNumber,
        isPlain ? nil : ObserverTerms(name: name, through: delivery, ended: ended ?? {}))
      if let owners = core.observed?.notifier.owners {
        owners.sweep()
        if let owner { owners.adopt(observer, owner, isBeginning: list != nil) }
      }
      list?.append(observer)
      if initial, case .whole(let tell) = handler {
        tell(Announcement(isInitial: true, details: list?.initialDetails()))
      }
      if list == nil {
        // What its closure owns may be anything.
        core.retire(observer)
        observer.end()
      }
      return Subscription(observer, in: core, endsWhenReleased: owner == nil)
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
      guard let list = changeSignal.list else { return }
      list.notifier.owners.existing(owner)?.end(name, in: list)
    }
  }

  /// The number of observers of the source, as a whole or of its single changes, without those whose
  /// owners are gone.
  ///
  /// - Complexity: O(*k*), where *k* is the number of observers.
  public var observerCount: Int {
    changeSignal.core.section {
      changeSignal.list?.observers.count { !$0.isOwnerGone } ?? 0
    }
  }

  /// The names of those observers of the source that have one: first those of its single changes, then
  /// those of the whole, in the order in which they began.
  ///
  /// - Complexity: O(*k*), where *k* is the number of observers.
  public var observerNames: [String] {
    changeSignal.core.section {
      changeSignal.list?.observers.compactMap { $0.isOwnerGone ? nil : $0.name } ?? []
    }
  }
}
