/// The part of a context's state that is about relations.
// Guarded by the lock of the context's core.
class RelatedState: ObservedState, @unchecked Sendable {
  /// All relations, if one has been used.
  final var relations: Relations?

  override func entitiesUndone(_ handles: [Handle]) {
    super.entitiesUndone(handles)
    guard let relations else { return }
    for handle in handles { relations.entityUndone(handle) }
  }

  override func coreEnded() {
    super.coreEnded()
    core.retire(Retained(relations))
    relations = nil
  }
}

extension Core {
  /// The relations of the context, if one has been used.
  var relations: Relations? { client(as: RelatedState.self)?.relations }

  /// The relations of the context; nil if it is gone.
  func relationsMadeIfNeeded() -> Relations? {
    if let relations { return relations }
    guard let state = client(as: RelatedState.self) else { return nil }
    let made = Relations(state)
    state.relations = made
    registerLast(made)
    return made
  }
}
