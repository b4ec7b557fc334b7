extension ReactiveLoopEngine {
  /// Calls a body on the queue when some time has passed.
  ///
  /// From then on until the body has returned, the loop has not settled, for those that ask
  /// meanwhile.
  func startTimer(after wait: Duration, _ body: @escaping @Sendable (ReactiveLoopEngine) -> Void) {
    let number = withState { $0.addTimer() }
    clock.run(wait, queue) { [weak self] in
      guard let self else { return }
      body(self)
      resumeSleepers(
        withState { state in
          state.endTimer(number)
          return state.takeSleepers()
        })
    }
    // Read after the clock has: a clock that is advanced meanwhile counts from the later time, and
    // what waits for a timer must not wait for one that is not due.
    let due = clock.now() + wait
    withState { $0.setDue(due, ofTimer: number) }
  }

  /// Lets a system be executed at a time, and then once in a period.
  func startPeriod(_ period: Duration, _ due: PeriodicSystem.Due, at time: Duration) {
    startTimer(after: max(time - clock.now(), .zero)) { engine in
      guard !engine.isCancelled else { return }
      due.set()
      engine.trigger(isForced: true, timing: .immediate)
      // Without those that were missed.
      let (next, now) = (time + period, engine.clock.now())
      engine.startPeriod(period, due, at: next > now ? next : now + period)
    }
  }
}
