extension CommittedChange {
  /// The value that a link of a relation had before it went, or before its value was replaced; nil
  /// of other changes.
  ///
  /// ```swift
  /// if let old = change.oldValue(of: MemberOf.self) { print("was", old.role) }
  /// ```
  ///
  /// - Complexity: O(1).
  public func oldValue<R: Relation>(
    of relation: R.Type
  ) -> R.Value? where R.Value: Component {
    self.relation == relation ? oldLinkValue?.value(of: R.Value.self) : nil
  }

  /// The value of a link of a relation that came, or the one that it got instead of another one;
  /// nil of other changes.
  ///
  /// - Complexity: O(1).
  public func newValue<R: Relation>(
    of relation: R.Type
  ) -> R.Value? where R.Value: Component {
    self.relation == relation ? newLinkValue?.value(of: R.Value.self) : nil
  }
}
