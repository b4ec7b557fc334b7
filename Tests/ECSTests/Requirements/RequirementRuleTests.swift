import ECS
import ECSTestSupport
import Testing

private struct Spot: Component, Equatable { var x = 0 }

private struct Motion: Component {
  var dx = 1
  static var requires: Requirement { Spot() }
}

private struct Focus: UniqueComponent {}

private struct Cursor: Component {
  static var requires: Requirement { Focus() }
}

private struct Keeper: Component {
  static var requires: Requirement { Requirement(Focus(), whenRemoved: .refused) }
}

private struct Hull: Component {}

private struct Sail: Component {
  static var requires: Requirement { Requirement(Hull(), whenRemoved: .cascades) }
}

/// Goes with the hull before it could refuse that the sail goes.
private struct Rope: Component {
  static var requires: Requirement {
    Requirement(Hull(), whenRemoved: .cascades)
    Requirement(Sail(), whenRemoved: .refused)
  }
}

private struct Pennant: Component {
  static var requires: Requirement { Requirement(Sail(), whenRemoved: .refused) }
}

private struct Twice: Component {
  static var requires: Requirement {
    Spot()
    Requirement(Spot(), whenRemoved: .refused)
  }
}

/// Rules of requirements where several of them meet.
@Suite struct RequirementRuleTests {
  let context = Context()

  @Test func `to replace a component in a pass brings nothing, at no time`() {
    let entity = context.createEntity(with: Motion())
    entity.remove(Spot.self)
    context.group(Motion.matcher).withEach { (entity: Entity, motion: Motion) in
      entity.set(Motion(dx: 2))
      expectFalse(entity.has(Spot.self))
    }
    expectTrue(!entity.has(Spot.self) && entity.get(Motion.self)?.dx == 2)
  }

  @Test func `only one entity can be made that gets a unique component along`() async {
    expectEqual(context.createEntities(from: [1]) { _ in Cursor() }.count, 1)
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Context().createEntities(from: [1, 2, 3]) { _ in Cursor() }
    }
    expectTrue(stopped(result, saying: "3 entities cannot be created with a unique component"))
  }

  @Test func `a template brings no unique component along`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Template { Cursor() }
    }
    expectTrue(stopped(result, saying: "requires Focus, which only one entity can hold"))
  }

  @Test func `what goes with a component does not refuse what goes with it, too`() {
    // Whichever of the types was used first.
    for _ in 0..<2 {
      let entity = context.createEntity(with: Rope())
      expectTrue(entity.has(Sail.self) && entity.has(Hull.self))
      entity.remove(Hull.self)
      expectTrue(!entity.has(Sail.self) && !entity.has(Rope.self) && !entity.has(Hull.self))
    }
  }

  @Test func `a removal that is refused further on removes nothing`() {
    let entity = context.createEntity(with: Rope(), Pennant())
    let seen = Recorder<Void>()
    let subscription = entity.observeChanges { _ in seen.append(()) }
    entity.remove(Hull.self)
    expectTrue(seen.items.isEmpty && entity.has(Rope.self) && entity.has(Hull.self))
    entity.remove(Pennant.self).remove(Hull.self)
    expectTrue(entity.components().isEmpty)
    withExtendedLifetime(subscription) {}
  }

  @Test func `of several rules for a component the strictest holds`() {
    let entity = context.createEntity(with: Twice())
    entity.remove(Spot.self)
    expectTrue(entity.has(Spot.self))
  }

  @Test func `a unique component goes where it is set, whatever refuses that`() {
    let (first, second) = (context.createEntity(with: Keeper()), context.createEntity())
    first.remove(Focus.self)
    expectEqual(context.uniqueEntity(Focus.self), first)
    second.set(Focus())
    expectTrue(context.uniqueEntity(Focus.self) == second && !first.has(Focus.self))
    expectTrue(first.has(Keeper.self))
    second.set(Keeper())
    context.removeUniqueComponent(Focus.self)
    expectTrue(context.uniqueEntity(Focus.self) == nil && second.has(Keeper.self))
  }
}
