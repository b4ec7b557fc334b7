/// A rule for the links of a relation when their sources are copied, as by
/// ``Entity/clone(deep:)``.
///
/// Links between entities that are copied together lead from copy to copy. Links that lead to
/// copied entities from others stay what they are.
public enum CopyRule: Hashable, Sendable {
  /// The copy is linked to what the original is linked to: to the same targets, or to their copies.
  ///
  /// Links of a ``OneToOneRelation`` to targets that are not copied stay with the original: a
  /// target has only one source.
  case keep

  /// The copy is linked to copies only.
  case keepAmongCopies

  /// The copy has no links of the relation.
  case omit
}
