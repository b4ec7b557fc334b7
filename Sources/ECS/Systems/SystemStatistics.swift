/// The counts and times of a system in its loop so far.
///
/// A run is a call of `execute`, with or without entities, or of `cleanup`; of a system whose work
/// awaits, the work on one entity.
public struct SystemStatistics: Hashable, Sendable {
  /// The system's name.
  public let name: String

  /// The number of runs.
  public internal(set) var runs = 0

  /// The number of entities that all runs together received.
  public internal(set) var entities = 0

  /// The time that all runs together took.
  public internal(set) var totalTime = Duration.zero

  /// The time that the last run took.
  public internal(set) var lastTime = Duration.zero

  /// The number of errors that the system threw, in runs and elsewhere; for a ``Loop``, those that
  /// its systems threw.
  public internal(set) var errors = 0

  /// The number of works that are in flight now, of a system whose work awaits; see
  /// ``ReactiveLoop/onAsync(_:name:limit:_:)``.
  public internal(set) var inFlight = 0

  /// The number of entities whose work has not begun, of a system whose work awaits.
  public internal(set) var waiting = 0

  init(name: String) {
    self.name = name
  }

  mutating func noteRun(entities: Int, time: Duration) {
    runs += 1
    self.entities += entities
    totalTime += time
    lastTime = time
  }
}

extension SystemStatistics: CustomStringConvertible {
  /// The name and the numbers, such as `Persist: 3 runs, 12 entities, 0.5 s, 0 errors`.
  public var description: String {
    "\(name): \(runs) runs, \(entities) entities, \(totalTime), \(errors) errors"
  }
}
