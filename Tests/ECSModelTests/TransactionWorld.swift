import ECS
import ECSTestSupport

/// A context in which everything is listened to that there is, and a program that can be taken
/// back.
///
/// Entities are known by the order in which the program has made them: so what two worlds say can
/// be compared.
// Guarded by the context: observers and the program use it in there only.
final class TransactionWorld: @unchecked Sendable {
  struct Mark: Component {}
  struct Small: Component, Equatable { var value: Int32 }
  struct Wide: Component, Equatable { var value: Int }
  struct Pair: Component, Equatable { var first: Int, second: Int }
  struct Owner: Component {
    let number: Int
    let instance: TrackedInstance
  }
  struct Words: Component, Equatable { var words: [String] }
  struct Key: Component, Equatable { let value: Int }
  struct Leader: UniqueComponent { var rank: Int }
  struct Holder: UniqueComponent {
    let text: String
    let instance: TrackedInstance
  }

  enum Likes: Relation {}
  enum Marries: OneToOneRelation {}
  enum PartOf: ToOneRelation { static var deleteRule: DeleteRule { .cascade } }
  enum Rates: Relation { typealias Value = Owner }
  enum WorksFor: ToOneRelation { typealias Value = Small }

  struct Failure: Error {}

  let context = Context()
  let counter: LifeCounter
  private(set) var entities: [Entity] = []
  private(set) var events: [String] = []

  /// Entities whose creation was taken back.
  private(set) var undone: [Entity] = []

  private var numbers: [Entity: Int] = [:]
  private var subscriptions: [Subscription] = []
  private let groups: [Group]
  private let collectors: [Collector]
  private let views: [LiveView]
  private let byValue: Index<Int>
  private let byWord: Index<String>
  private let keys: PrimaryIndex<Key, Int>
  private var relatedViews: [LiveView] = []

  init(_ counter: LifeCounter) {
    self.counter = counter
    let context = context
    groups = [
      context.group(Wide.matcher), context.all([Small.cid, Pair.cid]),
      context.any([Owner.cid, Words.cid], none: [Mark.cid]), context.all([Leader.cid]),
      context.all([Key.cid]),
    ]
    collectors = [
      Collector(group: groups[0], type: .addedUpdatedOrRemoved),
      Collector(group: groups[1], type: .added, limit: 3),
      Collector(group: groups[2], type: .removed, limit: 5),
      Collector(group: groups[0], type: .addedOrUpdated),
    ]
    views = [
      groups[0].sorted(by: \Wide.value).start(),
      groups[0].filtered { (wide: Wide) in wide.value % 3 != 0 }
        .sorted(by: \Small.value, .descending).start(),
      groups[2].sorted(by: \Wide.value).limited(to: 4).start(),
      groups[1].filtered { (pair: Pair) in pair.first > 1 }.start(),
    ]
    byValue = context.index { (wide: Wide) in wide.value % 4 }
    byWord = context.index(keys: { (words: Words) in words.words })
    keys = context.primaryIndex { (key: Key) in key.value }
    makeTables()
    observe()
  }

  /// Makes a table for all types together, and for each subset of them: what one world makes while
  /// it tries something is in its place in the other one as well.
  private func makeTables() {
    for subset in 0..<256 {
      let entity = context.createEntity()
      for type in 0..<8 where subset & 1 << type != 0 {
        switch type {
        case 0: entity.set(Mark())
        case 1: entity.set(Small(value: 0))
        case 2: entity.set(Wide(value: 0))
        case 3: entity.set(Pair(first: 0, second: 0))
        case 4: entity.set(Owner(number: 0, instance: TrackedInstance(counter)))
        case 5: entity.set(Words(words: []))
        case 6: entity.set(Leader(rank: 0))
        default: entity.set(Holder(text: "", instance: TrackedInstance(counter)))
        }
      }
      entity.destroy()
    }
    for collector in collectors { _ = collector.drain() }
  }

  private func observe() {
    for (number, group) in groups.enumerated() {
      subscriptions.append(
        group.observeChanges { [weak self] in self?.note("group \(number)", $0) })
      subscriptions.append(
        group.observe(initial: false) { [weak self] _ in self?.events.append("whole \(number)") })
    }
    for (number, view) in views.enumerated() where number != 3 {
      subscriptions.append(
        view.observe(initial: false) { [weak self] in self?.note("view \(number)", $0) })
    }
    subscriptions.append(
      context.observeEvents { [weak self] event in
        guard let self else { return }
        switch event {
        case .created(let entity): events.append("created \(name(entity))")
        case .destroyed(let entity, let last):
          events.append("destroyed \(name(entity)) \(last.map(text))")
        default: break
        }
      })
  }

  // MARK: What there is to see

  func name(_ entity: Entity?) -> String {
    guard let entity else { return "nobody" }
    return numbers[entity].map { "#\($0)" } ?? "unknown \(entity)"
  }

  func text(_ component: any Component) -> String {
    switch component {
    case let owner as Owner: "Owner(\(owner.number))"
    case let holder as Holder: "Holder(\(holder.text))"
    default: "\(component)"
    }
  }

  private func note(_ what: String, _ change: Change) {
    let old = change.oldComponents().map(text)
    let new = change.newComponents().map(text)
    events.append(
      "\(what) \(change.kind) \(name(change.entity)) \(old) \(new) \(change.isByIteration)")
  }

  private func note(_ what: String, _ change: LiveViewChange) {
    let difference = change.difference
    func places(_ places: [LiveViewDifference.Place]) -> [String] {
      places.map { "\($0.offset): \(name($0.entity))" }
    }
    events.append(
      """
      \(what) - \(places(difference.removals)) + \(places(difference.insertions)) \
      > \(difference.moves.map { "\($0.from): \($0.to) \(name($0.entity))" }) \
      = \(places(difference.updates))
      """)
  }

  /// Everything that can be observed, collectors apart.
  func digest() -> [String] {
    context.perform {
      var lines: [String] = []
      for entity in entities where entity.isAlive {
        lines.append(
          """
          \(name(entity)) \(entity.components().map(text)) \
          \(entity.links().map { "\($0.relation) \(name($0.target)) \($0.value.map(text) ?? "")" }) \
          \(names(entity.sources(Likes.self))) \(names(entity.sources(Marries.self))) \
          \(names(entity.sources(PartOf.self))) \(names(entity.children)) \
          \(names(entity.sources(Rates.self))) \(names(entity.sources(WorksFor.self)))
          """)
      }
      lines.append("all \(names(context.entities())) of \(context.count)")
      lines += groups.map { "group \($0.count) \(names($0)) \(names($0.sorted()))" }
      lines += views.map { "view \($0.count) \(names($0))" }
      lines += relatedViews.map { "related \($0.count) \(names($0))" }
      lines += (0..<4).map { "value \($0) \(names(byValue[$0]))" }
      lines += (0..<5).map { "word \($0) \(names(byWord["\($0)"]))" }
      lines += (0..<6).map { "key \($0) \(name(keys[$0]))" }
      lines.append("keys \(byValue.keyCount) \(byWord.keyCount) \(keys.count)")
      lines.append("\(Likes.self): \(context.linkCount(Likes.self))")
      lines.append(
        "leader \(name(context.uniqueEntity(Leader.self))) \(context.uniqueComponent(Leader.self)?.rank ?? -1)"
      )
      lines.append(
        "holder \(name(context.uniqueEntity(Holder.self))) \(context.uniqueComponent(Holder.self)?.text ?? "-")"
      )
      return lines
    }
  }

  /// The handles themselves, with the numbers of creation, row by row.
  func exactDigest() -> [String] {
    context.perform {
      digest() + groups.map { "\($0.map { "\($0.description) \($0.creationNumber ?? 0)" })" }
        + collectors.map { "\($0.count) of \($0.lostCount)" }
        + entities.map { entity in "\(collectors.map { $0.contains(entity) })" }
    }
  }

  /// What is in the collectors, which are empty then.
  func drain() -> [String] {
    context.perform { collectors.map { "\(names($0.drain())) \($0.lostCount)" } }
  }

  private func names(_ entities: some Sequence<Entity>) -> [String] { entities.map(name) }

  func takeEvents() -> [String] {
    context.perform {
      defer { events = [] }
      return events
    }
  }

  // MARK: Programs

  /// Runs a body that fails and is taken back, as far as the world keeps accounts of its own.
  func fail(_ body: () throws(Failure) -> Void) {
    let count = entities.count
    do throws(Failure) {
      try context.transaction { () throws(Failure) in
        try body()
        throw Failure()
      }
    } catch {}
    for entity in entities[count...] {
      numbers[entity] = nil
      undone.append(entity)
    }
    entities.removeLast(entities.count - count)
  }

  private func add(_ entity: Entity) {
    guard numbers[entity] == nil else { return }
    numbers[entity] = entities.count
    entities.append(entity)
  }

  private func watch(_ entity: Entity) {
    subscriptions.append(
      entity.observeChanges { [weak self] in self?.note("entity", $0) })
    subscriptions.append(
      entity.sources(Likes.self).observe(initial: false) { [weak self] likes in
        self.map { $0.events.append("likes \($0.name(likes.entity))") }
      })
    let view = entity.sources(Likes.self).sorted(by: \Small.value).start()
    relatedViews.append(view)
    subscriptions.append(
      view.observe(initial: false) { [weak self] in self?.note("related", $0) })
    relatedViews.append(
      entity.targets(Likes.self).filtered { (wide: Wide) in wide.value > 2 }.start())
  }

  /// Makes an entity that others listen to; not in transactions, of which listeners are no part.
  func makeWatched(_ random: inout SplitMix64) {
    let entity = context.createEntity(with: Wide(value: random.below(9)))
    add(entity)
    watch(entity)
  }

  private func some(_ random: inout SplitMix64) -> Entity {
    guard !entities.isEmpty else {
      add(context.createEntity())
      return entities[0]
    }
    // Mostly young ones, which are alive.
    let count = min(entities.count, random.oneIn(3) ? entities.count : 12)
    return entities[entities.count - 1 - random.below(count)]
  }

  func step(_ random: inout SplitMix64) {
    let entity = some(&random)
    let other = some(&random)
    let value = random.below(9)
    switch random.below(48) {
    case 0: add(context.createEntity())
    case 1: add(context.createEntity(with: Wide(value: value), Small(value: Int32(value))))
    case 2:
      for made in context.createEntities(3, with: Pair(first: value, second: 1), Mark()) {
        add(made)
      }
    case 3:
      let instance = TrackedInstance(counter)
      for made in context.createEntities(2, with: Owner(number: value, instance: instance)) {
        add(made)
      }
    case 4, 5: entity.destroy()
    case 6: entity.set(Mark())
    case 7: entity.set(Small(value: Int32(value)))
    case 8, 9, 10: entity.set(Wide(value: value))
    case 11: entity.set(Pair(first: value, second: 2))
    case 12: entity.set(Owner(number: value, instance: TrackedInstance(counter)))
    case 13: entity.set(Words(words: (0..<random.below(4)).map { "\((value + $0 * 3) % 5)" }))
    case 14: entity.remove(Mark.self).remove(Small.self)
    case 15: entity.remove(Wide.self)
    case 16: entity.remove(Owner.self)
    case 17: entity.remove(Words.self).remove(Pair.self)
    case 18: entity.update(Words.self) { $0.words.append("\(value % 5)") }
    case 19: entity.update(Pair.self) { $0.second += value }
    case 20: entity.set(Leader(rank: value))
    case 21:
      context.setUniqueComponent(Leader(rank: value))
      context.uniqueEntity(Leader.self).map(add)
    case 22:
      context.setUniqueComponent(Holder(text: "\(value)", instance: TrackedInstance(counter)))
      context.uniqueEntity(Holder.self).map(add)
    case 23: context.removeUniqueComponent(Leader.self)
    case 24: context.removeUniqueComponent(Holder.self)
    case 25: add(context.createEntity(with: Leader(rank: value), Words(words: ["\(value % 5)"])))
    case 26: add(keys.getOrCreate(Key(value: value % 6)))
    case 27: keys[value % 6]?.remove(Key.self)
    case 28, 29: entity.relate(Likes.self, to: other)
    case 30: entity.unrelate(Likes.self, from: other)
    case 31: entity.relate(Marries.self, to: other)
    case 32: entity.relate(PartOf.self, to: other)
    case 33: try? entity.setParent(value == 0 ? nil : other)
    case 34: entity.sources(Likes.self).removeAll()
    case 35: iterate(value, &random)
    case 36: _ = collectors[value % 4].drain()
    case 37: collectors[value % 4].popFirst().map { collectors[value % 4].restore([$0]) }
    case 38: groups[value % 5].notify()
    case 39: entity.targets(Likes.self).insert(other, at: value % 3)
    case 40: entity.sources(Likes.self).move(other, to: value % 3)
    case 41, 42: entity.relate(Rates.self, to: other, owner(value))
    case 43: entity.update(Rates.self, to: other) { $0 = owner($0.number + 1) }
    case 44: entity.unrelate(Rates.self, from: other)
    case 45: entity.relate(WorksFor.self, to: other, Small(value: Int32(value)))
    case 46: entity.update(WorksFor.self, to: other) { $0.value += 1 }
    default: if random.oneIn(20) { context.destroyAllEntities() }
    }
  }

  private func owner(_ number: Int) -> Owner {
    Owner(number: number, instance: TrackedInstance(counter))
  }

  private func iterate(_ value: Int, _ random: inout SplitMix64) {
    let target = some(&random)
    switch value {
    case 0..<3:
      groups[0].withEach { (entity, wide: inout Wide) in
        if wide.value == value { wide.value += 1 }
        if entity == target { entity.set(Small(value: 7)) }
        if wide.value == 5 { entity.relate(Rates.self, to: target, owner(value)) }
        entity.update(Rates.self, to: target) { $0 = owner($0.number + 1) }
      }
    case 3..<5:
      groups[2].withEach { (entity, words: inout Words) in
        words.words.append("\(value % 5)")
        if entity == target { entity.destroy() }
      }
    case 5..<7:
      groups[0].withChunks { (_, wides: inout MutableSpan<Wide>) in wides[0].value = value }
    default:
      groups[0].withEach { (entity, wide: Wide) in
        if wide.value == value { add(context.createEntity(with: Small(value: 1))) }
        if entity == target { entity.set(Mark()) }
      }
    }
  }
}
