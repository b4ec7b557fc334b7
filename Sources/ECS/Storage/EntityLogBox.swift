/// Owns a log at a stable address.
@safe
// Guarded by the lock of the core whose reactions point to the log.
final class EntityLogBox: RosterMember, @unchecked Sendable {
  // SAFETY: it is initialized as long as the box lives.
  @safe let log: UnsafeMutablePointer<EntityLog>

  /// The kinds of changes that are logged.
  let kinds: [ReactionKind]

  var rosterPlace = 0

  init(core: Core, kinds: [ReactionKind], limit: Int?) {
    self.kinds = kinds
    log = UnsafeMutablePointer<EntityLog>.allocate(capacity: 1)
    unsafe log.initialize(to: EntityLog(core: core))
    // Who is notified of removals wants to know of what is dead.
    log.pointee.dropsDead = !kinds.contains(.removed)
    log.pointee.limit = limit ?? .max
  }

  deinit {
    unsafe log.pointee.deallocate()
    unsafe log.deinitialize(count: 1)
    unsafe log.deallocate()
  }
}

extension EntityLogBox {
  var count: Int { log.pointee.count }

  /// How many handles went because of the limit.
  var lostCount: Int { log.pointee.lostCount }

  var isPaused: Bool {
    get { log.pointee.isPaused }
    set {
      noteChange()
      log.pointee.isPaused = newValue
      if newValue { log.pointee.removeAll() }
    }
  }

  /// Called, once a change has ended that put an entity into the log, if it is the first one since
  /// the log was emptied, or since `awaitArrival()`.
  var wake: (@Sendable () -> Void)? {
    get { log.pointee.wake }
    set { log.pointee.wake = newValue }
  }

  var hasNews: Bool { log.pointee.hasNews }

  func awaitArrival() {
    noteChange()
    log.pointee.awaitArrival()
  }

  /// Lets a transaction put back what the log is now.
  private func noteChange() { unsafe log.pointee.core.noteChange(of: log) }

  /// The handles, oldest first.
  var handles: [Handle] { unsafe Array(log.pointee.elements) }

  func contains(_ handle: Handle) -> Bool { log.pointee.contains(handle) }

  func popFirst() -> Handle? {
    noteChange()
    return log.pointee.popFirst()
  }

  func restore(_ earlier: [Handle]) {
    noteChange()
    log.pointee.restore(earlier)
  }

  /// The context has ended: nothing is logged any more.
  func end() { log.pointee.removeAll() }

  /// Takes all handles out, oldest first, apart from unwanted ones.
  func drain(where isWanted: ((Handle) -> Bool)? = nil) -> DrainedEntities {
    noteChange()
    return log.pointee.drain(where: isWanted)
  }

  /// Takes all handles out, oldest first, calling a body with each.
  @inline(__always)
  func drain(_ body: (Handle) -> Void) {
    noteChange()
    for unsafe(handle) in unsafe log.pointee.elements { body(handle) }
    log.pointee.empty()
  }
}
