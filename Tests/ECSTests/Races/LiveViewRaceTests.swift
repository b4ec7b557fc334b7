import ECS
import ECSTestSupport
import Testing

/// Eight threads that change entities, and make, read, observe and release views of them.
@Suite(.optimizedOrSanitized, .longRunning, .noHangs) struct LiveViewRaceTests {
  static let threads = 8
  static let steps = Effort.raceSteps

  struct Age: Component { var value: Int }
  struct Name: Component { var text: String }
  struct Hidden: Component {}
  enum Knows: ToOneRelation {}
  enum Rates: Relation { typealias Value = Age }

  /// A copy of a view's contents that is kept by applying differences.
  // Guarded by the context: written by an observer, read in `perform`.
  final class Mirror: @unchecked Sendable {
    private let wrong: Tally
    private(set) var entities: [Entity] = []
    let view: LiveView

    init(_ view: LiveView, _ wrong: Tally) {
      self.view = view
      self.wrong = wrong
    }

    func observe() -> Subscription {
      view.observe(initial: true) { [self] change in
        if change.isInitial { entities = [] }
        if !change.difference.apply(to: &entities) { wrong.add() }
      }
    }

    var isExact: Bool { entities == Array(view.entities()) }
  }

  final class World: Sendable {
    let context = Context()
    let people: Group
    let hidden: Group
    let hub: Entity
    let wrong = Tally()
    let kept: [Mirror]
    let subscriptions: [Subscription]

    // Guarded by the context: used inside of `perform` only.
    @safe nonisolated(unsafe) private var entities: [Entity]

    init() {
      entities = (0..<16).map { [context] in context.createEntity(with: Age(value: $0)) }
      people = context.group(Matcher(all: [Age.cid], none: [Hidden.cid]))
      hidden = context.group(Matcher(all: [Hidden.cid]))
      hub = context.createEntity()
      kept = [
        Mirror(people.sorted(by: \Age.value), wrong),
        Mirror(people.filtered { (age: Age) in age.value < 8 }.sorted(by: \Name.text), wrong),
        Mirror(hidden.sorted(by: \Age.value, .descending).then(by: \Name.text), wrong),
        Mirror(people.sorted(by: \Age.value, ofTarget: Knows.self).then(by: \Name.text), wrong),
        Mirror(hub.sources(Rates.self).sorted(by: \.value, ofValue: Rates.self), wrong),
      ]
      subscriptions = kept.map { $0.observe() }
    }

    var all: [Entity] { context.perform { entities } }

    func change(_ random: inout SplitMix64) {
      let (place, other) = (random.below(16), random.below(16))
      let (entity, target) = context.perform { (entities[place], entities[other]) }
      switch random.below(16) {
      case 12: entity.relate(Rates.self, to: hub, Age(value: random.below(16)))
      case 13: entity.update(Rates.self, to: hub) { $0.value ^= 1 }
      case 0..<4: entity.set(Age(value: random.below(16)))
      case 4: entity.update(Age.self) { $0.value ^= 1 }
      case 5: entity.set(Name(text: String(random.below(100))))
      case 6: entity.set(Hidden())
      case 7: entity.remove(Hidden.self)
      case 8: entity.remove(random.oneIn(2) ? Age.cid : Name.cid)
      case 9..<11: entity.relate(Knows.self, to: target)
      case 11: entity.unrelate(Knows.self)
      case 14: entity.unrelate(Rates.self)
      default:
        context.perform {
          entities[place].destroy()
          entities[place] = context.createEntity(with: Age(value: random.below(16)))
        }
      }
    }

    /// Something to read of a view that exists for a while.
    func read(_ view: LiveView, _ random: inout SplitMix64) {
      switch random.below(24) {
      case 0:
        let position = random.below(16)
        context.perform {
          if let entity = view[position], view.position(of: entity) != position { wrong.add() }
        }
      case 1: if view.first(5).count > 5 { wrong.add() }
      case 2:
        for entity in view {
          // Another thread may just have destroyed it.
          if let owner = entity.context, owner !== context { wrong.add() }
        }
      case 3: context.perform { if view.first != view.entities().first { wrong.add() } }
      default: if view.count > 16 { wrong.add() }
      }
    }

    func makeView(_ random: inout SplitMix64) -> LiveView {
      let limit = random.below(16)
      return switch random.below(5) {
      case 4:
        people.related(Rates.self, to: hub).filtered(byValue: Rates.self) { $0.value < limit }
          .sorted(by: \.value, ofValue: Rates.self, .descending)
      case 3:
        people.filtered(byTarget: Knows.self) { (age: Age) in age.value < limit }
          .sorted(by: \Name.text, ofTarget: Knows.self)
      case 0: people.filtered { (age: Age) in age.value < limit }
      case 1: people.sorted(by: \Name.text, .descending).then(by: \Age.value)
      default: hidden.filtered { (age: Age) in age.value > limit }.sorted(by: \Age.value)
      }
    }
  }

  private static func run(_ world: World, _ thread: Int) {
    var random = SplitMix64(seed: UInt64(thread))
    var view = world.people.view().start()
    var mirror: Mirror?
    var subscription: Subscription?
    for step in 0..<steps {
      switch random.below(16) {
      case 0..<2: world.change(&random)
      case 12 where step % 8 == 0:
        view = world.makeView(&random)
        // Most of them: one that is not started looks at all entities each time it is read.
        if !random.oneIn(8) { view.start() }
      case 13 where step % 8 == 0:
        let made = Mirror(world.makeView(&random), world.wrong)
        (mirror, subscription) = (made, made.observe())
      case 14:
        world.context.perform { if mirror?.isExact == false { world.wrong.add() } }
        (mirror, subscription) = (nil, nil)
      default: world.read(view, &random)
      }
    }
    withExtendedLifetime((mirror, subscription)) {}
  }

  @Test func `Views are exact and lose no difference while eight threads change entities`() {
    let world = World()
    Threads.run(Self.threads) { thread in Self.run(world, thread) }
    expectEqual(world.wrong.value, 0)
    expectTrue(world.kept.allSatisfy { $0.isExact })
    let visible = world.all.filter { $0.has(Age.self) && !$0.has(Hidden.self) }
    let known = world.kept[3].view.map { $0.target(Knows.self)?.get(Age.self)?.value ?? .max }
    expectTrue(known == known.sorted() && known.count == visible.count)
    let ages = world.kept[0].view.compactMap { $0.get(Age.self)?.value }
    expectEqual(ages, visible.compactMap { $0.get(Age.self)?.value }.sorted())
    expectEqual(Set(world.kept[0].view), Set(visible))
    let rates = world.kept[4].view.compactMap { $0.value(of: Rates.self, to: world.hub)?.value }
    expectTrue(rates == rates.sorted() && rates.count == world.hub.sources(Rates.self).count)
    expectEqual(world.context.statistics.views, 5, "The others were released.")
  }
}
