// What becomes of a view when a transaction is taken back. It has heard of all changes in reverse,
// so it shows what it did; what it is going to tell its observers must not show that there was
// anything.
extension LiveViewSink {
  /// Lets a transaction put back what the view has besides its contents.
  func noteForReturn() {
    guard core.isRecording, savepoint != core.transactions.savepoint, !isReadOnce else { return }
    savepoint = core.transactions.savepoint
    let (count, arrivals) = (touched.count, places.arrivals)
    let (hadEarlier, wasObserved) = (earlierEntities != nil, isObserved)
    let ghostCount = ghosts.count
    // The transaction that is taken back: the one that runs now, or one around it.
    var number: UInt64 = 0
    core.transactions.onReturn(.views) { [self] in
      number = core.transactions.savepoint
      if firstSavepoint >= number {
        orderByLinks()
      } else if let arrivals {
        for slot in places.restore(arrivals) { reorder(slot) }
      }
      // An observer that came meanwhile is to be notified how it differs from what there was then.
      guard isObserved, wasObserved, lastBeginning < number else { return }
      if earlierEntities != nil, !hadEarlier {
        if count == 0 { forgetChanges() }
      } else if count == 0, !hadEarlier {
        forgetChanges()
      } else if touched.count > count, ghosts.count >= ghostCount {
        forgetChanges(behind: count, ghostsBehind: ghostCount)
      }
    }
    if ghostCount == 0 { core.transactions.onClose { [self] in ghosts = [] } }
    core.transactions.onReturn(.last) { [self] in
      // An observer that came meanwhile was notified of what is no more.
      guard let observers, lastBeginning >= number || observers.owesNews else { return }
      observers.mark()
      // That is taken back with a transaction around this one.
      noteForReturn()
    }
  }

  /// Puts linked entities into the order of their links.
  private func orderByLinks() {
    guard places.areOfLinked else { return }
    let slots = linkedSlots.filter(places.isCandidate)
    if slots == places.order { return }
    if hasChanges, earlierEntities == nil { earlierEntities = sequenceBefore() }
    forgetChanges(keepingEarlier: true)
    places.renumber(slots)
    for slot in slots { reorder(slot) }
  }

  /// Forgets the changes and the ghosts that came behind so many others: entities are what they
  /// were before them.
  private func forgetChanges(behind count: Int, ghostsBehind ghostCount: Int) {
    let later = touched[count...]
    let newlyTouched = Set(later)
    var heirs: [ID: ID] = [:]
    for id in ghosts[ghostCount...] {
      // It left its place, and its entity has come back as another node.
      guard let other = node(of: nodes[id].handle) else { continue }
      nodes.remove(id)
      nodes[id].flags.remove(.isLinked)
      nodes.setFlags(other, [.isPresent, .wasPresent, .isTouched])
      if !newlyTouched.contains(id) { heirs[id] = other }
    }
    var kept = TouchedNodes()
    for id in touched[..<count] { kept.append(heirs[id] ?? id) }
    let inherited = Set(heirs.values)
    for id in heirs.keys {
      nodes[id].flags = []
      free(id)
    }
    for id in later where !inherited.contains(id) {
      let flags = nodes[id].flags
      if !flags.contains(.isLinked) {
        nodes[id].flags = []
        free(id)
      } else if flags.contains(.wasPresent) {
        nodes[id].flags.remove(.isTouched)
      } else {
        kept.append(id)
      }
    }
    touched = kept
    ghosts.removeLast(ghosts.count - ghostCount)
  }
}
