import ECS

/// Adds up what the changes of a commit come to.
struct NetChange {
  private var step: UndoStep
  private var valuePlaces: [UndoStep.Place: Int] = [:]
  private var linkPlaces: [UndoStep.Link: Int] = [:]

  /// The entities that have values here, in the order of the first change of each, and whether they
  /// were reported to have been created.
  private var entities: [Entity] = []
  private var isCreated: [Entity: Bool] = [:]

  init(name: String) { step = UndoStep(name: name) }

  mutating func add(_ change: CommittedChange) {
    switch change.kind {
    case .linked, .unlinked: addLink(change)
    case .moved: addMove(change)
    case .created:
      note(change.entity, isCreated: true)
      for component in change.newComponents() { put(change.entity, before: nil, after: component) }
    case .destroyed:
      note(change.entity)
      for component in change.oldComponents() { put(change.entity, before: component, after: nil) }
    case .added, .replaced, .removed:
      note(change.entity)
      guard let cid = change.component else { return }
      put(
        change.entity, cid, before: change.oldComponents().first,
        after: change.newComponents().first)
    }
  }

  private mutating func note(_ entity: Entity, isCreated created: Bool = false) {
    guard isCreated[entity] == nil else { return }
    isCreated[entity] = created
    entities.append(entity)
  }

  private mutating func put(
    _ entity: Entity, before: (any Component)?, after: (any Component)?
  ) {
    guard let cid = (before ?? after).map({ type(of: $0).cid }) else { return }
    put(entity, cid, before: before, after: after)
  }

  private mutating func put(
    _ entity: Entity, _ cid: CID, before: (any Component)?, after: (any Component)?
  ) {
    let place = UndoStep.Place(entity: entity, cid: cid)
    if let number = valuePlaces[place] {
      step.values[number].after.component = after
      return
    }
    valuePlaces[place] = step.values.count
    step.values.append(
      UndoStep.ValueChange(
        place: place, before: UndoStep.Value(component: before),
        after: UndoStep.Value(component: after)))
  }

  private mutating func addLink(_ change: CommittedChange) {
    guard let target = change.target, let relation = change.relation else { return }
    let link = UndoStep.Link(
      source: change.entity, target: target, relationID: ObjectIdentifier(relation))
    let isLinked = change.kind == .linked
    if let next = change.formerNext {
      step.notePlace(of: link, relation, isLinked: false, next)
    } else if !step.moves.isEmpty {
      // Others may have come back in the meantime; before that, links come in this order anyway.
      step.notePlace(of: link, relation, isLinked: true, (nil, nil))
    }
    if let number = linkPlaces[link] {
      step.links[number].isLinked = isLinked
    } else {
      linkPlaces[link] = step.links.count
      step.links.append(
        UndoStep.LinkChange(
          link: link, relation: relation, wasLinked: !isLinked, isLinked: isLinked))
    }
  }

  private mutating func addMove(_ change: CommittedChange) {
    guard let target = change.target, let relation = change.relation, let move = change.move else {
      return
    }
    let link = UndoStep.Link(
      source: change.entity, target: target, relationID: ObjectIdentifier(relation))
    step.moves.append(
      UndoStep.LinkMove(
        link: link, relation: relation, isAmongTargets: move.isAmongTargets,
        earlierNext: .some(move.earlierNext), next: .some(move.next)))
  }

  /// The step that the commit is, which the context is as it has left it.
  ///
  /// Entities with numbers of creation from `first` on were created in it.
  ///
  /// - Parameters:
  ///   - first: The number.
  ///   - isComplete: Whether all of the commit was added, and entities count that have no
  ///     components.
  /// - Returns: The step.
  func finished(createdFrom first: UInt64, isComplete: Bool = false) -> UndoStep {
    var step = step
    var hadValues: Set<Entity> = []
    var hasValues: Set<Entity> = []
    for change in step.values {
      if change.before.component != nil { hadValues.insert(change.place.entity) }
      if change.after.component != nil { hasValues.insert(change.place.entity) }
    }
    for entity in entities {
      let number = entity.creationNumber
      let isNew = isCreated[entity] == true || number.map { $0 >= first } ?? false
      if number == nil {
        // What had none of the components before the step is none of our business.
        let wasAlive = isComplete ? isCreated[entity] != true : hadValues.contains(entity)
        step.lives.append(UndoStep.Life(entity: entity, wasAlive: wasAlive, isAlive: false))
      } else if isNew, isComplete || hasValues.contains(entity) {
        step.lives.append(UndoStep.Life(entity: entity, wasAlive: false, isAlive: true))
      }
    }
    let ours = Set(step.lives.map(\.entity))
    step.links.removeAll { change in
      [change.link.source, change.link.target].contains { !$0.isAlive && !ours.contains($0) }
    }
    step.moves.removeAll { move in
      [move.link.source, move.link.target].contains { !$0.isAlive && !ours.contains($0) }
    }
    step.simplify()
    return step
  }
}
