/// A rule for the sources of a relation when their target is destroyed.
public enum DeleteRule: Hashable, Sendable {
  /// The sources lose the link.
  case nullify

  /// The sources are destroyed, too, and so is whatever is related to them by this rule.
  case cascade

  /// ``Entity/destroyIfAllowed()`` refuses to destroy the target.
  ///
  /// ``Entity/destroy()`` is unconditional: the sources then lose the link.
  case deny
}
