public import Dispatch

/// All changes of a context, as commits: complete, in order, with old and new values and causes.
///
/// ```swift
/// let subscription = context.journal(of: Position.self).observe { commit in
///   for change in commit {
///     print(change.kind, change.entity, change.new(Position.self) as Any, change.cause)
///   }
/// }
/// ```
///
/// Unlike observers of groups and entities, a journal tells every change of the context, none of
/// which is skipped for being out of date: applied to a context that was equal before, the changes
/// of a commit make it equal again. What a transaction took back is not among them.
///
/// A journal is a choice of changes; it costs something while something observes it or iterates
/// over its commits. Then changes take general paths, and the values before and after are copied
/// once, however many journals there are.
///
/// An observation that begins inside a section gets what changes from then on; one that begins
/// inside an iteration, what that changes afterwards, too. A value that the iteration's closure has
/// at that moment can't be looked at unless its type is trivial: such a change may be delivered
/// without the value before.
public struct Journal: Sendable {
  let core: Core
  let choice: JournalFilter

  init(_ core: Core, _ choice: JournalFilter) {
    self.core = core
    self.choice = choice
  }

  var signal: ChangeSignal {
    ChangeSignal(core: core, subject: .journal) { JournalObserverList($0, .journal) }
  }

  /// Runs a body in the critical section of the context, even if that is gone.
  package func section<Result>(_ body: () -> Result) -> Result { core.section(body) }

  /// Reads something that such sections change, and calls no code of others.
  package func read<Result>(_ body: () -> Result) -> Result { core.read(body) }

  /// Keeps an object until the outermost change has ended: what it owns may be anything.
  ///
  /// Called within a section.
  package func retire(_ object: AnyObject) { core.retire(object) }

  /// A number of the running thread, which no other one that lives has.
  package static var currentThread: UInt { ThreadIdentity.current }

  /// Calls a closure with each commit.
  ///
  /// The closure runs on the thread that made the change, in the context's critical section, when
  /// all observers have been notified. It may read the context, which is as the commit has left it,
  /// and must not change it. On a queue, it runs later and without the lock, and may do anything.
  ///
  /// - Parameters:
  ///   - name: Names the observer.
  ///   - queue: Where to run, in the order of the commits if the queue is serial; nil to run in the
  ///     critical section.
  ///   - body: Called with each commit that has changes which the journal tells.
  /// - Returns: A token; releasing it ends the observation.
  /// - Complexity: O(1) amortized, as is ending the observation.
  public func observe(
    name: String? = nil, on queue: DispatchQueue? = nil,
    _ body: @escaping @Sendable (Commit) -> Void
  ) -> Subscription {
    attach(name: name, by: nil, on: queue, body)
  }

  /// Calls a closure with each commit, as long as an owner lives.
  ///
  /// Works like ``observe(name:on:_:)``; owners and names are as described for
  /// ``SingleChangeSource/observeChanges(_:by:name:on:file:line:_:)``.
  ///
  /// - Returns: A token to end the observation early; releasing it does nothing.
  @discardableResult
  public func observe<Owner: AnyObject & Sendable>(
    by owner: Owner, name: String? = nil, on queue: DispatchQueue? = nil,
    _ body: @escaping @Sendable (Owner, Commit) -> Void
  ) -> Subscription {
    attach(name: name, by: owner, on: queue) { [weak owner] commit in
      if let owner { body(owner, commit) }
    }
  }

  /// Calls a closure of the main actor with each commit, as long as an owner lives.
  ///
  /// Like ``observe(by:name:on:_:)`` on the main queue.
  @MainActor
  @discardableResult
  public func observeOnMainActor<Owner: AnyObject & Sendable>(
    by owner: Owner, name: String? = nil,
    _ body: @escaping @MainActor @Sendable (Owner, Commit) -> Void
  ) -> Subscription {
    attach(name: name, by: owner, on: .main) { [weak owner] commit in
      MainActor.assumeIsolated {
        if let owner { body(owner, commit) }
      }
    }
  }

  /// The commits from now on, as an asynchronous sequence.
  ///
  /// The task runs later and without the lock, and may change the context. The sequence ends when
  /// the context goes away, when ``finish()`` is called, and when the task is cancelled, which
  /// drops what waits: ``CommitSequence/droppedCount`` says how much that was. Iterate over it
  /// once, in one task.
  ///
  /// ```swift
  /// for await commit in context.journal().commits(buffering: .bufferingNewest(1000)) {
  ///   if commit.droppedBefore > 0 { sendEverything() } else { send(commit) }
  /// }
  /// ```
  ///
  /// - Parameter buffering: What happens to commits that come faster than they are consumed. By
  ///   default they wait, however many there are. Each says how many were dropped before it.
  /// - Returns: The sequence, which observes until it is released or ends.
  public func commits(buffering: CommitSequence.Buffering = .unbounded) -> CommitSequence {
    CommitSequence(self, buffering)
  }

  /// The commits from now on, up to a number, as an asynchronous sequence.
  ///
  /// The sequence ends behind the commit of that number, whether or not this has changes that the
  /// journal tells; at once if there has been such a commit. For all else see
  /// ``commits(buffering:)``.
  ///
  /// - Parameters:
  ///   - last: The number of the last commit, such as ``Context/lastCommit`` of a moment that is to
  ///     come.
  ///   - buffering: What happens to commits that come faster than they are consumed.
  /// - Returns: The sequence, which observes until it is released or ends.
  public func commits(
    upTo last: Int, buffering: CommitSequence.Buffering = .unbounded
  ) -> CommitSequence {
    CommitSequence(self, upTo: last, buffering)
  }

  /// Lets the sequences of commits end behind what has happened so far.
  ///
  /// Those of this journal and of others of the context with the same changes: their observations
  /// end, commits that wait are still delivered, and then the iterations are over. Called within a
  /// section, this takes effect when that has ended, so that its commit is delivered, too; a
  /// transaction around does not take it back. Sequences that begin later are not concerned, and
  /// observers neither.
  ///
  /// ```swift
  /// let writing = Task { for await commit in journal.commits() { await write(commit) } }
  /// // When the service stops, and nothing changes the context any more:
  /// journal.finish()
  /// await writing.value
  /// ```
  ///
  /// - Complexity: O(*n*), where *n* is the number of observations of journals of the context.
  public func finish() {
    let sequences = core.section {
      signal.list?.observers.filter { $0.isSequence(of: choice) } ?? []
    }
    core.runWhenFree { [core] in core.section { for sequence in sequences { sequence.end() } } }
  }

  private func attach(
    name: String?, by owner: AnyObject?, on queue: DispatchQueue?,
    _ body: @escaping @Sendable (Commit) -> Void
  ) -> Subscription {
    guard let queue else {
      // PERFORMANCE: J2: the closure as it is, with nothing around it.
      return signal.attach(.commit(CommitReader(choice, body)), name: name, by: owner)
    }
    let delivery = QueueDelivery(core, queue, body)
    let reader = CommitReader(choice) { commit in
      commit.noteSending()
      delivery.send(commit)
    }
    return signal.attach(.commit(reader), name: name, through: delivery, by: owner)
  }
}
