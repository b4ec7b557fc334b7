import ECS
import ECSTestSupport
import Testing

@Suite struct HierarchyTests {
  let context = Context()

  /// A root with three children, of which the first has two of its own.
  private func family() throws -> [Entity] {
    let entities = context.createEntities(6, with: Tag())
    for (child, parent) in [(1, 0), (2, 0), (3, 0), (4, 1), (5, 1)] {
      try entities[child].setParent(entities[parent])
    }
    return entities
  }

  @Test func `Parents and children find each other`() throws {
    let family = try family()
    expectEqual(family[4].parent, family[1])
    expectEqual(family[0].children.entities(), EntitySet(family[1...3]))
    expectNil(family[0].parent)
    expectEqual(Array(family[5].ancestors()), [family[1], family[0]])
    expectEqual(family[5].root(), family[0])
    expectEqual(family[0].root(), family[0])
  }

  @Test func `A walk visits each child before its siblings' children`() throws {
    let family = try family()
    expectEqual(Array(family[0].descendants()), [1, 4, 5, 2, 3].map { family[$0] })
    var depths: [Int] = []
    family[0].walk { depths.append($1) }
    expectEqual(depths, [1, 2, 2, 1, 1])
    expectEqual(Array(family[1].descendants()), [family[4], family[5]])
    expectTrue(family[5].descendants().isEmpty)
  }

  @Test func `What an entity lacks comes from the nearest ancestor that has it`() throws {
    let family = try family()
    expectNil(family[5].nearest(with: Health.self))
    expectNil(family[5].inherited(Health.self))
    family[0].set(Health(points: 1))
    expectEqual(family[5].nearest(with: Health.self), family[0])
    expectEqual(family[5].inherited(Health.self)?.points, 1)
    family[1].set(Health(points: 2))
    let values: [Int32?] = family.map { $0.inherited(Health.self)?.points }
    expectEqual(values, [1, 2, 1, 1, 2, 2])
    expectEqual(family[5].nearest(with: Health.self), family[1])
    try family[5].setParent(family[3])
    expectEqual(family[5].inherited(Health.self)?.points, 1)
    family[5].set(Health(points: 3))
    expectEqual(family[5].nearest(with: Health.self), family[5])
    // In an iteration, components that wait to be removed are gone, and links are as they were.
    context.group(Health.matcher).withEach { (entity, _: Health) in
      guard entity == family[5] else { return }
      entity.remove(Health.self).relate(ChildOf.self, to: family[1])
      expectEqual(entity.inherited(Health.self)?.points, 1)
    }
    expectEqual(context.reading { family[5].inherited(Health.self)?.points }, 2)
    family[5].destroy()
    expectNil(family[5].nearest(with: Health.self))
  }

  @Test func `A child moves between parents and leaves them`() throws {
    let family = try family()
    try family[4].setParent(family[2])
    expectEqual(family[1].children.entities(), [family[5]])
    expectEqual(family[2].children.entities(), [family[4]])
    try family[4].setParent(nil)
    expectNil(family[4].parent)
    expectTrue(family[2].children.isEmpty)
  }

  @Test func `No entity becomes its own descendant`() throws {
    let family = try family()
    let error = #expect(throws: HierarchyCycle.self) { try family[0].setParent(family[5]) }
    expectEqual(error?.child, family[0])
    expectEqual(error?.parent, family[5])
    let lonely = context.createEntity()
    #expect(throws: HierarchyCycle.self) { try lonely.setParent(lonely) }
    expectNil(family[0].parent)
    expectEqual(family[0].descendants().count, 5)
  }

  @Test func `Children are destroyed with their parent`() throws {
    let family = try family()
    family[1].destroy()
    expectEqual(family.map(\.isAlive), [true, false, true, true, false, false])
    expectEqual(family[0].children.count, 2)
  }

  @Test func `A long chain is walked and asked for its root`() throws {
    let chain = context.createEntities(Effort.chainLength, with: Tag())
    try context.perform {
      for number in 1..<chain.count { try chain[number].setParent(chain[number - 1]) }
    }
    var deepest = 0
    chain[0].walk { deepest = max(deepest, $1) }
    expectEqual(deepest, chain.count - 1)
    expectEqual(chain[chain.count - 1].root(), chain[0])
    chain[0].destroy()
    expectEqual(context.count, 0)
  }

  @Test func `A custom hierarchy keeps children when their parent goes`() throws {
    enum Below: Hierarchy {}
    let entities = context.createEntities(2, with: Tag())
    try entities[1].setParent(entities[0], in: Below.self)
    expectEqual(Array(entities[1].ancestors(in: Below.self)), [entities[0]])
    expectNil(entities[1].parent)
    entities[0].destroy()
    expectTrue(entities[1].isAlive)
    expectTrue(entities[1].ancestors(in: Below.self).isEmpty)
  }

  /// Runs a body once, inside of an iteration.
  private func iterate(_ body: () throws -> Void) rethrows {
    let group = context.group(Health.matcher)
    context.createEntity(with: Health(points: 1))
    try group.withEach { (_, _: Health) in try body() }
  }

  @Test func `A cycle is refused inside an iteration, too`() throws {
    let family = try family()
    iterate {
      let error = #expect(throws: HierarchyCycle.self) { try family[0].setParent(family[5]) }
      expectEqual(error?.parent, family[5])
    }
    expectNil(family[0].parent)
    expectEqual(family[0].descendants().count, 5)
  }

  @Test func `A cycle that links inside an iteration would make is refused`() throws {
    let (one, other) = (context.createEntity(), context.createEntity())
    try iterate {
      let new = context.createEntity()
      try one.setParent(other)
      try other.setParent(new)
      #expect(throws: HierarchyCycle.self) { try new.setParent(one) }
      #expect(throws: HierarchyCycle.self) { try new.setParent(new) }
      one.unrelate(ChildOf.self, from: other)
      try new.setParent(one)
      #expect(throws: HierarchyCycle.self) { try one.setParent(other) }
      new.targets(ChildOf.self).removeAll()
      try one.setParent(other)
      new.children.removeAll()
      try new.setParent(one)
      #expect(throws: HierarchyCycle.self) { try other.setParent(new) }
      one.children.replaceAll(with: [])
      try other.setParent(new)
    }
    expectEqual(one.parent, other)
    expectNil(other.parent?.parent)
    expectTrue(one.children.isEmpty)
  }

  @Test func `A parent that is about to be destroyed inside an iteration is no ancestor`() throws {
    let family = try family()
    try family[1].setParent(nil)
    iterate {
      family[1].destroy()
      #expect(throws: Never.self) { try family[2].setParent(family[5]) }
    }
    expectFalse(family[5].isAlive)
    expectEqual(family[2].parent, family[0])
  }

  @Test func `Links that wait for the end of an iteration can be seen coming`() throws {
    let family = try family()
    var coming: [[Entity]] = []
    func look() { coming.append(Array(family[0].children.coming())) }
    look()
    try iterate {
      look()
      try family[1].setParent(family[0])
      try family[4].setParent(family[0])
      look()
      family[2].destroy()
      try family[3].setParent(nil)
      try family[3].setParent(family[0])
      look()
      let new = context.createEntity()
      family[1].children.replaceAll(with: [new, family[5]])
      coming.append(Array(family[1].children.coming()))
      expectEqual(Array(new.targets(ChildOf.self).coming()), [family[1]])
      expectTrue(family[2].targets(ChildOf.self).coming().isEmpty)
      expectEqual(Array(family[0].children), [family[1], family[3]])
    }
    look()
    expectEqual(coming[0], [family[1], family[2], family[3]])
    expectEqual(coming[1], coming[0])
    expectEqual(coming[2], coming[0] + [family[4]])
    expectEqual(coming[3], [family[1], family[4], family[3]])
    expectEqual(coming[4], Array(family[1].children))
    expectEqual(coming[5], coming[3])
  }
}
