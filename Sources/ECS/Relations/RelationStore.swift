/// The links of one relation in a context.
// Guarded by the lock of the core.
final class RelationStore: @unchecked Sendable {
  let core: Core
  let id: ObjectIdentifier
  let type: any Relation.Type
  let name: String
  let rule: DeleteRule
  let copyRule: CopyRule
  let isToOne: Bool
  let isOneToOne: Bool
  let isHierarchy: Bool

  // PERFORMANCE: L1, B4: checks of exclusive access would take as long as what is to be done. All
  // of it is reached with the core's lock, and no code of the user's runs while a property is being
  // changed.
  @exclusivity(unchecked) @safe nonisolated(unsafe) var links = RelationLinks()

  /// The values of the links; nil if the relation has none.
  @exclusivity(unchecked) @safe nonisolated(unsafe) var values: LinkValues?

  /// The live views of related entities, once there was one.
  @exclusivity(unchecked) @safe nonisolated(unsafe) var views: RelatedViews? {
    didSet { noteWatchers() }
  }

  /// The collectors of sources whose links change, with what announces that.
  @exclusivity(unchecked) @safe nonisolated(unsafe) private var logs:
    [(log: CollectedSet, tables: TableSet, signal: SignalOwner?)] = []
  {
    didSet { noteWatchers() }
  }

  /// What follows all links: for views that read components of targets, and for totals.
  @exclusivity(unchecked) @safe nonisolated(unsafe) private var listeners =
    StableList<SingleRole<LinkListener>>()
  {
    didSet { noteWatchers() }
  }

  // PERFORMANCE: L1: one flag for all that are notified of links of all entities.
  /// Whether anything is notified of each link that comes or goes.
  @exclusivity(unchecked) @safe nonisolated(unsafe) private(set) var isWatched = false

  /// What transactions that run may have to take back.
  private(set) var returns: [Return] = []

  /// The last transaction that noted the store.
  private var savepoint: UInt64 = 0

  init<R: Relation>(_ relation: R.Type, in core: Core) {
    self.core = core
    values = relation.valueIdentifier.map { LinkValues($0) }
    id = ObjectIdentifier(relation)
    type = relation
    name = String(describing: relation)
    rule = relation.deleteRule
    copyRule = relation.copyRule
    isToOne = relation is any ToOneRelation.Type
    isOneToOne = relation is any OneToOneRelation.Type
    isHierarchy = relation is any Hierarchy.Type
  }

  /// A link that came or went, by slots.
  struct Step {
    let source: UInt32
    let target: UInt32

    /// Whether the link came.
    let isLinked: Bool

    /// Which link it is; none if that is the one of its source that came last.
    var link = RelationLinks.ID.none
  }

  /// Links two slots, unless they are linked, instead of links that cannot stay beside.
  ///
  /// The closure is notified of each link that comes or goes. The links have no values.
  func link(source: UInt32, target: UInt32, _ changed: (Step) -> Void) {
    assert(values == nil, "A link of \(name) was to come without a value.")
    if !core.isNoting {
      // PERFORMANCE: L1: all at once, since each look at the links finds their memory again.
      switch links.insert(
        source: source, target: target, unlessSourceIsLinked: isToOne,
        unlessTargetIsLinked: isOneToOne)
      {
      case .done: return changed(Step(source: source, target: target, isLinked: true))
      case .unneeded: return
      case .inTheWay: break
      }
    }
    guard links.find(source: source, target: target) == nil else { return }
    _ = insert(source: source, target: target, changed)
    if core.isJournaling { noteLink(source, target, nil) }
    changed(Step(source: source, target: target, isLinked: true))
  }

  /// Links two slots with a value, instead of links that cannot stay beside; replaces the value if
  /// they are linked.
  ///
  /// The closure is notified of each link that comes or goes.
  ///
  /// - Returns: Whether they were linked.
  func link<Value: Component>(
    source: UInt32, target: UInt32, _ value: Value, _ changed: (Step) -> Void
  ) -> Bool {
    if let link = links.find(source: source, target: target) {
      replaceValue(of: link, by: value)
      return true
    }
    checkType(of: value)
    let link = insert(source: source, target: target, changed)
    values?.add(value, to: link)
    if core.isJournaling { noteLink(source, target, link) }
    changed(Step(source: source, target: target, isLinked: true, link: link))
    return false
  }

  /// Links two slots that are not linked, and has this taken back with the transaction that runs.
  private func insert(
    source: UInt32, target: UInt32, _ changed: (Step) -> Void
  ) -> RelationLinks.ID {
    if isToOne, let old = links.first(source, .targets) { remove(old, changed) }
    if isOneToOne, let old = links.first(target, .sources) { remove(old, changed) }
    let reused = links.nextReused
    links.insert(source: source, target: target)
    let (id, isNew) = links.inserted(by: source, reusing: reused)
    if core.isRecording { note(.ofInsertion(id, isNew: isNew, ends(source, target))) }
    return id
  }

  private func noteLink(_ source: UInt32, _ target: UInt32, _ link: RelationLinks.ID?) {
    let ends = ends(source, target)
    core.recorder.noteLink(
      NotedLink(target: ends.target, relation: type), of: ends.source, link.flatMap(noted))
  }

  /// The value of a link, for notes; nil if it has none.
  func noted(_ link: RelationLinks.ID) -> ChangeRecorder.LinkValue? {
    values.map { ChangeRecorder.LinkValue(values: $0, link: link) }
  }

  func unlink(source: UInt32, target: UInt32, _ changed: (Step) -> Void) {
    if let link = links.find(source: source, target: target) { remove(link, changed) }
  }

  func unlinkAll(_ slot: UInt32, _ side: RelationSide, _ changed: (Step) -> Void) {
    while let link = links.first(slot, side) { remove(link, changed) }
  }

  private func remove(_ link: RelationLinks.ID, _ changed: (Step) -> Void) {
    let step = Step(
      source: links.slot(of: link, .sources), target: links.slot(of: link, .targets),
      isLinked: false, link: link)
    if core.isRecording {
      note(.ofRemoval(link, links.link(link), ends(step.source, step.target)))
    }
    if core.isJournaling {
      let ends = ends(step.source, step.target)
      core.recorder.noteUnlink(
        NotedUnlink(
          link: NotedLink(target: ends.target, relation: type),
          nextTarget: next(after: link, .targets), nextSource: next(after: link, .sources)),
        of: ends.source, noted(link))
    }
    links.remove(link)
    if values != nil { removeValue(of: link, keeps: core.isRecording) }
    changed(step)
  }

  /// Puts a link before another one of the same slot on a side, or behind all of them.
  ///
  /// - Returns: Whether it was somewhere else.
  func move(_ link: RelationLinks.ID, _ side: RelationSide, before next: RelationLinks.ID?)
    -> Bool
  {
    let earlier = links.next(after: link, side)
    guard next != link, next != earlier else { return false }
    if core.isRecording { note(.ofMove(link, side, earlier)) }
    if core.isJournaling {
      let ends = ends(links.slot(of: link, .sources), links.slot(of: link, .targets))
      core.recorder.noteMove(
        NotedMove(
          link: NotedLink(target: ends.target, relation: type), isAmongTargets: side == .targets,
          earlierNext: self.next(after: link, side),
          next: next.map { core.handle(ofSlot: links.slot(of: $0, side)) }),
        of: ends.source)
    }
    links.move(link, side, before: next)
    return true
  }

  // MARK: Values

  /// Replaces the value of a link.
  func replaceValue<Value: Component>(of link: RelationLinks.ID, by value: Value) {
    checkType(of: value)
    guard core.isNoting else {
      removeValue(of: link, keeps: false)
      values?.add(value, to: link)
      return
    }
    let ends = ends(links.slot(of: link, .sources), links.slot(of: link, .targets))
    if core.isRecording { note(.ofValue(link, ends)) }
    if core.isJournaling, let present = noted(link) {
      core.recorder.noteLink(
        NotedLink(target: ends.target, relation: type), of: ends.source, present, by: value)
    }
    removeValue(of: link, keeps: core.isRecording)
    values?.add(value, to: link)
  }

  private func removeValue(of link: RelationLinks.ID, keeps: Bool) {
    if let old = values?.remove(link, keeps: keeps) { core.discard(old) }
  }

  private func checkType<Value: Component>(of value: Value) {
    guard values?.cid.key != ComponentKey(Value.self) else { return }
    stop(
      "A link of \(name) was to get \(value), but its values are of the type \(values.map { $0.cid.name } ?? "NoValue")."
    )
  }

  private func noteWatchers() { isWatched = views != nil || !listeners.isEmpty || !logs.isEmpty }

  // MARK: Views

  /// Tells views of a link that came or went; its ends may be dead.
  func tellViews(_ step: Step, _ source: Handle, _ target: Handle) {
    views?.note(step, source, target)
    for listener in listeners { listener.linkChanged(step, of: source) }
  }

  func add(_ listener: LinkListener) { listeners.append(listener) }

  func remove(_ listener: LinkListener) { listeners.remove(listener) }

  /// The context is gone.
  func end() {
    listeners.removeAll()
    links = RelationLinks()
    if let values { core.retire(values.owner) }
    values = nil
  }

  // MARK: Collecting

  /// Puts sources that are in a set into a log when their links change; does nothing if it is so.
  func add(_ log: CollectedSet, of tables: TableSet, announcing signal: SignalOwner?) {
    guard !logs.contains(where: { $0.log === log }) else { return }
    logs.append((log, tables, signal))
    log.add(self)
  }

  /// The links of a source have changed.
  func collect(_ source: Handle) {
    for (log, tables, signal) in logs where core.isMember(source, of: tables) {
      log.collect(source)
      signal?.announce()
    }
  }

  // MARK: Recording

  /// The entity that comes next at one end of a link; one of them may just have been destroyed.
  private func next(after link: RelationLinks.ID, _ side: RelationSide) -> Handle? {
    links.next(after: link, side).map { core.lastHandle(ofSlot: links.slot(of: $0, side)) }
  }

  // MARK: Taking back

  /// The entities at the ends of a link.
  struct Ends {
    let source: Handle
    let target: Handle
  }

  enum Return {
    case ofInsertion(RelationLinks.ID, isNew: Bool, Ends)
    case ofRemoval(RelationLinks.ID, RelationLinks.Link, Ends)
    case ofMove(RelationLinks.ID, RelationSide, _ next: RelationLinks.ID?)
    case ofValue(RelationLinks.ID, Ends)
    case ofEnd(RelatedViews.Ended)
  }

  func ends(_ source: UInt32, _ target: UInt32) -> Ends {
    // One of them may just have been destroyed.
    Ends(source: core.lastHandle(ofSlot: source), target: core.lastHandle(ofSlot: target))
  }

  func note(_ change: Return) {
    if savepoint != core.transactions.savepoint {
      savepoint = core.transactions.savepoint
      let count = returns.count
      core.transactions.onReturn(.links) { [self] in revert(to: count) }
      if count == 0 { core.transactions.onClose { [self] in forgetReturns() } }
    }
    returns.append(change)
  }

  private func forgetReturns() {
    returns = []
    for value in values?.forgetKept() ?? [] { core.discard(value) }
  }

  /// Notes that views of what is related to an entity have ended with it.
  func note(_ ended: RelatedViews.Ended) { note(.ofEnd(ended)) }

  /// Takes back what changed, the last first; views of related entities hear of it.
  private func revert(to count: Int) {
    while returns.count > count {
      switch returns.removeLast() {
      case .ofInsertion(let id, let isNew, let ends):
        if values != nil { removeValue(of: id, keeps: false) }
        links.revertInsertion(id, isNew: isNew)
        tellViews(ends, id, isLinked: false)
      case .ofRemoval(let id, let link, let ends):
        links.revertRemoval(id, of: link)
        values?.putBack(id)
        tellViews(ends, id, isLinked: true)
      // Views note for themselves how their entities were ordered.
      case .ofMove(let id, let side, let next):
        links.move(id, side, before: next)
        core.relations?.noteReturn(of: self, ofSlot: links.slot(of: id, side.other), side)
      case .ofValue(let id, let ends):
        removeValue(of: id, keeps: false)
        values?.putBack(id)
        views?.noteValue(ends.source, ends.target)
        core.relations?.noteReturn(of: self, ends)
      case .ofEnd(let ended): views?.goOn(ended)
      }
    }
  }

  private func tellViews(_ ends: Ends, _ link: RelationLinks.ID, isLinked: Bool) {
    let step = Step(
      source: ends.source.index, target: ends.target.index, isLinked: isLinked, link: link)
    tellViews(step, ends.source, ends.target)
    core.relations?.noteReturn(of: self, ends)
  }

  /// Whether a link would close a cycle in a hierarchy.
  ///
  /// Only an entity that has children can come to be below itself: trees that grow at their leaves
  /// or from their root upwards cost nothing here.
  func wouldCycle(source: UInt32, target: UInt32) -> Bool {
    guard isHierarchy else { return false }
    if source == target { return true }
    return links.count(source, .sources) > 0 && links.isBelow(target, source)
  }
}

/// A listener to all links of a relation that come and go.
// Guarded by the lock of the core.
class LinkListener: StableListMember, @unchecked Sendable {
  var listIndex = 0

  /// A link of an entity came or went; its ends may be dead.
  func linkChanged(_ step: RelationStore.Step, of source: Handle) {}
}

extension RelationStore: CollectedSetSource {
  func remove(_ log: CollectedSet) { logs.removeAll { $0.log === log } }
}
