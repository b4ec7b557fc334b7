/// A relation in which each source has at most one target.
///
/// A new target replaces the previous one.
public protocol ToOneRelation: Relation {}
