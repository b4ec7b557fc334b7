/// A move of a link among others, as a ``CommittedChange`` of the kind
/// ``CommittedChange/Kind/moved`` has it.
public struct LinkMove: Hashable, Sendable {
  /// Whether it was moved among the targets of its source; if not, among the sources of its target.
  public let isAmongTargets: Bool

  /// The related entity that came next before it was moved; nil if it was the last one.
  public let earlierNext: Entity?

  /// The related entity that comes next since it was moved; nil if it is the last one.
  public let next: Entity?
}
