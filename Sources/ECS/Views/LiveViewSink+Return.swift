// What becomes of a view when a transaction is taken back. It has heard of all changes in reverse, so
// it shows what it did; what it is going to tell its observers must not show that there was anything.
extension LiveViewSink {
  /// Lets a transaction put back what the view knows besides its contents.
  func noteForReturn() {
    guard core.isRecording, savepoint != core.savepoint, !isReadOnce else { return }
    savepoint = core.savepoint
    let (number, count, arrivals) = (savepoint, touched.count, places.arrivals)
    let (hadEarlier, earlierBeginnings) = (earlierEntities != nil, beginnings)
    let (wasObserved, ghostCount) = (observers != nil, ghosts.count)
    core.onReturn(.views) { [self] in
      if firstSavepoint >= number {
        orderByLinks()
      } else if let arrivals {
        for slot in places.restore(arrivals) { reorder(slot) }
      }
      guard observers != nil, wasObserved, beginnings == earlierBeginnings else { return }
      if earlierEntities != nil, !hadEarlier {
        if count == 0 { forgetChanges() }
      } else if count == 0, !hadEarlier {
        forgetChanges()
      } else if touched.count > count, ghosts.count >= ghostCount {
        forgetChanges(behind: count, ghostsBehind: ghostCount)
      }
    }
    if ghostCount == 0 { core.onClose { [self] in ghosts = [] } }
    core.onReturn(.last) { [self] in
      // Who came meanwhile was told of what is no more.
      if let observers, beginnings != earlierBeginnings || observers.owesNews { observers.mark() }
    }
  }

  /// Puts linked entities into the order of their links.
  private func orderByLinks() {
    guard places.areOfLinked else { return }
    if hasChanges, earlierEntities == nil { earlierEntities = sequenceBefore() }
    forgetChanges(keepingEarlier: true)
    let slots = linkedSlots.filter(places.isCandidate)
    places.renumber(slots)
    for slot in slots { reorder(slot) }
  }

  /// Forgets the changes and the ghosts that came behind so many others: entities are what they were
  /// before them.
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
    var kept = touched[..<count].map { heirs[$0] ?? $0 }
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
