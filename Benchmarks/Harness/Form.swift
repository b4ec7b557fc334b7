/// How the calls of a workload are made.
enum Form: String, Codable, CaseIterable, Sendable {
  /// All inside of one `perform`, so that the lock is taken once.
  case batch

  /// Plain calls, each of which takes the lock.
  case call
}

/// Whose implementation runs a workload.
enum Contender: String, Codable, CaseIterable, Sendable {
  /// This package.
  case ecs

  /// What an app would write without thinking of speed; see `NaiveContext`.
  case naive
}
