/// All tables that a filter accepts, in the order in which they were made, and who watches the
/// entities in them.
///
/// Membership is decided when a table or a set is made, never per entity.
@usableFromInline
// Guarded by the lock of the core that made it.
final class TableSet: @unchecked Sendable {
  let filter: TableFilter

  private(set) var tables: [TablePointer] = []
  private var members: Set<TablePointer> = []

  /// Versions of tables that were freed: keeps `version` from ever going back.
  private var pastVersion: UInt64 = 0

  struct Log {
    let log: UnsafeMutablePointer<EntityLog>
    let kinds: [ReactionKind]
  }
  var logs: [Log] = []

  /// Whether the context that made it is still there.
  private(set) var isInUse = true

  /// Whoever gets notifications about the entities, nil if nobody does.
  var observers: ReactionTarget?

  init(filter: TableFilter) {
    self.filter = filter
  }

  var hasListeners: Bool { !logs.isEmpty || observers != nil }

  func insert(_ table: TablePointer) {
    tables.append(table)
    members.insert(table)
  }

  func contains(_ table: TablePointer?) -> Bool {
    guard let table else { return false }
    return members.contains(table)
  }

  /// Forgets tables that are about to be freed.
  func remove(where isGone: (TablePointer) -> Bool) {
    for table in tables where isGone(table) {
      pastVersion += version(of: table) + 1
      members.remove(table)
    }
    tables.removeAll(where: isGone)
  }

  /// Forgets all tables, with the entities in them, and who was told about them: for good.
  func removeAll() {
    remove { _ in true }
    pastVersion += 1
    observers = nil
    isInUse = false
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
    filter.held.reduce(table.pointee.version) { sum, info in
      sum &+ (table.pointee.edge(info.key)?.pointee.version ?? 0)
    }
  }
}

/// Something that reactions can point to: the base of what gets notifications.
class ReactionTarget {}
