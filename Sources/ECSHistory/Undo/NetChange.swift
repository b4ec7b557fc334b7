import ECS

/// Adds up what the changes of a commit come to.
struct NetChange {
  /// An entity that was created, or is dead by now.
  private struct End {
    var isCreated = false
    var hadValue = false
    var hasValue = false
  }

  private var links: [UndoStep.LinkChange] = []
  private var operations: [LinkOperation] = []
  private var linkIndices: [UndoStep.Link: Int] = [:]

  /// The step that a commit is, which the context is as it has left it.
  ///
  /// - Parameters:
  ///   - name: The name of the step.
  ///   - commit: The commit.
  ///   - tracker: What has the versions of values.
  ///   - first: Entities with numbers of creation from this one on were created in it.
  ///   - isComplete: Whether the commit has all of its changes, and entities count that have no
  ///     components. Versions of values are not kept for such a step.
  /// - Returns: The step.
  static func step(
    _ name: String, _ commit: Commit, _ tracker: ValueTracker, createdFrom first: UInt64,
    isComplete: Bool = false
  ) -> UndoStep {
    var change: NetChange?
    tracker.begin()
    tracker.add(commit) { change = (change.take() ?? NetChange()).adding($0) }
    // PERFORMANCE: UN3: mostly there are only values, and no list has to be made.
    if change == nil, !tracker.mayHaveEnds(createdFrom: first) {
      return UndoStep(name, tracker.finish(isKept: !isComplete))
    }
    return (change ?? NetChange())
      .finished(name, tracker, createdFrom: first, isComplete: isComplete)
  }

  /// The same with another change of a link.
  private consuming func adding(_ change: CommittedChange) -> NetChange {
    if change.kind == .moved { addMove(change) } else { addLink(change) }
    return self
  }

  private mutating func addLink(_ change: CommittedChange) {
    guard let target = change.target, let relation = change.relation else { return }
    let link = UndoStep.Link(
      source: change.entity, target: target, relationID: ObjectIdentifier(relation))
    let (wasLinked, isLinked) = (change.kind != .linked, change.kind != .unlinked)
    let (old, new) = (change.oldLinkValue, change.newLinkValue)
    if let next = change.formerNext {
      beginOperations()
      operations.add(
        LinkOperation(
          .unlinked(nextTarget: next.target, nextSource: next.source), of: link, relation))
    } else if !operations.isEmpty, !wasLinked {
      operations.add(LinkOperation(.linked, of: link, relation))
    }
    if let index = linkIndices[link] {
      links[index].join(isLinked: isLinked, new)
    } else {
      linkIndices[link] = links.count
      links.append(
        UndoStep.LinkChange(
          link: link, relation: relation, wasLinked: wasLinked, isLinked: isLinked,
          values: old == nil && new == nil ? nil : UndoStep.LinkValueChange(old: old, new: new)))
    }
  }

  private mutating func addMove(_ change: CommittedChange) {
    guard let target = change.target, let relation = change.relation, let move = change.move else {
      return
    }
    let link = UndoStep.Link(
      source: change.entity, target: target, relationID: ObjectIdentifier(relation))
    beginOperations()
    operations.add(
      LinkOperation(
        .moved(
          isAmongTargets: move.isAmongTargets, earlierNext: move.earlierNext, next: move.next),
        of: link, relation))
  }

  /// As long as links only come, they come in the order in which they are noted.
  private mutating func beginOperations() {
    if operations.isEmpty { operations.add(linking: links) }
  }

  private func finished(
    _ name: String, _ tracker: ValueTracker, createdFrom first: UInt64, isComplete: Bool
  ) -> UndoStep {
    var lives = lives(tracker, createdFrom: first, isComplete)
    var (links, operations) = (links, operations)
    if !links.isEmpty {
      let ours = Set(lives.map(\.entity))
      func isLost(_ link: UndoStep.Link) -> Bool {
        [link.source, link.target].contains { !$0.isAlive && !ours.contains($0) }
      }
      links.removeAll { isLost($0.link) }
    }
    let unborn = UndoStep.simplify(
      &lives, &links, &operations, byEquality: !isComplete)
    let values = tracker.finish(
      isKept: !isComplete, without: unborn.isEmpty ? nil : unborn)
    return UndoStep(name, values, lives: lives, links: links, operations: operations)
  }

  private func lives(
    _ tracker: ValueTracker, createdFrom first: UInt64, _ isComplete: Bool
  ) -> [UndoStep.Life] {
    guard tracker.mayHaveEnds(createdFrom: first) else { return [] }
    var entities: [Entity] = []
    var ends: [Entity: End] = [:]
    for end in tracker.ends where ends[end.entity] == nil {
      ends[end.entity] = End(isCreated: end.isCreation)
      entities.append(end.entity)
    }
    // Some may have been created before the group, in a section around it.
    let created = ends.lazy.filter(\.value.isCreated).compactMap(\.key.creationNumber).min()
    tracker.forEachEnded(createdFrom: min(first, created ?? first)) {
      entity, hadValue, hasValue in
      if ends[entity] == nil {
        entities.append(entity)
        ends[entity] = End()
      }
      if hadValue { ends[entity]?.hadValue = true }
      if hasValue { ends[entity]?.hasValue = true }
    }
    var lives: [UndoStep.Life] = []
    for entity in entities {
      guard let end = ends[entity] else { continue }
      if let number = entity.creationNumber {
        guard end.isCreated || number >= first, isComplete || end.hasValue else { continue }
        lives.append(UndoStep.Life(entity: entity, wasAlive: false, isAlive: true))
      } else {
        // What had none of the components before the step is none of our business.
        let wasAlive = isComplete ? !end.isCreated : end.hadValue
        lives.append(UndoStep.Life(entity: entity, wasAlive: wasAlive, isAlive: false))
      }
    }
    return lives
  }
}
