/// The outcome of a commit.
public enum CommitOutcome: Hashable, Sendable {
  /// All of it is there.
  case committed

  /// Nothing is: the lease is another's.
  case fenced

  /// Nothing is: the log of changes ends elsewhere. A commit whose answer was lost has been carried
  /// out, or the broker has lost some.
  case moved
}
