/// Something above storage that is told of changes while they are made: after storage and indexes
/// are up to date, before anybody is notified.
///
/// Like an index it must not change the context while it is told, except where it says so.
// Guarded by the lock of the core that it is registered with.
class EntitySink: @unchecked Sendable {
  /// What a sink is told of.
  enum Scope {
    /// Entities that enter or leave the tables of a set; and, of those that stay, changes of the
    /// components that the set mentions and of some more.
    case tables(TableSet, more: [ComponentInfoReference])

    /// Entities that are destroyed; told after everybody else.
    case destruction
  }

  let scope: Scope

  init(_ scope: Scope) {
    self.scope = scope
  }

  /// An entity changed.
  func react(_ kind: ReactionKind, _ handle: Handle) {}

  /// The numbers of the order of creation were given out afresh.
  func creationsWereRenumbered() {}

  /// The core has ended.
  func end() {}
}

extension CoreReference {
  var sinks: [EntitySink] { pointer.pointee.sinks }

  func register(_ sink: EntitySink) {
    pointer.pointee.sinks.append(sink)
    invalidateReactions()
  }

  func unregister(_ sink: EntitySink) {
    pointer.pointee.sinks.removeAll { $0 === sink }
    invalidateReactions()
    retire(sink)
  }

  /// Runs a body that may call code of the user's which must not change the context.
  func refusingChanges<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let before = pointer.pointee.mode
    pointer.pointee.mode.insert(.buildingKeys)
    defer { pointer.pointee.mode = before }
    return try body()
  }
}
