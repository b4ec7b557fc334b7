/// A relation from children to their parents, without cycles.
///
/// See ``ChildOf`` for a ready-made one.
public protocol Hierarchy: ToOneRelation {}
