/// Keeps the handles of entities, so that these can live again after their end: for histories.
///
/// While there is a holder, slots of destroyed entities wait until journals have been notified of
/// the outermost change. A journal's observer keeps those that may have to live again; the others
/// are given back. A handle that is not kept stays dead for ever, as ever.
///
/// Everything but the end of a holder is called in a section of the context: ``section(_:)``.
// Guarded by the lock of the core.
package final class EntityRetainer: @unchecked Sendable {
  let core: Core
  private let incarnation: Int

  /// How often each entity is kept.
  private var counts: [Handle: Int] = [:]

  /// How often an outermost change was marked, and which that was.
  private var marks: (count: Int, change: UInt64) = (0, 0)

  init(_ core: Core) {
    self.core = core
    incarnation = core.incarnation
    core.section { core.retention.beginHolding() }
  }

  deinit {
    core.sectionAfterReading { [core, incarnation, counts] in
      guard core.incarnation == incarnation, core.pointer.pointee.retainedSlots != nil else {
        return
      }
      core.retention.endHolding(counts.keys.lazy.map(\.index))
    }
  }

  /// Whether the context has not ended.
  var isCurrent: Bool {
    core.incarnation == incarnation && core.pointer.pointee.retainedSlots != nil
  }

  /// Runs a body in the critical section of the context, even if that is gone.
  package func section<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try core.section(body)
  }

  /// Whether the running thread is in a section of the context.
  package var isInSection: Bool { core.isInSection }

  // MARK: Keeping

  /// The number of entities that are kept.
  package var count: Int { counts.count }

  /// Keeps an entity that lives, or that ended in the present outermost change, or is kept already;
  /// as often as this is called, ``release(_:)`` has to be.
  ///
  /// An entity whose creation is taken back does not live again.
  ///
  /// - Returns: Whether it is kept: not if it ended earlier.
  package func keep(_ entity: Entity) -> Bool {
    guard entity.core == core, isCurrent else { return false }
    if let count = counts[entity.handle] {
      counts[entity.handle] = count + 1
      return true
    }
    guard core.retention.keepSlot(of: entity.handle) else { return false }
    counts[entity.handle] = 1
    return true
  }

  /// Ends to keep an entity.
  package func release(_ entity: Entity) {
    guard let count = counts[entity.handle] else { return }
    counts[entity.handle] = count > 1 ? count - 1 : nil
    guard count == 1, isCurrent, let held = core.pointer.pointee.retainedSlots else { return }
    core.retention.releaseSlot(entity.handle.index, held)
  }

  /// Lets an entity that is kept and has ended live again, with components, by the handle and with
  /// the creation number that it had.
  ///
  /// It is notified as any creation.
  ///
  /// - Returns: Whether it lives again: not if it lives anyway, or is not kept.
  /// - Precondition: No iteration runs.
  package func revive(_ entity: Entity, with components: [any Component]) -> Bool {
    guard isCurrent, counts[entity.handle] != nil, core.retention.mayLiveAgain(entity.handle) else {
      return false
    }
    core.checkMode()
    require(core.acceptsChanges, "An entity was to live again inside of an iteration.")
    core.retention.revive(entity.handle, with: components)
    return true
  }

  /// The number that the next entity of the context will have; see ``Entity/creationNumber``.
  package var nextCreationNumber: UInt64 { core.nextCreationCount }

  /// Whether an entity was made by `setUniqueComponent(_:)` for a component that it holds.
  package static func isMadeHolder(_ entity: Entity, of cid: CID) -> Bool {
    entity.core.unique.holder(of: cid.key) == entity.handle
      && entity.core.unique.holderIsOurs(cid.key)
  }

  /// Remembers that the holder of a unique component was made for it.
  package func markMadeHolder(of cid: CID) {
    if isCurrent { core.unique.markHolderAsOurs(cid.key) }
  }

  // MARK: Identity

  /// The keys that a component has in primary indexes, and the entities that have them; paused ones
  /// are not asked.
  package func identities(of component: any Component) -> [Identity] {
    isCurrent ? core.identities(of: component) : []
  }

  /// Those of some components by which primary indexes identify entities.
  package func identifying(_ cids: ContiguousArray<CID>) -> [CID] {
    isCurrent ? cids.filter { core.pointer.pointee.listeners.hasPrimaryIndex(of: $0) } : []
  }

  // MARK: The outermost change

  /// Marks the present outermost change, until it has been delivered, or until a transaction that
  /// runs is taken back.
  package func mark() {
    guard isCurrent else { return }
    let count = markCount
    marks = (count + 1, presentChange)
    core.pointer.pointee.section.pending.insert(.noted)
    if core.isRecording { core.transactions.onReturn(.last) { [self] in marks.count = count } }
  }

  /// How often the present outermost change was marked.
  package var markCount: Int { marks.change == presentChange ? marks.count : 0 }

  /// The number of the present outermost change; 0 if the context has ended.
  private var presentChange: UInt64 {
    isCurrent ? core.pointer.pointee.retainedSlots?.change ?? 0 : 0
  }

  /// Keeps an object until the outermost change has ended: what it owns may be anything.
  package func retire(_ object: AnyObject) { core.retire(object) }
}
