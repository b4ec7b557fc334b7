import ECSHistory

/// A history, and what it is to do, by naive copies.
struct ModelHistory {
  typealias State = UndoWorld.State

  /// What differs between two copies of what is listed.
  private struct Step {
    let name: String
    var joinedAt: Duration?
    var values: [State.Place: (before: String?, after: String?)] = [:]
    var lives: [Int: (before: Bool, after: Bool)] = [:]
    var links: [State.Link: (before: Bool, after: Bool)] = [:]
    var isEmpty: Bool { values.isEmpty && lives.isEmpty && links.isEmpty }
  }

  enum Expectation {
    case nothing
    case conflict(String)
    case state(State, name: String)
  }

  let history: UndoHistory
  private let maximum: Int?
  private var done: [Step] = []
  private var undone: [Step] = []

  init(_ history: UndoHistory, maximum: Int?) {
    self.history = history
    self.maximum = maximum
  }

  // MARK: Recording

  mutating func record(
    _ name: String, _ before: State, _ world: UndoWorld, joinedAt: Duration?
  ) -> String? {
    let after = world.state()
    let step = difference(name, before, after, joinedAt)
    guard !step.isEmpty else { return nil }
    undone = []
    if let last = done.last, joins(last, step, after) {
      done.removeLast()
      let joined = join(last, step)
      if !joined.isEmpty { done.append(joined) }
    } else {
      done.append(step)
    }
    // How much fits is the history's to say, unless it is a number of steps.
    if let maximum {
      done = Array(done.suffix(maximum))
    } else if history.undoNames.count < done.count {
      done = Array(done.suffix(history.undoNames.count))
    }
    return nil
  }

  private func difference(
    _ name: String, _ before: State, _ after: State, _ joinedAt: Duration?
  ) -> Step {
    var step = Step(name: name, joinedAt: joinedAt)
    func listed(_ state: State, _ entity: Int) -> [State.Place] {
      [State.Kind.value, .text, .only].map { State.Place(entity: entity, kind: $0) }
        .filter { state.values[$0] != nil }
    }
    for entity in before.alive.symmetricDifference(after.alive) {
      let died = before.alive.contains(entity)
      if !listed(died ? before : after, entity).isEmpty {
        step.lives[entity] = (died, !died)
      }
    }
    for place in Set(before.values.keys).union(after.values.keys)
    where place.kind != .extra && before.values[place] != after.values[place] {
      step.values[place] = (before.values[place], after.values[place])
    }
    for link in before.links.symmetricDifference(after.links) {
      let isLost = [link.source, link.target].contains {
        !after.alive.contains($0) && step.lives[$0] == nil
      }
      if !isLost { step.links[link] = (before.links.contains(link), after.links.contains(link)) }
    }
    return step
  }

  /// Whether nothing else has changed what the last step left.
  private func joins(_ last: Step, _ step: Step, _ after: State) -> Bool {
    guard let first = last.joinedAt, let second = step.joinedAt, last.name == step.name,
      second - first <= .seconds(1)
    else { return false }
    return last.values.allSatisfy { place, change in
      (step.values[place].map(\.before) ?? after.values[place]) == change.after
    }
      && last.links.allSatisfy { link, change in
        (step.links[link]?.before ?? after.links.contains(link)) == change.after
      }
  }

  private func join(_ last: Step, _ step: Step) -> Step {
    var joined = last
    joined.joinedAt = step.joinedAt
    for (place, change) in step.values {
      joined.values[place] = (
        joined.values[place]?.before ?? (last.values[place] == nil ? change.before : nil),
        change.after
      )
    }
    for (entity, life) in step.lives {
      joined.lives[entity] = (joined.lives[entity]?.before ?? life.before, life.after)
    }
    for (link, change) in step.links {
      joined.links[link] = (joined.links[link]?.before ?? change.before, change.after)
    }
    let unborn = Set(joined.lives.filter { !$0.value.before && !$0.value.after }.keys)
    joined.lives = joined.lives.filter { $0.value.before != $0.value.after }
    joined.values = joined.values.filter {
      $0.value.before != $0.value.after && !unborn.contains($0.key.entity)
    }
    joined.links = joined.links.filter {
      $0.value.before != $0.value.after && !unborn.contains($0.key.source)
        && !unborn.contains($0.key.target)
    }
    return joined
  }

  mutating func endJoining() {
    history.endCoalescing()
    if !done.isEmpty { done[done.count - 1].joinedAt = nil }
  }

  // MARK: Undoing and redoing

  func expectation(_ isUndo: Bool, _ policy: UndoConflictPolicy, _ state: State) -> Expectation {
    guard var step = isUndo ? done.last : undone.last else { return .nothing }
    if !isUndo {
      // Redoing is undoing the other way round.
      step.values = step.values.mapValues { ($0.after, $0.before) }
      step.lives = step.lives.mapValues { ($0.after, $0.before) }
      step.links = step.links.mapValues { ($0.after, $0.before) }
    }
    if policy == .refuse, let conflict = conflict(step, state) { return .conflict(conflict) }
    return .state(applied(step, state), name: step.name)
  }

  mutating func moved(_ isUndo: Bool) {
    if isUndo { undone.append(done.removeLast()) } else { done.append(undone.removeLast()) }
    if !done.isEmpty { done[done.count - 1].joinedAt = nil }
  }

  private func conflict(_ step: Step, _ state: State) -> String? {
    for (entity, life) in step.lives where state.alive.contains(entity) != life.after {
      return "life of #\(entity)"
    }
    for (entity, life) in step.lives where life.after {
      for kind in [State.Kind.value, .text, .only] {
        let place = State.Place(entity: entity, kind: kind)
        if state.values[place] != nil, step.values[place] == nil { return "\(place) is more" }
      }
    }
    for link in state.links where step.links[link]?.after != true {
      let ends = [link.source, link.target]
      if ends.contains(where: { step.lives[$0]?.after == true }) { return "\(link) is more" }
    }
    for (place, change) in step.values {
      let isDead = !state.alive.contains(place.entity)
      if isDead, step.lives[place.entity] == nil { return "\(place) is dead" }
      if state.values[place] != change.after { return "\(place)" }
      guard place.kind == .only, change.before != nil else { continue }
      let holders = state.values.keys.filter { $0.kind == .only && step.values[$0] == nil }
      if !holders.isEmpty { return "\(holders) is unique" }
    }
    for (link, change) in step.links {
      for end in [link.source, link.target] where step.lives[end] == nil {
        if !state.alive.contains(end) { return "\(link) has a dead end" }
      }
      if state.links.contains(link) != change.after { return "\(link)" }
      guard change.before, !link.isLiking else { continue }
      let others = state.links.filter { !$0.isLiking && $0.source == link.source }
      if others.contains(where: { step.links[$0]?.after != true }) { return "\(link) replaces" }
    }
    return nil
  }

  private func applied(_ step: Step, _ before: State) -> State {
    var state = before
    for (link, change) in step.links where !change.before { state.links.remove(link) }
    for (entity, life) in step.lives {
      if life.before { state.alive.insert(entity) } else { state.alive.remove(entity) }
    }
    state.values = state.values.filter { state.alive.contains($0.key.entity) }
    state.links = state.links.filter {
      state.alive.contains($0.source) && state.alive.contains($0.target)
    }
    for (place, change) in step.values where state.alive.contains(place.entity) {
      if place.kind == .only, change.before != nil {
        state.values = state.values.filter { $0.key.kind != .only }
      }
      state.values[place] = change.before
    }
    for (place, change) in step.values where state.alive.contains(place.entity) {
      if let value = change.before { state.values[place] = value }
    }
    for (link, change) in step.links where change.before {
      guard state.alive.contains(link.source), state.alive.contains(link.target) else { continue }
      if !link.isLiking {
        state.links = state.links.filter { $0.isLiking || $0.source != link.source }
      }
      state.links.insert(link)
    }
    return state
  }

  func check() -> String? {
    guard history.undoNames == done.reversed().map(\.name) else {
      return "can be undone: \(history.undoNames), expected \(done.reversed().map(\.name))"
    }
    guard history.redoNames == undone.reversed().map(\.name) else {
      return "can be redone: \(history.redoNames), expected \(undone.reversed().map(\.name))"
    }
    let lives = (done + undone).reduce(into: Set<Int>()) { $0.formUnion($1.lives.keys) }
    guard history.keptEntityCount == lives.count else {
      return "\(history.keptEntityCount) entities are kept, expected \(lives.sorted())"
    }
    return nil
  }
}
