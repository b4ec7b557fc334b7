/// All tables that a matcher accepts, in the order in which they were made, and what listens to the
/// entities in them.
///
/// Membership is decided when a table or a set is made, never per entity. What begins or ceases to
/// listen touches only tables of the set, and of these, unless there are many, only the ones whose
/// reaction lists were brought up to date since the last one did.
@safe
@usableFromInline
// Guarded by the lock of the core that made it.
final class TableSet: @unchecked Sendable {
  let matcher: Matcher

  /// The index among the sets of the core.
  let index: Int

  // PERFORMANCE: O1, I0: it stays at one address, so that no access checks whether it is being
  // changed.
  // SAFETY: it is initialized as long as the set lives.
  @safe fileprivate let members = UnsafeMutablePointer<TableMembers>.allocate(capacity: 1)

  /// Versions of tables that were freed: keeps `version` from ever going back.
  private var pastVersion: UInt64 = 0

  /// The indexes of its entities, most of them of the sets of all tables with one component.
  var indexes = StableList<SingleRole<IndexSink>>()

  var sinks = StableList<SingleRole<EntitySink>>()
  var logs = StableList<SingleRole<CollectedSet>>()

  /// Where it is among the core's sets with listeners; negative if it has none.
  var listeningIndex = -1

  /// Whether the context that made it is still there.
  private(set) var isInUse = true

  /// The subscriber to changes of the entities, if there is one.
  var observers: EventSubscriber?

  // INVARIANT: has all tables of the set that are listed, and perhaps others, and some twice; or
  // else there are too many for that, and any may be listed.
  private var listed: [TablePointer]? = unsafe []

  init(matcher: Matcher, index: Int) {
    self.matcher = matcher
    self.index = index
    unsafe members.initialize(to: TableMembers())
  }

  deinit {
    // SAFETY: initialized in `init`, and nothing has it but the set.
    unsafe members.pointee.bits.deallocate()
    unsafe members.deinitialize(count: 1)
    unsafe members.deallocate()
  }

  private(set) var tables: [TablePointer] {
    get { unsafe members.pointee.tables }
    _modify { yield unsafe &members.pointee.tables }
  }

  var hasListeners: Bool {
    !logs.isEmpty || observers != nil || !sinks.isEmpty || !indexes.isEmpty
  }

  func insert(_ table: TablePointer) {
    unsafe tables.append(table)
    unsafe members.pointee.bits.insert(table.pointee.number)
    if unsafe table.pointee.isListed { unsafe noteListed(table) }
  }

  func contains(_ table: TablePointer?) -> Bool { unsafe members.pointee.contains(table) }

  /// Notes that reaction lists of a table of the set are up to date from now on.
  func noteListed(_ table: TablePointer) {
    if unsafe listed?.count == TableSet.mostListed { unsafe listed = nil }
    unsafe listed?.append(table)
  }

  private static var mostListed: Int { 32 }

  /// Takes the tables whose reaction lists may be up to date.
  func takeListed() -> [TablePointer] {
    defer { unsafe listed = unsafe [] }
    return unsafe listed ?? tables
  }

  /// Forgets tables that are about to be freed.
  func remove(where isGone: (TablePointer) -> Bool) {
    for unsafe(table) in unsafe tables where unsafe isGone(table) {
      unsafe pastVersion += table.pointee.version + 1
      unsafe members.pointee.bits.remove(table.pointee.number)
    }
    unsafe tables.removeAll(where: isGone)
    unsafe listed?.removeAll(where: isGone)
  }

  /// Forgets the table that was made last, which is about to be freed.
  func removeLast(_ table: TablePointer) {
    unsafe assert(tables.last == table, "A table was to be forgotten that is not the last one.")
    unsafe pastVersion += table.pointee.version + 1
    unsafe members.pointee.bits.remove(table.pointee.number)
    unsafe tables.removeLast()
    unsafe listed?.removeAll { unsafe $0 == table }
  }

  /// Forgets all tables, with the entities in them, and their subscriber, since the context
  /// has ended.
  func end() {
    unsafe remove { _ in true }
    pastVersion += 1
    observers = nil
    isInUse = false
    listeningIndex = -1
    indexes.removeAll()
    sinks.removeAll()
  }

  // SAFETY: the tables of a set are alive; freed ones are removed first.
  var count: Int { unsafe tables.reduce(0) { unsafe $0 + $1.pointee.count } }

  var isEmpty: Bool { unsafe tables.allSatisfy { unsafe $0.pointee.count == 0 } }

  /// Grows whenever an entity enters or leaves.
  var structureVersion: UInt64 {
    unsafe tables.reduce(pastVersion &+ UInt64(tables.count)) { unsafe $0 &+ $1.pointee.version }
  }
}

extension ChangeScope {
  /// The entities of a set of tables, which is there as long as the scope; all entities if it is
  /// nil.
  init(_ set: TableSet?, isEntity: Bool) {
    unsafe self.init(members: set?.members, isEntity: isEntity)
  }
}
