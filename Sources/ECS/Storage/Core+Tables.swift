extension CoreReference {
  /// Finds out where entities of a table go through an edge.
  @inline(never)
  func makeTarget(of table: TablePointer, through info: ComponentInfoReference) {
    var signature = table.pointee.signature
    if let place = signature.firstIndex(of: info) {
      signature.remove(at: place)
    } else {
      let place = signature.firstIndex { $0.id > info.id } ?? signature.endIndex
      signature.insert(info, at: place)
    }
    let target = findTable(signature, keeping: table)
    let edge = table.pointee.ensureEdge(info)
    edge.pointee.target = target
    let plan = UnsafeMutablePointer<RowPlan>.allocate(capacity: 1)
    plan.initialize(to: RowPlan(from: table, to: target, adding: info))
    edge.pointee.plan = plan
  }

  /// The table of a signature, made if there is none.
  ///
  /// `keeping` is not freed on the way.
  func findTable(
    _ signature: [ComponentInfoReference], keeping kept: TablePointer
  ) -> TablePointer {
    if let table = pointer.pointee.tablesBySignature[signature] { return table }
    if pointer.pointee.tables.count >= pointer.pointee.nextSweep { sweepTables(keeping: kept) }
    let table = TablePointer.allocate(capacity: 1)
    table.initialize(to: Table(signature: signature))
    pointer.pointee.tables.append(table)
    pointer.pointee.tablesBySignature[signature] = table
    pointer.pointee.filterEvaluations += pointer.pointee.sets.count
    for set in pointer.pointee.sets where set.filter.accepts(signature) { link(table, set) }
    return table
  }

  private func link(_ table: TablePointer, _ set: TableSet) {
    set.insert(table)
    table.pointee.sets.append(set)
  }

  /// Makes a set of the tables that a filter accepts, now and later.
  func makeSet(_ filter: TableFilter) -> TableSet {
    let set = TableSet(filter: filter)
    pointer.pointee.sets.append(set)
    pointer.pointee.filterEvaluations += pointer.pointee.tables.count
    for table in pointer.pointee.tables where filter.accepts(table.pointee.signature) {
      link(table, set)
    }
    return set
  }

  /// Frees tables without entities, so that programs which pass through many combinations of
  /// components do not grow.
  ///
  /// Happens when the number of tables has doubled since the last time.
  func sweepTables(keeping kept: TablePointer? = nil) {
    guard pointer.pointee.iterations.isEmpty else { return }
    var gone: Set<TablePointer> = []
    for table in pointer.pointee.tables
    where table.pointee.count == 0 && table != pointer.pointee.root && table != kept
      && table != pointer.pointee.pinned
    {
      gone.insert(table)
    }
    pointer.pointee.tables.removeAll(where: gone.contains)
    pointer.pointee.nextSweep = max(512, pointer.pointee.tables.count * 2)
    guard !gone.isEmpty else { return }
    for set in pointer.pointee.sets { set.remove(where: gone.contains) }
    for table in pointer.pointee.tables { table.pointee.forgetTargets(where: gone.contains) }
    for table in gone {
      pointer.pointee.tablesBySignature[table.pointee.signature] = nil
      free(table)
    }
  }

  /// Gives back all memory that no entity uses.
  func compact() {
    sweepTables()
    guard pointer.pointee.iterations.isEmpty else { return }
    for table in pointer.pointee.tables {
      table.pointee.shrink()
      refreshUnique(table)
    }
    Memory.giveReserveBack()
  }

  func free(_ table: TablePointer) {
    table.pointee.deallocate()
    table.deinitialize(count: 1)
    table.deallocate()
  }

  // MARK: Reactions

  /// Makes all reaction lists out of date, after who watches has changed.
  func invalidateReactions() {
    pointer.pointee.epoch += 1
  }

  @usableFromInline
  @inline(never)
  func refreshReplace(_ table: TablePointer, _ edge: UnsafeMutablePointer<Edge>) {
    ReactionList.free(edge.pointee.replace)
    edge.pointee.replace = makeReactions(from: table, to: table, through: edge.pointee.info)
    edge.pointee.replaceEpoch = pointer.pointee.epoch
    edge.pointee.replaceShortcut = isQuiet(edge.pointee.replace) ? pointer.pointee.epoch : 0
  }

  @inline(never)
  func refreshTransition(_ table: TablePointer, _ edge: UnsafeMutablePointer<Edge>) {
    ReactionList.free(edge.pointee.transition)
    edge.pointee.transition = makeReactions(
      from: table, to: edge.pointee.target, through: edge.pointee.info)
    edge.pointee.transitionEpoch = pointer.pointee.epoch
    let isSimple =
      edge.pointee.plan?.pointee.isSimple == true && !table.pointee.hasUnique
      && edge.pointee.target?.pointee.hasUnique == false
    edge.pointee.transitionShortcut =
      isSimple && isQuiet(edge.pointee.transition) ? pointer.pointee.epoch : 0
  }

  @usableFromInline
  @inline(never)
  func refreshTable(_ table: TablePointer) {
    if table.pointee.endPlan == nil {
      let plan = UnsafeMutablePointer<RowPlan>.allocate(capacity: 1)
      plan.initialize(to: RowPlan(from: table, to: nil, adding: nil))
      table.pointee.endPlan = plan
    }
    ReactionList.free(table.pointee.enter)
    ReactionList.free(table.pointee.leave)
    table.pointee.enter = makeReactions(from: nil, to: table, through: nil)
    table.pointee.leave = makeReactions(from: table, to: nil, through: nil)
    table.pointee.epoch = pointer.pointee.epoch
    let isSimple = table.pointee.endPlan?.pointee.isSimple == true && !table.pointee.hasUnique
    table.pointee.leaveShortcut =
      isSimple && isQuiet(table.pointee.leave) ? pointer.pointee.epoch : 0
  }

  /// Whether a change needs no copies of values.
  private func isQuiet(_ list: ReactionListPointer?) -> Bool {
    pointer.pointee.observed == nil && list?.pointee.wantsValues != true
  }

  /// Works out who reacts when an entity goes from one table to another: first the indexes, then
  /// the sinks, the logs and the observers, each in the order in which they or their sets were made.
  private func makeReactions(
    from old: TablePointer?, to new: TablePointer?, through info: ComponentInfoReference?
  ) -> ReactionListPointer? {
    var reactions: [Reaction] = []
    for sink in pointer.pointee.indexes where info == nil || sink.info == info {
      if let new, let column = new.pointee.columnNumber(of: sink.info) {
        let target = Reaction.Target.index(Unmanaged.passUnretained(sink), column: column)
        reactions.append(Reaction(kind: .updated, target: target))
      } else if let old, old.pointee.columnNumber(of: sink.info) != nil {
        let target = Reaction.Target.index(Unmanaged.passUnretained(sink), column: -1)
        reactions.append(Reaction(kind: .removed, target: target))
      }
    }
    for sink in pointer.pointee.sinks {
      guard let kind = kind(of: sink, from: old, to: new, through: info) else { continue }
      reactions.append(Reaction(kind: kind, target: .sink(Unmanaged.passUnretained(sink))))
    }
    var observed: [Reaction] = []
    pointer.pointee.filterEvaluations += pointer.pointee.sets.count
    for set in pointer.pointee.sets where set.hasListeners {
      guard let kind = kind(of: set, from: old, to: new, through: info) else { continue }
      for log in set.logs where log.kinds.contains(kind) {
        reactions.append(Reaction(kind: kind, target: .log(log.log)))
      }
      if let observers = set.observers {
        let target = Reaction.Target.observers(Unmanaged.passUnretained(observers))
        observed.append(Reaction(kind: kind, target: target))
      }
    }
    if info == nil, let observers = pointer.pointee.contextObservers {
      let target = Reaction.Target.observers(Unmanaged.passUnretained(observers))
      observed.append(Reaction(kind: old == nil ? .added : .removed, target: target))
    }
    if old != nil, new == nil, let sink = pointer.pointee.destructionSink {
      let target = Reaction.Target.sink(Unmanaged.passUnretained(sink))
      observed.append(Reaction(kind: .removed, target: target))
    }
    return ReactionList.make(reactions + observed)
  }

  private func kind(
    of sink: EntitySink, from old: TablePointer?, to new: TablePointer?,
    through info: ComponentInfoReference?
  ) -> ReactionKind? {
    guard let set = sink.tables else { return nil }
    if let kind = kind(of: set, from: old, to: new, through: info) { return kind }
    guard let info, sink.more.contains(info), set.contains(old), set.contains(new) else {
      return nil
    }
    return .updated
  }

  private func kind(
    of set: TableSet, from old: TablePointer?, to new: TablePointer?,
    through info: ComponentInfoReference?
  ) -> ReactionKind? {
    switch (set.contains(old), set.contains(new)) {
    case (false, false): nil
    case (false, true): .added
    case (true, false): .removed
    case (true, true): info.map(set.filter.mentions) == true ? .updated : nil
    }
  }
}

extension Table {
  fileprivate func columnNumber(of info: ComponentInfoReference) -> Int? {
    signature.firstIndex(of: info)
  }
}
