import Dispatch

extension ReactiveLoopEngine {
  func runUntilSettled() {
    require(
      !isInTurn,
      "A system called runUntilSettled() of its own loop, which would wait for that system: leave it to the loop, which makes another pass by itself."
    )
    if isOnQueue { settle() } else { queue.sync { settle() } }
  }

  private func settle() {
    withTurn {
      guard beginSettling() else { return }
      feeding.reset()
      var hasNews: Bool
      repeat {
        makePass()
        hasNews = findsNews()
      } while hasNews && !reportIfKeptAwake() && withState(\.canRun)
      endPasses(hasNews: hasNews)
    }
  }

  private func beginSettling() -> Bool {
    let now = clock.now()
    return withState { state in
      guard state.canRun else { return false }
      state.unschedule()
      state.phase = .running
      state.isForced = true
      state.lastPass = now
      return true
    }
  }

  func settled() async {
    scheduleIfNeeded()
    let sleeper = withState { state in
      state.lastSleeper += 1
      return state.lastSleeper
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { sleep(sleeper, $0) }
    } onCancel: {
      wakeSleeper(sleeper)
    }
  }

  /// Plans a pass if there is news and the thread that made it has not come to wake the loop yet.
  func scheduleIfNeeded() {
    guard hasNews else { return }
    let now = clock.now()
    perform(
      withState { state in
        state.canRun && state.phase == .idle ? state.schedule(timing, at: now) : .nothing
      })
  }

  private func sleep(_ sleeper: UInt64, _ continuation: CheckedContinuation<Void, Never>) {
    let now = clock.now()
    resumeSleepers(
      withState { state in
        state.addSleeper(sleeper, at: now, continuation)
        return state.takeSleepers()
      })
    // If the task was cancelled before, there was nothing to be woken.
    if Task.isCancelled { wakeSleeper(sleeper) }
  }

  private func wakeSleeper(_ sleeper: UInt64) {
    withState { $0.removeSleeper(sleeper) }?.resume()
  }
}
