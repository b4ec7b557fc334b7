/// Owns a log at a stable address.
@safe
// Guarded by the lock of the core whose reactions point to the log.
final class CollectedSet: StableListMember, @unchecked Sendable {
  // SAFETY: it is initialized as long as the box lives.
  @safe let log: UnsafeMutablePointer<EntitySparseSet>

  /// The kinds of changes that are logged.
  let kinds: [ReactionKind]

  var listIndex = 0

  /// The sources of entities for the log, besides changes of a set's components.
  private var sources: [any CollectedSetSource] = []

  init(core: Core, kinds: [ReactionKind], keepsDead: Bool, limit: Int?) {
    self.kinds = kinds
    log = UnsafeMutablePointer<EntitySparseSet>.allocate(capacity: 1)
    unsafe log.initialize(to: EntitySparseSet(core: core))
    log.pointee.dropsDead = !keepsDead
    log.pointee.limit = limit ?? .max
  }

  deinit {
    unsafe log.pointee.deallocate()
    unsafe log.deinitialize(count: 1)
    unsafe log.deallocate()
  }
}

extension CollectedSet {
  var count: Int { log.pointee.count }

  var isIdle: Bool { log.pointee.isIdle }

  /// How many handles went because of the limit.
  var lostCount: Int { log.pointee.lostCount }

  var isPaused: Bool {
    get { log.pointee.isPaused }
    set {
      guard newValue != log.pointee.isPaused else { return }
      log.pointee.isPaused = newValue
      guard newValue else { return }
      // For good: to pause is no change that a transaction takes back.
      log.pointee.removeAll()
      unsafe log.pointee.core.recorder.forgetContents(of: log)
    }
  }

  /// Whether nothing is logged any more, for good: no transaction takes that back.
  var isFinished: Bool {
    get { log.pointee.isFinished }
    set { log.pointee.isFinished = newValue }
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
  private func noteChange() { unsafe log.pointee.core.recorder.noteChange(of: log) }

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

  /// Runs a body whose changes are not logged, also if they have to wait for the end of an
  /// iteration.
  func ignoring<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let core = log.pointee.core
    log.pointee.ignoredCount += 1
    let waiting = core.commands.count
    defer {
      core.commands.wrap(from: waiting) { [self] change in ignoring(change) }
      log.pointee.ignoredCount -= 1
    }
    return try body()
  }

  /// Lets something else put entities into the log, until it is closed.
  func add(_ source: some CollectedSetSource) { sources.append(source) }

  /// Notes that nothing reads the log any more.
  func close() {
    for source in sources { source.remove(self) }
    sources = []
  }

  /// Puts an entity into the log.
  func collect(_ handle: Handle) { unsafe log.pointee.core.collect(handle, in: log) }

  /// The context has ended: nothing is logged any more.
  func end() { log.pointee.removeAll() }

  /// Takes all handles out, oldest first, apart from unwanted ones.
  func drain(
    where isWanted: ((Handle) -> Bool)? = nil
  ) -> (entities: DrainedEntities, count: Int) {
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

/// A source of entities for collected sets, besides changes of a set's components.
// Guarded by the lock of the core.
protocol CollectedSetSource: AnyObject {
  /// Ceases to do so.
  func remove(_ log: CollectedSet)
}

extension Core {
  /// Puts an entity into a log for which no reaction is to do so.
  fileprivate func collect(_ handle: Handle, in log: UnsafeMutablePointer<EntitySparseSet>) {
    if isRecording {
      unsafe recorder.noteRecord(of: handle, in: log)
    } else {
      unsafe record(handle, in: log)
    }
  }
}
