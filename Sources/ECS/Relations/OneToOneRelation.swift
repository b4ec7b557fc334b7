/// A relation in which each source has at most one target, and each target at most one source.
///
/// A new link replaces those that either end had.
public protocol OneToOneRelation: ToOneRelation {}
