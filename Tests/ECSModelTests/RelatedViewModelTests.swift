import ECS
import ECSTestSupport
import Testing

private enum Follows: Relation {}
private enum Under: ToOneRelation { static let deleteRule = DeleteRule.cascade }

private struct Age: Component { var value: Int }
private struct Title: Component { var text: String }
private struct Hidden: Component {}

/// Links in two orders: one has the targets of each entity in order, the other one the sources.
private struct NaiveLinks {
  private var byTargets: [(source: Entity, target: Entity)] = []
  private var bySources: [(source: Entity, target: Entity)] = []

  func targets(of entity: Entity) -> [Entity] {
    byTargets.filter { $0.source == entity }.map(\.target)
  }

  func sources(of entity: Entity) -> [Entity] {
    bySources.filter { $0.target == entity }.map(\.source)
  }

  func contains(_ source: Entity, _ target: Entity) -> Bool {
    targets(of: source).contains(target)
  }

  mutating func append(_ source: Entity, _ target: Entity) {
    byTargets.append((source, target))
    bySources.append((source, target))
  }

  mutating func removeAll(where isGone: ((Entity, Entity)) -> Bool) {
    byTargets.removeAll { isGone($0) }
    bySources.removeAll { isGone($0) }
  }

  mutating func move(_ place: Int, to wanted: Int, of entity: Entity, _ isTargets: Bool) {
    if isTargets {
      byTargets.move(place, to: wanted) { $0.source == entity }
    } else {
      bySources.move(place, to: wanted) { $0.target == entity }
    }
  }
}

/// Random programs over views of related entities, beside lists of links.
private struct RelatedViewRun {
  /// A view of what is related to an entity, and how a naive program would compute it.
  final class Watched: Sendable {
    let view: LiveView

    /// The same view, which is never started.
    let idle: LiveView
    let told = Recorder<LiveViewDifference>()
    let expected: @Sendable (NaiveLinks) -> [Entity]

    init(
      _ view: @autoclosure () -> LiveView,
      _ expected: @escaping @Sendable (NaiveLinks) -> [Entity]
    ) {
      self.view = view()
      idle = view()
      self.expected = expected
    }
  }

  let context = Context()
  let visible: Group
  var random: SplitMix64
  var entities: [Entity] = []
  var follows = NaiveLinks()
  var unders = NaiveLinks()
  var watched: [(watched: Watched, isUnder: Bool, mirror: [Entity], token: Subscription)] = []
  var program: [String] = []

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    visible = context.group(Matcher(all: [Age.cid], none: [Hidden.cid]))
  }

  private static func sorted(_ entities: [Entity]) -> [Entity] {
    // The standard library's sort is stable.
    entities.sorted {
      ($0.get(Age.self)?.value ?? .max) < ($1.get(Age.self)?.value ?? .max)
    }
  }

  private mutating func watch(_ entity: Entity) {
    let kind = random.below(7)
    let visible = visible
    let made: Watched =
      switch kind {
      case 0:
        Watched(entity.sources(Follows.self).view()) { $0.sources(of: entity) }
      case 1:
        Watched(entity.targets(Follows.self).sorted(by: \Age.value)) {
          Self.sorted($0.targets(of: entity))
        }
      case 2:
        Watched(entity.sources(Follows.self).view(in: visible).sorted(by: \Age.value)) {
          Self.sorted($0.sources(of: entity).filter(visible.contains))
        }
      case 3:
        Watched(
          visible.related(Under.self, to: entity).filtered { (title: Title) in
            title.text.count > 1
          }
        ) { links in
          links.sources(of: entity).filter {
            visible.contains($0) && ($0.get(Title.self)?.text.count ?? 0) > 1
          }
        }
      case 4:
        Watched(entity.targets(Follows.self).sorted(by: \Age.value).limited(to: 2)) {
          Array(Self.sorted($0.targets(of: entity)).prefix(2))
        }
      case 5:
        Watched(entity.sources(Under.self).filtered { (age: Age) in age.value > 3 }) {
          $0.sources(of: entity).filter { ($0.get(Age.self)?.value ?? 0) > 3 }
        }
      default:
        Watched(entity.targets(Under.self).view()) { $0.targets(of: entity) }
      }
    let mirror = Array(made.view)
    let token = made.view.observe(initial: false) { [told = made.told] in
      told.append($0.difference)
    }
    watched.append((made, kind == 3 || kind > 4, mirror, token))
  }

  mutating func section() {
    let steps = random.oneIn(3) ? 1 + random.below(10) : 1
    program.append("section of \(steps)")
    if entities.count > 4, random.oneIn(6) { watch(entities[random.below(entities.count)]) }
    if watched.count > 12 { watched.removeFirst(random.below(6)) }
    context.perform { for _ in 0..<steps { step() } }
  }

  private mutating func step() {
    if entities.count < 6 || random.oneIn(10) {
      return entities.append(context.createEntity(with: Age(value: random.below(6))))
    }
    let one = entities[random.below(entities.count)]
    let other = entities[random.below(entities.count)]
    let choice = random.below(19)
    program.append("\(choice) \(one) \(other)")
    switch choice {
    case 0..<3:
      one.relate(Follows.self, to: other)
      if !follows.contains(one, other) { follows.append(one, other) }
    case 3..<6:
      one.relate(Under.self, to: other)
      guard !unders.contains(one, other) else { return }
      unders.removeAll { $0.0 == one }
      unders.append(one, other)
    case 6:
      other.sources(Follows.self).remove(one)
      follows.removeAll { $0 == (one, other) }
    case 7:
      one.unrelate(Under.self)
      unders.removeAll { $0.0 == one }
    case 8: one.set(Hidden())
    case 9: one.remove(Hidden.self)
    case 10: one.set(Title(text: String(repeating: "a", count: random.below(4))))
    case 11: one.remove([Age.cid, Title.cid][random.below(2)])
    case 12: destroy(one)
    case 16...: move(one, isUnder: random.oneIn(2), isTargets: random.oneIn(2))
    default: one.set(Age(value: random.below(6)))
    }
  }

  private mutating func move(_ entity: Entity, isUnder: Bool, isTargets: Bool) {
    var links = isUnder ? unders : follows
    if isUnder {
      move(Under.self, entity, isTargets, &links)
    } else {
      move(Follows.self, entity, isTargets, &links)
    }
    if isUnder { unders = links } else { follows = links }
  }

  private mutating func move<R: Relation>(
    _ relation: R.Type, _ entity: Entity, _ isTargets: Bool, _ links: inout NaiveLinks
  ) {
    let related = isTargets ? entity.targets(relation) : entity.sources(relation)
    let all = Array(related)
    guard all.count > 1 else { return }
    let (place, wanted) = (random.below(all.count), random.below(all.count))
    program.append("move \(all[place]) to \(wanted)")
    related.move(all[place], to: wanted)
    links.move(place, to: wanted, of: entity, isTargets)
  }

  private mutating func destroy(_ entity: Entity) {
    entity.destroy()
    entities.removeAll { !$0.isAlive }
    follows.removeAll { !$0.0.isAlive || !$0.1.isAlive }
    unders.removeAll { !$0.0.isAlive || !$0.1.isAlive }
  }

  /// Whether everything that can be seen is as it has to be.
  mutating func agrees() -> Bool {
    for number in watched.indices {
      let (watched, isUnder) = (watched[number].watched, watched[number].isUnder)
      let expected = watched.expected(isUnder ? unders : follows)
      let changes = watched.told.take()
      guard Array(watched.view) == expected, changes.count <= 1 else { return false }
      guard Array(watched.idle) == expected, watched.idle.count == expected.count,
        entities.allSatisfy({ watched.idle.contains($0) == expected.contains($0) })
      else { return false }
      for change in changes where !change.apply(to: &self.watched[number].mirror) { return false }
      guard self.watched[number].mirror == expected else { return false }
    }
    return true
  }
}

@Suite(.longRunning) struct RelatedViewModelTests {
  @Test(arguments: Effort.seeds(min(40, 2 * Effort.modelSeeds)))
  func `Views of related entities agree with the reference after every section`(seed: UInt64) {
    var run = RelatedViewRun(seed: seed)
    for _ in 0..<Effort.steps(300) {
      run.section()
      guard run.agrees() else {
        Issue.record("seed \(seed): \(run.program.suffix(14))")
        return
      }
    }
  }
}
