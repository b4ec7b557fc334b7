// Parents to be: what links that wait for the end of an iteration will make of a hierarchy. Who asks
// for a cycle hears of it at once, not from the end of the iteration.
extension Relations {
  /// The parents that entities will have in a hierarchy; nil for those that will have none.
  typealias ComingParents = [Handle: Handle?]

  /// Notes that a link waits, which takes the place of those that cannot stay beside it.
  func noteComing<R: Relation>(_ relation: R.Type, from source: Handle, to target: Handle) {
    guard relation is any Hierarchy.Type else { return }
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
    if comingParents.isEmpty { core.deferChange { self.comingParents = [:] } }
    comingParents[ObjectIdentifier(relation), default: [:]][child] = .some(parent)
  }

  /// The parent that an entity will have, links that wait included.
  func comingParent<R: Relation>(of child: Handle, in relation: R.Type) -> Handle? {
    if let coming = comingParents[ObjectIdentifier(relation)]?[child] { return coming }
    guard core.isAlive(child), let links = existingStore(relation)?.links,
      let link = links.first(child.index, .targets)
    else { return nil }
    return core.handle(ofSlot: links.slot(of: link, .targets))
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
