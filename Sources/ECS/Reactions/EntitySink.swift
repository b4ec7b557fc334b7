/// A listener above storage that is notified of changes while they are made: after storage and
/// indexes are up to date, before any observer is notified.
///
/// Like an index it must not change the context while it is notified, except where it says so.
// Guarded by the lock of the core that it is registered with.
class EntitySink: StableListMember, @unchecked Sendable {
  /// The tables whose entities it is notified of; nil if it is notified of all that are destroyed.
  ///
  /// Of entities that enter or leave them, or of which a component changes that the set mentions.
  let tables: TableSet?

  /// Further components whose changes matter; reactions are to be invalidated when they change.
  var more: [CID]

  var listIndex = 0

  /// Whether the core is going to let it carry out what it has put off.
  var isDirty = false

  /// The ordinal of its registration, in the core or among related views.
  var registration: UInt64 = 0

  init(_ tables: TableSet?, more: [CID] = []) {
    self.tables = tables
    self.more = more
  }

  /// An entity changed.
  func react(_ kind: ReactionKind, _ handle: Handle) {}

  /// Carries out the changes that it has put off.
  func settle() {}

  /// The ordinals of the order of creation were given out afresh.
  func creationsWereRenumbered() {}

  /// Whether it changes the context when it is notified, which only the last one to be notified
  /// may: while a reaction list is walked, changes could make it out of date, and free it.
  var changesContext: Bool { false }

  /// Whether it is counted among indexes.
  var isIndex: Bool { false }

  /// Whether it may read values of the components that its set or `more` mentions, at any change.
  var readsValues: Bool { true }

  /// The core has ended.
  func end() {}

  #if InternalChecks
    /// How much `checkInvariants()` looks at.
    var walkLength: Int { 0 }

    /// Stops if it contradicts itself, or storage.
    func checkInvariants() {}

    /// Puts something wrong, for a test of `checkInvariants()`.
    func plant(_ contradiction: PlantedCorruption) {}
  #endif
}

extension Core {
  /// What is notified of the changes of sets of tables, set by set.
  var sinks: some Sequence<EntitySink> { pointer.pointee.listeners.sets.lazy.flatMap(\.sinks) }

  /// Tells a sink of each entity that is destroyed, after all others, from here on.
  func registerLast(_ sink: EntitySink) {
    assert(pointer.pointee.listeners.destructionSink == nil, "There is a last sink already.")
    pointer.pointee.listeners.destructionSink = sink
    invalidateReactions(of: setOfAllTables())
  }

  /// Tells a sink of the changes of its tables from here on.
  func register(_ sink: EntitySink) {
    guard let set = sink.tables else { return }
    pointer.pointee.listeners.registrations += 1
    sink.registration = pointer.pointee.listeners.registrations
    set.sinks.append(sink)
    if sink.readsValues { pointer.pointee.listeners.readers[ObjectIdentifier(sink)] = sink }
    invalidateReactions(of: set)
  }

  func unregister(_ sink: EntitySink) {
    guard let set = sink.tables else { return }
    if set.sinks.contains(sink) {
      set.sinks.remove(sink)
      pointer.pointee.listeners.readers[ObjectIdentifier(sink)] = nil
      invalidateReactions(of: set)
    }
    retire(sink)
  }

  /// Runs a body that may call code of the user's which must not change the context.
  func refusingChanges<Result, Failure: Error>(
    _ reason: Core.Mode, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let before = beginRefusingChanges(reason)
    defer { endRefusingChanges(before) }
    return try body()
  }

  /// Returns the mode from before, for `endRefusingChanges`.
  ///
  /// Beside readers, the mode stays: changes stop there anyway.
  @inline(__always)
  func beginRefusingChanges(_ reason: Core.Mode) -> Core.Mode {
    let before = pointer.pointee.section.mode
    guard pointer.pointee.lock.isHeldByCurrentThread else { return before }
    pointer.pointee.section.mode = before.refusingChanges(reason)
    return before
  }

  /// What journals and transactions have begun or ended meanwhile stays so.
  ///
  /// Beside readers nothing has changed, and nothing is written.
  @usableFromInline
  @inline(__always)
  func endRefusingChanges(_ before: Core.Mode) {
    let mode = pointer.pointee.section.mode
    if mode != before { pointer.pointee.section.mode = mode.refusing(as: before) }
  }
}
