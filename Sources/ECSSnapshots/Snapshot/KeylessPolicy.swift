/// A rule for entities of a snapshot that is merged which do not have the component of the index.
public enum KeylessPolicy: Hashable, Sendable {
  /// They are created, each time anew, unless they hold a unique component that an entity of the
  /// context holds.
  case create

  /// ``SnapshotError``: nothing is merged.
  case fail
}
