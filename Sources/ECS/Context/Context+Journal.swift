extension Context {
  /// All changes of the context, as commits.
  public func journal() -> Journal {
    Journal(core, JournalChoice(components: nil, relations: nil))
  }

  /// The changes of some components and relations, as commits.
  ///
  /// Creations and destructions are told of entities that have one of the components at that time, with
  /// the values of these.
  ///
  /// ```swift
  /// let journal = context.journal(of: Position.self, Title.self, relations: [WrittenBy.self])
  /// ```
  ///
  /// - Parameters:
  ///   - type: The components.
  ///   - relations: The relations; none unless given.
  /// - Returns: The journal, which costs nothing until somebody observes it.
  public func journal<each C: Component>(
    of type: repeat (each C).Type, relations: [any Relation.Type] = []
  ) -> Journal {
    var components: Set<CID> = []
    for cid in repeat (each C).cid { components.insert(cid) }
    return Journal(
      core,
      JournalChoice(components: components, relations: Set(relations.map { ObjectIdentifier($0) })))
  }
}

extension Commit {
  /// The context in which it happened; nil if that is gone.
  public var context: Context? { core.section { core.life == life ? core.context : nil } }
}
