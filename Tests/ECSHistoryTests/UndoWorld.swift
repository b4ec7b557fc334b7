import ECS
import ECSTestSupport

/// A context, a program that changes it, and what there is to see.
// Guarded by the context: observers and the program use it in there only.
final class UndoWorld: @unchecked Sendable {
  struct Failure: Error {}
  struct Value: Component, Equatable { var value: Int }
  struct Text: Component, Equatable { var text: String }
  struct Only: UniqueComponent, Equatable { var rank: Int }

  /// It is not recorded.
  struct Extra: Component, Equatable { var value: Int }

  enum Likes: Relation {}
  enum In: ToOneRelation {}

  /// It is not recorded.
  enum Follows: Relation {}

  /// A copy of all that there is, by the numbers of entities.
  struct State: Equatable {
    enum Kind: Int, CaseIterable { case value, text, only, extra }
    struct Place: Hashable {
      let entity: Int
      let kind: Kind
    }
    struct Link: Hashable {
      let source: Int
      let target: Int
      let isLiking: Bool
    }
    var alive: Set<Int> = []
    var values: [Place: String] = [:]
    var links: Set<Link> = []

    func difference(from expected: State) -> String {
      var lines: [String] = []
      for entity in alive.symmetricDifference(expected.alive).sorted() {
        lines.append("#\(entity) is \(alive.contains(entity) ? "alive" : "dead")")
      }
      for place in Set(values.keys).union(expected.values.keys)
      where values[place] != expected.values[place] {
        lines.append(
          "#\(place.entity) \(place.kind): \(values[place] ?? "-"), expected \(expected.values[place] ?? "-")"
        )
      }
      for link in links.symmetricDifference(expected.links) {
        lines.append("\(link) is \(links.contains(link) ? "there" : "missing")")
      }
      return lines.joined(separator: "\n")
    }
  }

  let context = Context()
  private var entities: [Entity] = []
  private var numbers: [Entity: Int] = [:]

  /// Entities whose creation a transaction took back.
  private var undone: Set<Int> = []

  /// What a journal has reported.
  private var told = State()
  private var journal: Subscription?

  /// What an observer of a group has received: which entities have a value.
  private var observed: [Int: Int] = [:]
  private var token: Subscription?

  init() {
    journal = context.journal().observe { [weak self] commit in
      for change in commit { self?.follow(change) }
    }
    token = context.group(Value.matcher).observeChanges { [weak self] change in
      guard let self else { return }
      observed[number(change.entity)] =
        change.kind == .removed ? nil : change.new(Value.self)?.value
    }
  }

  // MARK: The program

  /// Changes something; entities that have nothing listed at first can be left out.
  func change(_ random: inout SplitMix64, mayBeginEmpty: Bool = true) {
    let entity = any(&random)
    switch random.below(17) {
    case 0, 1: make(context.createEntity(with: Value(value: random.below(4))))
    case 2 where mayBeginEmpty:
      make(context.createEntity())
      entities.last?.set(Text(text: "new"))
    case 3 where mayBeginEmpty: make(context.createEntity(with: Extra(value: random.below(4))))
    case 4: entity?.destroy()
    case 5:
      entity?.destroy()
      make(context.createEntity(with: Value(value: 9), Text(text: "instead")))
    case 6, 7: entity?.set(Value(value: random.below(4)))
    case 8: entity?.set(Text(text: "\(random.below(3))"))
    case 9: entity?.remove(Value.self)
    case 10: entity?.remove(Text.self)
    case 11: entity?.set(Only(rank: random.below(3)))
    case 12:
      if random.oneIn(2) { entity?.remove(Only.self) } else { entity?.set(Extra(value: 1)) }
    case 13: if let target = any(&random) { entity?.relate(Likes.self, to: target) }
    case 14: if let target = any(&random) { entity?.relate(In.self, to: target) }
    case 15:
      entity?.unrelate(random.oneIn(2) ? Likes.self : Likes.self).unrelate(In.self)
      if let target = any(&random) { entity?.relate(Follows.self, to: target) }
    default:
      context.group(Value.matcher).withEach { (_: Entity, value: inout Value) in
        if value.value == 2 { value.value = 3 }
      }
    }
  }

  private func any(_ random: inout SplitMix64) -> Entity? {
    // Recent ones: so that there is something to conflict with.
    entities.isEmpty ? nil : entities[max(0, entities.count - 1 - random.below(8))]
  }

  private func make(_ entity: Entity) {
    // A handle that was given out before must never come back.
    if numbers[entity] == nil {
      numbers[entity] = entities.count
    } else {
      duplicates += 1
    }
    entities.append(entity)
  }

  private var duplicates = 0
  private var strangers = 0

  /// Makes enough entities that all slots are used again.
  func makeMany() {
    context.perform {
      for _ in 0..<entities.count + 10 { make(context.createEntity()) }
    }
  }

  /// The entities that were made in what was taken back are dead for ever.
  func forgetUndone() {
    for (number, entity) in entities.enumerated() where !told.alive.contains(number) {
      if !entity.isAlive, !everTold.contains(number) { undone.insert(number) }
    }
  }

  // MARK: What there is to see

  private var everTold: Set<Int> = []

  private func number(_ entity: Entity) -> Int {
    if let number = numbers[entity] { return number }
    // The program gives entities numbers before journals are called.
    strangers += 1
    return -1
  }

  func state() -> State {
    var state = State()
    for (number, entity) in entities.enumerated() where entity.isAlive && numbers[entity] == number
    {
      state.alive.insert(number)
      if let value = entity.get(Value.self) {
        state.values[State.Place(entity: number, kind: .value)] = "\(value.value)"
      }
      if let text = entity.get(Text.self) {
        state.values[State.Place(entity: number, kind: .text)] = text.text
      }
      if let only = entity.get(Only.self) {
        state.values[State.Place(entity: number, kind: .only)] = "\(only.rank)"
      }
      if let extra = entity.get(Extra.self) {
        state.values[State.Place(entity: number, kind: .extra)] = "\(extra.value)"
      }
      for target in entity.targets(Likes.self).entities() {
        state.links.insert(
          State.Link(source: number, target: self.number(target), isLiking: true))
      }
      for target in entity.targets(In.self).entities() {
        state.links.insert(
          State.Link(source: number, target: self.number(target), isLiking: false))
      }
    }
    return state
  }

  private func text(_ component: any Component) -> (State.Kind, String)? {
    switch component {
    case let value as Value: (.value, "\(value.value)")
    case let text as Text: (.text, text.text)
    case let only as Only: (.only, "\(only.rank)")
    case let extra as Extra: (.extra, "\(extra.value)")
    default: nil
    }
  }

  /// Applies what a journal tells to a copy.
  private func follow(_ change: CommittedChange) {
    let number = number(change.entity)
    switch change.kind {
    case .created:
      told.alive.insert(number)
      everTold.insert(number)
    case .destroyed: told.alive.remove(number)
    case .linked, .unlinked:
      guard change.relation != Follows.self as any Relation.Type, let target = change.target
      else { return }
      let link = State.Link(
        source: number, target: self.number(target),
        isLiking: change.relation == Likes.self as any Relation.Type)
      if change.kind == .linked { told.links.insert(link) } else { told.links.remove(link) }
    default: break
    }
    for (kind, _) in change.oldComponents().compactMap(text) {
      told.values[State.Place(entity: number, kind: kind)] = nil
    }
    for (kind, value) in change.newComponents().compactMap(text) {
      told.values[State.Place(entity: number, kind: kind)] = value
    }
  }

  func check() -> String? {
    if strangers > 0 { return "an entity was told of that nobody made" }
    if duplicates > 0 { return "a handle was given out again" }
    if let number = undone.first(where: { entities[$0].isAlive }) {
      return "#\(number) lives, but never was"
    }
    let state = state()
    if told != state { return "a journal told otherwise: \(told.difference(from: state))" }
    for number in entities.indices {
      let value = state.values[State.Place(entity: number, kind: .value)].flatMap(Int.init)
      if observed[number] != value { return "an observer was told otherwise of #\(number)" }
    }
    return nil
  }
}
