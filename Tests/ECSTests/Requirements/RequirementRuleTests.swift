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
      #expect(!entity.has(Spot.self))
    }
    #expect(!entity.has(Spot.self) && entity.get(Motion.self)?.dx == 2)
  }

  @Test func `only one entity can be made that gets a unique component along`() async {
    #expect(context.createEntities(from: [1]) { _ in Cursor() }.count == 1)
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Context().createEntities(from: [1, 2, 3]) { _ in Cursor() }
    }
    #expect(stopped(result, saying: "3 entities cannot be created with a unique component"))
  }

  @Test func `a template brings no unique component along`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Template { Cursor() }
    }
    #expect(stopped(result, saying: "requires Focus, which only one entity can hold"))
  }

  @Test func `what goes with a component does not refuse what goes with it, too`() {
    // Whichever of the types was used first.
    for _ in 0..<2 {
      let entity = context.createEntity(with: Rope())
      #expect(entity.has(Sail.self) && entity.has(Hull.self))
      entity.remove(Hull.self)
      #expect(!entity.has(Sail.self) && !entity.has(Rope.self) && !entity.has(Hull.self))
    }
  }

  @Test func `a removal that is refused further on stops before anything is removed`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = Context()
      let entity = context.createEntity(with: Rope())
      entity.set(Pennant())
      let token = entity.observeChanges { change in fatalError("\(change) was seen.") }
      entity.remove(Hull.self)
      withExtendedLifetime(token) {}
    }
    #expect(stopped(result, saying: "Sail cannot be removed", "Pennant"))
  }

  @Test func `of several rules for a component the strictest holds`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = Context()
      context.createEntity(with: Twice()).remove(Spot.self)
    }
    #expect(stopped(result, saying: "Spot cannot be removed", "Twice"))
  }
}
