extension Context {
  /// Creates copies of entities.
  ///
  /// As ``Entity/clone(deep:)`` of all of them together: storage grows once, and values are copied
  /// column by column. What refers or links to another one of them does so among
  /// the copies. An entity that comes twice, or is copied along with another one, is copied once.
  ///
  /// ```swift
  /// let copies = try context.clone(selection, deep: ChildOf.self)
  /// copies.clone(of: door)?.set(Open())
  /// ```
  ///
  /// - Parameters:
  ///   - entities: The entities, of this context.
  ///   - relations: Relations whose sources are copied along with their targets.
  /// - Returns: The copies, in the order of the entities.
  /// - Throws: ``CopyError`` if one of them is dead or of another context, or if a copy would have
  ///   a unique component or a key of a ``PrimaryIndex``, which only one entity has. Nothing is
  ///   changed then.
  /// - Complexity: As ``Entity/clone(deep:)``.
  @inlinable
  @discardableResult
  public func clone(
    _ entities: some Sequence<Entity>, deep relations: any Relation.Type...
  ) throws(CopyError) -> Clones {
    try clone(Array(entities), deep: relations)
  }

  /// Creates copies of entities, with changes that are made before they come to life.
  ///
  /// As ``clone(_:deep:)``; see ``Entity/clone(deep:changing:)`` for the closure.
  ///
  /// - Parameters:
  ///   - entities: The entities, of this context.
  ///   - relations: Relations whose sources are copied along with their targets.
  ///   - change: Changes a copy; called in the order of their creation.
  /// - Returns: The copies, in the order of the entities.
  /// - Throws: As ``clone(_:deep:)``.
  /// - Complexity: As ``Entity/clone(deep:)``.
  @inlinable
  @discardableResult
  public func clone(
    _ entities: some Sequence<Entity>, deep relations: any Relation.Type...,
    changing change: (borrowing NewEntity) -> Void
  ) throws(CopyError) -> Clones {
    try clone(Array(entities), deep: relations, change)
  }

  /// Creates copies of entities of this context in another one.
  ///
  /// As ``clone(_:deep:)``; see ``Entity/clone(into:deep:)`` for what differs in another context.
  ///
  /// - Parameters:
  ///   - entities: The entities, of this context.
  ///   - context: The context in which the copies are created.
  ///   - relations: Relations whose sources are copied along with their targets.
  /// - Returns: The copies, in the order of the entities.
  /// - Throws: As ``clone(_:deep:)``.
  /// - Complexity: As ``Entity/clone(deep:)``.
  @inlinable
  @discardableResult
  public func clone(
    _ entities: some Sequence<Entity>, into context: Context, deep relations: any Relation.Type...
  ) throws(CopyError) -> Clones {
    try clone(Array(entities), into: context, deep: relations)
  }

  /// Creates copies of entities of this context in another one, with changes that are made before
  /// they come to life.
  ///
  /// As ``clone(_:into:deep:)``; the closure is called as by ``clone(_:deep:changing:)``, in the
  /// critical section of the other context.
  ///
  /// - Parameters:
  ///   - entities: The entities, of this context.
  ///   - context: The context in which the copies are created.
  ///   - relations: Relations whose sources are copied along with their targets.
  ///   - change: Changes a copy.
  /// - Returns: The copies, in the order of the entities.
  /// - Throws: As ``clone(_:deep:)``.
  /// - Complexity: As ``Entity/clone(deep:)``.
  @inlinable
  @discardableResult
  public func clone(
    _ entities: some Sequence<Entity>, into context: Context, deep relations: any Relation.Type...,
    changing change: (borrowing NewEntity) -> Void
  ) throws(CopyError) -> Clones {
    try clone(Array(entities), into: context, deep: relations, change)
  }

  @usableFromInline
  func clone(
    _ entities: [Entity], into context: Context? = nil, deep relations: [any Relation.Type]
  ) throws(CopyError) -> Clones {
    try clones(of: entities, in: core, into: context?.core ?? core, deep: relations)
  }

  @usableFromInline
  func clone(
    _ entities: [Entity], into context: Context? = nil, deep relations: [any Relation.Type],
    _ change: (borrowing NewEntity) -> Void
  ) throws(CopyError) -> Clones {
    try clones(of: entities, in: core, into: context?.core ?? core, deep: relations, change)
  }
}
