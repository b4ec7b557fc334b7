/// What happens to the sources of a relation when their target is destroyed.
public enum DeleteRule: Hashable, Sendable {
  /// The sources lose the link.
  case nullify

  /// The sources are destroyed, too, and whatever they are targets of by this rule.
  case cascade

  /// ``Entity/destroyIfAllowed()`` refuses to destroy the target.
  ///
  /// ``Entity/destroy()`` is unconditional: the sources lose the link then.
  case deny
}
