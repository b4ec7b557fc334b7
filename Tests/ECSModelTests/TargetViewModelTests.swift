import ECS
import ECSTestSupport
import Testing

private enum Within: ToOneRelation {}
private enum MadeFor: ToOneRelation { static let deleteRule = DeleteRule.cascade }

private struct Age: Component { var value: Int }
private struct Title: Component { var text: String }
private struct Hidden: Component {}
private struct Stop: Error {}

/// Random programs over views that are sorted and filtered by targets, beside a naive computation
/// from what the entities have.
private struct TargetViewRun {
  /// A view, and how a naive program would compute it from all entities in the order of their
  /// creation.
  final class Watched: Sendable {
    let started: LiveView
    let observed: LiveView

    /// The same view, which is never started.
    let idle: LiveView
    let told = Recorder<LiveViewDifference>()
    let expected: @Sendable ([Entity]) -> [Entity]

    init(
      _ view: @autoclosure () -> LiveView, _ expected: @escaping @Sendable ([Entity]) -> [Entity]
    ) {
      (started, observed, idle) = (view().start(), view(), view())
      self.expected = expected
    }
  }

  let context = Context()
  let visible: Group
  var random: SplitMix64

  /// All that live, in the order of their creation.
  var entities: [Entity] = []
  var watched: [(watched: Watched, mirror: [Entity], token: Subscription)] = []
  var program: [String] = []

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    visible = context.group(Matcher(all: [Age.cid], none: [Hidden.cid]))
  }

  // MARK: Reference

  private static func age(_ entity: Entity?) -> Int? { entity?.get(Age.self)?.value }

  private static func title(_ entity: Entity?) -> String? { entity?.get(Title.self)?.text }

  /// Stable, with what has no key last.
  private static func sorted<Key: Comparable>(
    _ entities: [Entity], descending: Bool = false, by key: (Entity) -> Key?
  ) -> [Entity] {
    let having = entities.filter { key($0) != nil }
    let others = entities.filter { key($0) == nil }
    let ordered = having.enumerated().sorted { one, other in
      guard let left = key(one.element), let right = key(other.element) else { return false }
      if left == right { return one.offset < other.offset }
      return descending ? left > right : left < right
    }
    return ordered.map(\.element) + others
  }

  // MARK: Views

  private mutating func watch() {
    let visible = visible
    let made: Watched =
      switch random.below(6) {
      case 0:
        Watched(visible.sorted(by: \Title.text, ofTarget: Within.self)) { all in
          Self.sorted(all.filter(visible.contains)) { Self.title($0.target(Within.self)) }
        }
      case 1:
        Watched(
          visible.sorted(by: \Age.value, ofTarget: Within.self, .descending).then(by: \Age.value)
        ) { all in
          Self.sorted(
            Self.sorted(all.filter(visible.contains)) { Self.age($0) }, descending: true
          ) { Self.age($0.target(Within.self)) }
        }
      case 2:
        Watched(
          visible.filtered(byTarget: Within.self) { (age: Age) in age.value > 2 }
            .sorted(by: \Title.text, ofTarget: MadeFor.self)
        ) { all in
          Self.sorted(
            all.filter { visible.contains($0) && (Self.age($0.target(Within.self)) ?? 0) > 2 }
          ) { Self.title($0.target(MadeFor.self)) }
        }
      case 3:
        Watched(
          visible.sorted(by: \Age.value).then(by: \Title.text, ofTarget: Within.self).limited(to: 3)
        ) { all in
          let byTitle = Self.sorted(all.filter(visible.contains)) {
            Self.title($0.target(Within.self))
          }
          return Array(Self.sorted(byTitle) { Self.age($0) }.prefix(3))
        }
      case 4:
        Watched(
          visible.filtered(byTarget: MadeFor.self) { (age: Age, title: Title) in
            title.text.count + age.value > 3
          }
        ) { all in
          all.filter {
            let target = $0.target(MadeFor.self)
            guard visible.contains($0), let age = Self.age(target), let title = Self.title(target)
            else { return false }
            return title.count + age > 3
          }
        }
      default: watchedOfRelated()
      }
    let mirror = Array(made.observed)
    let token = made.observed.observe(initial: false) { [told = made.told] in
      told.append($0.difference)
    }
    watched.append((made, mirror, token))
  }

  /// A view of what was made for an entity.
  private mutating func watchedOfRelated() -> Watched {
    let owner = entities[random.below(entities.count)]
    return Watched(
      owner.sources(MadeFor.self).sorted(by: \Age.value, ofTarget: Within.self)
    ) { _ in
      Self.sorted(Array(owner.sources(MadeFor.self))) { Self.age($0.target(Within.self)) }
    }
  }

  // MARK: Programs

  mutating func section() {
    let steps = random.oneIn(3) ? 1 + random.below(10) : 1
    program.append("section of \(steps)")
    if entities.count > 4, random.oneIn(6) { watch() }
    if watched.count > 8 { watched.removeFirst(random.below(5)) }
    let before = entities
    switch random.below(8) {
    case 0:
      program.append("taken back")
      try? context.transaction {
        for _ in 0..<steps { step() }
        throw Stop()
      }
      entities = before
    case 1:
      program.append("transaction")
      context.transaction {
        for _ in 0..<steps { step() }
        let between = entities
        try? context.transaction {
          for _ in 0..<steps { step() }
          // What was put off inside is to be taken back as well.
          if random.oneIn(2) { _ = watched.first?.watched.started.count }
          throw Stop()
        }
        entities = between
        for _ in 0..<steps { step() }
      }
    default: context.perform { for _ in 0..<steps { step() } }
    }
    entities.removeAll { !$0.isAlive }
  }

  private mutating func step() {
    if entities.count < 8 || random.oneIn(12) {
      return entities.append(context.createEntity(with: Age(value: random.below(6))))
    }
    let one = entities[random.below(entities.count)]
    let other = entities[random.below(entities.count)]
    let choice = random.below(18)
    program.append("\(choice) \(one) \(other)")
    switch choice {
    case 0..<4: one.relate(Within.self, to: other)
    case 4..<6: one.relate(MadeFor.self, to: other)
    case 6: one.unrelate(Within.self)
    case 7: other.sources(MadeFor.self).remove(one)
    case 8: one.set(Hidden())
    case 9: one.remove(Hidden.self)
    case 10..<12: one.set(Title(text: String(repeating: "a", count: random.below(4))))
    case 12: one.remove([Age.cid, Title.cid][random.below(2)])
    case 13:
      one.destroy()
      // What was made for it has gone with it.
      entities.removeAll { !$0.isAlive }
    case 14: one.update(Title.self) { $0.text += "b" }
    case 15: mutateMany()
    case 16: _ = watched.first.map { Array($0.watched.started) }
    default: one.set(Age(value: random.below(6)))
    }
  }

  private mutating func mutateMany() {
    let more = random.below(3)
    if random.oneIn(2) {
      visible.withEach { (_, age: inout Age) in age.value = (age.value + more) % 6 }
    } else {
      context.group(Title.matcher).set(Title(text: String(repeating: "c", count: more)))
    }
  }

  // MARK: Comparison

  /// Whether everything that can be seen is as it has to be.
  mutating func agrees() -> Bool {
    for number in watched.indices {
      let watched = watched[number].watched
      let expected = watched.expected(entities)
      guard Array(watched.started) == expected, Array(watched.observed) == expected,
        Array(watched.idle) == expected, watched.idle.count == expected.count,
        entities.allSatisfy({ watched.idle.contains($0) == expected.contains($0) })
      else { return false }
      let changes = watched.told.take()
      guard changes.count <= 1 else { return false }
      for change in changes where !change.apply(to: &self.watched[number].mirror) { return false }
      guard self.watched[number].mirror == expected else { return false }
    }
    return true
  }
}

@Suite(.longRunning) struct TargetViewModelTests {
  @Test(arguments: Effort.seeds(min(40, 2 * Effort.modelSeeds)))
  func `Views by targets agree with the reference after every section`(seed: UInt64) {
    var run = TargetViewRun(seed: seed)
    for _ in 0..<Effort.steps(300) {
      run.section()
      guard run.agrees() else {
        Issue.record("seed \(seed): \(run.program.suffix(24))")
        return
      }
    }
  }
}
