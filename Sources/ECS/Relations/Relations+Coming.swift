// Parents to be: what links that wait for the end of an iteration will make of a hierarchy. A call
// that asks for a cycle fails at once, and not from the end of the iteration.
extension Relations {
  /// The parent that an entity will have in a hierarchy.
  struct ComingParent {
    /// Nil if it will have none.
    let parent: Handle?

    /// Grows with each link that waits.
    let sequence: Int
  }

  typealias ComingParents = [Handle: ComingParent]

  /// Notes that a link waits, which replaces those that cannot stay beside it.
  func noteComing<R: Relation>(_ relation: R.Type, from source: Handle, to target: Handle) {
    guard relation is any Hierarchy.Type, comingParent(of: source, in: relation) != target
    else { return }
    if relation is any OneToOneRelation.Type { noteComingLoss(relation, ofChildrenOf: target) }
    note(target, as: source, in: relation)
  }

  /// Notes that the end of a link waits.
  func noteComingLoss<R: Relation>(_ relation: R.Type, from source: Handle, to target: Handle) {
    guard relation is any Hierarchy.Type, comingParent(of: source, in: relation) == target
    else { return }
    note(nil, as: source, in: relation)
  }

  /// Notes that the end of all links of one side of an entity waits.
  func noteComingLoss<R: Relation>(_ relation: R.Type, of handle: Handle, _ side: RelationSide) {
    guard relation is any Hierarchy.Type else { return }
    if side == .sources { return noteComingLoss(relation, ofChildrenOf: handle) }
    note(nil, as: handle, in: relation)
  }

  private func noteComingLoss<R: Relation>(_ relation: R.Type, ofChildrenOf parent: Handle) {
    var children: [Handle] = []
    existingStore(relation)?.links.forEach(parent.index, .sources) {
      children.append(core.handle(ofSlot: $0))
    }
    children += (comingParents[ObjectIdentifier(relation)] ?? [:]).keys
    for child in children where comingParent(of: child, in: relation) == parent {
      note(nil, as: child, in: relation)
    }
  }

  private func note<R: Relation>(_ parent: Handle?, as child: Handle, in relation: R.Type) {
    if comingParents.isEmpty {
      core.commands.add { (self.comingParents, self.comingCount) = ([:], 0) }
    }
    comingCount += 1
    comingParents[ObjectIdentifier(relation), default: [:]][child] =
      ComingParent(parent: parent, sequence: comingCount)
  }

  /// The parent that an entity will have, links that wait included.
  func comingParent<R: Relation>(of child: Handle, in relation: R.Type) -> Handle? {
    if let coming = comingParents[ObjectIdentifier(relation)]?[child] { return coming.parent }
    guard core.isAlive(child), let links = existingStore(relation)?.links,
      let link = links.first(child.index, .targets)
    else { return nil }
    return core.handle(ofSlot: links.slot(of: link, .targets))
  }

  /// The children that an entity will have, links that wait included, in the order in which they
  /// were or will be linked.
  func comingChildren<R: Relation>(of parent: Handle, in relation: R.Type) -> [Handle] {
    let coming = comingParents[ObjectIdentifier(relation)] ?? [:]
    var children: [Handle] = []
    if core.isAlive(parent) {
      existingStore(relation)?.links.forEach(parent.index, .sources) {
        let child = core.handle(ofSlot: $0)
        if coming[child] == nil { children.append(child) }
      }
    }
    let new = coming.filter { $0.value.parent == parent }
    return children + new.sorted(byNumber: { UInt64($0.value.sequence) }).map(\.key)
  }

  /// Whether a link would close a cycle in a hierarchy once those that wait are made.
  func wouldComeToCycle<R: Relation>(
    _ relation: R.Type, from source: Handle, to target: Handle
  ) -> Bool {
    guard relation is any Hierarchy.Type, core.isSeenAlive(source), core.isSeenAlive(target)
    else { return false }
    var ancestor: Handle? = target
    while let current = ancestor, core.isSeenAlive(current) {
      if current == source { return true }
      ancestor = comingParent(of: current, in: relation)
    }
    return false
  }
}

extension RelatedEntities where R: Hierarchy {
  /// The entities, in order, as they are once links that wait are made; moves that wait are not
  /// looked at.
  ///
  /// Inside a closure or chunk iteration links wait until that ends, and reading shows those of
  /// before. This takes the links that wait into account, for decisions about further links: as
  /// ``Entity/setParent(_:in:)`` does. Anywhere else it is the same as ``entities()``.
  ///
  /// - Complexity: O(*k*), where *k* is the number of entities, plus that of the links that wait.
  public func coming() -> EntitySet {
    let core = entity.core
    return core.readingSection(keepsNothing: true) {
      guard !core.acceptsChanges, let relations = core.relations else { return entities() }
      guard core.isSeenAlive(entity.handle) else { return EntitySet() }
      let handles =
        side == .sources
        ? relations.comingChildren(of: entity.handle, in: R.self)
        : relations.comingParent(of: entity.handle, in: R.self).map { [$0] } ?? []
      let living = handles.lazy.filter { core.isSeenAlive($0) }
      return EntitySet(unique: ContiguousArray(living.map { Entity(core: core, handle: $0) }))
    }
  }
}
