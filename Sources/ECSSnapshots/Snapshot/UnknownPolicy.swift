/// A rule for components and relations that a snapshot has and the schema does not name.
public enum UnknownPolicy: Hashable, Sendable {
  /// ``SnapshotError``: nothing is restored.
  case fail

  /// They are left out, and named in the ``RestoreReport``.
  case drop

  /// Components are kept beside the others, in ``UnknownComponents``, and written again with the
  /// next snapshot. Unknown relations are left out.
  case keep
}
