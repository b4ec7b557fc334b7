/// The part of a context's state that is about observers.
///
/// Each layer above storage that keeps something for a context adds it in a subclass: all cores
/// have clients of one class, the last of them, so that each layer finds its own without asking.
// Guarded by the lock of the context's core.
class ObservedState: CoreClient, @unchecked Sendable {
  final let core: Core
  final let notifier: Notifier
  final var groups: [Matcher: Group] = [:]

  /// Some of the groups, by the components that all their entities have.
  final let groupsByTypes = RequestCache<Group>()

  /// The group of all entities, if an iteration has asked for nothing that they must have.
  final var groupOfAll: Group?

  /// The number of live views at work.
  final var viewCount = 0

  init(core: Core) {
    self.core = core
    notifier = Notifier(core)
  }

  final func entityEnded(_ handle: Handle) { notifier.entityEnded(handle) }

  func entitiesUndone(_ handles: [Handle]) { notifier.entitiesUndone(handles) }

  func deliver() { notifier.deliver() }

  func coreEnded() {
    notifier.end()
    // They may own what is not ours.
    core.retire(Retained(groups))
    groups = [:]
    groupsByTypes.removeAll()
    groupOfAll = nil
  }
}

extension Core {
  /// What the context that uses this core knows; nil if it is gone.
  var observed: ObservedState? { client(as: ObservedState.self) }
}
