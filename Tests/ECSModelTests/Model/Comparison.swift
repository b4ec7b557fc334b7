import ECS

/// Runs a program on a context and on the reference, and compares all that can be observed.
final class Comparison {
  let live: Live
  let reference: Reference
  private let livePlayer: Player<Live>
  private let referencePlayer: Player<Reference>
  private var stepCount = 0

  /// Whether the next event that is delivered is withheld, as a fault would.
  var losesEvent = false

  /// Whose turn it is to be compared in whole; nil if it is the turn of all.
  private var turn: Int?

  private func isTurn(of number: Int, every count: Int) -> Bool {
    turn.map { ($0 + number) % count == 0 } ?? true
  }

  init() {
    let orders = Orders()
    live = Live(orders: orders)
    reference = Reference(orders: orders)
    livePlayer = Player(live)
    referencePlayer = Player(reference)
  }

  /// Plays a step on both and tells the first difference, if there is one.
  func play(_ step: Step) -> String? {
    stepCount += 1
    turn = stepCount
    reset()
    livePlayer.play(step)
    referencePlayer.play(step)
    if losesEvent, live.trace.popLast() != nil { losesEvent = false }
    return compareTraces() ?? compareCounts() ?? compareEntities() ?? compareGroups()
      ?? compareIndexes() ?? compareCollectors() ?? compareUnique()
  }

  /// Compares, all at once, what `play` compares in turns.
  func compareAll() -> String? {
    reference.touched = Set(0..<reference.entityCount)
    turn = nil
    return compareEntities() ?? compareGroups() ?? compareIndexes()
  }

  private func reset() {
    live.trace.removeAll(keepingCapacity: true)
    reference.trace.removeAll(keepingCapacity: true)
    reference.touched.removeAll(keepingCapacity: true)
    reference.orders.forget()
  }

  private func compareTraces() -> String? {
    if live.trace == reference.trace { return nil }
    let count = max(live.trace.count, reference.trace.count)
    let lines = (0..<count).map { number -> String in
      let actual = number < live.trace.count ? "\(live.trace[number])" : "nothing"
      let expected = number < reference.trace.count ? "\(reference.trace[number])" : "nothing"
      return actual == expected ? "  \(actual)" : "! \(actual)\n  instead of \(expected)"
    }
    return "Other events:\n" + lines.joined(separator: "\n")
  }

  private func difference<T: Equatable>(_ what: String, _ actual: T, _ expected: T) -> String? {
    actual == expected ? nil : "\(what): \(actual) instead of \(expected)"
  }

  private func compareCounts() -> String? {
    let statistics = live.context.statistics
    return difference("known entities", live.handles.count, reference.entityCount)
      ?? difference("count", live.context.count, reference.entities.count)
      ?? difference("entities", statistics.entities, reference.entities.count)
      ?? difference("groups", statistics.groups, reference.groups.count)
      ?? difference(
        "collectors", statistics.collectors, reference.collectors.count { $0 != nil })
      ?? difference("stale writes", statistics.staleWrites, reference.staleWrites)
  }

  /// Compares the entities that the step changed, and some others in turn.
  private func compareEntities() -> String? {
    guard reference.entityCount > 0 else { return nil }
    reference.touched.insert(stepCount % reference.entityCount)
    for entity in reference.touched {
      let components = reference.entities[entity]
      let handle = live.handles[entity]
      guard handle.isAlive == (components != nil), handle.isEmpty == (components ?? [:]).isEmpty
      else { return "Entity \(entity) is alive: \(handle.isAlive)" }
      for kind in Kind.types.indices {
        let number = components?[kind]
        guard live.number(entity, kind) == number, handle.has(Kind.ids[kind]) == (number != nil)
        else {
          return difference("kind \(kind) of \(entity)", live.number(entity, kind), number)
        }
      }
      for (number, group) in live.groups.enumerated() {
        let isMember = reference.matches(reference.groups[number], components)
        guard group.contains(handle) == isMember, group.matcher.matches(handle) == isMember else {
          return "Group \(group) contains \(entity): not \(isMember)"
        }
      }
      for (number, collector) in reference.collectors.enumerated() {
        guard let collector else { continue }
        let isCollected = live.collectors[number]?.contains(handle)
        if isCollected != collector.entities.contains(entity) {
          return "Collector \(number) contains \(entity): \(String(describing: isCollected))"
        }
      }
    }
    return nil
  }

  private func compareGroups() -> String? {
    for (number, group) in live.groups.enumerated() where isTurn(of: number, every: 6) {
      let members = reference.members(number)
      guard group.count == members.count, group.isEmpty == members.isEmpty else {
        return difference("count of \(group)", group.count, members.count)
      }
      let sorted = group.sorted().map(live.number(of:))
      guard sorted == members else { return difference("sorted \(group)", sorted, members) }
      let iterated = group.map(live.number(of:))
      guard iterated.sorted() == members, iterated.first == group.first.map(live.number(of:))
      else { return difference("\(group)", iterated, members) }
      if let difference = compareOrder(of: group, members) { return difference }
    }
    return nil
  }

  /// Compares a group sorted by the first of its components, as kept for this object.
  private func compareOrder(of group: Group, _ members: [Int]) -> String? {
    guard let kind = group.matcher.all.compactMap({ Kind.numbers[$0] }).min() else { return nil }
    let sorted = group.sorted(forObject: self) { left, right in
      let numbers = [left, right].map { live.number(live.number(of: $0), kind) ?? -1 }
      return numbers[0] < numbers[1]
    }
    // Not by the standard library: by value, then by creation, as the keys of one number.
    let expected = members.sorted { left, right in
      let numbers = [left, right].map { reference.entities[$0]?[kind] ?? -1 }
      return (numbers[0], left) < (numbers[1], right)
    }
    return difference("\(group) in order", sorted.map(live.number(of:)), expected)
  }

  private func compareIndexes() -> String? {
    for (number, index) in reference.indexes.enumerated() {
      guard let index, let actual = live.indexes[number] else { continue }
      guard actual.keyCount == index.buckets.count, actual.isPaused == index.isPaused else {
        return difference("keys of index \(number)", actual.keyCount, index.buckets.count)
      }
      guard isTurn(of: number, every: 4) else { continue }
      for key in 0..<8 {
        let bucket = index.buckets[key] ?? []
        let entities = actual[key].map(live.number(of:))
        guard entities == bucket, actual.count(for: key) == bucket.count,
          actual.first(for: key).map(live.number(of:)) == bucket.first
        else { return difference("index \(number) at \(key)", entities, bucket) }
      }
    }
    for key in 0..<8 where isTurn(of: key, every: 4) {
      let owner = live.primary[key].map(live.number(of:))
      guard owner == reference.owner(of: key) else {
        return difference("owner of key \(key)", owner, reference.owner(of: key))
      }
    }
    return nil
  }

  private func compareCollectors() -> String? {
    for (number, collector) in reference.collectors.enumerated() {
      guard let collector, let actual = live.collectors[number] else { continue }
      guard actual.count == collector.entities.count, actual.isPaused == collector.isPaused,
        actual.isEmpty == collector.entities.isEmpty, actual.lostCount == collector.lostCount
      else { return difference("collector \(number)", actual.count, collector.entities.count) }
    }
    return nil
  }

  private func compareUnique() -> String? {
    func compare<C: ModelUniqueComponent>(_ type: C.Type) -> String? {
      let kind = Kind.numbers[type.cid] ?? -1
      let expected = reference.holder(kind)
      let number = expected.flatMap { reference.number($0, kind) }
      let holder = live.context.uniqueEntity(type).map(live.number(of:))
      return difference("holder of \(type)", holder, expected)
        ?? difference("\(type)", live.context.uniqueComponent(type)?.number, number)
        ?? difference("has \(type)", live.context.hasUniqueComponent(type), expected != nil)
    }
    return compare(Camera.self) ?? compare(Service.self)
  }
}
