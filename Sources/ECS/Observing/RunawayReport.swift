/// A report of observers that were stopped because they kept causing changes for each other.
public struct RunawayReport: Error, Hashable, Sendable {
  /// How many rounds of observers had run: see ``Context/maximumObserverRounds``.
  public let rounds: Int

  /// The number of notifications that were dropped.
  public internal(set) var dropped = 0

  /// What was observed, and the names of the observers that have one, each once.
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
  /// What happened, and which observers were involved.
  public var description: String {
    "Observers kept changing what they observe: \(dropped) notifications were dropped after \(rounds) rounds; they were for \(observers.joined(separator: ", "))."
  }
}
