import Dispatch
import ECS
import ECSTestSupport
import Testing

/// Observations, views and sequences end with what holds them, and take along what they hold.
@Suite(.noHangs) struct ObservationLifetimeTests {
  let counter = LifeCounter()

  /// An object that observes.
  final class Owner: Sendable {
    private let instance: TrackedInstance

    init(_ counter: LifeCounter) { instance = TrackedInstance(counter) }
  }

  /// What a program that observes holds on to.
  enum Part: CaseIterable {
    case context
    case owner
    case tokens
    case views
    case sequences

    static var allOrders: [[Part]] { orders(of: allCases) }

    private static func orders(of parts: [Part]) -> [[Part]] {
      guard !parts.isEmpty else { return [[]] }
      return parts.flatMap { first in
        orders(of: parts.filter { $0 != first }).map { [first] + $0 }
      }
    }
  }

  /// A context with everything that can be observed, and observers of all kinds.
  private final class World {
    private let counter: LifeCounter
    private let queue = DispatchQueue(label: "observers")
    private let entity: Entity
    private let related: Entity
    private var context: Context?
    private var owner: Owner?
    private var tokens: [Subscription] = []
    private var views: [LiveView] = []
    private var sequences: [any Sendable] = []

    init(_ counter: LifeCounter) {
      self.counter = counter
      let context = Context()
      self.context = context
      entity = context.createEntity(with: Tracked(counter), Health(points: 1))
      related = context.createEntity(with: Health(points: 2))
      entity.relate(TaggedWith.self, to: related)
      let group = context.group(Health.matcher)
      let limit = TrackedInstance(counter)
      let view = group.filtered { (health: Health) in
        withExtendedLifetime(limit) { health.points > 0 }
      }.sorted(by: \Health.points)
      let relatedView = entity.targets(TaggedWith.self).sorted(by: \Health.points)
      views = [view, view.then(by: \Tracked.number), relatedView]
      owner = Owner(counter)
      observe(entity)
      observe(group)
      observe(view)
      observe(relatedView)
      observe(entity.targets(TaggedWith.self))
    }

    private func observe<Source: ChangeSource>(_ source: Source) {
      let captured = TrackedInstance(counter)
      tokens.append(source.observe(initial: true) { _ in withExtendedLifetime(captured) {} })
      tokens.append(
        source.observe(initial: false, on: queue) { _ in withExtendedLifetime(captured) {} })
      sequences.append(source.observations)
      guard let owner else { return }
      source.observe(by: owner) { _, _ in withExtendedLifetime(captured) {} }
      source.observe(by: owner, name: "queued", on: queue) { _, _ in
        withExtendedLifetime(captured) {}
      }
    }

    /// Changes all that is observed.
    func change() {
      entity.set(Health(points: 3)).unrelate(TaggedWith.self)
      entity.relate(TaggedWith.self, to: related)
    }

    func release(_ part: Part) {
      switch part {
      case .context: context = nil
      case .owner: owner = nil
      case .tokens: tokens = []
      case .views: views = []
      case .sequences: sequences = []
      }
    }

    func waitForQueue() { queue.sync {} }
  }

  @Test(arguments: [false, true])
  func `Nothing is left after everything was released, in whatever order`(isChanging: Bool) {
    for order in Part.allOrders {
      let counter = LifeCounter()
      let world = World(counter)
      expectEqual(counter.living, 8)
      for part in order {
        if isChanging { world.change() }
        world.release(part)
      }
      world.waitForQueue()
      expectEqual(counter.living, 0, "after \(order)")
    }
  }

  @Test func `A token that is canceled releases its block, though it is kept`() {
    let context = Context()
    let entity = context.createEntity(with: Health(points: 1))
    let captured = TrackedInstance(counter)
    let token = entity.observe(initial: true) { [captured] _ in withExtendedLifetime(captured) {} }
    let other = context.group(Health.matcher).observeChanges { [captured] _ in
      withExtendedLifetime(captured) {}
    }
    weak let instance = captured
    _ = consume captured
    expectNotNil(instance)
    token.cancel()
    other.cancel()
    expectNil(instance)
    withExtendedLifetime((token, other)) {}
  }

  @Test func `The blocks of an owner that is gone are gone with the next change`() {
    let context = Context()
    let entity = context.createEntity(with: Health(points: 1))
    let view = context.group(Health.matcher).sorted(by: \Health.points)
    var owner: Owner? = Owner(counter)
    if let owner {
      let captured = TrackedInstance(counter)
      entity.observe(by: owner) { _, _ in withExtendedLifetime(captured) {} }
      view.observe(by: owner) { _, _ in withExtendedLifetime(captured) {} }
      entity.sources(TaggedWith.self).observe(by: owner) { _, _ in
        withExtendedLifetime(captured) {}
      }
    }
    expectEqual(counter.living, 2)
    owner = nil
    expectEqual(counter.living, 1)
    entity.set(Health(points: 2)).relate(TaggedWith.self, to: entity)
    expectEqual(counter.living, 0)
    expectEqual(context.statistics.observers, 0)
    withExtendedLifetime((owner, view)) {}
  }

  @Test func `The blocks that observe an entity or its relations are gone with the entity`() {
    let context = Context()
    let entity = context.createEntity(with: Health(points: 1))
    let owner = Owner(counter)
    do {
      let captured = TrackedInstance(counter)
      entity.observe(by: owner) { _, _ in withExtendedLifetime(captured) {} }
      entity.targets(TaggedWith.self).observe(by: owner) { _, _ in
        withExtendedLifetime(captured) {}
      }
    }
    expectEqual(counter.living, 2)
    entity.destroy()
    expectEqual(counter.living, 1)
    withExtendedLifetime(owner) {}
  }

  @Test func `Tokens don't keep the blocks of sources that are gone`() {
    var context: Context? = Context()
    let entity = context?.createEntity(with: Health(points: 1))
    let other = context?.createEntity(with: Health(points: 1))
    var tokens: [Subscription?] = []
    do {
      let captured = TrackedInstance(counter)
      for entity in [entity, other] {
        tokens.append(entity?.observe(initial: true) { _ in withExtendedLifetime(captured) {} })
        tokens.append(entity?.observeChanges { _ in withExtendedLifetime(captured) {} })
      }
      tokens.append(
        context?.group(Health.matcher).observeChanges { _ in withExtendedLifetime(captured) {} })
      tokens.append(context?.observeEvents { _ in withExtendedLifetime(captured) {} })
    }
    entity?.destroy()
    expectEqual(tokens.map { $0?.isActive }, [false, false, true, true, true, true])
    expectEqual(counter.living, 1)
    context = nil
    expectEqual(counter.living, 0)
    expectFalse(tokens.contains { $0?.isActive == true })
    expectEqual(entity?.observeChanges { _ in }.isActive, false)
    withExtendedLifetime((context, tokens)) {}
  }

  @Test func `A view lives as long as it is held or observed, and no longer`() {
    let context = Context()
    let group = context.group(Health.matcher)
    context.createEntity(with: Health(points: 1))
    weak var view: LiveView?
    var token: Subscription?
    do {
      let limit = TrackedInstance(counter)
      let made = group.filtered { (health: Health) in
        withExtendedLifetime(limit) { health.points > 0 }
      }
      token = made.observe(initial: true) { _ in }
      view = made
    }
    expectEqual(view?.count, 1)
    expectEqual(context.statistics.views, 1)
    token?.cancel()
    expectNil(view)
    expectEqual(counter.living, 0)
    expectEqual(context.statistics.views, 0)
    withExtendedLifetime(token) {}
  }

  @Test func `A task that iterates over changes releases the source when it is canceled`() async {
    let context = Context()
    let group = context.group(Health.matcher)
    weak var view: LiveView?
    let task: Task<Void, Never>
    do {
      let made = group.sorted(by: \Health.points)
      view = made
      task = Task { [changes = made.observations] in for await _ in changes {} }
    }
    task.cancel()
    await task.value
    expectNil(view)
    expectEqual(context.statistics.observers, 0)
    expectEqual(context.statistics.views, 0)
  }
}
