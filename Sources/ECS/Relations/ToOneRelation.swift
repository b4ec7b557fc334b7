/// A relation in which each source has at most one target.
///
/// A new target takes the place of the one before.
public protocol ToOneRelation: Relation {}
