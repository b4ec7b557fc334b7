/// The entities that an entity is related to, or that are related to it.
///
/// A handle to them, not a copy: it always shows the present links, changes affect both sides, and
/// observers run when either side changes.
///
/// ```swift
/// let articles = author.sources(WrittenBy.self)
/// articles.insert(article)
/// for article in articles { print(article) }
/// articles.observe(by: self) { model, articles in model.count = articles.count }
/// ```
///
/// They come in the order in which they were linked, unless you put them in another one:
/// ``insert(_:at:)``, ``move(_:before:)``, ``sort(by:)``. Iteration visits a snapshot.
public struct RelatedEntities<R: Relation>: Sendable, Hashable {
  /// The entity that they are related to.
  public let entity: Entity

  let side: RelationSide

  init(entity: Entity, side: RelationSide) {
    self.entity = entity
    self.side = side
  }

  private var core: Core { entity.core }

  /// The store and the entity's slot, if the entity lives and the relation is in use.
  var location: (store: RelationStore, relations: Relations, slot: UInt32)? {
    guard core.isAlive(entity.handle), let relations = core.relations,
      let store = relations.existingStore(R.self)
    else { return nil }
    return (store, relations, entity.handle.index)
  }

  // MARK: Reading

  /// The number of entities.
  ///
  /// - Complexity: O(1).
  public var count: Int {
    core.read {
      guard let location else { return 0 }
      return location.store.links.count(location.slot, side)
    }
  }

  /// Whether there are none.
  ///
  /// - Complexity: O(1).
  public var isEmpty: Bool { count == 0 }

  /// The first one; nil if there is none.
  ///
  /// - Complexity: O(1).
  public var first: Entity? {
    core.read {
      guard let location, let link = location.store.links.first(location.slot, side) else {
        return nil
      }
      return location.relations.entity(location.store.links.slot(of: link, side))
    }
  }

  /// Whether an entity is among them.
  ///
  /// - Complexity: O(1) on average. Where both entities have many links, pairs are kept from the
  ///   first call on; inside of ``Context/reading(_:)`` nothing is kept, so until then it is
  ///   O(*k*), where *k* is the smaller number of links of the two.
  public func contains(_ other: Entity) -> Bool {
    // Of two long lists, pairs are kept, which readers that share the context must not do.
    let found = core.read { () -> Bool? in
      guard let (store, source, target) = ends(other) else { return false }
      if store.links.isSlow(source: source, target: target), core.runningReading == nil {
        return nil
      }
      return store.links.search(source: source, target: target) != nil
    }
    return found
      ?? core.section {
        guard let (store, source, target) = ends(other) else { return false }
        return store.links.find(source: source, target: target) != nil
      }
  }

  /// Calls a closure with the value of the link to or from another entity, if there is one.
  // PERFORMANCE: L4: nothing generic over the value, whose types would be looked up at each call.
  func withValue(of other: Entity, _ body: (LinkValues, RelationLinks.ID) -> Void) {
    // As above.
    let isDone = core.read { () -> Bool in
      guard let (store, source, target) = ends(other), let values = store.values else {
        return true
      }
      if store.links.isSlow(source: source, target: target), core.runningReading == nil {
        return false
      }
      if let link = store.links.search(source: source, target: target) { body(values, link) }
      return true
    }
    if isDone { return }
    core.section {
      guard let (store, source, target) = ends(other), let values = store.values,
        let link = store.links.find(source: source, target: target)
      else { return }
      body(values, link)
    }
  }

  /// Where a link to or from another entity would be; nil if there can be none.
  func ends(_ other: Entity) -> (store: RelationStore, source: UInt32, target: UInt32)? {
    guard other.core == core, core.isAlive(other.handle), let location else { return nil }
    return side == .targets
      ? (location.store, location.slot, other.handle.index)
      : (location.store, other.handle.index, location.slot)
  }

  /// The entities at this moment.
  ///
  /// - Complexity: O(*k*), where *k* is their number.
  public func entities() -> EntitySet { EntitySet(unique: snapshot()) }

  /// Those of the entities that belong to a group.
  ///
  /// - Complexity: O(*k*), where *k* is the number of related entities: the group is not searched.
  public func entities(in group: Group) -> EntitySet {
    core.readingSection(keepsNothing: true) {
      EntitySet(unique: snapshot().filter { group.contains($0) })
    }
  }

  private func snapshot() -> ContiguousArray<Entity> {
    var found: (store: RelationStore, relations: Relations, slot: UInt32)??
    let turn = core.pointer.pointee.lock.beginLongRead {
      let location = location
      found = .some(location)
      return location.map { $0.store.links.count($0.slot, side) } ?? 0
    }
    defer { core.pointer.pointee.lock.endLongRead(turn) }
    var entities = ContiguousArray<Entity>()
    guard let location = found ?? location else { return entities }
    entities.reserveCapacity(location.store.links.count(location.slot, side))
    location.store.links.forEach(location.slot, side) {
      entities.append(location.relations.entity($0))
    }
    return entities
  }

  // MARK: Changing

  /// Links an entity, as the last one; does nothing if it is already linked.
  ///
  /// See ``Entity/relate(_:to:)``.
  public func insert(_ other: Entity) {
    if side == .targets {
      entity.relate(R.self, to: other)
    } else {
      other.relate(R.self, to: entity)
    }
  }

  /// Removes the link to an entity; does nothing if there is none.
  public func remove(_ other: Entity) {
    if side == .targets {
      entity.unrelate(R.self, from: other)
    } else {
      other.unrelate(R.self, from: entity)
    }
  }

  /// Removes all links.
  ///
  /// - Complexity: O(*k*), where *k* is their number.
  public func removeAll() {
    core.section {
      guard core.acceptsChanges else {
        core.relations?.noteComingLoss(R.self, of: entity.handle, side)
        return core.commands.add { removeAll() }
      }
      guard let location else { return }
      location.store.unlinkAll(location.slot, side) {
        location.relations.noteChange(location.store, $0)
      }
    }
  }

  /// Links these entities, in this order, and no others.
  ///
  /// Existing links stay, in place, if the order allows it; observers run
  /// only if something changed. Links that have values stay with these, and are moved.
  ///
  /// - Precondition: Links of the relation have no values, or the entities are linked already.
  /// - Complexity: O(*k*), where *k* is the number of entities before and after.
  public func replaceAll(with others: some Sequence<Entity>) {
    let wanted = EntitySet(others)
    core.section {
      guard core.acceptsChanges else {
        if let relations = core.relationsMadeIfNeeded() {
          relations.noteComingLoss(R.self, of: entity.handle, side)
          for other in wanted where other.core == core { noteComing(other, relations) }
        }
        return core.commands.add { replaceAll(with: wanted) }
      }
      let present = snapshot()
      if location?.store.values != nil {
        // A link that goes and comes again would lose its value.
        for other in present where !wanted.contains(other) { remove(other) }
        for other in wanted { insert(other) }
        return arrange(Array(wanted))
      }
      let kept = zip(present, wanted).prefix { $0 == $1 }.count
      for other in present[kept...] { remove(other) }
      for other in wanted[kept...] { insert(other) }
    }
  }
}

extension RelatedEntities {
  func noteComing(_ other: Entity, _ relations: Relations) {
    let isTarget = side == .targets
    let (source, target) = (isTarget ? entity : other, isTarget ? other : entity)
    // A cycle is a programmer error, which making the links stops at.
    guard !relations.wouldComeToCycle(R.self, from: source.handle, to: target.handle) else {
      return
    }
    relations.noteComing(R.self, from: source.handle, to: target.handle)
  }
}

extension RelatedEntities: Sequence {
  /// Visits a snapshot of the entities; those that die in the meantime are skipped.
  public func makeIterator() -> Group.Iterator { Group.Iterator(snapshot()) }

  /// A number that is at most the number of entities.
  public var underestimatedCount: Int { 0 }
}

extension RelatedEntities: ChangeSource {
  /// Where it is announced that links on this side were made or removed, from either end.
  public var changeSignal: ChangeSignal {
    let subject = ChangeSignal.Subject.relation(entity.handle, ObjectIdentifier(R.self), side)
    let (core, handle, name) = (core, entity.handle, description)
    return ChangeSignal(core: core, subject: subject) { notifier in
      guard core.isSeenAlive(handle), let relations = core.relationsMadeIfNeeded() else {
        return nil
      }
      _ = relations.store(R.self)
      return RelationObserverList(notifier, subject, name: name)
    }
  }
}

extension RelatedEntities: CustomStringConvertible {
  /// The relation, the side and the entity.
  public var description: String {
    "\(R.self) \(side == .targets ? "targets" : "sources") of \(entity)"
  }
}

// Guarded by the lock of the core that the entity belongs to.
final class RelationObserverList: ObserverList, @unchecked Sendable {
  private let fullName: String

  init(_ notifier: Notifier, _ subject: ChangeSignal.Subject, name: String) {
    fullName = name
    super.init(notifier, subject)
  }

  override var name: String { fullName }
}
