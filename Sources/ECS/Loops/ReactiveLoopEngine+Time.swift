extension ReactiveLoopEngine {
  /// Lets a system be executed at a time, and then once in a period.
  func startPeriod(_ period: Duration, _ due: PeriodicSystem.Due, at time: Duration) {
    clock.run(max(time - clock.now(), .zero), queue) { [weak self] in
      guard let self, !isCancelled else { return }
      due.set()
      trigger(isForced: true, timing: .immediate)
      // Without those that were missed.
      let (next, now) = (time + period, clock.now())
      startPeriod(period, due, at: next > now ? next : now + period)
    }
  }
}
