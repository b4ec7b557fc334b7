import ECS
import ECSTestSupport
import Testing

@Suite struct GroupTests {
  let context = Context()

  @Test func `Equal matchers give the same group`() {
    let group = context.group(Matcher(all: [Position.cid, Tag.cid]))
    expectTrue(context.group(Matcher(all: [Tag.cid, Position.cid])) === group)
    expectTrue(context.all([Position.cid, Tag.cid]) === group)
    expectEqual(context.statistics.groups, 1)
  }

  @Test func `The short forms give the right groups`() {
    let all = context.all([Position.cid], any: [Tag.cid, Name.cid], none: [Health.cid])
    expectEqual(
      all.matcher,
      Matcher(all: [Position.cid], any: [Tag.cid, Name.cid], none: [Health.cid]))
    let any = context.any([Tag.cid, Name.cid], none: [Health.cid])
    expectEqual(any.matcher, Matcher(any: [Tag.cid, Name.cid], none: [Health.cid]))
    expectNotEqual(all, any)
  }

  @Test func `Contexts have their own groups`() {
    let other = Context()
    other.createEntity(with: Tag())
    expectTrue(context.group(Tag.matcher).isEmpty)
    expectEqual(other.group(Tag.matcher).count, 1)
    expectNotEqual(context.group(Tag.matcher), other.group(Tag.matcher))
  }

  @Test func `A group has the entities that were there before it`() {
    let entity = context.createEntity(with: Tag())
    context.createEntity(with: Name("n"))
    let group = context.group(Tag.matcher)
    expectEqual(Array(group), [entity])
    expectEqual(group.count, 1)
    expectTrue(group.contains(entity))
    expectEqual(group.first, entity)
  }

  @Test func `An empty group has no entity`() {
    let group = context.group(Tag.matcher)
    expectTrue(group.isEmpty)
    expectEqual(group.count, 0)
    expectNil(group.first)
    expectTrue(Array(group).isEmpty)
  }

  @Test func `Entities come and go with their components`() {
    let group = context.group(Matcher(all: [Position.cid], none: [Tag.cid]))
    let entity = context.createEntity()
    expectFalse(group.contains(entity))
    entity.set(Position(x: 0, y: 0))
    expectTrue(group.contains(entity))
    entity.set(Name("unrelated"))
    expectTrue(group.contains(entity))
    entity.set(Tag())
    expectFalse(group.contains(entity))
    expectTrue(group.isEmpty)
    entity.remove(Tag.self)
    expectEqual(group.count, 1)
    entity.destroy()
    expectTrue(group.isEmpty)
    expectFalse(group.contains(entity))
  }

  @Test func `A group spans all combinations of components that match`() {
    let group = context.group(Tag.matcher)
    let entities = [
      context.createEntity(with: Tag()), context.createEntity(with: Tag(), Name("n")),
      context.createEntity(with: Position(x: 0, y: 0), Tag()),
      context.createEntity(with: Health(points: 1), Name("n"), Tag()),
    ]
    expectEqual(group.count, 4)
    expectEqual(Set(group), Set(entities))
  }

  @Test func `An entity of another context is in no group of this one`() {
    let other = Context()
    let here = context.createEntity(with: Tag())
    let there = other.createEntity(with: Tag())
    expectTrue(context.group(Tag.matcher).contains(here))
    expectFalse(context.group(Tag.matcher).contains(there))
  }

  @Test func `Groups stay exact while entities change`() {
    let matchers = [
      Matcher(all: [Position.cid]), Matcher(all: [Position.cid, Tag.cid]),
      Matcher(any: [Tag.cid, Name.cid]), Matcher(all: [Position.cid], none: [Tag.cid]),
      Matcher(all: [Health.cid], any: [Tag.cid, Name.cid], none: [Position.cid]),
    ]
    let groups = matchers.map(context.group)
    let entities = (0..<16).map { _ in context.createEntity() }
    for step in 0..<400 {
      let entity = entities[(step * 7) % 16]
      switch (step * 5 + step / 16) % 8 {
      case 0: entity.set(Position(x: 0, y: 0))
      case 1: entity.set(Tag())
      case 2: entity.set(Name("n"))
      case 3: entity.set(Health(points: 0))
      case 4: entity.remove(Position.self)
      case 5: entity.remove(Tag.self)
      case 6: entity.remove(Name.self)
      default: entity.remove(Health.self)
      }
      for (matcher, group) in zip(matchers, groups) {
        let expected = Set(entities.filter(matcher.matches))
        expectEqual(Set(group), expected)
        expectEqual(group.count, expected.count)
        expectEqual(group.isEmpty, expected.isEmpty)
      }
    }
  }

  @Test func `Iteration allows every change and sees the snapshot`() {
    let entities = (0..<6).map { context.createEntity(with: Health(points: $0)) }
    let group = context.group(Health.matcher)
    var seen: [Entity] = []
    for entity in group {
      seen.append(entity)
      if entity == entities[0] {
        entities[1].destroy()
        entities[2].remove(Health.self)
        entities[3].set(Tag())
        context.createEntity(with: Health(points: 9))
      }
      entity.set(Name("visited"))
    }
    expectEqual(seen, [entities[0], entities[2], entities[3], entities[4], entities[5]])
    expectEqual(group.count, 5, "the new one is in, one is dead and one left")
  }

  @Test func `All entities of a group can be destroyed while it is iterated`() {
    context.createEntities(100, with: Tag())
    for entity in context.group(Tag.matcher) { entity.destroy() }
    expectEqual(context.count, 0)
  }

  @Test func `A group can be iterated again, and twice at once`() {
    context.createEntities(3, with: Tag())
    let group = context.group(Tag.matcher)
    expectEqual(Array(group), Array(group))
    var pairs = 0
    for _ in group {
      for _ in group { pairs += 1 }
    }
    expectEqual(pairs, 9)
  }

  @Test func `First is what iteration visits first`() {
    context.createEntities(5, with: Tag())
    let group = context.group(Tag.matcher)
    for _ in 0..<5 {
      expectEqual(group.first, Array(group).first)
      group.first?.destroy()
    }
    expectNil(group.first)
  }

  @Test func `A description has the matcher and the number of entities`() {
    context.createEntities(2, with: Tag())
    let description = context.group(Tag.matcher).description
    expectTrue(description.contains("all(Tag)"))
    expectTrue(description.contains("2"))
  }

  @Test func `The order of iteration is the same for the same program`() {
    func run() -> [Int32] {
      let context = Context()
      let group = context.group(Health.matcher)
      var entities: [Entity] = []
      for number in 0..<200 {
        entities.append(context.createEntity(with: Health(points: Int32(number))))
        if number.isMultiple(of: 3) { entities[number / 2].set(Tag()) }
        if number.isMultiple(of: 5) { entities[number / 3].remove(Tag.self) }
        if number.isMultiple(of: 7) { entities[number / 4].destroy() }
      }
      return group.compactMap { $0.get(Health.self)?.points }
    }
    let first = run()
    expectGreaterThan(first.count, 100)
    expectEqual(run(), first)
  }
}
