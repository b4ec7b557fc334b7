import Synchronization

extension ReactiveLoopEngine {
  /// Makes the pass that was planned with a ticket, unless it is void by now.
  func runScheduled(_ ticket: UInt64) {
    withTurn {
      guard beginScheduled(ticket) else { return }
      makePass()
      let hasNews = findsNews()
      reportIfKeptAwake()
      endPasses(hasNews: hasNews)
    }
  }

  private func beginScheduled(_ ticket: UInt64) -> Bool {
    let now = clock.now()
    var launch = ReactiveLoopState.Launch.nothing
    let begins = withState { state in
      guard state.ticket == ticket, state.phase == .scheduled else { return false }
      // Debounced: put off since the timer was set.
      guard state.due <= now else {
        launch = state.launch(at: now)
        return false
      }
      state.phase = .running
      state.lastPass = now
      return true
    }
    perform(launch)
    return begins
  }

  /// Lets the systems run if there is something to do.
  func makePass() {
    admitAdditions()
    let hasFailed = runner.initialise()
    let isForced = withState { state in
      defer { state.isForced = false }
      return state.isForced
    }
    // Before looking: a thread that comes later wakes the loop again.
    let wasWoken = isWoken.exchange(false, ordering: .acquiringAndReleasing)
    if wasWoken { feeding.reset() }
    guard runner.hasNews || isForced && runner.hasCollected else {
      if hasFailed { planRetry() }
      return
    }
    runner.pass {
      runner.execute()
      runner.cleanup()
    }
    planRetry()
  }

  /// Looks for news after a pass, which is cause for a further one.
  func findsNews() -> Bool {
    let wasWoken = isWoken.exchange(false, ordering: .acquiringAndReleasing)
    // A change that may be one for a system that was left out lets it be tried again.
    let hasNews = runner.hasNews || wasWoken && runner.hasLeftOut
    if wasWoken {
      feeding.reset()
      // The next pass was caused from outside, at least in part.
      if hasNews { isWoken.store(true, ordering: .releasing) }
    } else if runner.hasCollectedNews {
      feeding.notePass(of: maxPasses)
    }
    return hasNews
  }

  /// Tells the error handler if the loop keeps itself awake.
  ///
  /// Returns whether it does.
  @discardableResult
  func reportIfKeptAwake() -> Bool {
    guard feeding.passes >= maxPasses else { return false }
    var suspects = feeding.suspects.map { runner.steps[$0] }
    // No system is fed: one leaves entities in its triggers.
    if suspects.isEmpty { suspects = runner.steps.filter(\.hasNews) }
    runner.report(.keptAwake(passes: feeding.passes), suspects.map(\.name))
    feeding.reset()
    return true
  }

  /// Sees to it that entities are tried again that were collected again, and systems that could not
  /// be initialized.
  func planRetry() {
    // Nothing drains these collectors, so none would wake the loop for a further change.
    for collector in runner.leftOutTriggers { collector.awaitArrival() }
    guard runner.hasRestored || runner.hasLeftOut else {
      if !hasFailingWork { failuresInRow = 0 }
      withState { state in
        state.retryTicket += 1
        state.isRetryPlanned = false
      }
      return
    }
    failuresInRow += 1
    guard let wait = retry.wait(afterFailures: failuresInRow) else { return }
    let ticket = withState { state in
      state.retryTicket += 1
      state.isRetryPlanned = true
      return state.retryTicket
    }
    startTimer(after: wait) { engine in
      guard engine.withState({ $0.endRetry(ticket) }) else { return }
      engine.trigger(isForced: true, timing: .immediate)
    }
  }

  /// Ends the running phase: plans a further pass, or settles.
  func endPasses(hasNews: Bool) {
    let now = clock.now()
    var launch = ReactiveLoopState.Launch.nothing
    let sleepers = withState { state in
      state.statistics = runner.statistics + state.additions.map(\.statistics)
      state.leftOut = Set(runner.leftOutTriggers.map(ObjectIdentifier.init))
      state.phase = .idle
      // A thread that woke the loop since then found it running and went away.
      if state.canRun, hasNews || state.isForced || isWoken.load(ordering: .acquiring) {
        launch = state.schedule(timing, at: now)
      }
      return state.takeSleepers()
    }
    perform(launch)
    resumeSleepers(sleepers)
  }
}
