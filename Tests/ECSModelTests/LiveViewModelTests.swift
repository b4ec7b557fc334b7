import ECS
import ECSTestSupport
import Testing

private struct Age: Component { var value: Int }
private struct Title: Component { var text: String }
private struct Weight: Component { var value: Double? }
private struct Hidden: Component {}

/// A view and how a naive program would compute its contents.
private final class Watched: Sendable {
  typealias Key = @Sendable (Entity, Entity) -> Int

  let name: String
  let view: LiveView

  /// The same view, which is never started.
  let idle: LiveView
  let belongs: @Sendable (Entity) -> Bool
  let keys: [Key]
  let limit: Int
  let changes = Recorder<LiveViewDifference>()

  init(
    _ name: String, _ view: @autoclosure () -> LiveView, _ keys: [Key], limit: Int = .max,
    _ belongs: @escaping @Sendable (Entity) -> Bool
  ) {
    self.name = name
    self.view = view()
    idle = view()
    self.belongs = belongs
    self.keys = keys
    self.limit = limit
  }

  func expected(of entities: [Entity]) -> [Entity] {
    let sorted = entities.filter { $0.isAlive && belongs($0) }.sorted { one, other in
      for key in keys {
        let order = key(one, other)
        if order != 0 { return order < 0 }
      }
      return (one.creationNumber ?? .max) < (other.creationNumber ?? .max)
    }
    return Array(sorted.prefix(limit))
  }

  static func key<Value: Comparable & Sendable>(
    descending: Bool = false, _ read: @escaping @Sendable (Entity) -> Value?
  ) -> Key {
    { one, other in
      switch (read(one), read(other)) {
      case (nil, nil): return 0
      case (nil, _): return 1
      case (_, nil): return -1
      case (let left?, let right?):
        return left == right ? 0 : (left < right) != descending ? -1 : 1
      }
    }
  }
}

private struct LiveViewRun {
  let context = Context()
  var random: SplitMix64
  var entities: [Entity] = []
  let watched: [Watched]
  var subscriptions: [Subscription] = []
  var mirrors: [[Entity]]
  var program: [String] = []

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    let ages = context.group(Matcher(all: [Age.cid], none: [Hidden.cid]))
    let age = Watched.key { $0.get(Age.self)?.value }
    let downwards = Watched.key(descending: true) { $0.get(Age.self)?.value }
    let title = Watched.key { $0.get(Title.self)?.text }
    let weight = Watched.key(descending: true) { $0.get(Weight.self)?.value }
    let isVisible: @Sendable (Entity) -> Bool = { $0.has(Age.self) && !$0.has(Hidden.self) }
    watched = [
      Watched("all", ages.view(), [], isVisible),
      Watched("age", ages.sorted(by: \Age.value), [age], isVisible),
      Watched("downwards", ages.sorted(by: \Age.value, .descending), [downwards], isVisible),
      Watched(
        "young", ages.filtered { (age: Age) in age.value < 5 }.sorted(by: \Title.text),
        [title]
      ) { isVisible($0) && ($0.get(Age.self)?.value ?? 9) < 5 },
      Watched(
        "weight", ages.sorted(by: \Weight.value, .descending).then(by: \Age.value), [weight, age],
        isVisible),
      Watched(
        "titled",
        context.group(Title.matcher).filtered { (title: Title, age: Age) in
          title.text.count > age.value
        }.sorted(by: \Age.value).sorted(by: \Title.text, .descending),
        [Watched.key(descending: true) { $0.get(Title.self)?.text }, age]
      ) { entity in
        guard let title = entity.get(Title.self), let age = entity.get(Age.self) else {
          return false
        }
        return title.text.count > age.value
      },
      Watched("oldest", ages.limited(to: 3), [], limit: 3, isVisible),
      Watched(
        "lowest three", ages.sorted(by: \Age.value).limited(to: 3), [age], limit: 3, isVisible),
      Watched(
        "highest five", ages.limited(to: 9).limited(to: 5).sorted(by: \Age.value, .descending),
        [downwards], limit: 5, isVisible),
      Watched(
        "one of the young",
        ages.sorted(by: \Title.text).limited(to: 1).filtered { (age: Age) in age.value < 5 },
        [title], limit: 1
      ) { isVisible($0) && ($0.get(Age.self)?.value ?? 9) < 5 },
      Watched("nobody", ages.limited(to: 0), [], limit: 0, isVisible),
    ]
    mirrors = watched.map { _ in [] }
    for watched in watched {
      subscriptions.append(
        watched.view.observe(initial: false) { watched.changes.append($0.difference) })
    }
  }

  mutating func section() {
    let steps = random.oneIn(3) ? 1 + random.below(12) : 1
    program.append("section of \(steps)")
    context.perform { for _ in 0..<steps { step() } }
  }

  /// A section of many changes, in whose course views are read; what is wrong with one, if
  /// anything.
  mutating func longSection() -> String? {
    let steps = 20 + random.below(80)
    program.append("section of \(steps), read meanwhile")
    return context.perform {
      for _ in 0..<steps {
        step()
        guard random.oneIn(10) else { continue }
        let watched = watched[random.below(watched.count)]
        let expected = watched.expected(of: entities)
        let position = random.below(entities.count + 1)
        guard watched.view[position] == (position < expected.count ? expected[position] : nil),
          random.oneIn(2) || Array(watched.view) == expected
        else { return "\(watched.name), in a section" }
      }
      return nil
    }
  }

  private mutating func step() {
    if entities.count < 5 || random.oneIn(8) {
      let entity = context.createEntity(with: Age(value: random.below(8)))
      entities.append(entity)
      program.append("create \(entity)")
      return
    }
    let entity = entities[random.below(entities.count)]
    let choice = random.below(14)
    program.append("\(choice) \(entity)")
    switch choice {
    case 0..<5: entity.set(Age(value: random.below(8)))
    case 5..<8: entity.set(Title(text: String(repeating: "ab", count: random.below(6))))
    case 8: entity.set(Weight(value: random.oneIn(4) ? nil : Double(random.below(4)) - 2))
    case 9: entity.set(Hidden())
    case 10: entity.remove(Hidden.self)
    case 11: entity.remove([Age.cid, Title.cid, Weight.cid][random.below(3)])
    case 12: entity.update(Age.self) { $0.value += 0 }
    default:
      entity.destroy()
      entities.removeAll { !$0.isAlive }
    }
  }

  /// Whether all parts of a view are as expected.
  private func agree(_ view: LiveView, _ expected: [Entity]) -> Bool {
    let members = Set(expected)
    return view.first(2) == EntitySet(expected.prefix(2)) && view.last == expected.last
      && view[expected.count] == nil
      && entities.allSatisfy { view.contains($0) == members.contains($0) }
  }

  /// What is wrong with a view, if anything.
  mutating func fault(observing: Bool) -> String? {
    for (number, watched) in watched.enumerated() {
      let expected = watched.expected(of: entities)
      let contents = Array(watched.view)
      guard contents == expected else { return "\(watched.name): contents" }
      guard watched.view.count == expected.count else { return "\(watched.name): count" }
      guard watched.idle.count == expected.count, Array(watched.idle) == expected else {
        return "\(watched.name): not started"
      }
      let members = Set(expected)
      for entity in entities where watched.view.contains(entity) != members.contains(entity) {
        return "\(watched.name): \(entity)"
      }
      for (position, entity) in expected.enumerated() {
        guard watched.view[position] == entity, watched.view.position(of: entity) == position else {
          return "\(watched.name): position \(position)"
        }
      }
      guard watched.view.first(2) == EntitySet(expected.prefix(2)),
        watched.view.last == expected.last, watched.view[expected.count] == nil
      else { return "\(watched.name): ends" }
      // What is not started looks for the first ones each time.
      guard number != program.count % self.watched.count || agree(watched.idle, expected) else {
        return "\(watched.name): parts of what is not started"
      }
      let changes = watched.changes.take()
      guard changes.count <= 1 else { return "\(watched.name): \(changes.count) notifications" }
      guard observing else { continue }
      if let change = changes.first {
        guard !change.isEmpty else { return "\(watched.name): told of nothing" }
        guard change.apply(to: &mirrors[number]) else { return "\(watched.name): not applicable" }
      }
      guard mirrors[number] == expected else { return "\(watched.name): difference" }
    }
    return nil
  }
}

@Suite(.longRunning) struct LiveViewModelTests {
  @Test(arguments: Effort.seeds(Effort.modelSeeds / 2))
  func `Views and their differences agree with the reference after every section`(seed: UInt64) {
    var run = LiveViewRun(seed: seed)
    for _ in 0..<Effort.steps(200) {
      run.section()
      if let fault = run.fault(observing: true) {
        Issue.record("seed \(seed), \(fault): \(run.program.suffix(14))")
        return
      }
    }
  }

  @Test(arguments: Effort.seeds(Effort.modelSeeds / 4))
  func `Views that nothing observes agree with the reference, too`(seed: UInt64) {
    var run = LiveViewRun(seed: seed)
    run.subscriptions = []
    for number in 0..<Effort.steps(200) {
      let inSection = number % 8 == 7 ? run.longSection() : nil
      if inSection == nil { run.section() }
      if let fault = inSection ?? run.fault(observing: false) {
        Issue.record("seed \(seed), \(fault): \(run.program.suffix(14))")
        return
      }
    }
  }
}
