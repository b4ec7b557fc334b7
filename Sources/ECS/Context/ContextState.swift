/// The state of a context that is above its core, which calls it as its client.
///
/// Each folder from `Observing` on finds in here what it keeps for a context.
// Guarded by the lock of the context's core.
final class ContextState: @unchecked Sendable {
  let core: Core
  let notifier: Notifier
  weak var context: Context?

  var groups: [Matcher: Group] = [:]

  /// Some of the groups, by the components that all their entities have.
  let groupsByTypes = RequestCache<Group>()

  /// The same of sections that only read, which may not change what other readers look at.
  let groupsOfReaders = RequestCache<Group>()

  /// The group of all entities, if an iteration has asked for nothing that they must have.
  var groupOfAll: Group?

  /// The number of live views at work.
  var viewCount = 0

  /// All relations, if one has been used.
  var relations: Relations?

  init(core: Core) {
    self.core = core
    notifier = Notifier(core)
  }

  /// Delivers what was queued, since the outermost change has ended; the lock is still held.
  func deliver() {
    // What is notified of nothing any more need not be asked whether it is gone.
    if context != nil { notifier.deliver() }
  }

  /// Takes back that entities were created: they never were, and nothing is notified.
  func entitiesUndone(_ handles: [Handle]) {
    notifier.entitiesUndone(handles)
    guard let relations else { return }
    for handle in handles { relations.entityUndone(handle) }
  }

  /// Releases everything that belongs to the core, which has ended.
  func coreEnded() {
    notifier.end()
    // Both may own objects of the program's.
    core.retire(Retained((groups, relations)))
    groups = [:]
    groupsByTypes.removeAll()
    groupsOfReaders.removeAll()
    groupOfAll = nil
    relations = nil
  }
}
