/// An event of which observers of a context are notified.
public enum ContextEvent: Sendable {
  /// An entity was created.
  case created(Entity)

  /// An entity was destroyed; with the last values of its components.
  case destroyed(Entity, [any Component])

  /// A group was made.
  case createdGroup(Group)

  /// An index of a component was made.
  case createdIndex(CID)
}

extension ContextEvent {
  init(_ change: QueuedChange) {
    self =
      change.isEnd
      ? .destroyed(change.entity, change.components(areOld: true)) : .created(change.entity)
  }
}
