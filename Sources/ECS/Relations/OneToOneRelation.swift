/// A relation in which each source has at most one target, and each target at most one source.
///
/// A new link takes the place of those that both ends had.
public protocol OneToOneRelation: ToOneRelation {}
