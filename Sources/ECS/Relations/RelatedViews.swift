/// The live views of what is related to entities by one relation.
///
/// It is notified of the changes of all entities, and passes on to each view what concerns it: it
/// finds the views by the links of the entity, or the other way round, whichever are fewer. So a
/// view costs nothing when other entities change than those it is about.
// Guarded by the lock of the core.
final class RelatedViews: EntitySink, @unchecked Sendable {
  private let core: Core
  private weak var store: RelationStore?

  /// The views by the slot of the entity whose related entities they show.
  private var sources: [UInt32: StableList<SingleRole<LiveViewSink>>] = [:]
  private var targets: [UInt32: StableList<SingleRole<LiveViewSink>>] = [:]
  private var count = 0 {
    didSet { core.client?.viewCount += count - oldValue }
  }
  private var lastRegistration: UInt64 = 0

  /// Whether there may be views that read values of links.
  private var areValuesRead = false

  init(_ relations: Relations, _ store: RelationStore) {
    core = relations.core
    self.store = store
    super.init(core.setOfAllTables())
  }

  override func end() {
    for sink in Array(sources.values.joined()) + Array(targets.values.joined()) { sink.end() }
    (sources, targets, count) = ([:], [:], 0)
  }

  #if InternalChecks
    override var walkLength: Int {
      count + all.reduce(0) { $0 + $1.sink.walkLength }
    }

    override func checkInvariants() {
      require(all.count == count, "A relation has \(all.count) views and counts \(count).")
      for (slot, side, sink) in all {
        sink.checkInvariants()
        var linked: [UInt32] = []
        store?.links.forEach(slot, side) { linked.append($0) }
        require(
          linked == sink.slotsByArrival,
          "A view of the \(side) of slot \(slot) has other links than the relation.")
      }
    }

    override func plant(_ contradiction: PlantedCorruption) {
      for view in all { view.sink.plant(contradiction) }
    }

    private var all: [(slot: UInt32, side: RelationSide, sink: LiveViewSink)] {
      [RelationSide.targets, .sources].flatMap { side in
        views(side).flatMap { slot, sinks in sinks.map { (slot, side, $0) } }
      }
    }
  #endif

  private func views(_ side: RelationSide) -> [UInt32: StableList<SingleRole<LiveViewSink>>] {
    side == .sources ? sources : targets
  }

  /// Changes the views of a slot where they are.
  private func change(
    _ side: RelationSide, _ slot: UInt32,
    _ body: (inout StableList<SingleRole<LiveViewSink>>?) -> Void
  ) {
    if side == .sources { body(&sources[slot]) } else { body(&targets[slot]) }
  }

  // MARK: Views

  /// Begins to keep a view up to date, which so far is empty.
  func register(_ sink: LiveViewSink, _ side: RelationSide, of owner: Handle) {
    lastRegistration += 1
    sink.registration = lastRegistration
    change(side, owner.index) { sinks in
      if sinks == nil { sinks = StableList() }
      sinks?.append(sink)
    }
    count += 1
    if sink.definition.readsLinkValues { areValuesRead = true }
    let further = sink.more.filter { !more.contains($0) }
    more += further
    if count == 1 {
      core.sinks.register(self)
    } else if !further.isEmpty {
      core.reactionLists.invalidate(of: core.setOfAllTables())
    }
    store?.links.forEach(owner.index, side) { sink.link(core.handle(ofSlot: $0)) }
  }

  func unregister(_ sink: LiveViewSink, _ side: RelationSide, of owner: Handle) {
    // If its owner lives again, it is not to go on.
    sink.isReleased = true
    // A view whose owner is gone was forgotten already, and another entity may have its slot.
    var isKnown = false
    change(side, owner.index) { sinks in
      isKnown = sinks?.contains(sink) == true
      sinks?.remove(sink)
      if sinks?.isEmpty == true { sinks = nil }
    }
    guard isKnown else { return }
    core.retire(sink)
    forgot(1)
  }

  private func forgot(_ viewCount: Int) {
    count -= viewCount
    guard viewCount > 0, count == 0 else { return }
    more = []
    areValuesRead = false
    core.sinks.unregister(self)
  }

  // MARK: Changes

  /// A link came or went.
  func note(_ step: RelationStore.Step, _ source: Handle, _ target: Handle) {
    tell(sources[target.index], step, source)
    tell(targets[source.index], step, target)
  }

  /// The value of a link was replaced; its ends may be dead.
  func noteValue(_ source: Handle, _ target: Handle) {
    guard areValuesRead else { return }
    tellValue(sources[target.index], of: source)
    tellValue(targets[source.index], of: target)
  }

  private func tellValue(_ sinks: StableList<SingleRole<LiveViewSink>>?, of other: Handle) {
    guard let sinks else { return }
    for sink in sinks where sink.definition.readsLinkValues { sink.dependencyChanged(of: other) }
  }

  /// A link has another position among those of one side of an entity.
  func noteMove(_ link: RelationLinks.ID, _ side: RelationSide) {
    guard let store, let sinks = views(side)[store.links.slot(of: link, side.other)] else { return }
    func handle(_ link: RelationLinks.ID) -> Handle {
      core.handle(ofSlot: store.links.slot(of: link, side))
    }
    let previous = store.links.previous(before: link, side).map(handle)
    let next = store.links.next(after: link, side).map(handle)
    for sink in sinks { sink.moveLinked(handle(link), between: previous, and: next) }
  }

  private func tell(
    _ sinks: StableList<SingleRole<LiveViewSink>>?, _ step: RelationStore.Step, _ other: Handle
  ) {
    guard let sinks else { return }
    for sink in sinks { step.isLinked ? sink.link(other) : sink.unlink(other) }
  }

  /// An entity was destroyed, and its links are gone.
  func ownerEnded(_ slot: UInt32) {
    for side in [RelationSide.targets, .sources] {
      for sink in forgetViews(side, of: slot) {
        core.retire(sink)
        sink.ownerEnded()
      }
    }
  }

  /// Forgets the views of a slot; returns them.
  private func forgetViews(_ side: RelationSide, of slot: UInt32) -> [LiveViewSink] {
    guard let ended = views(side)[slot] else { return [] }
    let sinks = Array(ended)
    if core.isRecording { store?.note(Ended(side: side, slot: slot, sinks: sinks)) }
    change(side, slot) { $0 = nil }
    forgot(sinks.count)
    return sinks
  }

  // MARK: Taking back

  /// Views that have ended with the entity whose related entities they show.
  struct Ended {
    fileprivate let side: RelationSide
    fileprivate let slot: UInt32
    fileprivate let sinks: [LiveViewSink]
  }

  /// Lets views go on whose entity lives again.
  func goOn(_ ended: Ended) {
    let sinks = ended.sinks.filter { !$0.isReleased }
    guard !sinks.isEmpty else { return }
    change(ended.side, ended.slot) { list in
      var all = StableList<SingleRole<LiveViewSink>>()
      for sink in sinks { all.append(sink) }
      list = all
    }
    let wereNone = count == 0
    count += sinks.count
    for sink in sinks {
      sink.hasEnded = false
      more += sink.more.filter { !more.contains($0) }
      if sink.definition.readsLinkValues { areValuesRead = true }
    }
    if wereNone {
      core.sinks.register(self)
    } else {
      core.reactionLists.invalidate(of: core.setOfAllTables())
    }
  }

  /// The entity of a slot never was: views of what is related to it end, and nothing is notified.
  func ownerUndone(_ slot: UInt32) {
    for side in [RelationSide.targets, .sources] {
      guard let ended = views(side)[slot] else { continue }
      change(side, slot) { $0 = nil }
      for sink in ended {
        core.retire(sink)
        sink.hasEnded = true
        sink.observers?.endAll()
      }
      forgot(ended.count)
    }
  }

  /// Components of an entity changed.
  override func react(_ kind: ReactionKind, _ handle: Handle) {
    // What is created has no links yet, and those of what is destroyed go right after this.
    guard kind == .updated, let store else { return }
    for side in [RelationSide.targets, .sources] {
      for sink in views(side, showing: handle.index, store) { sink.react(.updated, handle) }
    }
  }

  /// The views that show an entity, or would if no filter kept it out.
  private func views(
    _ side: RelationSide, showing slot: UInt32, _ store: RelationStore
  ) -> [LiveViewSink] {
    let views = views(side)
    let linkCount = store.links.count(slot, side.other)
    guard !views.isEmpty, linkCount > 0 else { return [] }
    if linkCount <= views.count {
      var found: [LiveViewSink] = []
      store.links.forEach(slot, side.other) { found += views[$0].map(Array.init) ?? [] }
      return found
    }
    // No order of a dictionary may be observable.
    return views.values.joined().filter { $0.isLinked(slot) }.sorted(byNumber: \.registration)
  }
}
