import ECS
import ECSTestSupport

/// A context that is changed by bulk calls, or by the same changes of one entity after the other.
///
/// Entities are known by slot and generation, which have to be the same, too.
// Guarded by the context: observers and the program use it in there only.
final class BulkWorld: @unchecked Sendable {
  struct Mark: Component {}
  struct Small: Component { var value: Int32 }
  struct Wide: Component { var value: Int }
  struct Large: Component { var first: Int, second: Int, third: Int }
  struct Owner: Component {
    let number: Int
    let instance: TrackedInstance
  }
  struct Words: Component { var words: [String] }
  struct Leader: UniqueComponent { let rank: Int }
  enum Likes: Relation {}
  enum PartOf: ToOneRelation { static var deleteRule: DeleteRule { .cascade } }

  struct Failure: Error {}

  /// What is there beside the entities.
  enum Audience: Int, CaseIterable {
    case nobody
    case groups
    case collectors
    case views
    case observers
    case journal
    case relations
    case everybody
  }

  let context = Context()
  private let isBulk: Bool
  private let counter: LifeCounter
  private let groups: [Group]
  private var collectors: [Collector] = []
  private var views: [LiveView] = []
  private var byValue: Index<Int>?
  private var byWord: Index<String>?
  private var subscriptions: [Subscription] = []
  private var events: [String] = []
  private let hasRelations: Bool

  /// How many entities had had the first slot when the context began: it may have got it from
  /// another one.
  private let generation: UInt32

  init(isBulk: Bool, _ audience: Audience, _ counter: LifeCounter) {
    self.isBulk = isBulk
    self.counter = counter
    let first = context.createEntity()
    generation = first.numbers.generation
    first.destroy()
    let all = audience == .everybody
    hasRelations = all || audience == .relations
    groups = [
      context.group(Wide.matcher), context.group(Small.matcher), context.group(Mark.matcher),
      context.group(Matcher(any: [Owner.cid, Words.cid], none: [Mark.cid])),
      context.group(Matcher(any: [Large.cid, Small.cid, Leader.cid])),
      context.group(Matcher(all: [Wide.cid], none: [Small.cid, Large.cid])),
    ]
    if all || audience == .collectors { collect() }
    if all || audience == .views {
      views = [
        groups[0].sorted(by: \Wide.value).start(),
        groups[3].filtered { (words: Words) in words.words.count > 1 }.start(),
      ]
    }
    if all || audience == .observers { observe() }
    if all || audience == .journal {
      subscriptions.append(
        context.journal().observe { [weak self] commit in
          for change in commit { self?.note(change) }
        })
    }
  }

  private func collect() {
    collectors = [
      Collector(group: groups[0], type: .addedUpdatedOrRemoved),
      Collector(group: groups[2], type: .removed),
      Collector(group: groups[3], type: .added, limit: 7),
    ]
    byValue = context.index { (wide: Wide) in wide.value % 4 }
    byWord = context.index(keys: { (words: Words) in words.words })
  }

  private func observe() {
    for (number, group) in groups.enumerated() where number % 2 == 0 {
      subscriptions.append(
        group.observeChanges { [weak self] change in
          guard let self else { return }
          events.append(
            "group \(number): \(change.kind) \(name(change.entity)) "
              + "\(change.oldComponents().map(text)) \(change.newComponents().map(text))")
        })
    }
    subscriptions.append(
      groups[3].observe(initial: false) { [weak self] _ in self?.events.append("whole group") })
  }

  private func note(_ change: CommittedChange) {
    events.append(
      "journal: \(change.kind) \(name(change.entity)) \(change.component?.name ?? "-") "
        + "\(change.oldComponents().map(text)) \(change.newComponents().map(text)) "
        + "\(change.target.map(name) ?? "-")")
  }

  private func name(_ entity: Entity) -> String {
    "\(entity.numbers.slot).\(entity.numbers.generation - generation)"
  }

  private func text(_ component: any Component) -> String {
    if let owner = component as? Owner { return "Owner(\(owner.number))" }
    return "\(component)"
  }

  // MARK: What there is to see

  func digest() -> [String] {
    context.perform {
      defer { events = [] }
      var lines = context.entities().map { entity in
        "\(name(entity)) \(entity.components().map(text)) \(entity.creationNumber ?? 0) "
          + "\(entity.links().map { "\($0.relation) \(name($0.target))" })"
      }
      lines += groups.map { "group \($0.map(name)) \($0.count) \($0.sorted().map(name))" }
      lines += collectors.map { "collector \($0.count) \($0.lostCount)" }
      lines += views.map { "view \($0.map(name))" }
      if let byValue { lines += (0..<4).map { "value \(byValue[$0].map(name))" } }
      if let byWord { lines += (0..<5).map { "word \(byWord["\($0)"].map(name))" } }
      lines.append("leader \(context.uniqueEntity(Leader.self).map(name) ?? "-")")
      lines.append("\(context.statistics.staleWrites) \(context.count) \(counter.living)")
      return lines + events
    }
  }

  // MARK: Programs

  func step(_ random: inout SplitMix64) {
    let group = groups[random.below(groups.count)]
    // Few enough to look at after each step.
    if context.count > 250 { destroyAll(groups[0]) }
    switch random.below(20) {
    case 0..<5: create(&random)
    case 5: createFromSequence(&random)
    case 6..<10: change(context.entities().randomElement(using: &random), &random)
    case 10..<16: changeAll(of: group, &random)
    case 16:
      var other = SplitMix64(seed: random.next())
      _ = groups[0].firstNonNil { (_, _: Wide) in
        for _ in 0..<2 { changeAll(of: groups[other.below(groups.count)], &other) }
        return true
      }
    case 17:
      var other = SplitMix64(seed: random.next())
      context.entities().first?.update(Words.self) { _ in changeAll(of: group, &other) }
    case 18:
      try? context.transaction { () throws(Failure) in
        for _ in 0..<3 { changeAll(of: groups[random.below(groups.count)], &random) }
        if random.oneIn(2) { throw Failure() }
      }
    default: for collector in collectors { events.append("\(collector.drain().map(name))") }
    }
  }

  private func create(_ random: inout SplitMix64) {
    for _ in 0..<random.below(random.oneIn(8) ? 80 : 6) {
      let entity = context.createEntity()
      for _ in 0..<random.below(4) { change(entity, &random) }
    }
  }

  private func createFromSequence(_ random: inout SplitMix64) {
    let numbers = 0..<random.below(90)
    let seed = random.below(10)
    switch random.below(4) {
    case 0:
      if isBulk {
        context.createEntities(from: numbers) { (Wide(value: $0 % 7), self.owner($0)) }
      } else {
        context.perform {
          for number in numbers {
            context.createEntity(with: Wide(value: number % 7), owner(number))
          }
        }
      }
    case 1:
      if isBulk {
        context.createEntities(from: AnySequence(numbers)) { Words(words: ["\($0 % 5)"]) }
      } else {
        context.perform {
          for number in numbers { context.createEntity(with: Words(words: ["\(number % 5)"])) }
        }
      }
    case 2:
      // Nothing comes of it.
      _ = try? context.createEntities(from: numbers) { number throws(Failure) in
        if number == seed { throw Failure() }
        return (owner(number), Mark())
      }
    default:
      if isBulk {
        context.createEntities(from: numbers.prefix(1)) { (Leader(rank: $0), Mark()) }
      } else if !numbers.isEmpty {
        context.createEntity(with: Leader(rank: 0), Mark())
      }
    }
  }

  private func owner(_ number: Int) -> Owner {
    Owner(number: number, instance: TrackedInstance(counter))
  }

  private func change(_ entity: Entity?, _ random: inout SplitMix64) {
    let value = random.below(9)
    guard let entity else { return }
    switch random.below(17) {
    case 0: entity.destroy()
    case 1, 2: entity.set(Mark())
    case 3, 4: entity.set(Small(value: Int32(value)))
    case 5, 6: entity.set(Wide(value: value))
    case 7: entity.set(Large(first: value, second: 0, third: 1))
    case 8: entity.set(owner(value))
    case 9: entity.set(Words(words: ["\(value % 5)", "1"]))
    case 10: entity.remove(Mark.self).remove(Wide.self)
    case 11: entity.remove(Words.self)
    case 12: entity.set(Leader(rank: value))
    default:
      guard hasRelations, let other = context.entities().last else { return }
      if value < 5 {
        entity.relate(Likes.self, to: other)
      } else if entity != other {
        entity.relate(PartOf.self, to: other)
      }
    }
  }

  private func changeAll(of group: Group, _ random: inout SplitMix64) {
    let value = random.below(9)
    switch random.below(16) {
    case 0, 1: set(Mark(), group)
    case 2: set(Small(value: Int32(value)), group)
    case 3: set(Wide(value: value), group)
    case 4: set(Large(first: value, second: 1, third: 2), group)
    case 5: set(owner(value), group)
    case 6: set(Words(words: ["\(value % 5)", "2"]), group)
    case 7: if value < 3 { set(Leader(rank: value), group) }
    case 8, 9: remove(Mark.self, group)
    case 10: remove(Small.self, group)
    case 11: remove(value < 5 ? Large.self : Leader.self, group)
    case 12: remove(value < 5 ? Owner.self : Wide.self, group)
    case 13: remove(Words.self, group)
    case 14: if value < 5 { destroyAll(group) }
    default: context.compact()
    }
  }

  private func set<C: Component>(_ component: C, _ group: Group) {
    if isBulk { return group.set(component) }
    context.perform { for entity in group { entity.set(component) } }
  }

  private func remove(_ type: any Component.Type, _ group: Group) {
    remove(CID(type), group)
  }

  private func remove(_ cid: CID, _ group: Group) {
    if isBulk { return group.remove(cid) }
    context.perform { for entity in group { entity.remove(cid) } }
  }

  private func destroyAll(_ group: Group) {
    if isBulk { return group.destroyAll() }
    context.perform { for entity in group { entity.destroy() } }
  }
}
