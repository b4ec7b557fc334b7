/// Entities that are to be copied together, as they are at a moment.
struct CopyPlan {
  /// A link that a copy gets.
  struct PlannedLink {
    enum Target {
      case copy(Int)
      case entity(Entity)
    }

    let relation: any Relation.Type
    let source: Int
    let target: Target

    /// The value of the original's link; nil if the relation has none.
    let value: (any Component)?
  }

  /// The copies of the sources of an entity, in the order that they are to have.
  struct Order {
    let relation: any Relation.Type
    let target: Int
    let sources: [Int]
  }

  /// The entities that are copied, and their indices in the order in which their copies are
  /// created.
  struct OriginalList: Sendable {
    /// The entities, each once.
    fileprivate(set) var originals: [Entity] = []

    /// Where each of the entities that were asked for is in the list.
    fileprivate(set) var asked: [Int] = []

    /// The indices; nil for one entity, of which there is one.
    private var indices: SlotNumbers?

    /// The index of an entity in the list; nil if it is not copied.
    func index(of entity: Entity) -> Int? {
      guard let indices else { return originals.firstIndex(of: entity) }
      guard let index = indices[entity.handle.index], originals[index] == entity else {
        return nil
      }
      return index
    }

    /// Makes room for entities.
    fileprivate mutating func reserve(_ count: Int) {
      indices = SlotNumbers()
      originals.reserveCapacity(count)
      asked.reserveCapacity(count)
    }

    /// Adds an entity that is not in the list.
    fileprivate mutating func append(_ entity: Entity) {
      indices?.insert(entity.handle.index, originals.count)
      originals.append(entity)
    }
  }

  private(set) var list = OriginalList()
  private(set) var values: [(values: PrototypeValues, indices: [Int])] = []
  private(set) var links: [PlannedLink] = []
  private(set) var orders: [Order] = []

  /// Reads entities of a context, within a section.
  ///
  /// `keepsTargets` says whether copies may be linked to entities that are not copied.
  init(
    _ entities: [Entity], of core: Core, deep relations: [any Relation.Type], keepsTargets: Bool
  ) throws(CopyError) {
    for entity in entities {
      if entity.core != core { throw .foreign(entity) }
      if !core.isSeenAlive(entity.handle) { throw .dead(entity) }
    }
    let stores = core.relations?.stores ?? []
    let followed = stores.filter { store in relations.contains { $0 == store.type } }
    if entities.count == 1, followed.isEmpty {
      (list.originals, list.asked) = (entities, [0])
    } else {
      list.reserve(entities.count)
      for entity in entities {
        let index = add(entity, following: followed)
        list.asked.append(index)
      }
    }
    values = BatchCreation(core: core).prototypeValues(of: originals.map(\.handle))
    for store in stores where store.copyRule != .omit && store.links.count > 0 {
      readLinks(of: store, keepsTargets: keepsTargets && store.copyRule == .keep)
    }
  }

  /// The entities, each once.
  var originals: [Entity] { list.originals }

  /// Adds an entity with all that is related to it, each entity followed by its own.
  private mutating func add(_ entity: Entity, following stores: [RelationStore]) -> Int {
    if let present = list.index(of: entity) { return present }
    let first = originals.count
    if stores.isEmpty {
      list.append(entity)
      return first
    }
    var next = [entity]
    while let entity = next.popLast() {
      guard list.index(of: entity) == nil else { continue }
      list.append(entity)
      let end = next.count
      for store in stores {
        store.links.forEach(entity.handle.index, .sources) { slot in
          let source = Entity(core: entity.core, handle: entity.core.handle(ofSlot: slot))
          // It may be about to be destroyed.
          if source.core.isSeenAlive(source.handle) { next.append(source) }
        }
      }
      next[end...].reverse()
    }
    return first
  }

  private mutating func readLinks(of store: RelationStore, keepsTargets: Bool) {
    let core = store.core
    for (source, original) in originals.enumerated() {
      let slot = original.handle.index
      store.links.forEachLink(slot, .targets) { link in
        let target = Entity(
          core: core, handle: core.handle(ofSlot: store.links.slot(of: link, .targets)))
        func add(_ target: PlannedLink.Target) {
          links.append(
            PlannedLink(
              relation: store.type, source: source, target: target,
              value: store.values?.value(of: link)))
        }
        if let index = list.index(of: target) {
          add(.copy(index))
        } else if keepsTargets, !store.isOneToOne {
          add(.entity(target))
        }
      }
      guard store.links.count(slot, .sources) > 1 else { continue }
      var sources: [Int] = []
      store.links.forEach(slot, .sources) {
        let index = list.index(of: Entity(core: core, handle: core.handle(ofSlot: $0)))
        if let index { sources.append(index) }
      }
      // Links are made in the order of their sources.
      if zip(sources, sources.dropFirst()).contains(where: { $0 > $1 }) {
        orders.append(Order(relation: store.type, target: source, sources: sources))
      }
    }
  }
}
