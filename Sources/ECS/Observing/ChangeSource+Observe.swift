public import Dispatch

extension ChangeSource {
  /// Runs a closure once after each outermost change that concerns the source.
  ///
  /// An outermost change is a single call, or everything that happens in a ``Context/perform(_:)``.
  /// The closure runs when it ends, after the observers of single changes, on the thread that made
  /// the change and in the context's critical section. It may change the context, including the
  /// source, after which it runs again; see ``Context/maximumObserverRounds``. Sources are
  /// announced in the order in which they first changed, to the observers of each in the order of
  /// their subscription.
  ///
  /// ```swift
  /// let subscription = article.observe { article in show(article) }
  /// ```
  ///
  /// To be notified of each change separately, with old and new values, use
  /// ``SingleChangeSource/observeChanges(_:name:on:file:line:_:)``.
  ///
  /// - Parameters:
  ///   - initial: Whether to run at once, too.
  ///   - name: Names the observer in ``observerNames`` and in the ``RunawayReport``.
  ///   - queue: Where to run; nil to run right after the change. On a queue, the closure still runs
  ///     once for each outermost change, in order if the queue is serial, and outside the critical
  ///     section.
  ///   - file: Where the observation begins, for the ``Cause`` of what the closure changes.
  ///   - line: The line in the file.
  ///   - body: Called with the source; with a ``LiveViewChange`` if the source is a live view.
  /// - Returns: A token; releasing it ends the observation.
  /// - Complexity: O(1) amortized, as is ending the observation.
  public func observe(
    initial: Bool = true, name: String? = nil, on queue: DispatchQueue? = nil,
    file: StaticString = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (Notice) -> Void
  ) -> Subscription {
    attach(body, on: queue, name: name, initial: initial, at: SourceLocation(file, line))
  }

  /// Runs a closure once after each outermost change that concerns the source, as long as an
  /// owner lives.
  ///
  /// Works like ``observe(initial:name:on:file:line:_:)``. The owner is held weakly and passed to
  /// the closure, which therefore need not capture it. The observation ends with the owner, and
  /// what the closure captured is released soon after: when the context next notifies an observer,
  /// or an observation begins, it releases a few observations whose owners are gone. Give the
  /// observation a name if the owner will show something else later, like a cell of a list: an
  /// observation with the same owner and name replaces the earlier one, of this or any other source
  /// of the context.
  ///
  /// ```swift
  /// article.observe(by: cell, name: "title") { cell, article in
  ///   cell.title = article.get(Title.self)?.text
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - owner: The object that the observation is bound to.
  ///   - name: Observations with the same owner and name replace each other.
  ///   - initial: Whether to run at once, too.
  ///   - queue: Where to run; nil to run right after the change.
  ///   - file: Where the observation begins, for the ``Cause`` of what the closure changes.
  ///   - line: The line in the file.
  ///   - body: Called with the owner and the source, or the ``LiveViewChange`` of a live view.
  /// - Returns: A token to end the observation early; releasing it does nothing.
  @discardableResult
  public func observe<Owner: AnyObject & Sendable>(
    by owner: Owner, name: String? = nil, initial: Bool = true, on queue: DispatchQueue? = nil,
    file: StaticString = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (Owner, Notice) -> Void
  ) -> Subscription {
    attach(
      { [weak owner] notice in
        if let owner { body(owner, notice) }
      }, on: queue, name: name, by: owner, initial: initial, at: SourceLocation(file, line))
  }

  /// Runs a closure on the main actor once after each outermost change that concerns the source,
  /// as long as an owner lives.
  ///
  /// Works like ``observe(by:name:initial:on:file:line:_:)``: the initial call is made at once,
  /// later ones on the main queue.
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
  /// For bridges to code with its own locks, like other frameworks: the closure runs on the thread
  /// that made the change, right after it, without the context's lock. Other threads may be faster,
  /// so the closure learns only that there was a change, and looks for itself; and it may run on
  /// several threads at once. For asynchronous code, ``observations`` and
  /// ``SingleChangeSource/changes(_:buffering:)`` are ready-made bridges.
  ///
  /// ```swift
  /// let subscription = article.observeAfterwards { [weak list] in list?.setNeedsUpdate() }
  /// ```
  ///
  /// - Parameter body: Called without arguments. It may call the context, but if it changes the
  ///   source each time, it is called without end: rounds are not counted here.
  /// - Returns: A token; releasing it ends the observation.
  public func observeAfterwards(_ body: @escaping @Sendable () -> Void) -> Subscription {
    let call = UnlockedCall(changeSignal.core, body)
    return changeSignal.attach(.whole { _ in call.send() }, through: call)
  }

  private func attach(
    _ body: @escaping @Sendable (Notice) -> Void, on queue: DispatchQueue?, name: String?,
    by owner: AnyObject? = nil, initial: Bool, at location: SourceLocation
  ) -> Subscription {
    let source = self
    return changeSignal.attach(
      body, on: queue, name: name, by: owner, initial: initial, at: location
    ) { tell in
      .whole { tell(source.notice(of: $0)) }
    }
  }
}

extension ChangeSignal {
  /// Begins an observation whose closure runs in the critical section or, if there is one, on a
  /// queue.
  ///
  /// The handler is made of that closure, or of one that sends to the queue.
  func attach<Notice: Sendable>(
    _ body: @escaping @Sendable (Notice) -> Void, on queue: DispatchQueue?,
    _ kinds: ChangeKinds = [], name: String?, by owner: AnyObject?, initial: Bool = false,
    at location: SourceLocation,
    _ handler: (@escaping @Sendable (Notice) -> Void) -> Observer.Handler
  ) -> Subscription {
    guard let queue else {
      return attach(handler(body), kinds, name: name, by: owner, initial: initial, at: location)
    }
    let delivery = QueueDelivery(core, queue, body)
    return attach(
      handler { delivery.send($0) }, kinds, name: name, through: delivery, by: owner,
      initial: initial)
  }

  /// Begins an observation, which ends with the owner, or, without one, with the token.
  func attach(
    _ handler: Observer.Handler, _ kinds: ChangeKinds = [], name: String? = nil,
    through delivery: (any Delivery)? = nil, by owner: AnyObject? = nil, initial: Bool = false,
    at location: SourceLocation = .unknown, ended: (@Sendable () -> Void)? = nil
  ) -> Subscription {
    core.section {
      let list = listMadeIfNeeded()
      // Tells those apart that begin inside of a transaction from those that were there before.
      if core.isRecording, handler.isOfWhole { _ = core.notifications.countMark() }
      let isPlain = name == nil && delivery == nil && owner == nil && ended == nil
      let observer = Observer(
        handler, kinds,
        from: handler.isOfWhole ? core.notifications.lastMark + 1 : core.notifications.nextSequence,
        isPlain ? nil : ObserverTerms(name: name, through: delivery, ended: ended ?? {}),
        at: location)
      if let owners = core.client?.notifier.owners {
        owners.sweep()
        if let owner { owners.adopt(observer, owner, isBeginning: list != nil) }
      }
      list?.append(observer)
      if initial, case .whole(let tell) = handler {
        list?.noteInitialCall(of: observer)
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
  ///   - owner: The owner of the observations that end.
  ///   - name: The name of the observation to end; nil for all of them.
  public func stopObserving(by owner: AnyObject, name: String? = nil) {
    let core = changeSignal.core
    core.section {
      guard let list = changeSignal.list else { return }
      list.notifier.owners.existing(owner)?.end(name, in: list)
    }
  }

  /// The number of observers of the source, as a whole or of its single changes, without those
  /// whose owners are gone.
  ///
  /// - Complexity: O(*k*), where *k* is the number of observers.
  public var observerCount: Int {
    changeSignal.core.readingSection(keepsNothing: true) {
      changeSignal.list?.observers.count { !$0.isOwnerGone } ?? 0
    }
  }

  /// The names of the source's observers that have one: first those of its single changes, then
  /// those of the source as a whole, in the order in which they began.
  ///
  /// - Complexity: O(*k*), where *k* is the number of observers.
  public var observerNames: [String] {
    changeSignal.core.readingSection(keepsNothing: true) {
      changeSignal.list?.observers.compactMap { $0.isOwnerGone ? nil : $0.name } ?? []
    }
  }
}
