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
