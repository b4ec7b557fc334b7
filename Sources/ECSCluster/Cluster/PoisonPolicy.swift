/// The treatment of an event that can't be applied: of one that is tried alone, and throws again.
public enum PoisonPolicy: Hashable, Sendable {
  /// It is set aside, and those behind it are applied; see ``Cluster/deadLetters(limit:)``.
  case setAside

  /// It stays, and its partition stands still until it can be applied: those before it are applied,
  /// and it is tried again later and later, up to once a minute.
  case stop
}
