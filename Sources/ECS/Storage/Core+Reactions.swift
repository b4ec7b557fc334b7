// Who reacts to a change is worked out once for each table, component type and kind of change, when
// it is first needed, and kept until someone begins or ceases to listen to entities of the table,
// or of the one to which it leads.
extension Core {
  /// Makes the reaction lists out of date that the listeners of a set are in, or have to be.
  ///
  /// Call it whenever who listens to a set changes.
  func invalidateReactions(of set: TableSet) {
    for table in set.takeListed() where table.pointee.isListed { table.pointee.unlist() }
  }

  /// Notes that reaction lists of a table are about to be brought up to date.
  private func noteListed(_ table: TablePointer) {
    guard !table.pointee.isListed else { return }
    table.pointee.isListed = true
    for set in table.pointee.sets { set.noteListed(table) }
  }

  @usableFromInline
  @inline(never)
  func refreshReplace(_ table: TablePointer, _ edge: UnsafeMutablePointer<Edge>) {
    noteListed(table)
    ReactionList.free(edge.pointee.replace)
    edge.pointee.replace = makeReactions(from: table, to: table, through: edge.pointee.cid)
    edge.pointee.isReplaceListed = true
    edge.pointee.replaceShortcut = isQuiet(edge.pointee.replace) ? .open : .never
  }

  @inline(never)
  func refreshTransition(_ table: TablePointer, _ edge: UnsafeMutablePointer<Edge>) {
    noteListed(table)
    if let target = edge.pointee.target { noteListed(target) }
    ReactionList.free(edge.pointee.transition)
    edge.pointee.transition = makeReactions(
      from: table, to: edge.pointee.target, through: edge.pointee.cid)
    edge.pointee.isTransitionListed = true
    let isSimple =
      edge.pointee.plan?.pointee.isSimple == true && !table.pointee.hasUnique
      && edge.pointee.target?.pointee.hasUnique == false
    edge.pointee.transitionShortcut =
      isSimple && isQuiet(edge.pointee.transition) ? .open : .never
  }

  @usableFromInline
  @inline(never)
  func refreshTable(_ table: TablePointer) {
    if table.pointee.endPlan == nil {
      let plan = UnsafeMutablePointer<RowPlan>.allocate(capacity: 1)
      plan.initialize(to: RowPlan(from: table, to: nil, adding: nil))
      table.pointee.endPlan = plan
    }
    noteListed(table)
    ReactionList.free(table.pointee.enter)
    ReactionList.free(table.pointee.leave)
    table.pointee.enter = makeReactions(from: nil, to: table, through: nil)
    table.pointee.leave = makeReactions(from: table, to: nil, through: nil)
    table.pointee.isEntryListed = true
    let isSimple = table.pointee.endPlan?.pointee.isSimple == true && !table.pointee.hasUnique
    table.pointee.leaveShortcut = isSimple && isQuiet(table.pointee.leave) ? .open : .never
  }

  /// Whether nobody is to be notified of a change.
  private func isQuiet(_ list: ReactionListPointer?) -> Bool {
    list?.pointee.hasNotices != true
  }

  /// Works out who reacts when an entity goes from one table to another: first the indexes, then
  /// the sinks and the logs, each in the order in which they or their sets were made; and which
  /// observers are notified afterwards.
  private func makeReactions(
    from old: TablePointer?, to new: TablePointer?, through cid: CID?
  ) -> ReactionListPointer? {
    var indexes: [(number: UInt64, reaction: Reaction)] = []
    var sinks: [(number: UInt64, reaction: Reaction)] = []
    var logs: [Reaction] = []
    var last: [Reaction] = []
    var notices: [ChangeRecord.Target] = []
    func notify(_ target: ChangeTarget?, _ kind: ReactionKind) {
      guard let target, target.wants(kind) else { return }
      notices.append(ChangeRecord.Target(target: Unmanaged.passUnretained(target), kind: kind))
    }
    forEachSet(of: old, new) { set, isLeft, isEntered in
      guard set.hasListeners else { return }
      let kind = kind(of: set, isLeft: isLeft, isEntered: isEntered, through: cid)
      for sink in set.sinks {
        guard let kind = kind ?? (cid.map(sink.more.contains) == true ? .updated : nil) else {
          continue
        }
        let target = Reaction.Target.sink(Unmanaged.passUnretained(sink))
        sinks.append((sink.number, Reaction(kind: kind, target: target)))
      }
      guard let kind else { return }
      for index in set.indexes {
        let column = new?.pointee.columnNumber(of: index.cid) ?? -1
        let target = Reaction.Target.index(Unmanaged.passUnretained(index), column: column)
        indexes.append((index.number, Reaction(kind: kind, target: target)))
      }
      for log in set.logs where log.kinds.contains(kind) {
        logs.append(Reaction(kind: kind, target: .log(log.log)))
      }
      notify(set.observers, kind)
    }
    if cid == nil { notify(pointer.pointee.contextObservers, old == nil ? .added : .removed) }
    // INVARIANT: the destruction sink is the last of its list. It is the only one that may change
    // the context: nothing of the list is read after it.
    if old != nil, new == nil, let sink = pointer.pointee.destructionSink {
      let target = Reaction.Target.sink(Unmanaged.passUnretained(sink))
      last.append(Reaction(kind: .removed, target: target))
    }
    indexes.sort { $0.number < $1.number }
    sinks.sort { $0.number < $1.number }
    return ReactionList.make(
      indexes.map(\.reaction) + sinks.map(\.reaction) + logs + last, notices)
  }

  /// Calls a body with each set that has one of two tables or both, in the order in which they were
  /// made.
  private func forEachSet(
    of old: TablePointer?, _ new: TablePointer?,
    _ body: (TableSet, _ isLeft: Bool, _ isEntered: Bool) -> Void
  ) {
    let (left, entered) = (old?.pointee.sets ?? [], new?.pointee.sets ?? [])
    var (next, other) = (0, 0)
    while next < left.count || other < entered.count {
      let number = next < left.count ? left[next].number : .max
      let otherNumber = other < entered.count ? entered[other].number : .max
      let set = number <= otherNumber ? left[next] : entered[other]
      pointer.pointee.matcherEvaluations += 1
      body(set, number <= otherNumber, otherNumber <= number)
      if number <= otherNumber { next += 1 }
      if otherNumber <= number { other += 1 }
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

  /// Who is notified of what happens to the context.
  var contextObservers: ChangeTarget? {
    get { pointer.pointee.contextObservers }
    nonmutating set {
      guard pointer.pointee.contextObservers !== newValue else { return }
      pointer.pointee.contextObservers = newValue
      invalidateReactions(of: setOfAllTables())
    }
  }
}

extension Table {
  fileprivate func columnNumber(of cid: CID) -> Int? {
    signature.firstIndex(of: cid)
  }
}
