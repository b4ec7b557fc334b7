import ECS
import ECSHistory
import ECSTestSupport
import Testing

private struct Seat: Component, Equatable {
  var rank: Int
  var label: String?
}
private struct Node: Component, Equatable {}
private struct Score: Component, Equatable { var points: Int }
private enum Sits: Relation { typealias Value = Seat }
private enum Owns: ToOneRelation { typealias Value = Seat }
private struct Refused: Error {}

/// Links with values in two orders: that of the targets of each entity, and that of the sources.
private struct NaiveValues {
  struct Pair: Hashable {
    let source: Entity
    let target: Entity
  }

  var byTargets: [Pair] = []
  var bySources: [Pair] = []
  var seats: [Pair: Seat] = [:]

  func targets(of entity: Entity) -> [(entity: Entity, seat: Seat?)] {
    byTargets.filter { $0.source == entity }.map { ($0.target, seats[$0]) }
  }

  func sources(of entity: Entity) -> [(entity: Entity, seat: Seat?)] {
    bySources.filter { $0.target == entity }.map { ($0.source, seats[$0]) }
  }

  mutating func relate(_ source: Entity, _ target: Entity, _ seat: Seat, isToOne: Bool) {
    let pair = Pair(source: source, target: target)
    if seats[pair] == nil {
      if isToOne { removeAll { $0.source == source } }
      byTargets.append(pair)
      bySources.append(pair)
    }
    seats[pair] = seat
  }

  mutating func removeAll(where isGone: (Pair) -> Bool) {
    for pair in byTargets where isGone(pair) { seats[pair] = nil }
    byTargets.removeAll(where: isGone)
    bySources.removeAll(where: isGone)
  }

  /// Puts one of the links of an entity where another one is.
  mutating func move(_ place: Int, to wanted: Int, of entity: Entity, isTargets: Bool) {
    if isTargets {
      byTargets.move(place, to: wanted) { $0.source == entity }
    } else {
      bySources.move(place, to: wanted) { $0.target == entity }
    }
  }
}

/// What there is.
private struct NaiveState {
  var alive: [Entity] = []
  var points: [Entity: Int] = [:]
  var sits = NaiveValues()
  var owns = NaiveValues()

  mutating func destroy(_ entity: Entity) {
    alive.removeAll { $0 == entity }
    points[entity] = nil
    sits.removeAll { $0.source == entity || $0.target == entity }
    owns.removeAll { $0.source == entity || $0.target == entity }
  }
}

/// Sorts by a key, what has none last, and otherwise leaves the order.
private func sorted<Key: Comparable>(
  _ links: [(entity: Entity, seat: Seat?)], descending: Bool = false,
  by key: ((entity: Entity, seat: Seat?)) -> Key?
) -> [(entity: Entity, seat: Seat?)] {
  let having = links.filter { key($0) != nil }.enumerated().sorted { one, other in
    guard let left = key(one.element), let right = key(other.element), left != right else {
      return one.offset < other.offset
    }
    return descending ? left > right : left < right
  }
  return having.map(\.element) + links.filter { key($0) == nil }
}

/// Random programs over views that read values of links, beside lists of links.
private struct ValueViewRun {
  final class Watched: Sendable {
    let owner: Entity
    let started: LiveView
    let observed: LiveView

    /// The same view, which is never started.
    let idle: LiveView
    let told = Recorder<LiveViewDifference>()
    let expected: @Sendable (NaiveState) -> [(entity: Entity, seat: Seat?)]

    init(
      of owner: Entity, _ view: @autoclosure () -> LiveView,
      _ expected: @escaping @Sendable (NaiveState) -> [(entity: Entity, seat: Seat?)]
    ) {
      self.owner = owner
      (started, observed, idle) = (view().start(), view(), view())
      self.expected = expected
    }
  }

  let context = Context()
  let scored: Group
  let history: UndoHistory
  var random: SplitMix64
  var state = NaiveState()
  var watched: [(watched: Watched, mirror: [Entity], token: Subscription)] = []
  var done: [(before: NaiveState, after: NaiveState)] = []
  var undone: [(before: NaiveState, after: NaiveState)] = []
  var program: [String] = []
  var failure: String?

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    scored = context.group(Score.matcher)
    history = UndoHistory(
      context, of: Node.self, Score.self, relations: [Sits.self, Owns.self])
  }

  // MARK: Views

  private func view(_ kind: Int, of owner: Entity) -> Watched {
    let scored = scored
    switch kind {
    case 0:
      return Watched(
        of: owner, owner.sources(Sits.self).filtered(byValue: Sits.self) { $0.rank > 2 }
      ) {
        $0.sits.sources(of: owner).filter { ($0.seat?.rank ?? 0) > 2 }
      }
    case 1:
      return Watched(of: owner, owner.targets(Sits.self).sorted(by: \.rank, ofValue: Sits.self)) {
        sorted($0.sits.targets(of: owner)) { $0.seat?.rank }
      }
    case 2:
      return Watched(
        of: owner,
        scored.related(Sits.self, to: owner).sorted(by: \.label, ofValue: Sits.self, .descending)
          .then(by: \Score.points).then(by: \.rank, ofValue: Sits.self)
      ) { state in
        let shown = state.sits.sources(of: owner).filter { state.points[$0.entity] != nil }
        let byPoints = sorted(sorted(shown) { $0.seat?.rank }) { state.points[$0.entity] }
        return sorted(byPoints, descending: true) { $0.seat?.label }
      }
    case 3:
      return Watched(
        of: owner,
        owner.sources(Owns.self).filtered(byValue: Owns.self) { $0.label != nil }
          .sorted(by: \.rank, ofValue: Owns.self, .descending).limited(to: 2)
      ) {
        let shown = $0.owns.sources(of: owner).filter { $0.seat?.label != nil }
        return Array(sorted(shown, descending: true) { $0.seat?.rank }.prefix(2))
      }
    case 4:
      return Watched(
        of: owner,
        owner.targets(Sits.self).filtered { (score: Score) in score.points > 1 }
          .filtered(byValue: Sits.self) { $0.rank < 4 }.limited(to: 3)
      ) { state in
        let shown = state.sits.targets(of: owner).filter {
          (state.points[$0.entity] ?? 0) > 1 && ($0.seat?.rank ?? 9) < 4
        }
        return Array(shown.prefix(3))
      }
    case 5:
      return Watched(
        of: owner,
        owner.sources(Owns.self).sorted(by: \Score.points).then(by: \.label, ofValue: Owns.self)
      ) { state in
        sorted(sorted(state.owns.sources(of: owner)) { $0.seat?.label }) {
          state.points[$0.entity]
        }
      }
    case 6:
      return Watched(
        of: owner, owner.targets(Owns.self).filtered(byValue: Owns.self) { $0.rank > 1 }
      ) {
        $0.owns.targets(of: owner).filter { ($0.seat?.rank ?? 0) > 1 }
      }
    default:
      return Watched(of: owner, owner.sources(Sits.self).view()) { $0.sits.sources(of: owner) }
    }
  }

  private mutating func watch() {
    let (kind, owner) = (random.below(8), state.alive[random.below(state.alive.count)])
    program.append("watch \(kind) of \(owner)")
    let made = view(kind, of: owner)
    let token = made.observed.observe(initial: false) { [told = made.told] in
      told.append($0.difference)
    }
    watched.append((made, Array(made.observed), token))
  }

  mutating func section() {
    if state.alive.count > 4, random.oneIn(4) { watch() }
    if watched.count > 10 { watched.removeFirst(random.below(5)) }
    let count = random.oneIn(3) ? 1 + random.below(10) : 1
    let before = state
    program.append("section of \(count)")
    switch random.below(10) {
    case 0:
      program.append("taken back")
      try? context.transaction {
        steps(count)
        throw Refused()
      }
      state = before
    case 1: group(count, isTransaction: true)
    case 2, 3: move(isUndo: true)
    case 4: move(isUndo: false)
    case 5: iterate()
    default: group(count, isTransaction: false)
    }
    if history.undoNames.count != done.count { failure = "steps" }
  }

  private mutating func nest(_ count: Int) {
    steps(count)
    let between = state
    program.append("inner")
    try? context.transaction {
      steps(count)
      throw Refused()
    }
    state = between
    program.append("outer")
    steps(count)
  }

  private mutating func group(_ count: Int, isTransaction: Bool) {
    let (context, history) = (context, history)
    let (before, done) = (state, history.undoNames.count)
    history.group("step") {
      guard isTransaction else { return steps(count) }
      context.transaction { nest(count) }
    }
    guard history.undoNames.count > done else { return }
    self.done.append((before, state))
    undone = []
  }

  private mutating func move(isUndo: Bool) {
    guard let step = isUndo ? done.popLast() : undone.popLast() else { return }
    program.append(isUndo ? "undo" : "redo")
    do {
      _ = isUndo ? try history.undo() : try history.redo()
    } catch {
      failure = "\(error)"
    }
    state = isUndo ? step.before : step.after
    if isUndo { undone.append(step) } else { done.append(step) }
  }

  /// Changes values while iterating, which waits, and forgets the steps.
  private mutating func iterate() {
    program.append("iterate")
    let more = random.below(3)
    let related = state.sits.byTargets
    scored.withEach { (entity, _: Score) in
      for pair in related where pair.source == entity {
        entity.update(Sits.self, to: pair.target) { $0.rank = ($0.rank + more) % 6 }
      }
    }
    for pair in related where state.points[pair.source] != nil {
      let rank = state.sits.seats[pair]?.rank ?? 0
      state.sits.seats[pair]?.rank = (rank + more) % 6
    }
    history.removeAll()
    (done, undone) = ([], [])
  }

  private mutating func steps(_ count: Int) {
    for _ in 0..<count {
      step()
      if random.oneIn(6) { look() }
    }
  }

  private mutating func step() {
    if state.alive.count < 6 || random.oneIn(14) {
      let made = context.createEntity(with: Node())
      program.append("new \(made)")
      return state.alive.append(made)
    }
    let one = state.alive[random.below(state.alive.count)]
    let other = state.alive[random.below(state.alive.count)]
    let labels: [String?] = [nil, "a", "b", "c"]
    let seat = Seat(rank: random.below(6), label: labels[random.below(4)])
    let choice = random.below(22)
    program.append("\(choice) \(one) \(other) \(seat)")
    switch choice {
    case 0..<6:
      one.relate(Sits.self, to: other, seat)
      state.sits.relate(one, other, seat, isToOne: false)
    case 6..<10:
      one.relate(Owns.self, to: other, seat)
      state.owns.relate(one, other, seat, isToOne: true)
    case 10..<13: updateSome(seat)
    case 13:
      other.sources(Sits.self).remove(one)
      state.sits.removeAll { $0.source == one && $0.target == other }
    case 14:
      one.unrelate(Owns.self)
      state.owns.removeAll { $0.source == one }
    case 15..<18:
      one.set(Score(points: seat.rank))
      state.points[one] = seat.rank
    case 18:
      one.remove(Score.self)
      state.points[one] = nil
    case 19 where random.oneIn(2):
      one.destroy()
      state.destroy(one)
    default: moveLink(one)
    }
  }

  /// Changes the value of a link that is there.
  private mutating func updateSome(_ seat: Seat) {
    guard !state.sits.byTargets.isEmpty else { return }
    let pair = state.sits.byTargets[random.below(state.sits.byTargets.count)]
    pair.source.update(Sits.self, to: pair.target) { $0.rank = seat.rank }
    state.sits.seats[pair]?.rank = seat.rank
  }

  private mutating func moveLink(_ entity: Entity) {
    let isTargets = random.oneIn(2)
    let all = isTargets ? state.sits.targets(of: entity) : state.sits.sources(of: entity)
    guard all.count > 1 else { return }
    let (place, wanted) = (random.below(all.count), random.below(all.count))
    program.append("move \(place) to \(wanted), targets \(isTargets)")
    let related = isTargets ? entity.targets(Sits.self) : entity.sources(Sits.self)
    related.move(all[place].entity, to: wanted)
    state.sits.move(place, to: wanted, of: entity, isTargets: isTargets)
  }

  // MARK: Comparison

  private func expected(_ watched: Watched) -> [Entity] {
    state.alive.contains(watched.owner) ? watched.expected(state).map(\.entity) : []
  }

  /// Compares one of the views, in the middle of a section.
  private mutating func look() {
    guard !watched.isEmpty else { return }
    let one = watched[random.below(watched.count)].watched
    let views = [one.started, one.observed, one.idle]
    let view = views[random.below(3)]
    if Array(view) != expected(one) { failure = "inside, \(view)" }
  }

  /// Whether everything that can be seen is as it has to be.
  mutating func agrees() -> Bool {
    for number in watched.indices {
      let (watched, changes) = (watched[number].watched, watched[number].watched.told.take())
      let expected = expected(watched)
      guard Array(watched.started) == expected, Array(watched.observed) == expected,
        Array(watched.idle) == expected, watched.idle.count == expected.count,
        state.alive.allSatisfy({ watched.idle.contains($0) == expected.contains($0) }),
        changes.count <= 1
      else { return false }
      for change in changes where !change.apply(to: &self.watched[number].mirror) { return false }
      guard self.watched[number].mirror == expected else { return false }
    }
    // Views have ended with their owners, also if these live again.
    watched.removeAll { !state.alive.contains($0.watched.owner) }
    return failure == nil
  }
}

@Suite(.longRunning) struct ValueViewModelTests {
  @Test(arguments: Effort.seeds(min(40, 2 * Effort.modelSeeds)))
  func `Views that read values of links agree with the reference after every section`(
    seed: UInt64
  ) {
    var run = ValueViewRun(seed: seed)
    for _ in 0..<300 {
      run.section()
      guard run.agrees() else {
        Issue.record("seed \(seed): \(run.failure ?? "") \(run.program.suffix(24))")
        return
      }
    }
  }
}
