extension Context {
  /// How many rounds of observers one outermost change may cause; 10,000 by default.
  ///
  /// What observers change is delivered in the next round. Observers that settle end the rounds by
  /// themselves. Those that don't are stopped at this number: their pending notifications are
  /// dropped and reported to ``observeRunaways(_:)``, and everything that was changed stays
  /// changed. The same happens to observers that multiply, once they have caused this many
  /// notifications for each one of the change itself.
  public var maximumObserverRounds: Int {
    get { core.read { core.notifications.maximumRounds } }
    set { core.section { core.notifications.maximumRounds = max(1, newValue) } }
  }

  /// Calls a closure when observers that kept causing changes for each other were stopped.
  ///
  /// It runs in the context's critical section, after the outermost change. ``statistics`` has the
  /// number of reports.
  ///
  /// - Returns: A token; releasing it ends the observation.
  public func observeRunaways(
    _ body: @escaping @Sendable (RunawayReport) -> Void
  ) -> Subscription {
    ChangeSignal(core: core, subject: .runaways) { ObserverList($0, .runaways) }
      .attach(.runaway(body))
  }
}
