import ECS
import ECSTestSupport
import Testing

private struct Flag: Component { var color: Int }

private struct Mast: Component {
  static var requires: Requirement { Flag(color: 3) }
}

private struct Ship: Component {
  static var requires: Requirement { Mast() }
}

private struct Crew: Component {
  static var requires: Requirement { Flag(color: 2) }
}

private struct Fleet: Component {
  static var requires: Requirement {
    Crew()
    Ship()
  }
}

@Suite struct ContextInspectionTests {
  private struct Team: Component { var name: String }
  private struct Points: Component { var value: Int }

  private let context = Context()
  private var inspection: ContextInspection { ContextInspection(context) }

  @Test func `entities are found by their slots and generations`() {
    let first = context.createEntity(with: Points(value: 1))
    let numbers = first.numbers
    expectEqual(inspection.entity(slot: numbers.slot, generation: numbers.generation), first)
    first.destroy()
    expectNil(inspection.entity(slot: numbers.slot, generation: numbers.generation))
    let second = context.createEntity(with: Points(value: 2))
    expectEqual(second.numbers.slot, numbers.slot)
    expectEqual(
      inspection.entity(slot: numbers.slot, generation: numbers.generation + 1), second)
    expectNil(inspection.entity(slot: 7, generation: 0))
    expectNil(inspection.entity(slot: .max, generation: .max))
  }

  @Test func `living entities come in the order of slots, those that are accepted`() {
    var entities: [Entity] = []
    for number in 0..<100 {
      let entity = context.createEntity(with: Points(value: number))
      if number.isMultiple(of: 3) { entity.set(Team(name: "a")) }
      entities.append(entity)
    }
    for number in stride(from: 0, to: 100, by: 5) { entities[number].destroy() }
    let living = entities.filter(\.isAlive)
    expectEqual(inspection.slotCount, 100)
    expectEqual(inspection.entities(inSlots: 0..<100) { _ in true }, living)
    expectEqual(
      inspection.entities(inSlots: 10..<5_000) { $0.contains(Team.cid) },
      living.filter { $0.has(Team.self) && $0.numbers.slot >= 10 })
    expectTrue(inspection.entities(inSlots: 200..<300) { _ in true }.isEmpty)
    expectEqual(inspection.components(of: entities[3]), [Team.cid, Points.cid].sorted())
    expectTrue(inspection.components(of: entities[0]).isEmpty)
  }

  @Test func `tables, groups and what waits are counted`() {
    let collector = context.collector(for: Points.matcher)
    for number in 0..<3 { context.createEntity(with: Points(value: number)) }
    expectEqual(inspection.tables.first { $0.components == [Points.cid] }?.entities, 3)
    expectEqual(inspection.groups.map(\.matcher), [Points.matcher])
    expectEqual(inspection.groups.map(\.entities), [3])
    expectEqual(inspection.backlogs.map(\.count), [3])
    withExtendedLifetime(collector) {}
  }

  @Test func `indexes and aggregates have the keys with most entities`() throws {
    let teams = context.index { (team: Team) in team.name }
    let ids = context.primaryIndex { (points: Points) in points.value }
    let counts = context.count(by: \Team.name)
    for number in 0..<60 {
      context.createEntity(with: Team(name: "team \(number % 7)"), Points(value: number))
    }
    for _ in 0..<5 { context.createEntity(with: Team(name: "large")) }
    let found = inspection.keyedContents(largest: 3)
    expectEqual(found.count, 3)
    let plain = try #require(found.first { !$0.isPrimary && !$0.contents.isAggregate }).contents
    expectTrue(plain.keys == 8 && plain.entities == 65 && plain.largest.count == 3)
    expectEqual(plain.largest.map(\.entities), [9, 9, 9])
    let primary = try #require(found.first { $0.isPrimary }).contents
    expectTrue(primary.keys == 60 && primary.entities == 60)
    let aggregate = try #require(found.first { $0.contents.isAggregate }).contents
    expectTrue(aggregate.keyType == "String" && aggregate.total as? Int == 65)
    expectEqual(aggregate.largest.compactMap { $0.value as? Int }, [9, 9, 9])
    withExtendedLifetime((teams, ids, counts)) {}
  }

  @Test func `aggregates by targets are seen, until they end`() throws {
    let (first, second) = (context.createEntity(), context.createEntity())
    var counts: Aggregate<Entity, Int>? = context.count(of: Points.self, byTarget: Owner.self)
    for number in 0..<5 {
      context.createEntity(with: Points(value: number))
        .relate(Owner.self, to: number < 2 ? first : second)
    }
    let found = try #require(inspection.keyedContents(largest: 1).first)
    expectTrue(found.path == ["Owner"] && found.component == Points.cid && !found.isPrimary)
    expectTrue(found.contents.keys == 2 && found.contents.total as? Int == 5)
    expectEqual(found.contents.largest.map { $0.key as? Entity }, [second])
    withExtendedLifetime(counts) {}
    counts = nil
    expectTrue(inspection.keyedContents(largest: 1).isEmpty)
  }

  @Test func `ordered indexes are seen, until they end`() throws {
    var index: OrderedIndex<Int>? = context.orderedIndex { (points: Points) in points.value }
    let sorted = context.group(Points.matcher).sorted(by: \Points.value)
    for value in [3, 1, 2] { context.createEntity(with: Points(value: value)) }
    let found = inspection.orderedIndexes
    expectTrue(found.map(\.component) == [Points.cid] && found.map(\.keyType) == ["Int"])
    expectEqual(found.map(\.entities), [3])
    expectTrue(found.map { $0.lowest as? Int } == [1] && found.map { $0.highest as? Int } == [3])
    withExtendedLifetime((index, sorted)) {}
    index = nil
    expectTrue(inspection.orderedIndexes.isEmpty)
  }

  private enum Owner: ToOneRelation {}

  private struct Member: Component {
    static var requires: Requirement {
      Team(name: "none")
      Points(value: 7)
    }
  }

  private struct Captain: Component {
    static var requires: Requirement { Member() }
  }

  @Test func `what would come with a component is known`() {
    let entity = context.createEntity(with: Points(value: 1))
    let required = inspection.required(by: Captain.cid, of: entity)
    expectEqual(Set(required.map { type(of: $0).cid }), [Member.cid, Team.cid])
    expectTrue(inspection.required(by: Team.cid, of: entity).isEmpty)
  }

  @Test func `of values for a required component it is the nearest, as where it is set`() {
    let entity = context.createEntity()
    let required = inspection.required(by: Fleet.cid, of: entity).compactMap { $0 as? Flag }
    expectEqual(required.map(\.color), [2])
    entity.set(Fleet())
    expectEqual(entity.get(Flag.self)?.color, 2)
  }

  @Test func `entities of other contexts are known as such`() {
    let entity = context.createEntity()
    expectTrue(inspection.owns(entity) && !ContextInspection(Context()).owns(entity))
  }

  @Test func `of many links only some are made`() {
    let owner = context.createEntity()
    for _ in 0..<10 { context.createEntity().relate(Owner.self, to: owner) }
    let some = owner.linksOfBothEnds(limit: 3)
    expectTrue(some.links.count == 3 && some.more == 7)
    expectEqual(some.links.map(\.source), owner.linksOfBothEnds().prefix(3).map(\.source))
    expectEqual(owner.linksOfBothEnds(limit: 10).more, 0)
  }
}
