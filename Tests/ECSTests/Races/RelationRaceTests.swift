import ECS
import ECSTestSupport
import Testing

/// Eight threads that link, unlink, move and destroy related entities.
@Suite(.optimizedOrSanitized, .longRunning, .noHangs) struct RelationRaceTests {
  static let threads = 8
  static let steps = Effort.raceSteps

  struct Node: Component {}

  /// Entities that threads share, replaced when they are destroyed.
  // Guarded by the context: used inside of `perform` only.
  final class Places: @unchecked Sendable {
    let context: Context
    private var entities: [Entity]

    init(_ context: Context, _ count: Int) {
      self.context = context
      entities = (0..<count).map { _ in context.createEntity(with: Node()) }
    }

    var all: [Entity] { context.perform { entities } }

    subscript(place: Int) -> Entity { context.perform { entities[place] } }

    /// Puts new entities in the place of dead ones.
    func refill() {
      context.perform {
        for place in entities.indices where !entities[place].isAlive {
          entities[place] = context.createEntity(with: Node())
        }
      }
    }
  }

  /// What observers of one side of a relation saw last.
  // Guarded by the context: written by observers, read when all is done.
  final class Seen: @unchecked Sendable {
    private var related: [Entity: EntitySet] = [:]

    func note<R: Relation>(_ side: RelatedEntities<R>) { related[side.entity] = side.entities() }
    func last(of entity: Entity) -> EntitySet { related[entity] ?? [] }
  }

  /// A copy of what is related to an entity, which is kept by the differences of a view.
  // Guarded by the context: written by an observer, read when all is done.
  final class Mirror: @unchecked Sendable {
    let view: LiveView
    private var entities: [Entity] = []
    private var hasFailed = false

    init(_ view: LiveView) { self.view = view }

    func observe() -> Subscription {
      view.observe(initial: true) { [self] change in
        if !change.difference.apply(to: &entities) { hasFailed = true }
      }
    }

    var isExact: Bool { !hasFailed && entities == Array(view) }
  }

  /// Whether each link is seen from both of its ends, and how many there are.
  static func countOfLinks<R: Relation>(_ relation: R.Type, among entities: [Entity]) -> Int? {
    var count = 0
    for entity in entities {
      let targets = entity.targets(relation).entities()
      count += targets.count
      for target in targets where !target.sources(relation).contains(entity) { return nil }
      for source in entity.sources(relation).entities()
      where !source.targets(relation).contains(entity) { return nil }
    }
    return count
  }

  /// Links or unlinks two entities from either end.
  static func change<R: Relation>(
    _ relation: R.Type, _ one: Entity, _ other: Entity, _ choice: Int
  ) {
    switch choice {
    case 0..<3: one.relate(relation, to: other)
    case 3: other.sources(relation).insert(one)
    case 4: one.unrelate(relation, from: other)
    case 5: other.sources(relation).remove(one)
    case 6: one.unrelate(relation)
    case 8: one.targets(relation).move(other, to: 0)
    case 9: other.sources(relation).insert(one, at: 1)
    case 10: other.sources(relation).reverse()
    default: other.sources(relation).removeAll()
    }
  }

  @Test func `Both sides agree and no notification is lost, whichever end eight threads use`() {
    let (context, wrong) = (Context(), Tally())
    let entities = (0..<24).map { _ in context.createEntity(with: Node()) }
    let (written, tagged) = (Seen(), Seen())
    var subscriptions: [Subscription] = []
    for entity in entities {
      subscriptions.append(entity.sources(WrittenBy.self).observe(initial: true, written.note))
      subscriptions.append(entity.targets(TaggedWith.self).observe(initial: true, tagged.note))
    }
    let mirrors = entities.prefix(4).map { Mirror($0.sources(WrittenBy.self).view()) }
    subscriptions += mirrors.map { $0.observe() }
    Threads.run(Self.threads) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      for step in 0..<Self.steps {
        let (one, other) = (entities[random.below(24)], entities[random.below(24)])
        switch random.below(3) {
        case 0: Self.change(WrittenBy.self, one, other, random.below(11))
        case 1: Self.change(TaggedWith.self, one, other, random.below(11))
        default: Self.change(MarriedTo.self, one, other, random.below(6))
        }
        if one.targets(WrittenBy.self).count > 1 { wrong.add() }
        guard step % 1024 == thread else { continue }
        context.perform {
          let count = Self.countOfLinks(MarriedTo.self, among: entities)
          if count != context.linkCount(MarriedTo.self) { wrong.add() }
        }
      }
    }
    expectEqual(wrong.value, 0)
    expectEqual(
      Self.countOfLinks(WrittenBy.self, among: entities), context.linkCount(WrittenBy.self))
    expectEqual(
      Self.countOfLinks(TaggedWith.self, among: entities), context.linkCount(TaggedWith.self))
    for (entity, mirror) in zip(entities, mirrors) {
      expectEqual(mirror.view.entities(), entity.sources(WrittenBy.self).entities())
      expectTrue(mirror.isExact)
    }
    for entity in entities {
      expectEqual(written.last(of: entity), entity.sources(WrittenBy.self).entities())
      expectEqual(tagged.last(of: entity), entity.targets(TaggedWith.self).entities())
    }
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `Destroying related entities on eight threads leaves no link and no orphan behind`() {
    let (context, wrong) = (Context(), Tally())
    let places = Places(context, 48)
    let told = Tally()
    Threads.run(Self.threads) { thread in
      var random = SplitMix64(seed: UInt64(thread))
      var subscription: Subscription?
      for step in 0..<Self.steps {
        let (one, other) = (places[random.below(48)], places[random.below(48)])
        switch random.below(16) {
        case 0: one.destroy()
        case 1: do { try one.destroyIfAllowed() } catch {}
        case 2..<7: do { try one.setParent(other) } catch {}
        case 7: do { try one.setParent(nil) } catch {}
        case 8..<10: Self.change(PartOf.self, one, other, random.below(8))
        case 10..<12: Self.change(PaidBy.self, one, other, random.below(8))
        case 12 where step % 2 == 0:
          let view = one.children.filtered { (_: Node) in true }
          subscription = view.observe(initial: true) { _ in told.add() }
        case 12: subscription = one.children.observe(initial: false) { _ in told.add() }
        case 13: if one.descendants().contains(one) { wrong.add() }
        case 14: if one.ancestors().contains(one) { wrong.add() }
        default: places.refill()
        }
        guard step % 2048 == thread else { continue }
        context.perform {
          let count = Self.countOfLinks(ChildOf.self, among: places.all.filter(\.isAlive))
          if count != context.linkCount(ChildOf.self) { wrong.add() }
        }
      }
      withExtendedLifetime(subscription) {}
    }
    expectEqual(wrong.value, 0)
    expectGreaterThan(told.value, 0)
    let living = places.all.filter(\.isAlive)
    expectEqual(context.count, living.count)
    expectEqual(Self.countOfLinks(ChildOf.self, among: living), context.linkCount(ChildOf.self))
    expectEqual(Self.countOfLinks(PartOf.self, among: living), context.linkCount(PartOf.self))
    expectEqual(Self.countOfLinks(PaidBy.self, among: living), context.linkCount(PaidBy.self))
    for entity in living { entity.destroy() }
    expectEqual(context.linkCount(ChildOf.self), 0)
    expectEqual(context.linkCount(PaidBy.self), 0)
  }
}
