/// All tables that a matcher accepts, in the order in which they were made, and who listens to the
/// entities in them.
///
/// Membership is decided when a table or a set is made, never per entity. Who begins or ceases to
/// listen touches only tables of the set, and of these, unless there are many, only the ones whose
/// reaction lists were brought up to date since the last one did.
@usableFromInline
// Guarded by the lock of the core that made it.
final class TableSet: @unchecked Sendable {
  let matcher: Matcher

  /// The number of sets that the core made before.
  let number: Int

  private(set) var tables: [TablePointer] = []

  // PERFORMANCE: O1: it stays in one place, so that nobody checks whether it is being changed.
  private let members = UnsafeMutablePointer<TableBits>.allocate(capacity: 1)

  /// Versions of tables that were freed: keeps `version` from ever going back.
  private var pastVersion: UInt64 = 0

  /// The indexes of the component, if the set is that of all tables with one component.
  var indexes = Roster<SoleRole<IndexSink>>()

  var sinks = Roster<SoleRole<EntitySink>>()
  var logs = Roster<SoleRole<EntityLogBox>>()

  /// Whether the context that made it is still there.
  private(set) var isInUse = true

  /// Whoever gets notifications about the entities, nil if nobody does.
  var observers: ChangeTarget?

  // INVARIANT: has all tables of the set that are listed, and perhaps others, and some twice; or
  // else there are too many for that, and any may be listed.
  private var listed: [TablePointer]? = []

  init(matcher: Matcher, number: Int) {
    self.matcher = matcher
    self.number = number
    members.initialize(to: TableBits())
  }

  deinit {
    // SAFETY: initialized in `init`, and nobody has it but the set.
    members.pointee.deallocate()
    members.deallocate()
  }

  var hasListeners: Bool {
    !logs.isEmpty || observers != nil || !sinks.isEmpty || !indexes.isEmpty
  }

  func insert(_ table: TablePointer) {
    tables.append(table)
    members.pointee.insert(table.pointee.number)
    if table.pointee.isListed { noteListed(table) }
  }

  func contains(_ table: TablePointer?) -> Bool {
    guard let table else { return false }
    return members.pointee.contains(table.pointee.number)
  }

  /// Notes that reaction lists of a table of the set are up to date from now on.
  func noteListed(_ table: TablePointer) {
    if listed?.count == TableSet.mostListed { listed = nil }
    listed?.append(table)
  }

  private static var mostListed: Int { 32 }

  /// Takes the tables whose reaction lists may be up to date.
  func takeListed() -> [TablePointer] {
    defer { listed = [] }
    return listed ?? tables
  }

  /// Forgets tables that are about to be freed.
  func remove(where isGone: (TablePointer) -> Bool) {
    for table in tables where isGone(table) {
      pastVersion += version(of: table) + 1
      members.pointee.remove(table.pointee.number)
    }
    tables.removeAll(where: isGone)
    listed?.removeAll(where: isGone)
  }

  /// Forgets all tables, with the entities in them, and who was told about them, since the context
  /// has ended.
  func end() {
    remove { _ in true }
    pastVersion += 1
    observers = nil
    isInUse = false
    indexes.removeAll()
    sinks.removeAll()
  }

  // SAFETY: the tables of a set are alive; freed ones are removed first.
  var count: Int { tables.reduce(0) { $0 + $1.pointee.count } }

  var isEmpty: Bool { tables.allSatisfy { $0.pointee.count == 0 } }

  /// Grows whenever an entity enters or leaves or a mentioned component of a member changes.
  var version: UInt64 {
    tables.reduce(pastVersion &+ UInt64(tables.count)) { $0 &+ version(of: $1) }
  }

  /// Grows whenever an entity enters or leaves.
  var structureVersion: UInt64 {
    tables.reduce(pastVersion &+ UInt64(tables.count)) { $0 &+ $1.pointee.version }
  }

  private func version(of table: TablePointer) -> UInt64 {
    matcher.held.reduce(table.pointee.version) { sum, cid in
      sum &+ (table.pointee.edge(cid.key)?.pointee.version ?? 0)
    }
  }
}
