/// A variable of a query: an entity that is looked for together with others.
///
/// ``Context/rows(where:)-((QueryVariable,QueryVariable)->[QueryCondition])`` gives its closure one
/// for each entity of a row; the conditions of the query say what these entities are, and how they
/// are linked.
public struct QueryVariable: Sendable {
  let index: Int
  let query: QueryIdentity

  /// The condition that the entity belongs to the group of a matcher.
  ///
  /// The group is made if there is none, as by ``Context/group(_:)``, and its number of entities is
  /// known without a search.
  public func matches(_ matcher: Matcher) -> QueryCondition {
    QueryCondition(kind: .matches(self, matcher))
  }

  /// The condition that the entity is linked to that of another variable.
  public func relates<R: Relation>(
    _ relation: R.Type, to target: QueryVariable
  ) -> QueryCondition {
    QueryCondition(linking: .variable(self), relation, to: .variable(target))
  }

  /// The condition that the entity is linked to a given one.
  ///
  /// None is linked to an entity that is dead.
  public func relates<R: Relation>(_ relation: R.Type, to target: Entity) -> QueryCondition {
    QueryCondition(linking: .variable(self), relation, to: .entity(target))
  }

  /// The condition that a given entity is linked to that of the variable.
  ///
  /// One that is dead has no links.
  public func isTarget<R: Relation>(of relation: R.Type, from source: Entity) -> QueryCondition {
    QueryCondition(linking: .entity(source), relation, to: .variable(self))
  }

  /// The condition that the entity is below that of another variable in a hierarchy: a child of it,
  /// or of one that is below it.
  public func isBelow<H: Hierarchy>(
    _ ancestor: QueryVariable, in hierarchy: H.Type = ChildOf.self
  ) -> QueryCondition {
    QueryCondition(linking: .variable(self), hierarchy, to: .variable(ancestor), isTransitive: true)
  }

  /// The condition that the entity is below a given one in a hierarchy: a child of it, or of one
  /// that is below it.
  ///
  /// None is below an entity that is dead.
  public func isBelow<H: Hierarchy>(
    _ ancestor: Entity, in hierarchy: H.Type = ChildOf.self
  ) -> QueryCondition {
    QueryCondition(linking: .variable(self), hierarchy, to: .entity(ancestor), isTransitive: true)
  }
}

/// The identity of a query, which tells its variables from those of others.
final class QueryIdentity: Sendable {}
