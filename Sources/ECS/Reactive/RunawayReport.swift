/// What is told of observers that kept causing changes for each other and were stopped.
public struct RunawayReport: Error, Hashable, Sendable {
  /// How many rounds of observers had run: see ``Context/maximumObserverRounds``.
  public let rounds: Int

  /// The number of notifications that were dropped.
  public internal(set) var dropped = 0

  /// What was observed, and the names of the observers that have one; each once.
  public internal(set) var observers: [String] = []

  private static var longestList: Int { 20 }

  init(rounds: Int) {
    self.rounds = rounds
  }

  mutating func note(_ names: [String]) {
    dropped += 1
    for name in names where observers.count < Self.longestList && !observers.contains(name) {
      observers.append(name)
    }
  }
}

extension RunawayReport: CustomStringConvertible {
  /// What happened, and who was part of it.
  public var description: String {
    "Observers kept changing what they observe: \(dropped) notifications were dropped after \(rounds) rounds; they were for \(observers.joined(separator: ", "))."
  }
}

extension Context {
  /// How many rounds of observers one outermost change may cause; 10,000 at first.
  ///
  /// What observers change is told in the next round. Observers that settle end the rounds
  /// by themselves. Those that don't are stopped here: what they would be told is dropped and
  /// reported to ``observeRunaways(_:)``, everything that was changed stays. The same happens to
  /// observers that multiply, once they have caused as many notifications for each one of the
  /// change itself.
  public var maximumObserverRounds: Int {
    get { core.section { core.maximumRounds } }
    set { core.section { core.maximumRounds = max(1, newValue) } }
  }

  /// Calls a closure when observers that kept causing changes for each other were stopped.
  ///
  /// It runs in the context's critical section, after the outermost change. The number of reports
  /// is in ``statistics`` too.
  ///
  /// - Returns: A token; releasing it ends the observation.
  public func observeRunaways(
    _ body: @escaping @Sendable (RunawayReport) -> Void
  ) -> Subscription {
    ChangeSignal(core: core, subject: .runaways) { ObserverList($0.notifier, .runaways) }
      .attach(.runaway(body))
  }
}
