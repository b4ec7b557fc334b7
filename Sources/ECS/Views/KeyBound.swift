/// A bound of a ``KeyRange``.
public enum KeyBound<Key: Comparable> {
  /// At the first key, or at the last one.
  case unbounded

  /// At a key, which belongs to the range.
  case including(Key)

  /// At a key, which does not belong to the range.
  case excluding(Key)
}

extension KeyBound: Sendable where Key: Sendable {}
