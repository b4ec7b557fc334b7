/// The lists of what reacts to changes of tables.
///
/// Each is worked out once for a table, a component type and a kind of change, when it is first
/// needed, and kept until something begins or ceases to listen to entities of the table, or of the
/// one to which the change leads.
@frozen
@usableFromInline
struct ReactionLists {
  @usableFromInline let core: Core

  @inlinable
  @inline(__always)
  init(_ core: Core) { self.core = core }
}

extension Core {
  /// The lists of what reacts to changes.
  @inlinable
  @inline(__always)
  var reactionLists: ReactionLists { ReactionLists(self) }
}

extension ReactionLists {
  /// Makes the reaction lists out of date that the listeners of a set are in, or have to be.
  ///
  /// Iterations that run and storages that are lent find that out. Call it whenever what listens to
  /// a set changes.
  func invalidate(of set: TableSet) {
    core.pointer.pointee.listeners.epoch &+= 1
    core.forgetSilence()
    core.pointer.pointee.listeners.noteListening(to: set)
    for unsafe(table) in unsafe set.takeListed() where unsafe table.pointee.isListed {
      unsafe table.pointee.unlist()
    }
  }

  /// Notes that reaction lists of a table are about to be brought up to date.
  private func noteListed(_ table: TablePointer) {
    guard unsafe !table.pointee.isListed else { return }
    unsafe table.pointee.isListed = true
    for set in unsafe core.sets(of: table) { unsafe set.noteListed(table) }
  }

  @usableFromInline
  @inline(never)
  func refreshReplace(_ table: TablePointer, _ edge: UnsafeMutablePointer<Edge>) {
    unsafe noteListed(table)
    unsafe ReactionList.free(edge.pointee.replace)
    unsafe edge.pointee.replace = make(from: table, to: table, through: edge.pointee.cid)
    unsafe edge.pointee.isReplaceListed = true
    unsafe edge.pointee.replaceFastPath = isQuiet(edge.pointee.replace) ? .plain : .notifying
  }

  @inline(never)
  func refreshTransition(_ table: TablePointer, _ edge: UnsafeMutablePointer<Edge>) {
    unsafe noteListed(table)
    if let target = unsafe edge.pointee.target { unsafe noteListed(target) }
    unsafe ReactionList.free(edge.pointee.transition)
    unsafe edge.pointee.transition = make(
      from: table, to: edge.pointee.target, through: edge.pointee.cid)
    unsafe edge.pointee.isTransitionListed = true
    let isSimple =
      unsafe edge.pointee.plan?.pointee.isSimple == true && !table.pointee.hasUnique
      && edge.pointee.target?.pointee.hasUnique == false
      && !table.pointee.hasRequirements(on: edge)
    unsafe edge.pointee.setTransitionFastPath(
      isSimple && isQuiet(edge.pointee.transition) ? .plain : .unavailable)
  }

  @usableFromInline
  @inline(never)
  func refreshTable(_ table: TablePointer) {
    if unsafe table.pointee.endPlan == nil {
      unsafe table.pointee.endPlan = RowPlan.make(from: table, to: nil, adding: nil)
    }
    unsafe noteListed(table)
    unsafe ReactionList.free(table.pointee.enter)
    unsafe ReactionList.free(table.pointee.leave)
    unsafe table.pointee.enter = make(from: nil, to: table, through: nil)
    unsafe table.pointee.leave = make(from: table, to: nil, through: nil)
    unsafe table.pointee.isEntryListed = true
    let isSimple =
      unsafe table.pointee.endPlan?.pointee.isSimple == true && !table.pointee.hasUnique
    unsafe table.pointee.leaveFastPath =
      unsafe !isSimple ? .unavailable : isQuiet(table.pointee.leave) ? .plain : .notifying
  }

  /// Whether there is nothing to notify of a change.
  private func isQuiet(_ list: ReactionListPointer?) -> Bool {
    unsafe list?.pointee.hasNotices != true
  }

  /// Works out what reacts when an entity goes from one table to another: first the indexes, then
  /// the sinks and the logs, each in the order in which they or their sets were made; and which
  /// observers are notified afterwards.
  ///
  /// If the entity is only on its way between two others, the list is one of a row that the last
  /// table has by then, and what has neither of the two does not react.
  func make(
    from old: TablePointer?, to new: TablePointer?, through cid: CID?,
    on way: (from: TablePointer, to: TablePointer)? = nil
  ) -> ReactionListPointer? {
    var indexes: [(registration: UInt64, reaction: Reaction)] = []
    var sinks: [(registration: UInt64, reaction: Reaction)] = []
    var logs: [Reaction] = []
    var last: [Reaction] = []
    var notices: [ChangeEvent.Target] = []
    func notify(_ target: EventSubscriber?, _ kind: ReactionKind) {
      guard let target, target.wants(kind) else { return }
      // SAFETY: the invariant of `ChangeEvent.Target`.
      unsafe notices.append(
        ChangeEvent.Target(target: Unmanaged.passUnretained(target), kind: kind))
    }
    unsafe forEachSet(of: old, new) { set, isLeft, isEntered in
      guard set.hasListeners else { return }
      if let way = unsafe way, unsafe !set.contains(way.from), unsafe !set.contains(way.to) {
        return
      }
      let kind = kind(of: set, isLeft: isLeft, isEntered: isEntered, through: cid)
      for sink in set.sinks {
        guard let kind = kind ?? (cid.map(sink.more.contains) == true ? .updated : nil) else {
          continue
        }
        // SAFETY: here and below, the invariant of `Reaction.Target`.
        let target = unsafe Reaction.Target.sink(Unmanaged.passUnretained(sink))
        sinks.append((sink.registration, Reaction(kind: kind, target: target)))
      }
      guard let kind else { return }
      for index in set.indexes {
        let last = unsafe way?.to ?? new
        let column = unsafe isEntered ? last?.pointee.columnIndex(of: index.cid) ?? -1 : -1
        let target = unsafe Reaction.Target.index(Unmanaged.passUnretained(index), column: column)
        indexes.append((index.registration, Reaction(kind: kind, target: target)))
      }
      for log in set.logs where log.kinds.contains(kind) {
        unsafe logs.append(Reaction(kind: kind, target: .log(log.log)))
      }
      notify(set.observers, kind)
    }
    if cid == nil {
      unsafe notify(core.pointer.pointee.listeners.contextObservers, old == nil ? .added : .removed)
    }
    // INVARIANT: the destruction sink is the last of its list. It is the only one that may change
    // the context: nothing of the list is read after it.
    if unsafe old != nil, unsafe new == nil,
      let sink = core.pointer.pointee.listeners.destructionSink
    {
      let target = unsafe Reaction.Target.sink(Unmanaged.passUnretained(sink))
      last.append(Reaction(kind: .removed, target: target))
    }
    let inOrder = indexes.sorted(byNumber: \.registration) + sinks.sorted(byNumber: \.registration)
    return unsafe ReactionList.make(
      inOrder.map(\.reaction) + logs + last, notices
    ) { unsafe makePrototype(from: old, to: new, through: cid, notices, wantsValues: $0) }
  }

  /// What the records of replacements, creations and destructions begin with while no value is
  /// moved out and no single entity is observed.
  private func makePrototype(
    from old: TablePointer?, to new: TablePointer?, through cid: CID?,
    _ notices: [ChangeEvent.Target], wantsValues: Bool
  ) -> EventPrototype? {
    if let cid {
      guard unsafe old == new else { return nil }
      let info = cid.pointer
      return unsafe EventPrototype(
        cid, info.pointee.isTrivial ? [.hasOld, .hasNew] : [.hasOld, .hasNew, .mustEnd], notices,
        types: [],
        valueSize: ChangeEvent.sizeOfValues(
          stride: info.pointee.stride, alignment: info.pointee.alignment))
    }
    guard let table = unsafe old ?? new else { return nil }
    var flags: ChangeEvent.Flags = unsafe new == nil ? .isEnd : []
    let types = unsafe wantsValues ? table.pointee.signature : []
    if !types.isEmpty {
      unsafe flags.insert(new == nil ? .hasOld : .hasNew)
      if unsafe !table.pointee.isTrivial { flags.insert(.mustEnd) }
    }
    return unsafe EventPrototype(
      nil, flags, notices, types: types, valueSize: types.isEmpty ? 0 : table.pointee.valueSize)
  }

  /// Calls a body with each set with listeners that has one of two tables or both, in the order in
  /// which they were made, and perhaps with others.
  private func forEachSet(
    of old: TablePointer?, _ new: TablePointer?,
    _ body: (TableSet, _ isLeft: Bool, _ isEntered: Bool) -> Void
  ) {
    let (left, entered) = unsafe (old?.pointee.sets ?? [], new?.pointee.sets ?? [])
    let listening = core.pointer.pointee.listeners.listening
    guard listening.count >= max(left.count, entered.count) else {
      // So groups without listeners cost nothing, however many combinations there are.
      core.pointer.pointee.listeners.matcherEvaluations += listening.count
      let sets = listening.filter { unsafe $0.contains(old) || $0.contains(new) }
      for set in sets.sorted(byNumber: { UInt64($0.index) }) {
        unsafe body(set, set.contains(old), set.contains(new))
      }
      return
    }
    var (next, other) = (0, 0)
    while next < left.count || other < entered.count {
      let index = next < left.count ? left[next] : .max
      let otherIndex = other < entered.count ? entered[other] : .max
      core.pointer.pointee.listeners.matcherEvaluations += 1
      body(
        core.pointer.pointee.listeners.sets[min(index, otherIndex)], index <= otherIndex,
        otherIndex <= index
      )
      if index <= otherIndex { next += 1 }
      if otherIndex <= index { other += 1 }
    }
  }

  /// What it is for a set that an entity leaves it, enters it, or has a component changed in it.
  private func kind(
    of set: TableSet, isLeft: Bool, isEntered: Bool, through cid: CID?
  ) -> ReactionKind? {
    switch (isLeft, isEntered) {
    case (false, _): .added
    case (true, false): .removed
    case (true, true): cid.map(set.matcher.mentions) == true ? .updated : nil
    }
  }

  /// The subscriber to what happens to the context.
  var contextObservers: EventSubscriber? {
    get { core.pointer.pointee.listeners.contextObservers }
    nonmutating set {
      guard core.pointer.pointee.listeners.contextObservers !== newValue else { return }
      core.pointer.pointee.listeners.contextObservers = newValue
      invalidate(of: core.setOfAllTables())
    }
  }
}

extension Table {
  fileprivate func columnIndex(of cid: CID) -> Int? {
    signature.firstIndex(of: cid)
  }
}
