// Nobody reads a value while someone else may be changing it.
extension Core {
  /// Stops if an iteration asks for what it must not have beside those that run.
  func check(_ request: IterationRequest.Place) {
    let all = request.all
    for (number, cid) in request.mutated.enumerated() {
      require(
        !all[(number + 1)...].contains(cid),
        "An iteration asks for \(cid) twice and mutates it: ask for each component once.")
    }
    if pointer.pointee.takenCount > 0 {
      for cid in all { checkNobodyHas(cid, "An iteration") }
    }
    if !pointer.pointee.iterations.isEmpty { checkBesideOthers(request) }
  }

  private func checkBesideOthers(_ request: IterationRequest.Place) {
    for active in pointer.pointee.iterations {
      let clash = clash(request, active.request) ?? self.clash(active.request, request)
      require(
        clash == nil,
        "An iteration inside another one asks for \(clash?.name ?? "a component"), which one of the two mutates: collect the changes, and make them afterwards."
      )
    }
  }

  private func clash(_ one: IterationRequest.Place, _ other: IterationRequest.Place) -> CID? {
    one.mutated.first { cid in
      other.mutated.contains(cid)
        || ((one.isDirect || other.isDirect) && other.onlyRead.contains(cid))
    }
  }

  @usableFromInline
  @inline(never)
  func checkNotExclusive<C: Component>(_ type: C.Type, _ place: UnsafeMutablePointer<C>) {
    unsafe checkNotExclusive(C.cid, UnsafeMutableRawPointer(place))
  }

  /// Stops if a value is in someone's hands, who may be changing it at this moment.
  func checkNotExclusive(_ cid: CID, _ place: UnsafeMutableRawPointer) {
    require(
      !pointer.pointee.iterations.contains {
        $0.request.isDirect && $0.request.mutated.contains(cid)
      },
      "\(cid.name) was read from an entity inside a chunk iteration that mutates it: read it from the span."
    )
    require(
      !pointer.pointee.iterations.contains { unsafe isCurrent(cid, place, $0) },
      "\(cid.name) was read from the entity for which a closure is changing it: read it from the closure's parameter."
    )
    // A view or an index that asks sees the value before, if that is still there.
    let isAskedByView = pointer.pointee.mode.refusal != nil
    require(
      !pointer.pointee.taken.contains {
        unsafe $0.cid == cid && (!isAskedByView || $0.isOut) && self.place($0) == place
      },
      "\(cid.name) was read from the entity for which a closure is changing it: read it from the closure's parameter."
    )
  }

  private func place(_ taken: TakenValue) -> UnsafeMutableRawPointer? {
    guard let record = unsafe record(of: taken.handle),
      let table = unsafe storedTable(of: taken.handle)
    else {
      return nil
    }
    return unsafe table.pointee.column(of: taken.cid)?.pointee.place(Int(record.pointee.row))
  }

  /// Whether a place is that of the row which the closure of an iteration has.
  private func isCurrent(
    _ cid: CID, _ place: UnsafeMutableRawPointer, _ iteration: ActiveIteration
  ) -> Bool {
    guard !iteration.request.isDirect,
      iteration.request.mutated.contains(cid)
    else { return false }
    let isInnermost = iteration.number == pointer.pointee.iterations.count - 1
    let table = unsafe isInnermost ? pointer.pointee.currentTable : iteration.table
    let row = isInnermost ? pointer.pointee.currentRow : iteration.row
    guard let table = unsafe table, row >= 0, let column = unsafe table.pointee.column(of: cid)
    else { return false }
    return unsafe column.pointee.place(row) == place
  }
}
