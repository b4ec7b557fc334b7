import ECS
import ECSTestSupport

/// Makes random programs, a step at a time, with an eye on what there is so far.
struct Generator {
  private var random: SplitMix64
  private let reference: Reference

  init(seed: UInt64, reference: Reference) {
    random = SplitMix64(seed: seed)
    self.reference = reference
  }

  /// Steps that make groups and watchers, so that programs begin with something to see.
  mutating func opening() -> [Step] {
    var steps: [Step] = [
      .create([], then: []), .makeGroup(Filter(all: [0])), .makeGroup(Filter(all: [2], none: [9])),
      .makeGroup(Filter(any: [1, 5])),
    ]
    for group in 0..<3 {
      steps.append(.makeCollector(group, .addedUpdatedOrRemoved, paused: false, limit: nil))
      steps.append(.observeGroup(group, .addedUpdatedOrRemoved, Reaction()))
    }
    return steps
  }

  mutating func step() -> Step {
    let isCrowded = reference.entities.count > 16
    if reference.entities.count > 40 { return .destroyAll }
    switch random.below(100) {
    case 0..<9 where !isCrowded: return .create(values(upTo: 3, ordinary: false), then: follow())
    case 9..<11 where !isCrowded:
      return .createMany(random.below(5), values(exactly: 2))
    case 0..<11: return .destroy(target())
    case 11..<31: return .set(target(), value())
    case 31..<35: return .setIfChanged(target(), value())
    case 35..<41: return update(simple: false)
    case 41..<52: return .remove(target(), kind())
    case 52..<58: return .destroy(target())
    case 58..<64: return uniqueStep()
    case 64..<67: return keyStep()
    case 67..<71: return .perform(steps(upTo: 5), throwing: random.oneIn(6))
    case 71..<74: return .forEach(group(), simpleSteps(upTo: 2, subject: true))
    case 74..<82: return .visit(visit())
    case 82..<89: return .drain(collector(), Drain.allCases[random.below(Drain.allCases.count)])
    case 99 where random.oneIn(4): return random.oneIn(3) ? .destroyAll : .compact
    default: return watcherStep()
    }
  }

  // MARK: Parts

  private mutating func target() -> Target {
    let living = reference.living
    if living.isEmpty || random.oneIn(12) {
      return .number(random.below(reference.entityCount))
    }
    return .number(living[random.below(living.count)])
  }

  private mutating func kind() -> Int { random.below(Kind.key) }

  private mutating func value(_ kind: Int) -> Value {
    Value(kind: kind, number: random.below(Kind.range(kind)))
  }

  private mutating func value() -> Value {
    let kind = kind()
    return value(kind)
  }

  private mutating func values(exactly count: Int, of kinds: Range<Int> = Kind.ordinary) -> [Value]
  {
    kinds.shuffled(using: &random).prefix(count).map { value($0) }
  }

  private mutating func values(upTo count: Int, ordinary: Bool) -> [Value] {
    values(exactly: random.below(count + 1), of: ordinary ? Kind.ordinary : 0..<Kind.key)
  }

  private mutating func group() -> Int { random.below(reference.groups.count + 1) }

  private mutating func collector() -> Int { random.below(reference.collectors.count + 1) }

  private mutating func kinds() -> ChangeKinds {
    ChangeKinds(rawValue: UInt8(random.below(7) + 1))
  }

  private mutating func filter() -> Filter {
    var filter = Filter()
    for kind in (0..<Kind.key).shuffled(using: &random).prefix(random.below(4) + 1) {
      switch random.below(4) {
      case 0, 1: filter.all.insert(kind)
      case 2: filter.any.insert(kind)
      default: filter.none.insert(kind)
      }
    }
    if filter.all.isEmpty && filter.any.isEmpty {
      guard let kind = (0..<Kind.key).first(where: { !filter.none.contains($0) }) else {
        return Filter(all: [0])
      }
      filter.any.insert(kind)
    }
    return filter
  }

  // MARK: Steps with steps inside

  private mutating func steps(upTo count: Int) -> [Step] {
    (0..<random.below(count + 1)).map { _ in
      random.oneIn(5) ? step() : simpleStep(about: target())
    }
  }

  private mutating func simpleSteps(
    upTo count: Int, subject: Bool, sparing: Set<Int> = []
  ) -> [Step] {
    (0..<random.below(count + 1)).map { _ in
      let isSubject = subject && !random.oneIn(3)
      return simpleStep(about: isSubject ? .subject : target(), sparing: sparing)
    }
  }

  /// Steps for an entity that was just made.
  private mutating func follow() -> [Step] {
    random.oneIn(4) ? simpleSteps(upTo: 3, subject: true) : []
  }

  /// A step that may be made anywhere, also while an iteration or a change of a component runs.
  private mutating func simpleStep(about target: Target, sparing: Set<Int> = []) -> Step {
    let kind = kind()
    if sparing.contains(kind) { return .set(target, value(kind)) }
    switch random.below(12) {
    case 0: return .create(values(upTo: 3, ordinary: false), then: [])
    case 1..<5: return .set(target, value(kind))
    case 5: return .setIfChanged(target, value(kind))
    case 6: return .update(target, value(kind), inside: [], throwing: random.oneIn(4))
    case 7, 8: return .remove(target, kind)
    case 9: return .destroy(target)
    case 10 where Kind.isUnique(kind):
      switch random.below(4) {
      case 0: return .removeUnique(kind)
      case 1: return .setUnique(value(kind))
      case 2: return .updateUnique(value(kind))
      default: return .read(target, kind)
      }
    case 10: return .read(target, kind)
    default: return .createMany(random.below(3), values(exactly: 2))
    }
  }

  private mutating func update(simple: Bool) -> Step {
    let value = value()
    // What is being changed may not be read, unless it is trivial.
    let sparing: Set<Int> = Kind.isTrivial(value.kind) ? [] : [value.kind]
    let inside =
      random.oneIn(4) ? simpleSteps(upTo: 2, subject: true, sparing: sparing) : []
    return .update(target(), value, inside: inside, throwing: random.oneIn(4))
  }

  private mutating func uniqueStep() -> Step {
    let kind = random.oneIn(2) ? Kind.camera : Kind.service
    switch random.below(6) {
    case 0, 1: return .setUnique(value(kind))
    case 2: return .set(target(), value(kind))
    case 3: return .removeUnique(kind)
    case 4: return .updateUnique(value(kind))
    default: return .withUnique(value(kind), simpleSteps(upTo: 3, subject: false))
    }
  }

  private mutating func keyStep() -> Step {
    switch random.below(4) {
    case 0: .getOrCreate(random.below(8))
    case 1, 2: .assign(target(), random.below(8))
    default: .remove(target(), Kind.key)
    }
  }

  /// An iteration that asks for none of some kinds, and whose steps spare some, too.
  private mutating func visit(
    avoiding avoided: Set<Int> = [], sparing outer: Set<Int> = [], depth: Int = 0
  ) -> Visit {
    let group = group()
    // Mostly what the group's entities have.
    let filter = reference.groups.indices.contains(group) ? reference.groups[group] : Filter()
    var kinds = (filter.all.sorted() + filter.any.sorted()).shuffled(using: &random)
    for kind in (0..<Kind.key).shuffled(using: &random).prefix(2) where !kinds.contains(kind) {
      kinds.append(kind)
    }
    kinds.removeAll(where: avoided.contains)
    for kind in Kind.ordinary where kinds.count < 3 && !avoided.contains(kind) {
      if !kinds.contains(kind) { kinds.append(kind) }
    }
    var visit = Visit(group: group, style: .closure, by: random.below(4) + 1)
    switch random.below(10) {
    case 0..<5: break
    case 5..<9: visit.style = .chunks
    default: visit.style = depth == 0 ? .parallel : .closure
    }
    let shapes = visit.style == .closure ? 7 : visit.style == .chunks ? 5 : 1
    let shape = [(1, 0), (1, 1), (2, 0), (0, 1), (0, 2), (2, 1), (0, 3)][random.below(shapes)]
    visit.mutated = Array(kinds.prefix(shape.0))
    visit.read = Array(kinds.dropFirst(shape.0).prefix(shape.1))
    if visit.style == .parallel { return visit }
    // Others may not read what is being changed, unless it is a copy.
    let mutated = visit.mutated.filter { visit.style == .chunks || !Kind.isTrivial($0) }
    let sparing = outer.union(mutated)
    for _ in 0..<random.below(5) {
      let target = random.oneIn(2) ? Target.subject : target()
      let step =
        depth < 2 && random.oneIn(8)
        ? Step.visit(
          self.visit(
            avoiding: avoided.union(visit.mutated + visit.read), sparing: sparing, depth: depth + 1
          )) : simpleStep(about: target, sparing: sparing)
      visit.inside[random.below(8), default: []].append(step)
    }
    if visit.style == .closure && random.oneIn(8) { visit.throwing = random.below(4) }
    return visit
  }

  // MARK: Watchers

  private mutating func reaction() -> Reaction {
    guard random.oneIn(2) else { return Reaction() }
    var steps = simpleSteps(upTo: 3, subject: true)
    switch random.below(12) {
    case 0: steps.append(.visit(visit()))
    case 1: steps.append(.perform(simpleSteps(upTo: 3, subject: true), throwing: false))
    case 2: steps.append(watcherStep(reacting: false))
    case 3: steps.append(.drain(collector(), .all))
    case 4: steps.append(.forEach(group(), simpleSteps(upTo: 1, subject: true)))
    case 5: steps.append(uniqueStep())
    default: break
    }
    return Reaction(steps: steps)
  }

  private mutating func watcherStep(reacting: Bool = true) -> Step {
    let reaction = reacting ? reaction() : Reaction()
    let collectors = reference.collectors.count { $0 != nil }
    let indexes = reference.indexes.count { $0 != nil }
    let subscriptions = reference.subscriptions.count { $0 != nil }
    switch random.below(12) {
    case 0 where reference.groups.count < 12: return .makeGroup(filter())
    case 1 where collectors < 8:
      return .makeCollector(
        group(), kinds(), paused: random.oneIn(5),
        limit: random.oneIn(4) ? random.below(60) + 1 : nil)
    case 1: return .releaseCollector(collector())
    case 2: return .pauseCollector(collector(), random.oneIn(2))
    case 3 where indexes < 5:
      return .makeIndex(kind(), several: random.oneIn(2), paused: random.oneIn(5))
    case 3: return .releaseIndex(random.below(reference.indexes.count))
    case 4: return .pauseIndex(random.below(reference.indexes.count + 1), random.oneIn(2))
    case 5, 6: return .cancel(random.below(reference.subscriptions.count + 1))
    case 7 where subscriptions < 8: return .observeContext(reaction)
    case 8 where subscriptions < 10: return .observeEntity(target(), kinds(), reaction)
    case _ where subscriptions < 12: return .observeGroup(group(), kinds(), reaction)
    default: return .cancel(random.below(reference.subscriptions.count + 1))
    }
  }
}
