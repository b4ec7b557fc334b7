extension CommittedChange {
  /// The entities that came next, at both of its ends, of a link that went; nil of other changes.
  package var formerNext: (target: Entity?, source: Entity?)? {
    noted.unlink.map { unlink in
      func entity(_ handle: Handle) -> Entity { Entity(core: noted.commit.core, handle: handle) }
      return (unlink.nextTarget.map(entity), unlink.nextSource.map(entity))
    }
  }

  /// The relation of a link that came, went or was moved; else nil.
  public var relation: (any Relation.Type)? { noted.link?.relation as? any Relation.Type }
}
