/// A link of a relation whose links have values, as it was when it was read.
///
/// ```swift
/// for link in team.sources(MemberOf.self).links() {
///   print(link.source, link.value.role)
/// }
/// ```
public struct ValuedLink<R: Relation>: Sendable where R.Value: Component {
  /// The entity that the link leads from.
  public let source: Entity

  /// The entity that the link leads to.
  public let target: Entity

  /// The value of the link.
  public let value: R.Value
}

extension ValuedLink: Equatable where R.Value: Equatable {}

extension ValuedLink: Hashable where R.Value: Hashable {}
