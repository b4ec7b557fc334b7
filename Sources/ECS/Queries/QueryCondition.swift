/// A condition that each row of a query meets; made by the calls of ``QueryVariable``.
public struct QueryCondition: Sendable {
  enum Kind: Sendable {
    case matches(QueryVariable, Matcher)
    case link(QueryLink)
  }

  let kind: Kind

  init(kind: Kind) { self.kind = kind }

  init<R: Relation>(
    linking source: QueryTerm, _ relation: R.Type, to target: QueryTerm, isTransitive: Bool = false
  ) {
    let id = ObjectIdentifier(relation)
    kind = .link(
      QueryLink(source: source, target: target, relation: id, isTransitive: isTransitive))
  }
}

/// One end of a link that a query asks for.
enum QueryTerm: Sendable {
  case variable(QueryVariable)
  case entity(Entity)
}

/// A link that a query asks for, or a chain of links of a hierarchy.
struct QueryLink: Sendable {
  let source: QueryTerm
  let target: QueryTerm
  let relation: ObjectIdentifier

  /// Whether any number of links but zero lead from the source to the target.
  let isTransitive: Bool
}
