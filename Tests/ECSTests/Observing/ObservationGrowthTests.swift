import Dispatch
import ECS
import ECSTestSupport
import Testing

/// Beginning and ending an observation cost the same, however many there are.
@Suite(.optimizedOrSanitized, .longRunning) struct ObservationGrowthTests {
  final class Owner: Sendable {}

  /// What there may be many of.
  enum Kind: CaseIterable {
    case observersOfGroup
    case observersOfGroupAsWhole
    case observersOfEntity
    case observersOfEntityAsWhole
    case observersOfContext
    case observersOfRunaways
    case observersOfView
    case observersOnQueue
    case observersOfEntities
    case entitiesOfOwner
    case entitiesOfOwnerOneByOne
    case namesOfOwner
    case owners
    case ownersThatAreGone
    case sequences
    case sequencesOfChanges
  }

  @Test(arguments: Kind.allCases)
  func `Observations begin and end at the same cost, however many there are`(kind: Kind) {
    let exponents = Growth.exponents(from: 1000) {
      [Self.cost(of: kind, $0)]
    }
    expectLessThanOrEqual(exponents[0], Growth.limit)
  }

  /// The time to begin so many observations, to tell one change, and to end them.
  private static func cost(of kind: Kind, _ count: Int) -> Double {
    let context = Context()
    let entities = context.createEntities(count, with: Health(points: 1))
    let group = context.group(Health.matcher)
    let view = context.group(Position.matcher).sorted(by: \Position.x)
    let (owner, queue) = (Owner(), DispatchQueue(label: "observers"))
    let entity = entities[0]
    switch kind {
    case .observersOfGroup: return tokens(count, entity) { _ in group.observeChanges { _ in } }
    case .observersOfGroupAsWhole:
      return tokens(count, entity) { _ in group.observe(initial: false) { _ in } }
    case .observersOfEntity: return tokens(count, entity) { _ in entity.observeChanges { _ in } }
    case .observersOfEntityAsWhole:
      return tokens(count, entity) { _ in entity.observe(initial: false) { _ in } }
    case .observersOfContext: return tokens(count, entity) { _ in context.observeEvents { _ in } }
    case .observersOfRunaways:
      return tokens(count, entity) { _ in context.observeRunaways { _ in } }
    case .observersOfView:
      return tokens(count, entity) { _ in view.observe(initial: false) { _ in } }
    case .observersOnQueue:
      return tokens(count, entity) { _ in group.observe(initial: false, on: queue) { _ in } }
    case .observersOfEntities:
      return tokens(count, entity) { entities[$0].observeChanges { _ in } }
    case .entitiesOfOwner:
      return ThreadTime.of {
        for entity in entities { entity.observe(by: owner) { _, _ in } }
        context.destroyAllEntities()
        expectEqual(context.observerCount(of: owner), 0)
      }
    case .entitiesOfOwnerOneByOne:
      return ThreadTime.of {
        for entity in entities { entity.observe(by: owner) { _, _ in } }
        for entity in entities { entity.stopObserving(by: owner) }
        expectEqual(context.observerCount(of: owner), 0)
      }
    case .namesOfOwner:
      return ThreadTime.of {
        for number in 0..<count { entity.observe(by: owner, name: "\(number)") { _, _ in } }
        for number in 0..<count { context.stopObserving(by: owner, name: "\(number)") }
        expectEqual(context.observerCount(of: owner), 0)
      }
    case .owners:
      let owners = (0..<count).map { _ in Owner() }
      return ThreadTime.of {
        for owner in owners { entity.observe(by: owner) { _, _ in } }
        for owner in owners { context.stopObserving(by: owner) }
        expectEqual(context.statistics.observers, 0)
      }
    case .ownersThatAreGone:
      return ThreadTime.of {
        for _ in 0..<count { entity.observe(by: Owner()) { _, _ in } }
        expectEqual(entity.observerCount, 0)
      }
    case .sequences:
      return ThreadTime.of {
        let sequences = (entities.map(\.observations), entities.map { _ in group.observations })
        withExtendedLifetime(sequences) {}
      }
    case .sequencesOfChanges:
      return ThreadTime.of {
        let sequences =
          entities.map { $0.changes() }
          + entities.map { _ in group.changes() }
        withExtendedLifetime(sequences) {}
      }
    }
  }

  private static func tokens(
    _ count: Int, _ entity: Entity, _ observe: (Int) -> Subscription
  ) -> Double {
    ThreadTime.of {
      // Ended in order, in the opposite order, and all of them when they are released.
      for ending in 0..<3 {
        let tokens = (0..<count).map(observe)
        entity.set(Health(points: 2))
        if ending == 0 { for token in tokens { token.cancel() } }
        if ending == 1 { for token in tokens.reversed() { token.cancel() } }
      }
    }
  }
}
