/// A rule for records of an import that are refused.
public enum ImportPolicy: Sendable, Hashable {
  /// Either all records are applied together, in one critical section, while other threads wait for
  /// the context; or one bad record causes all to be refused.
  case allOrNothing

  /// Bad records are skipped and reported, and the others are applied.
  case skipAndReport
}
