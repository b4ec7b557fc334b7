import ECS
import ECSTestSupport
import Testing

@Suite struct GroupTests {
  let context = Context()

  @Test func `Equal matchers give the same group`() {
    let group = context.group(Matcher(all: [Position.cid, Tag.cid]))
    #expect(context.group(Matcher(all: [Tag.cid, Position.cid])) === group)
    #expect(context.all([Position.cid, Tag.cid]) === group)
    #expect(context.statistics.groups == 1)
  }

  @Test func `The short forms give the right groups`() {
    let all = context.all([Position.cid], any: [Tag.cid, Name.cid], none: [Health.cid])
    #expect(
      all.matcher
        == Matcher(all: [Position.cid], any: [Tag.cid, Name.cid], none: [Health.cid]))
    let any = context.any([Tag.cid, Name.cid], none: [Health.cid])
    #expect(any.matcher == Matcher(any: [Tag.cid, Name.cid], none: [Health.cid]))
    #expect(all != any)
  }

  @Test func `Contexts have their own groups`() {
    let other = Context()
    other.createEntity(with: Tag())
    #expect(context.group(Tag.matcher).isEmpty)
    #expect(other.group(Tag.matcher).count == 1)
    #expect(context.group(Tag.matcher) != other.group(Tag.matcher))
  }

  @Test func `A group has the entities that were there before it`() {
    let entity = context.createEntity(with: Tag())
    context.createEntity(with: Name("n"))
    let group = context.group(Tag.matcher)
    #expect(Array(group) == [entity])
    #expect(group.count == 1)
    #expect(group.contains(entity))
    #expect(group.first == entity)
  }

  @Test func `An empty group has no entity`() {
    let group = context.group(Tag.matcher)
    #expect(group.isEmpty)
    #expect(group.count == 0)
    #expect(group.first == nil)
    #expect(Array(group).isEmpty)
  }

  @Test func `Entities come and go with their components`() {
    let group = context.group(Matcher(all: [Position.cid], none: [Tag.cid]))
    let entity = context.createEntity()
    #expect(!group.contains(entity))
    entity.set(Position(x: 0, y: 0))
    #expect(group.contains(entity))
    entity.set(Name("unrelated"))
    #expect(group.contains(entity))
    entity.set(Tag())
    #expect(!group.contains(entity))
    #expect(group.isEmpty)
    entity.remove(Tag.self)
    #expect(group.count == 1)
    entity.destroy()
    #expect(group.isEmpty)
    #expect(!group.contains(entity))
  }

  @Test func `A group spans all combinations of components that match`() {
    let group = context.group(Tag.matcher)
    let entities = [
      context.createEntity(with: Tag()), context.createEntity(with: Tag(), Name("n")),
      context.createEntity(with: Position(x: 0, y: 0), Tag()),
      context.createEntity(with: Health(points: 1), Name("n"), Tag()),
    ]
    #expect(group.count == 4)
    #expect(Set(group) == Set(entities))
  }

  @Test func `An entity of another context is in no group of this one`() {
    let other = Context()
    let here = context.createEntity(with: Tag())
    let there = other.createEntity(with: Tag())
    #expect(context.group(Tag.matcher).contains(here))
    #expect(!context.group(Tag.matcher).contains(there))
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
        #expect(Set(group) == expected)
        #expect(group.count == expected.count)
        #expect(group.isEmpty == expected.isEmpty)
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
    #expect(seen == [entities[0], entities[2], entities[3], entities[4], entities[5]])
    #expect(group.count == 5, "the new one is in, one is dead and one left")
  }

  @Test func `All entities of a group can be destroyed while it is iterated`() {
    context.createEntities(100, with: Tag())
    for entity in context.group(Tag.matcher) { entity.destroy() }
    #expect(context.count == 0)
  }

  @Test func `A group can be iterated again, and twice at once`() {
    context.createEntities(3, with: Tag())
    let group = context.group(Tag.matcher)
    #expect(Array(group) == Array(group))
    var pairs = 0
    for _ in group {
      for _ in group { pairs += 1 }
    }
    #expect(pairs == 9)
  }

  @Test func `First is what iteration visits first`() {
    context.createEntities(5, with: Tag())
    let group = context.group(Tag.matcher)
    for _ in 0..<5 {
      #expect(group.first == Array(group).first)
      group.first?.destroy()
    }
    #expect(group.first == nil)
  }

  @Test func `A description has the matcher and the number of entities`() {
    context.createEntities(2, with: Tag())
    let description = context.group(Tag.matcher).description
    #expect(description.contains("all(Tag)"))
    #expect(description.contains("2"))
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
    #expect(first.count > 100)
    #expect(run() == first)
  }
}
