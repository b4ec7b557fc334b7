extension Context {
  /// All changes of the context, as commits.
  public func journal() -> Journal {
    Journal(core, JournalFilter(components: nil, relations: nil))
  }

  /// The changes of some components and relations, as commits.
  ///
  /// Creations and destructions are delivered of entities that have one of the components at that
  /// time, with the values of these.
  ///
  /// ```swift
  /// let journal = context.journal(of: Position.self, Title.self, relations: [WrittenBy.self])
  /// ```
  ///
  /// - Parameters:
  ///   - type: The components.
  ///   - relations: The relations; none unless given.
  /// - Returns: The journal, which costs nothing until something observes it.
  public func journal<each C: Component>(
    of type: repeat (each C).Type, relations: [any Relation.Type] = []
  ) -> Journal {
    var components: Set<CID> = []
    for cid in repeat (each C).cid { components.insert(cid) }
    return Journal(
      core,
      JournalFilter(components: components, relations: Set(relations.map { ObjectIdentifier($0) })))
  }
}

extension Context {
  /// The number of the last commit; 0 if there was none yet.
  ///
  /// Commits are numbered while there is an observer or a sequence of a journal that may tell their
  /// changes. Inside of a section it is that of the last one before, and the next one is its own.
  ///
  /// - Complexity: O(1).
  public var lastCommit: Int { core.read { core.commits.last } }

  /// Visits the entities and the links that the present outermost change has changed so far, once
  /// for each change that was not taken back.
  ///
  /// For code that has to keep a change before it ends. A journal of everything is observed
  /// meanwhile, for otherwise not all is noted that this takes.
  ///
  /// - Parameters:
  ///   - type: A component whose last values are asked for.
  ///   - body: Gets an entity and, if the change destroyed it or removed the component, the value
  ///     that this had. It must not change anything.
  ///   - links: Gets the relation of a link, what happened to it, and its source and its target,
  ///     which may be dead. It must not change anything.
  package func forEachChange<C: Component>(
    losing type: C.Type, _ body: (Entity, C?) -> Void,
    links: (Any.Type, NotedLinkChange, _ source: Entity, _ target: Entity) -> Void
  ) {
    core.section {
      core.recorder.forEachNotedChange(losing: type) {
        body(Entity(core: core, handle: $0), $1)
      } links: {
        links($0, $1, Entity(core: core, handle: $2), Entity(core: core, handle: $3))
      }
    }
  }
}

extension CommitLog {
  /// The context whose commits it keeps; nil if that is gone.
  package var context: Context? {
    core.read { core.incarnation == incarnation ? core.client?.context : nil }
  }
}

extension Commit {
  /// The context in which it happened; nil if that is gone.
  public var context: Context? {
    core.read { core.incarnation == incarnation ? core.client?.context : nil }
  }
}
